import { command } from '../../framework/command.ts'
import { optional, repeated, rowId, text } from '../../framework/parameter.ts'
import { dataOption, readData } from '../shared/data-option.ts'

export const createApiKey = command({
  details: 'Prints the key with its secret, which is shown this once. The options win over fields of --data.',
  examples: [
    'hedron api-keys create --name ci',
    'hedron api-keys create --name ci --deployment 1 --deployment 2',
    `hedron api-keys create --name ci -d '{"expiresAt":"2030-01-01T00:00:00Z"}'`,
  ],
  arguments: {},
  options: {
    name: optional(text('name'), 'what to recognise it by'),
    deployment: repeated(rowId, 'limit it to this deployment'),
    data: dataOption,
  },
  next: () => 'hedron api-keys list',
  async run({ name, deployment, data }, { effects, output, session }) {
    const { request } = await session()
    const body = {
      ...(await readData(data, effects)),
      ...(name === undefined ? {} : { name }),
      ...(deployment.length === 0 ? {} : { deploymentIds: deployment }),
    }
    output.document(await request('POST', '/api/v1/api-keys', { body }))
  },
})
