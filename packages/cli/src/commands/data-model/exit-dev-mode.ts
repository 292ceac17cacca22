import { command } from '../../framework/command.ts'
import { deploymentArgument } from '../shared/arguments.ts'

export const exitDevMode = command({
  details: 'The personal branch and its files stay.',
  examples: ['hedron data-model exit-dev-mode 1'],
  arguments: { deployment: deploymentArgument },
  options: {},
  next: ({ deployment }) => `hedron data-model branches ${deployment}`,
  async run({ deployment }, { output, session }) {
    const { client } = await session()
    const answer = await client.stopDevMode({ params: { deploymentId: deployment } })
    output.result(answer, () => output.success('Exited dev mode'))
  },
})
