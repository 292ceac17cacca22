import { command } from '../../framework/command.ts'
import { deploymentArgument } from '../shared/arguments.ts'

export const getDeployment = command({
  examples: ['hedron deployments get 1'],
  arguments: { deployment: deploymentArgument },
  options: {},
  async run({ deployment }, { output, session }) {
    const { client } = await session()
    output.document(await client.getDeployment({ params: { deploymentId: deployment } }))
  },
})
