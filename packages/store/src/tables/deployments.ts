import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Executor } from '../executor.ts'
import type { DeploymentTable } from '../schema.ts'

export type DeploymentRow = Selectable<DeploymentTable>
/** A deployment as everything but its creation sees it: with its deploy branch. */
export type DeploymentWithBranch = DeploymentRow & { deployBranchId: number; deployBranchName: string }

/** Which deployments a list is about. `ids`: those the caller may see; null: all of the account. */
export interface DeploymentFilter {
  readonly ids: readonly number[] | null
  readonly creationSteps: readonly string[] | undefined
}

export async function listDeployments(
  executor: Executor,
  accountId: number,
  filter: DeploymentFilter,
  window: { after?: number | undefined; offset?: number | undefined; limit: number },
): Promise<DeploymentRow[]> {
  return visible(executor, accountId, filter)
    .selectAll()
    .$if(window.after !== undefined, query => query.where('id', '>', window.after ?? 0))
    .orderBy('id')
    .limit(window.limit)
    .$if(window.offset !== undefined, query => query.offset(window.offset ?? 0))
    .execute()
}

export async function countDeployments(
  executor: Executor,
  accountId: number,
  filter: DeploymentFilter,
): Promise<number> {
  const { count } = await visible(executor, accountId, filter)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

function visible(executor: Executor, accountId: number, { ids, creationSteps }: DeploymentFilter) {
  return executor
    .selectFrom('deployments')
    .where('accountId', '=', accountId)
    .$if(ids !== null, query => query.where(({ eb, val }) => eb('id', '=', eb.fn.any(val([...(ids ?? [])])))))
    .$if(creationSteps !== undefined, query =>
      query.where(({ eb, val }) => eb('creationStep', '=', eb.fn.any(val([...(creationSteps ?? [])])))),
    )
}

export async function findDeployment(
  executor: Executor,
  accountId: number,
  id: number,
): Promise<DeploymentWithBranch | undefined> {
  return executor
    .selectFrom('deployments')
    .innerJoin('branches', join =>
      join
        .onRef('branches.id', '=', 'deployments.deployBranchId')
        .onRef('branches.accountId', '=', 'deployments.accountId'),
    )
    .selectAll('deployments')
    .select(['branches.id as deployBranchId', 'branches.name as deployBranchName'])
    .where('deployments.accountId', '=', accountId)
    .where('deployments.id', '=', id)
    .executeTakeFirst()
}

/** Until the transaction ends, nobody else changes the deployment. @returns whether it is there. */
export async function lockDeployment(executor: Executor, accountId: number, id: number): Promise<boolean> {
  const row = await executor
    .selectFrom('deployments')
    .select('id')
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row !== undefined
}

export async function findDeploymentByName(
  executor: Executor,
  accountId: number,
  name: string,
): Promise<DeploymentRow | undefined> {
  return executor
    .selectFrom('deployments')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('name', '=', name)
    .executeTakeFirst()
}

/** The account of a deployment: the data API finds its tenant by the id in the URL and checks the token with its secret. */
export async function findDeploymentAccount(executor: Executor, id: number): Promise<number | undefined> {
  const row = await executor.selectFrom('deployments').select('accountId').where('id', '=', id).executeTakeFirst()
  return row?.accountId
}

/** @returns undefined where the account has a deployment of that name already. */
export async function insertDeployment(
  executor: Executor,
  values: Insertable<DeploymentTable>,
): Promise<DeploymentRow | undefined> {
  await lockName(executor, values.accountId, values.name)
  return executor
    .insertInto('deployments')
    .values(values)
    .onConflict(conflict => conflict.columns(['accountId', 'name']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** @returns false, with nothing changed, where another deployment of the account has the name. */
export async function updateDeployment(
  executor: Executor,
  accountId: number,
  id: number,
  values: Updateable<DeploymentTable>,
): Promise<boolean> {
  if (values.name !== undefined) {
    await lockName(executor, accountId, values.name)
    const holder = await executor
      .selectFrom('deployments')
      .select('id')
      .where('accountId', '=', accountId)
      .where('name', '=', values.name)
      .where('id', '!=', id)
      .executeTakeFirst()
    if (holder) return false
  }
  await executor
    .updateTable('deployments')
    .set({ ...values, updatedAt: new Date() })
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .execute()
  return true
}

/** Serialises the taking of one name, so that a check for it holds until the end of the transaction. */
async function lockName(executor: Executor, accountId: number, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`deployment ${accountId} ${name}`}, 0))`.execute(executor)
}

/** Removes the deployment and all that hangs on it. */
export async function deleteDeployment(executor: Executor, accountId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await executor
    .deleteFrom('deployments')
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Releases that deployments of the account run or ran. */
export async function listUsedVersions(executor: Executor, accountId: number): Promise<string[]> {
  const rows = await executor
    .selectFrom('deployments')
    .select('releaseChannelVersion')
    .distinct()
    .where('accountId', '=', accountId)
    .orderBy('releaseChannelVersion')
    .execute()
  return rows.map(row => row.releaseChannelVersion)
}

/** Deployments of all accounts with this id or name: for who has not yet shown of which account he is. */
export async function findDeploymentsAnywhere(
  executor: Executor,
  idOrName: string,
  limit: number,
): Promise<Pick<DeploymentRow, 'id' | 'accountId' | 'name'>[]> {
  const id = /^[1-9]\d{0,14}$/.test(idOrName) ? Number(idOrName) : null
  return executor
    .selectFrom('deployments')
    .select(['id', 'accountId', 'name'])
    .where(({ eb, or }) => or([eb('name', '=', idOrName), ...(id === null ? [] : [eb('id', '=', id)])]))
    .orderBy('id')
    .limit(limit)
    .execute()
}
