import { type Insertable, type Selectable, sql } from 'kysely'
import type { Executor } from '../executor.ts'
import type { RollupJobTable, RollupPartitionTable, RollupStateTable, StoredPartition } from '../schema.ts'

export type RollupRow = Selectable<RollupStateTable>
export type RollupTableRow = Selectable<RollupPartitionTable>
export type RollupJobRow = Selectable<RollupJobTable>

/** A rollup of a node. */
export interface RollupKey {
  readonly accountId: number
  readonly deploymentId: number
  readonly definition: string
  readonly node: string
}

/** Everything that a node keeps, of any account: what it needs to know when it starts. */
export async function listNodeRollups(
  executor: Executor,
  node: string,
): Promise<{ rollups: RollupRow[]; tables: RollupTableRow[] }> {
  const [rollups, tables] = await Promise.all([
    executor.selectFrom('rollups').selectAll().where('node', '=', node).execute(),
    executor.selectFrom('rollupTables').selectAll().where('node', '=', node).execute(),
  ])
  return { rollups, tables }
}

/** Notes a rollup, with its partitions where they are known. */
export async function putRollup(
  executor: Executor,
  { layout, ...values }: Omit<RollupRow, 'layout'> & { readonly layout: readonly StoredPartition[] | null },
): Promise<void> {
  const row = { ...values, layout: layout === null ? null : JSON.stringify(layout) }
  await executor
    .insertInto('rollups')
    .values(row)
    .onConflict(conflict =>
      conflict.columns(['deploymentId', 'definition', 'node']).doUpdateSet({
        layout: row.layout,
        surveyedAt: row.surveyedAt,
        usedAt: row.usedAt,
      }),
    )
    .execute()
}

/** Removes a rollup of a node with what is known of its partitions. */
export async function deleteRollup(executor: Executor, key: RollupKey): Promise<void> {
  await executor
    .deleteFrom('rollups')
    .where('accountId', '=', key.accountId)
    .where('deploymentId', '=', key.deploymentId)
    .where('definition', '=', key.definition)
    .where('node', '=', key.node)
    .execute()
}

/**
 * Takes a partition to build it, unless somebody else builds the same on any node: who has claimed it after `abandonedBefore`.
 *
 * @returns whether it was taken.
 */
export async function claimTable(
  executor: Executor,
  key: RollupKey & { readonly partition: string },
  { now, abandonedBefore }: { readonly now: Date; readonly abandonedBefore: Date },
): Promise<boolean> {
  // Claims of one partition take turns until the end of the transaction.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`rollup ${key.deploymentId} ${key.definition} ${key.partition}`}, 0))`.execute(
    executor,
  )
  const taken = await executor
    .selectFrom('rollupTables')
    .select('node')
    .where('accountId', '=', key.accountId)
    .where('deploymentId', '=', key.deploymentId)
    .where('definition', '=', key.definition)
    .where('partition', '=', key.partition)
    .where('claimedAt', '>', abandonedBefore)
    .executeTakeFirst()
  if (taken) return false
  await executor
    .insertInto('rollupTables')
    .values({ ...key, claimedAt: now })
    .onConflict(conflict =>
      conflict.columns(['deploymentId', 'definition', 'node', 'partition']).doUpdateSet({ claimedAt: now }),
    )
    .execute()
  return true
}

const one = (executor: Executor, key: RollupKey & { readonly partition: string }) =>
  executor
    .updateTable('rollupTables')
    .where('accountId', '=', key.accountId)
    .where('deploymentId', '=', key.deploymentId)
    .where('definition', '=', key.definition)
    .where('node', '=', key.node)
    .where('partition', '=', key.partition)

/** Says that a build still runs. */
export async function keepClaim(executor: Executor, key: RollupKey & { readonly partition: string }, now: Date) {
  await one(executor, key).set({ claimedAt: now }).where('claimedAt', 'is not', null).execute()
}

export interface FinishedTable {
  readonly file: string
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly refreshValue: string
  readonly builtAt: Date
  readonly rowCount: number
  readonly byteCount: number
  readonly lastStep: string | null
}

