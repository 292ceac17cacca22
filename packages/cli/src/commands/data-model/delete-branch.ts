import { command } from '../../framework/command.ts'
import { branchName, flag, required } from '../../framework/parameter.ts'
import { deploymentArgument } from '../shared/arguments.ts'

export const deleteBranch = command({
  examples: ['hedron data-model delete-branch 1 new-metrics'],
  arguments: { deployment: deploymentArgument, branch: required(branchName, 'branch to delete') },
  options: { removeOnUpstream: flag('also delete it at the git provider') },
  async run({ deployment, branch, removeOnUpstream }, { output, session }) {
    const { client } = await session()
    const answer = await client.removeBranch({
      params: { deploymentId: deployment },
      query: { branchName: branch, ...(removeOnUpstream ? { removeOnUpstream } : {}) },
    })
    const upstream = removeOnUpstream ? ', including its ref on the git provider' : ''
    output.result(answer, () => output.success(`Deleted branch ${branch}${upstream}`))
  },
})
