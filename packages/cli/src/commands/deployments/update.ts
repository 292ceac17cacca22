import { command } from '../../framework/command.ts'
import { choice, optional, text } from '../../framework/parameter.ts'
import { deploymentArgument } from '../shared/arguments.ts'
import { dataOption, readData } from '../shared/data-option.ts'

export const updateDeployment = command({
  details: 'Changes what is given and leaves the rest. The options win over fields of --data.',
  examples: [
    'hedron deployments update 1 --name Flights',
    'hedron deployments update 1 --release-channel-version v0.1.0',
    `hedron deployments update 1 -d '{"deployBranchReadOnly":true}'`,
  ],
  arguments: { deployment: deploymentArgument },
  options: {
    name: optional(text('name'), 'new name'),
    releaseChannel: optional(choice('channel', ['latest', 'release']), "move to this channel's newest version"),
    releaseChannelVersion: optional(text('version'), 'move to this version, one of `hedron deployments versions`'),
    data: dataOption,
  },
  next: ({ deployment, releaseChannel, releaseChannelVersion }) =>
    releaseChannel === undefined && releaseChannelVersion === undefined
      ? `hedron deployments settings ${deployment}`
      : `hedron deployments versions ${deployment}`,
  async run({ deployment, data, ...fields }, { effects, output, session }) {
    const { request } = await session()
    const given = Object.entries(fields).filter(([, value]) => value !== undefined)
    const body = { ...(await readData(data, effects)), ...Object.fromEntries(given) }
    output.document(await request('PUT', `/api/v1/deployments/${deployment}`, { body }))
  },
})
