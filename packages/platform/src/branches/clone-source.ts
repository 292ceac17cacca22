import { branches, type Store } from '@hedron/store'
import type { Caller } from '../caller.ts'
import type { FindDeployment } from '../deployments/find-deployment.ts'
import type { ObjectReader, References } from '../git/index.ts'
import type { ObjectStore } from './object-store.ts'
import { ownsBranch } from './resolve-branch.ts'

/** A deployment's repository as `git clone` sees it. */
export interface CloneSource {
  /** Shared branches and the caller's own personal ones, as `refs/heads/…`. What is not committed is not among them. */
  readonly references: References
  /** Full name of the deploy branch, which a clone checks out. */
  readonly head: string
  readonly reader: ObjectReader
}

interface CloneSourceNeeds {
  readonly store: Store
  readonly objects: ObjectStore
  readonly findDeployment: FindDeployment
}

/** Needs `SchemaRead`. @throws (what it returns) {CodedError} as `FindDeployment` does. */
export function createCloneSource({ store, objects, findDeployment }: CloneSourceNeeds) {
  return async (caller: Caller, deploymentId: number): Promise<CloneSource> => {
    const deployment = await findDeployment(caller, deploymentId, 'SchemaRead')
    const rows = await branches.listBranches(store.kysely, caller.accountId, deployment.id)
    const shown = rows.filter(row => row.kind === 'shared' || ownsBranch(caller, row))
    return {
      references: new Map(shown.map(({ name, head }) => [`refs/heads/${name}`, head])),
      head: `refs/heads/${deployment.deployBranchName}`,
      reader: objects.reader(store.kysely, { accountId: caller.accountId, deploymentId: deployment.id }),
    }
  }
}
