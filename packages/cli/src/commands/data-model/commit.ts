import { command } from '../../framework/command.ts'
import { optional, text } from '../../framework/parameter.ts'
import { branchOption, deploymentArgument } from '../shared/arguments.ts'
import { resolvedOption, showingConflicts } from './conflicts.ts'

export const commit = command({
  details: 'Pushes the edits of a personal dev branch to the branch it was forked from.',
  examples: ["hedron data-model commit 1 -m 'Count delayed flights'"],
  arguments: { deployment: deploymentArgument },
  options: {
    message: optional(text('text'), 'message of the commit', { short: 'm' }),
    branch: branchOption,
    resolved: resolvedOption,
  },
  next: ({ deployment }) => `hedron data-model merge-to-default ${deployment} --plan`,
  async run({ deployment, message, branch, resolved }, context) {
    const { client } = await context.session()
    const answer = await showingConflicts(context, () =>
      client.commitChanges({
        params: { deploymentId: deployment },
        body: { message, branchName: branch, ...(resolved ? { resolveMergeConflict: true } : {}) },
      }),
    )
    context.output.result(answer, () => context.output.success('Committed and pushed'))
  },
})
