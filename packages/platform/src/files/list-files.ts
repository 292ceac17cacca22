import { CodedError, type SourceTreeNode } from '@hedron/contract'
import { gitObjects, type Store, uploads } from '@hedron/store'
import type { ObjectStore, Repository } from '../branches/object-store.ts'
import { resolveBranch } from '../branches/resolve-branch.ts'
import { currentTree } from '../branches/trees.ts'
import type { FindDeployment } from '../deployments/find-deployment.ts'
import { emptyTreeId, type ObjectId, readSnapshot, type Snapshot } from '../git/index.ts'
import type { Operation } from '../operations.ts'
import { pageOf } from '../page.ts'
import { buildSourceTree, filePaths, withContents } from './source-tree.ts'

interface ListFilesNeeds {
  readonly store: Store
  readonly objects: ObjectStore
  readonly findDeployment: FindDeployment
}

/** Contents that one answer holds. */
const maximumContentBytes = 64 * 1024 * 1024

export function createListFiles({ store, objects, findDeployment }: ListFilesNeeds): Operation<'listFiles'> {
  return async (caller, { params, query }) => {
    const deployment = await findDeployment(caller, params.deploymentId, 'SchemaRead')
    const repository = { accountId: caller.accountId, deploymentId: deployment.id }
    const branch = await resolveBranch(store.kysely, caller, deployment, query)
    const reader = objects.reader(store.kysely, repository)
    const tree = query.showLastCLIUpload
      ? ((await uploads.findLastUploadedTree(store.kysely, caller.accountId, branch.id)) ?? emptyTreeId)
      : await currentTree(reader, branch)
    const snapshot = await readSnapshot(reader, tree)
    const roots = buildSourceTree(snapshot.keys())
    const shown = await pageOfRoots(query, roots)
    if (!query.withContent) return shown
    const contents = await readContents(repository, snapshot, filePaths(shown.items), branch.name)
    const items = withContents(shown.items, path => contents.get(snapshot.get(path)?.id ?? ''))
    return { ...shown, items, data: items }
  }

  async function readContents(
    repository: Repository,
    snapshot: Snapshot,
    paths: Iterable<string>,
    branch: string,
  ): Promise<Map<ObjectId, string>> {
    const { accountId, deploymentId } = repository
    const ids = Array.from(paths, path => snapshot.get(path)?.id ?? '')
    const distinct = [...new Set(ids)]
    const facts = await gitObjects.readBlobFacts(store.kysely, accountId, deploymentId, distinct)
    const bytes = ids.reduce((total, id) => total + (facts.get(id)?.size ?? 0), 0)
    if (bytes > maximumContentBytes) throw new CodedError('answer_too_large', { branch, limit: '64 MiB' })
    const blobs = await objects.reader(store.kysely, repository).read(distinct)
    return new Map(
      Array.from(blobs, ([id, { content }]) => [
        id,
        Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString(),
      ]),
    )
  }
}

/** Paging is over top-level nodes, and without it the tree is whole (contract/platform-api.yaml, listFiles). */
async function pageOfRoots(
  query: { readonly first?: number | undefined; readonly after?: string | undefined },
  roots: SourceTreeNode[],
) {
  if (query.first !== undefined || query.after)
    return pageOf('files', query, roots, ({ type, path }) => `${type} ${path}`)
  return { items: roots, data: roots, pageInfo: { hasNextPage: false, hasPreviousPage: false } }
}