/** Ends a build that succeeded. @returns false when the rollup is not kept any more. */
export async function finishTable(
  executor: Executor,
  key: RollupKey & { readonly partition: string },
  { columns, ...values }: FinishedTable,
): Promise<boolean> {
  const { numUpdatedRows } = await one(executor, key)
    .set({ ...values, columns: JSON.stringify(columns), claimedAt: null, errorText: null, failedAt: null })
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Ends a build that failed; what was built before stays. */
export async function failTable(
  executor: Executor,
  key: RollupKey & { readonly partition: string },
  { errorText, failedAt }: { readonly errorText: string; readonly failedAt: Date },
): Promise<void> {
  await one(executor, key).set({ claimedAt: null, errorText, failedAt }).execute()
}

export async function deleteTables(executor: Executor, key: RollupKey, partitions: readonly string[]): Promise<void> {
  if (partitions.length === 0) return
  await executor
    .deleteFrom('rollupTables')
    .where('accountId', '=', key.accountId)
    .where('deploymentId', '=', key.deploymentId)
    .where('definition', '=', key.definition)
    .where('node', '=', key.node)
    .where(({ eb, val }) => eb('partition', '=', eb.fn.any(val([...partitions]))))
    .execute()
}

/** A node that starts builds nothing yet: claims that it left behind when it was killed are void. */
export async function releaseClaims(executor: Executor, node: string): Promise<void> {
  await executor.updateTable('rollupTables').set({ claimedAt: null }).where('node', '=', node).execute()
}

/** Those of these deployments that still are there. */
export async function listExisting(executor: Executor, ids: readonly number[]): Promise<number[]> {
  const rows = await executor
    .selectFrom('deployments')
    .select('id')
    .where(({ eb, val }) => eb('id', '=', eb.fn.any(val([...ids]))))
    .execute()
  return rows.map(({ id }) => id)
}

/** Every deployment with the tree that its production serves, of all accounts; changes of it are changes of what is scheduled. */
export async function listServing(
  executor: Executor,
): Promise<{ accountId: number; deploymentId: number; servingTree: Buffer }[]> {
  const rows = await executor
    .selectFrom('deployments')
    .innerJoin('branches', 'branches.id', 'deployments.deployBranchId')
    .select(['deployments.accountId', 'deployments.id as deploymentId', 'branches.servingTree'])
    .where('branches.servingTree', 'is not', null)
    .orderBy('deployments.id')
    .execute()
  return rows.flatMap(({ servingTree, ...row }) => (servingTree === null ? [] : [{ ...row, servingTree }]))
}

/** Notes builds that somebody asked for, and forgets those asked for before `forgottenBefore`. */
export async function insertJobs(
  executor: Executor,
  accountId: number,
  jobs: readonly (Omit<Insertable<RollupJobTable>, 'accountId' | 'selector'> & { readonly selector: object })[],
  forgottenBefore: Date,
): Promise<void> {
  await executor
    .deleteFrom('rollupJobs')
    .where('accountId', '=', accountId)
    .where('requestedAt', '<', forgottenBefore)
    .execute()
  const values = jobs.map(({ selector, ...job }) => ({ ...job, accountId, selector: JSON.stringify(selector) }))
  for (let from = 0; from < values.length; from += 1000) {
    await executor
      .insertInto('rollupJobs')
      .values(values.slice(from, from + 1000))
      .execute()
  }
}

export async function findJobs(
  executor: Executor,
  accountId: number,
  deploymentId: number,
  tokens: readonly string[],
): Promise<RollupJobRow[]> {
  return executor
    .selectFrom('rollupJobs')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('deploymentId', '=', deploymentId)
    .where(({ eb, val }) => eb('token', '=', eb.fn.any(val([...tokens]))))
    .execute()
}

/** What every node has of some rollups of a deployment. */
export async function findTables(
  executor: Executor,
  accountId: number,
  deploymentId: number,
  definitions: readonly string[],
): Promise<RollupTableRow[]> {
  return executor
    .selectFrom('rollupTables')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('deploymentId', '=', deploymentId)
    .where(({ eb, val }) => eb('definition', '=', eb.fn.any(val([...definitions]))))
    .execute()
}
