import { type Insertable, type Selectable, sql } from 'kysely'
import type { Json } from '../column-types.ts'
import type { Executor } from '../executor.ts'
import type { DashboardStatus, DashboardTable, DashboardVersionTable, StoredAiThread } from '../schema-content.ts'

export type DashboardRow = Selectable<DashboardTable>
export type DashboardVersionRow = Selectable<DashboardVersionTable>

/** What a version keeps of a report. */
export interface SnapshotContent {
  readonly name: string
  readonly title: string | null
  readonly description: string | null
  readonly jsonQuery: string | null
  readonly sqlQuery: string | null
  readonly pivotItems: Json | null
  readonly meta: Json | null
}

export interface StoredSnapshot {
  readonly id: number
  readonly reportId: number
  readonly versionNumber: number
  readonly content: SnapshotContent
}

/** A dashboard with the version that is published, and the workbook that it is of. */
export interface PublishedDashboard {
  readonly id: number
  readonly accountId: number
  readonly deploymentId: number
  readonly workbookId: number
  readonly publicId: string
  readonly status: DashboardStatus
  readonly allowEmbed: boolean
  readonly aiThreads: Record<string, StoredAiThread>
  readonly createdBy: number | null
  readonly versionId: number
  readonly versionNumber: number
  readonly title: string | null
  readonly description: string | null
  readonly config: Json
  readonly snapshots: readonly StoredSnapshot[]
  /** Of the workbook. */
  readonly ownerId: number | null
  readonly embedTenantId: number | null
}

/** The published dashboard of the account with that address, whoever may see it. */
export async function findPublishedByPublicId(
  executor: Executor,
  accountId: number,
  publicId: string,
): Promise<PublishedDashboard | undefined> {
  return published(executor).where('d.accountId', '=', accountId).where('d.publicId', '=', publicId).executeTakeFirst()
}

export async function findPublishedOfWorkbook(
  executor: Executor,
  accountId: number,
  workbookId: number,
): Promise<PublishedDashboard | undefined> {
  return published(executor)
    .where('d.accountId', '=', accountId)
    .where('d.workbookId', '=', workbookId)
    .executeTakeFirst()
}

/** One statement: the dashboard, its current version and that version's reports. */
const published = (executor: Executor) =>
  executor
    .selectFrom('dashboards as d')
    .innerJoin('dashboardVersions as v', join =>
      join.onRef('v.accountId', '=', 'd.accountId').onRef('v.id', '=', 'd.currentVersionId'),
    )
    .innerJoin('workbooks as w', join =>
      join.onRef('w.accountId', '=', 'd.accountId').onRef('w.id', '=', 'd.workbookId'),
    )
    .select([
      'd.id',
      'd.accountId',
      'd.deploymentId',
      'd.workbookId',
      'd.publicId',
      'd.status',
      'd.allowEmbed',
      'd.aiThreads',
      'd.createdBy',
      'v.id as versionId',
      'v.number as versionNumber',
      'v.title',
      'v.description',
      'v.config',
      'w.userId as ownerId',
      'w.embedTenantId',
    ])
    .select(
      sql<StoredSnapshot[]>`coalesce((
        select json_agg(json_build_object(
          'id', s.id, 'reportId', s.report_id, 'versionNumber', s.version_number, 'content', s.content) order by s.id)
        from report_snapshots s where s.account_id = v.account_id and s.dashboard_version_id = v.id), '[]')`.as(
        'snapshots',
      ),
    )
    .where('d.status', '=', 'published')

/** The dashboard of a workbook, published or not. */
export async function findDashboardOfWorkbook(
  executor: Executor,
  accountId: number,
  workbookId: number,
): Promise<DashboardRow | undefined> {
  return executor
    .selectFrom('dashboards')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('workbookId', '=', workbookId)
    .executeTakeFirst()
}

/**
 * Makes the next version of a workbook's dashboard and publishes it; the first makes the dashboard. In a transaction that holds
 * the workbook, so that numbers follow each other.
 */
