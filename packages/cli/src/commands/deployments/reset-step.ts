import { command } from '../../framework/command.ts'
import { deploymentArgument } from '../shared/arguments.ts'

export const resetStep = command({
  examples: ['hedron deployments reset-step 1'],
  arguments: { deployment: deploymentArgument },
  options: {},
  next: ({ deployment }) => `hedron deployments get ${deployment}`,
  async run({ deployment }, { output, session }) {
    const { client } = await session()
    output.document(await client.resetCreationStep({ params: { deploymentId: deployment } }))
  },
})
