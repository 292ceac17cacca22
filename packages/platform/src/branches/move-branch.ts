import { branches, builds, type Executor } from '@hedron/store'
import type { ObjectId } from '../git/index.ts'

/** Moves a shared branch to a new commit and queues the build of it. The branch must be locked. */
export async function moveSharedBranch(
  executor: Executor,
  { id, accountId, deploymentId }: branches.BranchRow,
  { head, tree }: { readonly head: ObjectId; readonly tree: ObjectId },
): Promise<void> {
  await branches.updateBranch(executor, accountId, id, { head })
  await builds.insertBuild(executor, { accountId, deploymentId, branchId: id, tree, commit: head })
}