export async function publishVersion(
  transaction: Executor,
  dashboard: Insertable<DashboardTable>,
  version: Omit<Insertable<DashboardVersionTable>, 'accountId' | 'dashboardId' | 'number'>,
  at: Date,
): Promise<{ readonly dashboardId: number; readonly versionId: number; readonly number: number }> {
  const { accountId, allowEmbed } = dashboard
  const { id: dashboardId } = await transaction
    .insertInto('dashboards')
    .values({ ...dashboard, status: 'published' })
    .onConflict(conflict =>
      conflict.column('workbookId').doUpdateSet({
        status: 'published',
        aiThreads: '{}',
        updatedAt: at,
        ...(allowEmbed === undefined ? {} : { allowEmbed }),
      }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: versionId, number } = await transaction
    .insertInto('dashboardVersions')
    .values(({ selectFrom }) => ({
      ...version,
      accountId,
      dashboardId,
      number: sql<number>`${selectFrom('dashboardVersions as other')
        .where('other.accountId', '=', accountId)
        .where('other.dashboardId', '=', dashboardId)
        .select(({ fn }) => sql<number>`coalesce(${fn.max('other.number')}, 0) + 1`.as('next'))}`,
    }))
    .returning(['id', 'number'])
    .executeTakeFirstOrThrow()
  await transaction
    .updateTable('dashboards')
    .set({ currentVersionId: versionId })
    .where('accountId', '=', accountId)
    .where('id', '=', dashboardId)
    .execute()
  return { dashboardId, versionId, number }
}

/** Keeps the reports of a workbook, as they are, with a version. @returns ids of the reports that were there. */
export async function snapshotReports(
  transaction: Executor,
  accountId: number,
  workbookId: number,
  versionId: number,
  reportIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ reportId: number }>`
    insert into report_snapshots (account_id, dashboard_version_id, report_id, version_number, content)
    select account_id, ${versionId}, id, version, jsonb_build_object(
      'name', name, 'title', title, 'description', description, 'jsonQuery', json_query, 'sqlQuery', sql_query,
      'pivotItems', pivot_items, 'meta', meta)
    from reports
    where account_id = ${accountId} and workbook_id = ${workbookId} and id = any(${[...reportIds]}::bigint[])
    order by array_position(${[...reportIds]}::bigint[], id)
    returning report_id as "reportId"`.execute(transaction)
  return new Set(rows.map(row => row.reportId))
}

/**
 * Copies the snapshots of one version to another: of the copies of their reports, or of the same report where that is gone and
 * was not copied.
 */
export async function copySnapshots(
  transaction: Executor,
  accountId: number,
  from: number,
  to: number,
  copies: ReadonlyMap<number, number>,
): Promise<void> {
  const [ids, newIds] = [[...copies.keys()], [...copies.values()]]
  await sql`
    insert into report_snapshots (account_id, dashboard_version_id, report_id, version_number, content)
    select s.account_id, ${to}, coalesce(c.new_id, s.report_id), s.version_number, s.content from report_snapshots s
    left join unnest(${ids}::bigint[], ${newIds}::bigint[]) as c(id, new_id) on c.id = s.report_id
    where s.account_id = ${accountId} and s.dashboard_version_id = ${from}
    order by s.id`.execute(transaction)
}

/** @returns false where there is no such dashboard. */
export async function setAllowEmbed(
  executor: Executor,
  accountId: number,
  dashboardId: number,
  allowEmbed: boolean,
  at: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await executor
    .updateTable('dashboards')
    .set({ allowEmbed, updatedAt: at })
    .where('accountId', '=', accountId)
    .where('id', '=', dashboardId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Which dashboard of the account has that address, published or not. */
export async function findDashboardByPublicId(
  executor: Executor,
  accountId: number,
  publicId: string,
): Promise<DashboardRow | undefined> {
  return executor
    .selectFrom('dashboards')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('publicId', '=', publicId)
    .executeTakeFirst()
}

/** Says which thread a widget shows the summary of; other widgets keep theirs, also under racing writes. */
export async function setAiThread(
  executor: Executor,
  accountId: number,
  dashboardId: number,
  widgetId: string,
  thread: StoredAiThread,
): Promise<void> {
  const change = JSON.stringify({ [widgetId]: thread })
  await sql`
    update dashboards set ai_threads = ai_threads || ${change}::jsonb
    where account_id = ${accountId} and id = ${dashboardId}`.execute(executor)
}
