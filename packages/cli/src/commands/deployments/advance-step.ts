import { command } from '../../framework/command.ts'
import { choice, required } from '../../framework/parameter.ts'
import { deploymentArgument } from '../shared/arguments.ts'
import { creationSteps } from './creation-step.ts'

export const advanceStep = command({
  examples: ['hedron deployments advance-step 1 ready'],
  arguments: {
    deployment: deploymentArgument,
    step: required(choice('step', creationSteps), `one of ${creationSteps.join(', ')}`),
  },
  options: {},
  next: ({ deployment }) => `hedron deployments get ${deployment}`,
  async run({ deployment, step }, { output, session }) {
    const { client } = await session()
    output.document(
      await client.advanceCreationStep({ params: { deploymentId: deployment }, body: { creationStep: step } }),
    )
  },
})
