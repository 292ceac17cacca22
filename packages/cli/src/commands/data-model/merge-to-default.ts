import { command } from '../../framework/command.ts'
import { flag, optional, text } from '../../framework/parameter.ts'
import { isBlank } from '../../framework/text.ts'
import { showPlan } from '../../plan/show-plan.ts'
import { branchOption, deploymentArgument } from '../shared/arguments.ts'
import { confirmIfPresent } from '../shared/confirm.ts'
import { resolvedOption, showingConflicts } from './conflicts.ts'

export const mergeToDefault = command({
  details:
    'Merges a branch into the deploy branch, rebuilds production and deletes the merged branch. Asks first on a terminal; scripts and --yes go ahead.',
  examples: [
    "hedron data-model merge-to-default 1 --branch new-metrics -m 'New metrics'",
    'hedron data-model merge-to-default 1 --branch new-metrics --plan',
  ],
  arguments: { deployment: deploymentArgument },
  options: {
    branch: branchOption,
    message: optional(text('text'), 'message of the merge', { short: 'm' }),
    keepBranch: flag('keep the merged branch'),
    resolved: resolvedOption,
    plan: flag('show files, members, numbers, reports and dashboards that would change, and change nothing'),
    yes: flag('do not ask'),
  },
  next: ({ deployment, branch, plan }, quote) =>
    plan
      ? `hedron data-model merge-to-default ${deployment}${branch === undefined ? '' : ` --branch ${quote(branch)}`}`
      : `hedron deployments build-status ${deployment} --wait`,
  async run({ deployment, branch, message, keepBranch, resolved, plan, yes }, context) {
    const { client } = await context.session()
    if (plan) {
      const planned = await showingConflicts(context, () =>
        client.planMergeToDefault({
          params: { deploymentId: deployment },
          body: { branchName: branch, ...(resolved ? { resolveMergeConflict: true } : {}) },
        }),
      )
      await showPlan(context, deployment, planned)
      return
    }
    if (!yes) {
      const merged = branch === undefined || isBlank(branch) ? 'the open dev-mode branch' : `branch ${branch}`
      await confirmIfPresent(context.effects, `merge ${merged} into the deploy branch and rebuild production`)
    }
    const answer = await showingConflicts(context, () =>
      client.mergeToDefaultBranch({
        params: { deploymentId: deployment },
        body: {
          message,
          removeBranchAfterMerge: !keepBranch,
          branchName: branch,
          ...(resolved ? { resolveMergeConflict: true } : {}),
        },
      }),
    )
    context.output.document(answer)
  },
})
