import { CodedError } from '@hedron/contract'
import { branches, type Store } from '@hedron/store'
import type { Audit } from '../audit.ts'
import type { ObjectStore } from '../branches/object-store.ts'
import { changeDevBranches } from '../branches/permissions.ts'
import { type BranchTarget, requireBranch, requireOwnDevBranch } from '../branches/resolve-branch.ts'
import { treeOf } from '../branches/trees.ts'
import type { CallContext, Caller } from '../caller.ts'
import type { FindDeployment } from '../deployments/find-deployment.ts'
import {
  editTree,
  type FileEdit,
  findFiles,
  type NewObjects,
  type ObjectId,
  type ObjectReader,
  type Snapshot,
} from '../git/index.ts'
import { createCheckProjectSize } from './count-files.ts'
import { explainingPaths } from './path-reasons.ts'

export interface ChangeFilesNeeds {
  readonly store: Store
  readonly objects: ObjectStore
  readonly findDeployment: FindDeployment
  readonly audit: Audit
}

/** A change of files on a dev branch, before it is known what is there. */
export interface FileChange {
  readonly deploymentId: number
  readonly target: BranchTarget
  /** For the audit log. */
  readonly action: string
  /** Number of files that the request names. */
  readonly count: number
  /** Contents of new files. */
  readonly blobs: NewObjects
  /** Paths whose files have to be known to plan the edits. */
  readonly lookUp: readonly string[]
  /** @param found those of `lookUp` that are there. */
  plan(found: Snapshot, branchName: string): ReadonlyMap<string, FileEdit | null>
}

export type ChangeFiles = (caller: Caller, context: CallContext, change: FileChange) => Promise<void>

/** Writes on a dev branch: all files of a request in one transaction that others of the same branch wait for. */
export function createChangeFiles({ store, objects, findDeployment, audit }: ChangeFilesNeeds): ChangeFiles {
  const checkProjectSize = createCheckProjectSize()
  return async (caller, context, change) => {
    const { accountId } = caller
    const { id: deploymentId } = await findDeployment(caller, change.deploymentId, changeDevBranches)
    await store.transaction(async transaction => {
      const branch = await requireBranch(transaction, caller, deploymentId, change.target, { lock: true })
      requireOwnDevBranch(caller, branch)
      const reader = objects.reader(transaction, { accountId, deploymentId })
      const headTree = await treeOf(reader, branch.head)
      const tree = branch.workingTree ?? headTree
      const found = await findPaths(reader, tree, change.lookUp)
      const edits = change.plan(found, branch.name)
      const { treeId, objects: trees } = await explainingPaths(() => editTree(reader, tree, edits))
      await audit(transaction, caller, context, change.action, `branch ${branch.name} of deployment ${deploymentId}`, {
        files: change.count,
      })
      if (treeId === tree) return
      await objects.write(transaction, { accountId, deploymentId }, new Map([...change.blobs, ...trees]))
      await checkProjectSize(reader, tree, treeId)
      await branches.updateBranch(transaction, accountId, branch.id, {
        workingTree: treeId === headTree ? null : treeId,
      })
    })
  }
}

const findPaths = async (reader: ObjectReader, tree: ObjectId, paths: readonly string[]): Promise<Snapshot> =>
  paths.length === 0 ? new Map() : findFiles(reader, tree, paths)

/** The file at a path that must be there. @throws {CodedError} `file_not_found`. */
export function requireFile(found: Snapshot, path: string, branch: string) {
  const file = found.get(path)
  if (!file) throw new CodedError('file_not_found', { path, branch })
  return file
}
