import { type branches, devSessions, type Executor } from '@hedron/store'
import type { Caller } from '../caller.ts'

/** Points the caller's dev-mode session at a branch, which must be locked. */
export const enterBranch = (executor: Executor, caller: Caller, branch: branches.BranchRow): Promise<void> =>
  devSessions.openSession(executor, {
    accountId: caller.accountId,
    deploymentId: branch.deploymentId,
    credential: caller.credential,
    userId: caller.userId,
    branchId: branch.id,
  })

export const leaveDevMode = (executor: Executor, caller: Caller, deploymentId: number): Promise<void> =>
  devSessions.closeSession(executor, caller.accountId, deploymentId, caller.credential)
