import { command } from '../../framework/command.ts'
import { branchName, flag, required } from '../../framework/parameter.ts'
import { printable } from '../../framework/text.ts'
import { deploymentArgument } from '../shared/arguments.ts'
import { confirmIfPresent } from '../shared/confirm.ts'

export const deleteBranch = command({
  details: 'With what was not merged. Asks first on a terminal; scripts and --yes go ahead.',
  examples: ['hedron data-model delete-branch 1 new-metrics', 'hedron data-model delete-branch 1 new-metrics --yes'],
  arguments: { deployment: deploymentArgument, branch: required(branchName, 'branch to delete') },
  options: { removeOnUpstream: flag('also delete it at the git provider'), yes: flag('do not ask') },
  next: ({ deployment }) => `hedron data-model branches ${deployment}`,
  async run({ deployment, branch, removeOnUpstream, yes }, { effects, output, session }) {
    const { client } = await session()
    if (!yes) await confirmIfPresent(effects, `delete branch ${printable(branch)}`)
    const answer = await client.removeBranch({
      params: { deploymentId: deployment },
      query: { branchName: branch, ...(removeOnUpstream ? { removeOnUpstream } : {}) },
    })
    const upstream = removeOnUpstream ? ', including its ref on the git provider' : ''
    output.result(answer, () => output.success(`Deleted branch ${branch}${upstream}`))
  },
})
