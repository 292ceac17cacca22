import { gitObjects, type Store } from '@hedron/store'
import type { ObjectStore } from '../branches/object-store.ts'
import { resolveBranch } from '../branches/resolve-branch.ts'
import { currentTree } from '../branches/trees.ts'
import type { FindDeployment } from '../deployments/find-deployment.ts'
import { readSnapshot } from '../git/index.ts'
import type { Operation } from '../operations.ts'
import { rootPrefix } from './project-root.ts'

interface FileHashesNeeds {
  readonly store: Store
  readonly objects: ObjectStore
  readonly findDeployment: FindDeployment
}

export function createFileHashes({ store, objects, findDeployment }: FileHashesNeeds): Operation<'fileHashes'> {
  return async (caller, { params, query }) => {
    const deployment = await findDeployment(caller, params.deploymentId, 'SchemaRead')
    const repository = { accountId: caller.accountId, deploymentId: deployment.id }
    const branch = await resolveBranch(store.kysely, caller, deployment, query)
    const reader = objects.reader(store.kysely, repository)
    const snapshot = await readSnapshot(reader, await currentTree(reader, branch))
    const prefix = query.useDeployProjectRoot ? rootPrefix(deployment.deployProjectRoot) : ''
    const files = [...snapshot].filter(([path]) => path.startsWith(prefix))
    const facts = await gitObjects.readBlobFacts(store.kysely, repository.accountId, repository.deploymentId, [
      ...new Set(files.map(([, file]) => file.id)),
    ])
    return Object.fromEntries(
      files.flatMap(([path, { id }]) => {
        const hash = facts.get(id)?.sha1
        return hash === undefined ? [] : [[path.slice(prefix.length), { hash }]]
      }),
    )
  }
}
