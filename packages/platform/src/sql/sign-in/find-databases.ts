import { deployments, type Store } from '@hedron/store'

/** A deployment that a database's name may mean. */
export interface Database {
  readonly deploymentId: number
  readonly accountId: number
  readonly name: string
  /** Null: production. */
  readonly branchName: string | null
}

/** Deployments of one name that are looked at; names are unique in an account only. */
const mostOfOneName = 20

/**
 * Finds what a client means by `<deployment>` or `<deployment>/<branch>`, where the deployment is an id or a name. An id wins
 * over a name of digits, and the whole text as a name over its part before the slash.
 */
export async function findDatabases(
  { kysely }: Store,
  database: string,
  branch: string | null,
): Promise<readonly Database[]> {
  if (database === '' || database.length > 600 || database.includes('\0')) return []
  const cut = database.indexOf('/')
  const ways = [
    { deployment: database, branchName: branch },
    ...(cut > 0 && branch === null
      ? [{ deployment: database.slice(0, cut), branchName: database.slice(cut + 1) }]
      : []),
  ]
  for (const { deployment, branchName } of ways) {
    const found = await deployments.findDeploymentsAnywhere(kysely, deployment, mostOfOneName)
    const byId = found.filter(({ id }) => String(id) === deployment)
    const rows = byId.length > 0 ? byId : found
    if (rows.length > 0) {
      return rows.map(({ id, accountId, name }) => ({
        deploymentId: id,
        accountId,
        name,
        branchName: branchName === '' ? null : branchName,
      }))
    }
  }
  return []
}
