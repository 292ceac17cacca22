import { branches, builds, type Executor } from '@hedron/store'
import { createCommit, type GitObject, hashObject, type ObjectId, writeTree } from '../git/index.ts'
import type { Author } from './author.ts'
import type { ObjectStore } from './object-store.ts'

export interface NewProject {
  readonly accountId: number
  readonly deploymentId: number
  /** Path to content. */
  readonly files: ReadonlyMap<string, string>
  readonly author: Author
  readonly at: Date
}

/** Name of the deploy branch of a new deployment. */
export const firstBranchName = 'main'

/** Makes the first commit of a deployment, the branch on it that production runs, and its first build. */
export async function createProject(
  objects: ObjectStore,
  executor: Executor,
  { accountId, deploymentId, files, author, at }: NewProject,
): Promise<branches.BranchRow> {
  const blobs = new Map<ObjectId, GitObject>()
  const entries = Array.from(files, ([path, text]) => {
    const blob: GitObject = { type: 'blob', content: Buffer.from(text) }
    const id = hashObject(blob)
    blobs.set(id, blob)
    return [path, { mode: '100644', id }] as const
  })
  const { treeId, objects: trees } = await writeTree(new Map(entries))
  const commit = createCommit({ tree: treeId, parents: [], author, at, message: 'Create project' })
  await objects.write(executor, { accountId, deploymentId }, new Map([...blobs, ...trees, [commit.id, commit.object]]))
  const branch = await branches.insertBranch(executor, {
    accountId,
    deploymentId,
    name: firstBranchName,
    kind: 'shared',
    parentId: null,
    head: commit.id,
    ownerUserId: null,
    ownerCredential: null,
  })
  if (!branch) throw new Error(`deployment ${deploymentId} has a branch ${firstBranchName} already`)
  await builds.insertBuild(executor, { accountId, deploymentId, branchId: branch.id, tree: treeId, commit: commit.id })
  return branch
}
