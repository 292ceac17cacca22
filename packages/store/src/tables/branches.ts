import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Executor } from '../executor.ts'
import { toBytes, toHex, toHexOrNull } from '../object-id.ts'
import type { BranchTable } from '../schema.ts'

type Ids = 'head' | 'workingTree' | 'conflictWith' | 'servingTree'

interface BranchIds {
  head: string
  workingTree: string | null
  conflictWith: string | null
  servingTree: string | null
}

/** A branch, its git ids in hexadecimal. */
export type BranchRow = Omit<Selectable<BranchTable>, Ids> & BranchIds & { parentName: string | null }

type NewBranch = Omit<Insertable<BranchTable>, Ids> & Partial<BranchIds> & Pick<BranchIds, 'head'>
type BranchChanges = Omit<Updateable<BranchTable>, Ids> & Partial<BranchIds>

/** Which branch of a deployment. */
export type BranchKey = { readonly id: number } | { readonly name: string }

export interface FindBranchOptions {
  /** Keeps others from changing or deleting the branch until the transaction ends. */
  readonly lock?: boolean
}

export async function findBranch(
  executor: Executor,
  accountId: number,
  deploymentId: number,
  key: BranchKey,
  { lock = false }: FindBranchOptions = {},
): Promise<BranchRow | undefined> {
  const row = await selectBranches(executor, accountId, deploymentId)
    .$if('id' in key, query => query.where('branches.id', '=', 'id' in key ? key.id : 0))
    .$if('name' in key, query => query.where('branches.name', '=', 'name' in key ? key.name : ''))
    .$if(lock, query => query.forNoKeyUpdate('branches'))
    .executeTakeFirst()
  return row && readRow(row)
}

/** Branches of the deployment after the id `after`, in the order of ids. */
export async function listBranches(
  executor: Executor,
  accountId: number,
  deploymentId: number,
  window: { after?: number | undefined; limit?: number | undefined } = {},
): Promise<BranchRow[]> {
  const rows = await selectBranches(executor, accountId, deploymentId)
    .$if(window.after !== undefined, query => query.where('branches.id', '>', window.after ?? 0))
    .orderBy('branches.id')
    .$if(window.limit !== undefined, query => query.limit(window.limit ?? 0))
    .execute()
  return rows.map(readRow)
}

/** The personal dev branch that a credential forked from a branch: the newest, should there be several. */
export async function findDevBranch(
  executor: Executor,
  accountId: number,
  deploymentId: number,
  owner: { readonly credential: string; readonly parentId: number },
): Promise<BranchRow | undefined> {
  const row = await selectBranches(executor, accountId, deploymentId)
    .where('branches.kind', '=', 'dev')
    .where('branches.ownerCredential', '=', owner.credential)
    .where('branches.parentId', '=', owner.parentId)
    .orderBy('branches.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && readRow(row)
}

/**
 * A branch whose name stands in the way of a new one: the same name, or one that is a folder of the other, which git cannot hold
 * beside it.
 */
export async function findNameInTheWay(
  executor: Executor,
  accountId: number,
  deploymentId: number,
  name: string,
): Promise<string | undefined> {
  const folders = name.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'))
  const row = await executor
    .selectFrom('branches')
    .select('name')
    .where('accountId', '=', accountId)
    .where('deploymentId', '=', deploymentId)
    .where(({ or, eb }) =>
      or([eb('name', '=', sql<string>`any(${folders}::text[])`), sql<boolean>`starts_with(name, ${`${name}/`})`]),
    )
    .orderBy('name')
    .executeTakeFirst()
  return row?.name
}

/** @returns undefined where the deployment has a branch of that name already. */
export async function insertBranch(executor: Executor, values: NewBranch): Promise<BranchRow | undefined> {
  const { head, workingTree, conflictWith, servingTree, ...rest } = values
  const row = await executor
    .insertInto('branches')
    .values({
      ...rest,
      head: toBytes(head),
      workingTree: bytesOrNull(workingTree ?? null),
      conflictWith: bytesOrNull(conflictWith ?? null),
      servingTree: bytesOrNull(servingTree ?? null),
    })
    .onConflict(conflict => conflict.columns(['deploymentId', 'name']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row && findBranch(executor, values.accountId, values.deploymentId, { id: row.id })
}

export async function updateBranch(
  executor: Executor,
  accountId: number,
  id: number,
  { head, workingTree, conflictWith, servingTree, ...rest }: BranchChanges,
): Promise<void> {
  await executor
    .updateTable('branches')
    .set({
      ...rest,
      ...(head !== undefined && { head: toBytes(head) }),
      ...(workingTree !== undefined && { workingTree: bytesOrNull(workingTree) }),
      ...(conflictWith !== undefined && { conflictWith: bytesOrNull(conflictWith) }),
      ...(servingTree !== undefined && { servingTree: bytesOrNull(servingTree) }),
      updatedAt: sql<Date>`now()`,
    })
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .execute()
}

/**
 * Locks the children of a branch that is about to be deleted. Others lock a branch before its parent, so to lock the branch first
 * would have the two wait for each other.
 */
export async function lockChildren(executor: Executor, accountId: number, parentId: number): Promise<void> {
  await executor
    .selectFrom('branches')
    .select('id')
    .where('accountId', '=', accountId)
    .where('parentId', '=', parentId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/** Removes a branch and what hangs on it; its children get its parent. */
export async function deleteBranch(
  executor: Executor,
  accountId: number,
  { id, parentId }: Pick<BranchRow, 'id' | 'parentId'>,
): Promise<void> {
  await executor
    .updateTable('branches')
    .set({ parentId })
    .where('accountId', '=', accountId)
    .where('parentId', '=', id)
    .execute()
  await executor.deleteFrom('branches').where('accountId', '=', accountId).where('id', '=', id).execute()
}

/**
 * The id of the deploy branch, which stays that until the transaction ends; undefined where the deployment is gone.
 */
export async function lockDeployBranchId(
  executor: Executor,
  accountId: number,
  deploymentId: number,
): Promise<number | undefined> {
  const row = await executor
    .selectFrom('deployments')
    .select('deployBranchId')
    .where('accountId', '=', accountId)
    .where('id', '=', deploymentId)
    .forShare()
    .executeTakeFirst()
  return row?.deployBranchId ?? undefined
}

/** Until the transaction ends, nobody else makes or names a branch of the deployment. */
export async function lockBranchNames(executor: Executor, deploymentId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`branch names ${deploymentId}`}, 0))`.execute(executor)
}

function selectBranches(executor: Executor, accountId: number, deploymentId: number) {
  return executor
    .selectFrom('branches')
    .leftJoin('branches as parents', join =>
      join.onRef('parents.id', '=', 'branches.parentId').onRef('parents.accountId', '=', 'branches.accountId'),
    )
    .selectAll('branches')
    .select('parents.name as parentName')
    .where('branches.accountId', '=', accountId)
    .where('branches.deploymentId', '=', deploymentId)
}

function readRow(row: Selectable<BranchTable> & { parentName: string | null }): BranchRow {
  return {
    ...row,
    head: toHex(row.head),
    workingTree: toHexOrNull(row.workingTree),
    conflictWith: toHexOrNull(row.conflictWith),
    servingTree: toHexOrNull(row.servingTree),
  }
}

const bytesOrNull = (id: string | null): Buffer | null => (id === null ? null : toBytes(id))
