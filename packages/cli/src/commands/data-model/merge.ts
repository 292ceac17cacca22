import { command } from '../../framework/command.ts'
import { flag } from '../../framework/parameter.ts'
import { branchOption, deploymentArgument } from '../shared/arguments.ts'
import { resolvedOption, showingConflicts } from './conflicts.ts'

export const merge = command({
  details: 'Merges a branch into its parent. A conflict changes nothing and is shown file by file.',
  examples: ['hedron data-model merge 1 --branch new-metrics --squash --delete-branch'],
  arguments: { deployment: deploymentArgument },
  options: {
    branch: branchOption,
    squash: flag('one commit for all of the branch'),
    switchToParent: flag('point the dev-mode session at the parent afterwards'),
    deleteBranch: flag('delete the branch afterwards'),
    resolved: resolvedOption,
  },
  next: ({ deployment }) => `hedron data-model branches ${deployment}`,
  async run({ deployment, branch, squash, switchToParent, deleteBranch, resolved }, context) {
    const { client } = await context.session()
    const answer = await showingConflicts(context, () =>
      client.mergeIntoParentBranch({
        params: { deploymentId: deployment },
        body: {
          branchName: branch,
          squashCommits: squash,
          switchToParentBranch: switchToParent,
          deleteBranch,
          ...(resolved ? { resolveMergeConflict: true } : {}),
        },
      }),
    )
    context.output.document(answer)
  },
})
