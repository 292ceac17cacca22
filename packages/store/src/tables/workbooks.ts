import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Executor } from '../executor.ts'
import type { WorkbookTable } from '../schema-content.ts'
import { type Viewer, visibleWorkbooks } from './content-access.ts'

export type WorkbookRow = Selectable<WorkbookTable>

/** Where slugs are unique: a workspace of a deployment; `embedTenantId` null: the account's own. */
export interface Workspace {
  readonly accountId: number
  readonly deploymentId: number
  readonly embedTenantId: number | null
}

/** Which workbooks a list is about. */
export interface WorkbookFilter {
  /** Those directly in the folder; null: at the root; undefined: wherever they are. */
  readonly folderId: number | null | undefined
}

/** @returns undefined, with nothing written, where its slug is taken. */
export async function insertWorkbook(
  executor: Executor,
  values: Insertable<WorkbookTable>,
): Promise<WorkbookRow | undefined> {
  return executor
    .insertInto('workbooks')
    .values(values)
    .onConflict(conflict =>
      conflict.columns(['deploymentId', 'embedTenantId', 'slug']).where('slug', 'is not', null).doNothing(),
    )
    .returningAll()
    .executeTakeFirst()
}

/** A workbook of a deployment, whoever may see it. */
export async function findWorkbook(
  executor: Executor,
  accountId: number,
  deploymentId: number,
  id: number,
): Promise<WorkbookRow | undefined> {
  return executor
    .selectFrom('workbooks')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('deploymentId', '=', deploymentId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Workbooks of the account by ids, in no order, whoever may see them. */
export async function findWorkbooks(
  executor: Executor,
  accountId: number,
  ids: readonly number[],
): Promise<WorkbookRow[]> {
  if (ids.length === 0) return []
  return executor
    .selectFrom('workbooks')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('id', '=', sql<number>`any(${ids}::bigint[])`)
    .execute()
}

/** The same, kept from being changed by others until the transaction ends. */
export async function lockWorkbook(
  executor: Executor,
  accountId: number,
  deploymentId: number,
  id: number,
): Promise<WorkbookRow | undefined> {
  return executor
    .selectFrom('workbooks')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('deploymentId', '=', deploymentId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Id of the workbook of the workspace that has the slug, whoever may see it. */
export async function findWorkbookIdBySlug(
  executor: Executor,
  { accountId, deploymentId, embedTenantId }: Workspace,
  slug: string,
): Promise<number | undefined> {
  const row = await executor
    .selectFrom('workbooks')
    .select('id')
    .where('accountId', '=', accountId)
    .where('deploymentId', '=', deploymentId)
    .where('embedTenantId', embedTenantId === null ? 'is' : '=', embedTenantId)
    .where('slug', '=', slug)
    .executeTakeFirst()
  return row?.id
}

/** Until the transaction ends, nobody else gives a workbook of the workspace this slug. */
export async function lockSlug(transaction: Executor, workspace: Workspace, slug: string): Promise<void> {
  const name = `slug ${workspace.deploymentId} ${workspace.embedTenantId} ${slug}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(transaction)
}

export async function updateWorkbook(
  executor: Executor,
  accountId: number,
  id: number,
  values: Updateable<WorkbookTable>,
): Promise<void> {
  await executor.updateTable('workbooks').set(values).where('accountId', '=', accountId).where('id', '=', id).execute()
}

/** Removes it with its reports and its dashboard. @returns whether it was there. */
export async function deleteWorkbook(executor: Executor, accountId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await executor
    .deleteFrom('workbooks')
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** What the viewer may read, in the order of ids, after the id `after`. */
export async function listWorkbooks(
  executor: Executor,
  viewer: Viewer,
  filter: WorkbookFilter,
  window: { readonly after: number | undefined; readonly limit: number },
): Promise<WorkbookRow[]> {
  return visible(executor, viewer, filter)
    .selectAll('workbooks')
    .$if(window.after !== undefined, query => query.where('workbooks.id', '>', window.after ?? 0))
    .orderBy('workbooks.id')
    .limit(window.limit)
    .execute()
}

/** How many workbooks there are that the viewer may read. */
export async function countWorkbooks(executor: Executor, viewer: Viewer, filter: WorkbookFilter): Promise<number> {
  const { count } = await visible(executor, viewer, filter)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

const visible = (executor: Executor, viewer: Viewer, { folderId }: WorkbookFilter) =>
  executor
    .selectFrom('workbooks')
    .where(visibleWorkbooks(viewer))
    .$if(folderId !== undefined, query =>
      query.where('workbooks.folderId', folderId === null ? 'is' : '=', folderId ?? null),
    )
