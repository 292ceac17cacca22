import { branches, type Executor, uploads } from '@hedron/store'
import { authorOf } from '../branches/author.ts'
import { moveSharedBranch } from '../branches/move-branch.ts'
import { treeOf } from '../branches/trees.ts'
import type { Caller } from '../caller.ts'
import { createCheckProjectSize } from '../files/count-files.ts'
import { createCommit, type NewObjects, type ObjectId } from '../git/index.ts'
import type { Operation } from '../operations.ts'
import { findOpenUpload } from './find-open-upload.ts'
import { type UploadNeeds, uploadPermissions } from './needs.ts'
import { checkFilesHash, planTree, uploadBranch } from './plan-tree.ts'

const defaultMessage = 'Deploy'

export function createFinishUpload(needs: UploadNeeds): Operation<'finishUpload'> {
  const { store, objects, effects, findDeployment, audit } = needs
  const checkProjectSize = createCheckProjectSize()

  return async (caller, { params, query, body }, context) => {
    const deployment = await findDeployment(caller, params.deploymentId, uploadPermissions)
    const repository = { accountId: caller.accountId, deploymentId: deployment.id }
    const { id } = body.transaction
    const lastHash = await store.transaction(async transaction => {
      const upload = await findOpenUpload(transaction, caller, deployment.id, id, 'update')
      const branch = await uploadBranch(transaction, caller, deployment, upload, [body, query], { lock: true })
      const reader = objects.reader(transaction, repository)
      const headTree = await treeOf(reader, branch.head)
      const tree = branch.workingTree ?? headTree
      checkFilesHash(branch, tree, body)
      const plan = await planTree(transaction, reader, caller, { deployment, upload, query, body, tree })
      const { edits, edited } = plan
      const head = await moveBranch(transaction, caller, branch, {
        headTree,
        tree: edited.treeId,
        trees: edited.objects,
        message: body.commitMessage?.trim() ? body.commitMessage : defaultMessage,
      })
      await checkProjectSize(reader, tree, edited.treeId)
      await uploads.finishUpload(transaction, caller.accountId, id, { at: effects.now(), tree: edited.treeId })
      await audit(
        transaction,
        caller,
        context,
        'upload.finish',
        `branch ${branch.name} of deployment ${deployment.id}`,
        {
          files: plan.listed,
          changed: edits.size,
          head,
        },
      )
      return head
    })
    needs.wakeBuilds()
    return { lastHash }
  }

  /** @returns the branch's newest commit: a new one on a shared branch, while a dev branch keeps the files as edits. */
  async function moveBranch(
    executor: Executor,
    caller: Caller,
    branch: branches.BranchRow,
    change: {
      readonly headTree: ObjectId
      readonly tree: ObjectId
      readonly trees: NewObjects
      readonly message: string
    },
  ): Promise<ObjectId> {
    const { headTree, tree, trees, message } = change
    const repository = { accountId: branch.accountId, deploymentId: branch.deploymentId }
    if (branch.kind === 'dev') {
      await objects.write(executor, repository, trees)
      await branches.updateBranch(executor, branch.accountId, branch.id, {
        workingTree: tree === headTree ? null : tree,
      })
      return branch.head
    }
    if (tree === headTree) return branch.head
    const commit = createCommit({ tree, parents: [branch.head], author: authorOf(caller), at: effects.now(), message })
    await objects.write(executor, repository, new Map([...trees, [commit.id, commit.object]]))
    await moveSharedBranch(executor, branch, { head: commit.id, tree })
    return commit.id
  }
}
