import { CodedError } from '@hedron/contract'
import { branches, builds, deployments, type Executor, type syncJobs } from '@hedron/store'
import { checkBranchName } from '../branches/branch-name.ts'
import type { ObjectStore } from '../branches/object-store.ts'
import { findDeployBranch } from '../branches/resolve-branch.ts'
import { treeOf } from '../branches/trees.ts'
import { createCheckProjectSize } from '../files/count-files.ts'
import { explainingPaths } from '../files/path-reasons.ts'
import { rootPrefix } from '../files/project-root.ts'
import {
  createCommit,
  editTree,
  type FileEdit,
  type GitObject,
  hashObject,
  type ObjectId,
  readSnapshot,
} from '../git/index.ts'
import type { Conversion } from './convert.ts'

interface CubeCommit {
  readonly job: syncJobs.SyncJobRow
  readonly conversion: Conversion
  readonly outputPath: string
  readonly at: Date
}

const checkProjectSize = createCheckProjectSize()

/**
 * Writes the cubes as one commit: on the branch that was named if it is there, else on a new one from the deploy branch. The folder of the
 * sync is replaced: files of models that are gone go; those of models that the options leave out this time stay.
 *
 * @throws {CodedError} `dbt_branch_refused`, `branch_name_invalid`, `project_too_large` and what else files are refused for.
 */
export async function commitCubes(
  transaction: Executor,
  objects: ObjectStore,
  { job, conversion, outputPath, at }: CubeCommit,
): Promise<void> {
  const { accountId, deploymentId, branchName } = job
  const repository = { accountId, deploymentId }
  const deployment = await deployments.findDeployment(transaction, accountId, deploymentId)
  if (!deployment) throw new CodedError('deployment_not_found', { deployment: deploymentId })
  await branches.lockBranchNames(transaction, deploymentId)
  const existing = await branches.findBranch(transaction, accountId, deploymentId, { name: branchName }, { lock: true })
  if (existing) requireTarget(existing, deployment.deployBranchId)
  const source =
    existing ?? (await findDeployBranch(transaction, repository, deployment.deployBranchId, { lock: true }))

  const reader = objects.reader(transaction, repository)
  const before = await treeOf(reader, source.head)
  const prefix = rootPrefix(deployment.deployProjectRoot)
  const edits = new Map<string, FileEdit | null>()
  const folder = `${prefix}${outputPath}/`
  const kept = new Set([...conversion.knownPaths].map(path => prefix + path))
  for (const path of (await readSnapshot(reader, before)).keys()) {
    if (path.startsWith(folder) && !kept.has(path)) edits.set(path, null)
  }
  const blobs = new Map<ObjectId, GitObject>()
  for (const { path, content } of conversion.files) {
    const blob: GitObject = { type: 'blob', content: Buffer.from(content) }
    const id = hashObject(blob)
    blobs.set(id, blob)
    edits.set(prefix + path, { id })
  }
  const { treeId: tree, objects: trees } = await explainingPaths(() => editTree(reader, before, edits))
  const author = { name: job.authorName, email: job.authorEmail }
  const message = `Sync ${conversion.files.length} cube(s) from dbt${job.gitRef === null ? '' : ` (${job.gitRef})`}`
  const commit = createCommit({ tree, parents: [source.head], author, at, message })
  await objects.write(transaction, repository, new Map([...blobs, ...trees, [commit.id, commit.object]]))
  await checkProjectSize(reader, before, tree)
  const branchId = existing?.id ?? (await makeBranch(transaction, job, source.id, commit.id))
  if (existing) await branches.updateBranch(transaction, accountId, existing.id, { head: commit.id })
  await builds.insertBuild(transaction, { ...repository, branchId, tree, commit: commit.id })
}

/** @throws {CodedError} `dbt_branch_refused`. */
export function requireTarget(branch: branches.BranchRow, deployBranchId: number): void {
  const refuse = (reason: string) => new CodedError('dbt_branch_refused', { branch: branch.name, reason })
  if (branch.kind === 'dev') throw refuse('it is a personal dev branch')
  if (branch.id === deployBranchId) throw refuse('it is what production runs: sync to another branch and merge that')
}

async function makeBranch(
  transaction: Executor,
  { accountId, deploymentId, branchName: name }: syncJobs.SyncJobRow,
  parentId: number,
  head: ObjectId,
): Promise<number> {
  checkBranchName(name)
  const inTheWay = await branches.findNameInTheWay(transaction, accountId, deploymentId, name)
  if (inTheWay !== undefined) {
    const reason = `there is a branch ${inTheWay}, and git cannot hold a branch and a folder of the same name`
    throw new CodedError('branch_name_invalid', { branch: name, reason })
  }
  const values = { accountId, deploymentId, name, kind: 'shared' as const, parentId, head }
  const branch = await branches.insertBranch(transaction, { ...values, ownerUserId: null, ownerCredential: null })
  if (!branch) throw new CodedError('branch_exists', { branch: name })
  return branch.id
}
