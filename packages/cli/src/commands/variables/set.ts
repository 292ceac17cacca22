import { command } from '../../framework/command.ts'
import { keyValue, some } from '../../framework/parameter.ts'
import { deploymentArgument } from '../shared/arguments.ts'

export const setVariables = command({
  details: 'Variables that are not named keep their values.',
  examples: ['hedron variables set 1 CUBEJS_DB_TYPE=postgres CUBEJS_DB_HOST=db.internal'],
  arguments: { deployment: deploymentArgument, variables: some(keyValue, 'what to set, as KEY=VALUE') },
  options: {},
  next: ({ deployment }) => `hedron deployments build-status ${deployment} --wait`,
  async run({ deployment, variables }, { output, session }) {
    const { client } = await session()
    const answer = await client.setEnvVariables({
      params: { deploymentId: deployment },
      body: { env_variables: variables.map(([name, value]) => ({ name, value })) },
    })
    output.result(answer, () => output.success(`Set ${variables.length} variable(s)`))
  },
})
