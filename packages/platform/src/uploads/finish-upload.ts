import { CodedError, type FinishUploadBody } from '@hedron/contract'
import { branches, type Executor, gitObjects, uploads } from '@hedron/store'
import { authorOf } from '../branches/author.ts'
import { moveSharedBranch } from '../branches/move-branch.ts'
import { type BranchTarget, givenName } from '../branches/resolve-branch.ts'
import { treeOf } from '../branches/trees.ts'
import type { Caller } from '../caller.ts'
import { readPaths } from '../files/check-files.ts'
import { createCheckProjectSize } from '../files/count-files.ts'
import { explainingPaths } from '../files/path-reasons.ts'
import { rootPrefix } from '../files/project-root.ts'
import {
  createCommit,
  editTree,
  type NewObjects,
  type ObjectId,
  type ObjectReader,
  readSnapshot,
} from '../git/index.ts'
import type { Operation } from '../operations.ts'
import { findOpenUpload } from './find-open-upload.ts'
import { type UploadNeeds, uploadPermissions } from './needs.ts'
import { planUpload } from './plan-upload.ts'
import { checkUploadTarget } from './upload-target.ts'

const defaultMessage = 'Deploy'

export function createFinishUpload(needs: UploadNeeds): Operation<'finishUpload'> {
  const { store, objects, effects, findDeployment, audit } = needs
  const checkProjectSize = createCheckProjectSize()

  return async (caller, { params, query, body }, context) => {
    const deployment = await findDeployment(caller, params.deploymentId, uploadPermissions)
    const repository = { accountId: caller.accountId, deploymentId: deployment.id }
    const { id } = body.transaction
    const hashes = readListed(body.files)
    const lastHash = await store.transaction(async transaction => {
      const upload = await findOpenUpload(transaction, caller, deployment.id, id, 'update')
      const key = { id: upload.branchId }
      const branch = await branches.findBranch(transaction, caller.accountId, deployment.id, key, { lock: true })
      if (!branch) throw new CodedError('upload_not_found', { id })
      refuseOtherBranch(branch, body)
      refuseOtherBranch(branch, query)
      checkUploadTarget(caller, deployment, branch)

      const usesRoot = upload.usesProjectRoot || query.useDeployProjectRoot === true
      const prefix = usesRoot ? rootPrefix(deployment.deployProjectRoot) : ''
      const listed = new Map(Array.from(hashes, ([path, hash]) => [prefix + path, hash]))
      const reader = objects.reader(transaction, repository)
      const headTree = await treeOf(reader, branch.head)
      const tree = branch.workingTree ?? headTree
      const pruneBelow = (body.autoRemoveFiles ?? true) ? prefix : null
      const edits = await planEdits(transaction, reader, tree, caller, {
        deploymentId: deployment.id,
        id,
        listed,
        pruneBelow,
      })
      const edited = await explainingPaths(() => editTree(reader, tree, edits))
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
          files: listed.size,
          changed: edits.size,
          head,
        },
      )
      return head
    })
    needs.wakeBuilds()
    return { lastHash }
  }

  async function planEdits(
    executor: Executor,
    reader: ObjectReader,
    tree: ObjectId,
    { accountId }: Caller,
    upload: {
      readonly deploymentId: number
      readonly id: string
      readonly listed: ReadonlyMap<string, string>
      readonly pruneBelow: string | null
    },
  ) {
    const { listed, pruneBelow } = upload
    const current = await readSnapshot(reader, tree)
    const files = await uploads.listUploadFiles(executor, accountId, upload.id)
    const uploaded = new Map(files.map(({ path, blob }) => [path, blob]))
    const needed = Array.from(listed.keys(), path => uploaded.get(path) ?? current.get(path)?.id)
    const blobs = [...new Set(needed.filter(blob => blob !== undefined))]
    const facts = await gitObjects.readBlobFacts(executor, accountId, upload.deploymentId, blobs)
    const sha1s = new Map(Array.from(facts, ([blob, { sha1 }]) => [blob, sha1]))
    return planUpload({ listed, uploaded, current, sha1s, pruneBelow })
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

/** Path to hash as clients send them. @throws {CodedError} `too_many_files`, `path_invalid`. */
function readListed(files: FinishUploadBody['files']): Map<string, string> {
  const paths = readPaths(Object.keys(files))
  return new Map(Object.values(files).map(({ hash }, index) => [paths[index] ?? '', hash.toLowerCase()]))
}

/** The transaction remembers its branch; a request may name it again, but no other. @throws {CodedError} `branch_mismatch`. */
function refuseOtherBranch(branch: branches.BranchRow, { branchId, branchName }: BranchTarget): void {
  const name = givenName(branchName)
  if ((branchId ?? branch.id) !== branch.id || (name !== undefined && name !== branch.name)) {
    throw new CodedError('branch_mismatch', { branchId: branchId ?? branch.id, branchName: name ?? branch.name })
  }
}
