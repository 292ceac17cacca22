import { command } from '../../framework/command.ts'
import { deploymentArgument } from '../shared/arguments.ts'

export const deploymentSettings = command({
  examples: ['hedron deployments settings 1'],
  arguments: { deployment: deploymentArgument },
  options: {},
  async run({ deployment }, { output, session }) {
    const { client } = await session()
    output.document(await client.getDeploymentSettings({ params: { deploymentId: deployment } }))
  },
})
