import { command } from '../../framework/command.ts'
import { branchName, required } from '../../framework/parameter.ts'
import { deploymentArgument } from '../shared/arguments.ts'

export const enableBranch = command({
  details: "Keeps the branch's staging environment active all the time.",
  examples: ['hedron data-model enable-branch 1 new-metrics'],
  arguments: { deployment: deploymentArgument, branch: required(branchName, 'shared branch') },
  options: {},
  async run({ deployment, branch }, { output, session }) {
    const { client } = await session()
    const answer = await client.setBranchStagingEnvironment({
      params: { deploymentId: deployment },
      body: { branchName: branch, enabled: true },
    })
    output.result(answer, () =>
      output.success(
        `Enabled branch ${branch}; its staging environment stays active (see \`hedron environments list ${deployment} --type staging\`)`,
      ),
    )
  },
})
