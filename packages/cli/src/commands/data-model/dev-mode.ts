import { command } from '../../framework/command.ts'
import { branchName, required } from '../../framework/parameter.ts'
import { isBlank, shellQuote } from '../../framework/text.ts'
import { deploymentArgument } from '../shared/arguments.ts'

export const devMode = command({
  details:
    'Forks a personal dev- branch, or returns to the one forked before. Commands without --branch then work on it.',
  examples: ['hedron data-model dev-mode 1 main'],
  arguments: { deployment: deploymentArgument, branch: required(branchName, 'branch to fork') },
  options: {},
  next: ({ deployment }) => `hedron validate ${deployment} --dev-mode`,
  async run({ deployment, branch }, { effects, output, session }) {
    const { client } = await session()
    const answer = await client.startDevMode({ params: { deploymentId: deployment }, body: { branchName: branch } })
    output.result(answer, () => {
      const personal = answer.branchName ?? ''
      if (isBlank(personal) || personal === branch) {
        output.success(`Entered dev mode on ${branch}`)
        return
      }
      output.success(`Entered dev mode on ${personal} (forked from ${branch})`)
      output.line(`Pass --branch ${shellQuote(personal, effects.platform)} to work there, or omit it.`)
    })
  },
})
