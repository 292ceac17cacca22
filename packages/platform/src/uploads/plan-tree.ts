import { CodedError, type FinishUploadBody } from '@hedron/contract'
import { branches, type deployments, type Executor, gitObjects, uploads } from '@hedron/store'
import { type BranchTarget, givenName } from '../branches/resolve-branch.ts'
import type { Caller } from '../caller.ts'
import { readPaths } from '../files/check-files.ts'
import { explainingPaths } from '../files/path-reasons.ts'
import { rootPrefix } from '../files/project-root.ts'
import {
  editTree,
  type FileEdit,
  type ObjectId,
  type ObjectReader,
  readSnapshot,
  type TreeResult,
} from '../git/index.ts'
import { planUpload } from './plan-upload.ts'
import { checkUploadTarget } from './upload-target.ts'

type Deployment = deployments.DeploymentWithBranch

interface Finish {
  readonly deployment: Deployment
  readonly upload: uploads.UploadRow
  readonly query: { readonly useDeployProjectRoot?: boolean | undefined }
  readonly body: FinishUploadBody
  /** What the branch holds. */
  readonly tree: ObjectId
}

/**
 * The branch of a transaction; requests may name it again, but no other.
 *
 * @throws {CodedError} `upload_not_found`, `branch_mismatch`, and what `checkUploadTarget` throws.
 */
export async function uploadBranch(
  executor: Executor,
  caller: Caller,
  deployment: Deployment,
  upload: uploads.UploadRow,
  named: readonly BranchTarget[],
  options: branches.FindBranchOptions = {},
): Promise<branches.BranchRow> {
  const key = { id: upload.branchId }
  const branch = await branches.findBranch(executor, caller.accountId, deployment.id, key, options)
  if (!branch) throw new CodedError('upload_not_found', { id: upload.id })
  for (const target of named) refuseOtherBranch(branch, target)
  checkUploadTarget(caller, deployment, branch)
  return branch
}

/** @throws {CodedError} `branch_changed` where the branch holds other files than the caller has seen. */
export function checkFilesHash(branch: branches.BranchRow, tree: ObjectId, { filesHash }: FinishUploadBody): void {
  if (filesHash != null && filesHash !== tree) throw new CodedError('branch_changed', { branch: branch.name })
}

/**
 * What a branch would hold after an upload is finished.
 *
 * @throws {CodedError} `upload_incomplete`, `too_many_files`, `path_invalid`.
 */
export async function planTree(
  executor: Executor,
  reader: ObjectReader,
  { accountId }: Caller,
  { deployment, upload, query, body, tree }: Finish,
): Promise<{ edits: ReadonlyMap<string, FileEdit | null>; edited: TreeResult; listed: number }> {
  const usesRoot = upload.usesProjectRoot || query.useDeployProjectRoot === true
  const prefix = usesRoot ? rootPrefix(deployment.deployProjectRoot) : ''
  const listed = new Map(Array.from(readListed(body.files), ([path, hash]) => [prefix + path, hash]))
  const current = await readSnapshot(reader, tree)
  const files = await uploads.listUploadFiles(executor, accountId, upload.id)
  const uploaded = new Map(files.map(({ path, blob }) => [path, blob]))
  const needed = Array.from(listed.keys(), path => [uploaded.get(path), current.get(path)?.id]).flat()
  const blobs = [...new Set(needed.filter(blob => blob !== undefined))]
  const facts = await gitObjects.readBlobFacts(executor, accountId, deployment.id, blobs)
  const sha1s = new Map(Array.from(facts, ([blob, { sha1 }]) => [blob, sha1]))
  const pruneBelow = (body.autoRemoveFiles ?? true) ? prefix : null
  const edits = planUpload({ listed, uploaded, current, sha1s, pruneBelow })
  const edited = await explainingPaths(() => editTree(reader, tree, edits))
  return { edits, edited, listed: listed.size }
}

/** Path to hash as clients send them. @throws {CodedError} `too_many_files`, `path_invalid`. */
function readListed(files: FinishUploadBody['files']): Map<string, string> {
  const paths = readPaths(Object.keys(files))
  return new Map(Object.values(files).map(({ hash }, index) => [paths[index] ?? '', hash.toLowerCase()]))
}

function refuseOtherBranch(branch: branches.BranchRow, { branchId, branchName }: BranchTarget): void {
  const name = givenName(branchName)
  if ((branchId ?? branch.id) !== branch.id || (name !== undefined && name !== branch.name)) {
    throw new CodedError('branch_mismatch', { branchId: branchId ?? branch.id, branchName: name ?? branch.name })
  }
}
