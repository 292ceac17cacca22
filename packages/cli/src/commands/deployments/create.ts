import { command } from '../../framework/command.ts'
import { usage } from '../../framework/failure.ts'
import { choice, flag, optional, text } from '../../framework/parameter.ts'
import { dataOption, readData } from '../shared/data-option.ts'
import { wordAt } from '../shared/one-request.ts'
import { creationSteps } from './creation-step.ts'

export const createDeployment = command({
  details: 'Makes a deployment with a starter project and builds it. Fields of --data win over the other options.',
  examples: [
    'hedron deployments create --name Flights',
    `hedron deployments create --name Flights --region local -d '{"deployMode":"cli"}'`,
  ],
  arguments: {},
  options: {
    name: optional(text('name'), 'name of the deployment'),
    region: optional(text('region'), "one of `hedron regions`; the server's own when omitted"),
    cloudProvider: optional(text('provider'), 'cloud provider'),
    targetPlatform: optional(text('platform'), 'target platform'),
    unmanaged: flag('not managed by the platform'),
    creationStep: optional(choice('step', creationSteps), 'step to begin at'),
    data: dataOption,
  },
  async run({ data, unmanaged, ...fields }, { effects, output, session }) {
    const { request } = await session()
    const body = { ...fields, ...(unmanaged ? { isManaged: false } : {}), ...(await readData(data, effects)) }
    if (body.name === undefined) throw usage('--name is required (or provide it via --data)')
    const answer = await request('POST', '/build/api/v1/deployments', { body })
    output.document(answer)
    const id = wordAt(answer, 'id')
    if (id !== null) output.next(`hedron deployments build-status ${id} --wait`)
  },
})
