import { type Insertable, type RawBuilder, type Selectable, type SqlBool, sql, type Updateable } from 'kysely'
import type { Executor } from '../executor.ts'
import type { ReportTable } from '../schema-content.ts'
import { type Viewer, visibleReports } from './content-access.ts'

export type ReportRow = Selectable<ReportTable>

export type ReportOrder = 'name' | 'createdAt' | 'updatedAt' | 'lastViewedAt'

export interface ReportFilter {
  readonly workbookId: number | undefined
  readonly folderId: number | undefined
  /** Those with a placement in that spreadsheet. */
  readonly externalWorkbookId: string | undefined
  /** Part of a name or title. */
  readonly search: string | undefined
}

export interface ReportWindow {
  readonly order: ReportOrder
  readonly direction: 'asc' | 'desc'
  /** Value of the order's column, as the row showed it, and id of the row before. */
  readonly after: readonly [value: string, id: number] | undefined
  readonly limit: number
  readonly offset: number
}

/** What the viewer may read, a page of it. Of the same order value, higher ids stand where later times do. */
export async function listReports(
  executor: Executor,
  viewer: Viewer,
  filter: ReportFilter,
  { order, direction, after, limit, offset }: ReportWindow,
): Promise<ReportRow[]> {
  const sortedBy = order === 'lastViewedAt' ? sql`content_views.viewed_at` : sql.ref(`reports.${order}`)
  // What was never looked at comes after what was looked at long ago. The other columns are never null, and their indexes say nothing of it.
  const never = direction === 'asc' ? sql`nulls first` : sql`nulls last`
  const place = after && (order === 'name' ? sql`${after[0]}::text` : sql`${new Date(after[0])}::timestamptz`)
  return executor
    .selectFrom('reports')
    .selectAll('reports')
    .where(visibleReports(viewer))
    .where(matching(filter))
    .$if(order === 'lastViewedAt', query =>
      query.leftJoin('contentViews', join =>
        join
          .onRef('contentViews.resourceId', '=', 'reports.id')
          .on('contentViews.resourceType', '=', 'Report')
          .on('contentViews.accountId', '=', viewer.accountId)
          .on('contentViews.userId', '=', viewer.userId ?? 0),
      ),
    )
    .$if(place !== undefined, query =>
      query.where(
        sql<SqlBool>`(${sortedBy}, reports.id) ${sql.raw(direction === 'asc' ? '>' : '<')} (${place}, ${after?.[1]}::bigint)`,
      ),
    )
    .orderBy(sql`${sortedBy} ${sql.raw(direction)} ${order === 'lastViewedAt' ? never : sql``}`)
    .orderBy('reports.id', direction)
    .limit(limit)
    .offset(offset)
    .execute()
}

/** How many reports there are that the viewer may read. */
export async function countReports(executor: Executor, viewer: Viewer, filter: ReportFilter): Promise<number> {
  const { count } = await executor
    .selectFrom('reports')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(visibleReports(viewer))
    .where(matching(filter))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** A report of a deployment, whoever may see it. */
export async function findReport(
  executor: Executor,
  accountId: number,
  deploymentId: number,
  id: number,
): Promise<ReportRow | undefined> {
  return executor
    .selectFrom('reports')
    .selectAll('reports')
    .where('reports.accountId', '=', accountId)
    .where('reports.deploymentId', '=', deploymentId)
    .where('reports.id', '=', id)
    .executeTakeFirst()
}

/** Reports of the account by ids, in no order, whoever may see them. */
export async function findReports(executor: Executor, accountId: number, ids: readonly number[]): Promise<ReportRow[]> {
  if (ids.length === 0) return []
  return executor
    .selectFrom('reports')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('id', '=', sql<number>`any(${ids}::bigint[])`)
    .execute()
}

/** The same, kept from being changed by others until the transaction ends. */
export async function lockReport(executor: Executor, accountId: number, id: number): Promise<ReportRow | undefined> {
  return executor
    .selectFrom('reports')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Which report of the account has that public id. */
export async function findReportByPublicId(
  executor: Executor,
  accountId: number,
  publicId: string,
): Promise<Pick<ReportRow, 'id' | 'deploymentId' | 'embedTenantId'> | undefined> {
  return executor
    .selectFrom('reports')
    .select(['id', 'deploymentId', 'embedTenantId'])
    .where('accountId', '=', accountId)
    .where('publicId', '=', publicId)
    .executeTakeFirst()
}

/** @returns id of the new report; undefined where its public id is taken. */
export async function insertReport(executor: Executor, values: Insertable<ReportTable>): Promise<number | undefined> {
  const row = await executor
    .insertInto('reports')
    .values(values)
    .onConflict(conflict => conflict.columns(['accountId', 'publicId']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

export async function updateReport(
  executor: Executor,
  accountId: number,
  id: number,
  values: Updateable<ReportTable>,
): Promise<void> {
  await executor.updateTable('reports').set(values).where('accountId', '=', accountId).where('id', '=', id).execute()
}

/** @returns whether it was there. */
export async function deleteReport(executor: Executor, accountId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await executor
    .deleteFrom('reports')
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

function matching({ workbookId, folderId, externalWorkbookId, search }: ReportFilter): RawBuilder<SqlBool> {
  const conditions: RawBuilder<unknown>[] = [sql`true`]
  if (workbookId !== undefined) conditions.push(sql`reports.workbook_id = ${workbookId}`)
  if (folderId !== undefined) conditions.push(sql`reports.folder_id = ${folderId}`)
  if (externalWorkbookId !== undefined) {
    const placement = JSON.stringify([{ workbookId: externalWorkbookId }])
    conditions.push(
      sql`(reports.external_workbook_id = ${externalWorkbookId} or reports.placements @> ${placement}::jsonb)`,
    )
  }
  if (search) {
    const pattern = `%${search.replace(/[\\%_]/g, character => `\\${character}`)}%`
    conditions.push(sql`(reports.name ilike ${pattern} or reports.title ilike ${pattern})`)
  }
  return sql<SqlBool>`(${sql.join(conditions, sql` and `)})`
}
