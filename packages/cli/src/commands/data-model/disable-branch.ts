import { command } from '../../framework/command.ts'
import { branchName, required } from '../../framework/parameter.ts'
import { deploymentArgument } from '../shared/arguments.ts'

export const disableBranch = command({
  details: "Lets the branch's staging environment sleep while nobody views it.",
  examples: ['hedron data-model disable-branch 1 new-metrics'],
  arguments: { deployment: deploymentArgument, branch: required(branchName, 'shared branch') },
  options: {},
  next: ({ deployment }) => `hedron data-model branches ${deployment}`,
  async run({ deployment, branch }, { output, session }) {
    const { client } = await session()
    const answer = await client.setBranchStagingEnvironment({
      params: { deploymentId: deployment },
      body: { branchName: branch, enabled: false },
    })
    output.result(answer, () =>
      output.success(`Disabled branch ${branch}; its staging environment is active only while viewed`),
    )
  },
})
