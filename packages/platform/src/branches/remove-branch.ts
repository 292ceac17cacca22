import { CodedError } from '@hedron/contract'
import { branches, type Executor } from '@hedron/store'
import type { Audit } from '../audit.ts'
import type { CallContext, Caller } from '../caller.ts'

/** Deletes a branch. Its children get its parent, and sessions on it end. It must be locked, and the deploy branch as well. */
export type RemoveBranch = (
  executor: Executor,
  caller: Caller,
  context: CallContext,
  branch: branches.BranchRow,
  deployBranchId: number,
) => Promise<void>

/** @throws (what it returns) {CodedError} `branch_is_deploy_branch`. */
export const createRemoveBranch =
  (audit: Audit): RemoveBranch =>
  async (executor, caller, context, branch, deployBranchId) => {
    if (branch.id === deployBranchId) {
      throw new CodedError('branch_is_deploy_branch', { branch: branch.name, action: 'deleted' })
    }
    await branches.deleteBranch(executor, branch.accountId, branch)
    await audit(
      executor,
      caller,
      context,
      'branch.delete',
      `branch ${branch.name} of deployment ${branch.deploymentId}`,
      {
        head: branch.head,
      },
    )
  }

/** Id of the deploy branch; it stays that until the transaction ends. @throws {CodedError} `deployment_not_found`. */
export async function lockDeployBranch(executor: Executor, caller: Caller, deploymentId: number): Promise<number> {
  const id = await branches.lockDeployBranchId(executor, caller.accountId, deploymentId)
  if (id === undefined) throw new CodedError('deployment_not_found', { deployment: deploymentId })
  return id
}
