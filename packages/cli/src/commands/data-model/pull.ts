import { command } from '../../framework/command.ts'
import { branchOption, deploymentArgument, validateCommand } from '../shared/arguments.ts'
import { resolvedOption, showingConflicts } from './conflicts.ts'

export const pull = command({
  details: 'Brings the commits of the parent branch, or of the git remote, into the branch.',
  examples: ['hedron data-model pull 1', 'hedron data-model pull 1 --branch new-metrics'],
  arguments: { deployment: deploymentArgument },
  options: { branch: branchOption, resolved: resolvedOption },
  next: ({ deployment, branch }, quote) => validateCommand(deployment, branch, quote),
  async run({ deployment, branch, resolved }, context) {
    const { client } = await context.session()
    const body = {
      ...(branch === undefined ? {} : { branchName: branch }),
      ...(resolved ? { resolveMergeConflict: true } : {}),
    }
    const answer = await showingConflicts(context, () =>
      client.pull({
        params: { deploymentId: deployment },
        ...(Object.keys(body).length === 0 ? {} : { body }),
      }),
    )
    context.output.result(answer, () => context.output.success('Pulled'))
  },
})
