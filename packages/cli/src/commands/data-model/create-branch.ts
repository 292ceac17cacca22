import { command } from '../../framework/command.ts'
import { branchName, flag, optional, required } from '../../framework/parameter.ts'
import { isBlank, shellQuote } from '../../framework/text.ts'
import { deploymentArgument } from '../shared/arguments.ts'

export const createBranch = command({
  details:
    'With --dev-mode your session then points at the new branch itself. Files cannot be written there: for that, run `hedron data-model dev-mode` on it, which forks a personal branch.',
  examples: [
    'hedron data-model create-branch 1 new-metrics',
    'hedron data-model create-branch 1 fix --from new-metrics',
  ],
  arguments: { deployment: deploymentArgument, name: required(branchName, 'name of the new branch') },
  options: {
    from: optional(branchName, 'branch to start from; the deploy branch when omitted'),
    devMode: flag('point the dev-mode session at it'),
  },
  next: ({ deployment, name }, quote) => `hedron data-model dev-mode ${deployment} ${quote(name)}`,
  async run({ deployment, name, from, devMode }, { effects, output, session }) {
    const { client } = await session()
    const answer = await client.createBranch({
      params: { deploymentId: deployment },
      body: { name, enterDevMode: devMode, ...(from === undefined ? {} : { from }) },
    })
    output.result(answer, () => {
      const entered = answer.branchName ?? ''
      if (isBlank(entered) || entered === name) {
        output.success(`Created branch ${name}`)
        return
      }
      output.success(`Created branch ${name}; entered dev mode on ${entered}`)
      output.line(`Pass --branch ${shellQuote(entered, effects.platform)} to write there, or omit it.`)
    })
  },
})
