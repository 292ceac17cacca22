import { sql } from 'kysely'
import type { Executor } from '../executor.ts'

/** Where copies go, and whose they are. */
export interface CopyTarget {
  readonly accountId: number
  readonly embedTenantId: number | null
  readonly workbookId: number
  readonly userId: number | null
  /** A new public id for each copy. */
  readonly newPublicId: () => string
}

interface Copied {
  readonly original: number
  readonly id: number
}

/**
 * Copies the reports of a workbook into another: what they ask and how they look, without the spreadsheets that show them.
 *
 * @returns id of each copy by the id of what it was made of.
 */
export async function copyReportsOfWorkbook(
  transaction: Executor,
  from: number,
  target: CopyTarget,
): Promise<ReadonlyMap<number, number>> {
  const originals = await transaction
    .selectFrom('reports')
    .select('id')
    .where('accountId', '=', target.accountId)
    .where('workbookId', '=', from)
    .orderBy('id')
    .execute()
  const ids = originals.map(({ id }) => id)
  const { rows } = await sql<Copied>`
    with source as (
      select r.*, c.new_public_id, nextval(pg_get_serial_sequence('reports', 'id')) as new_id
      from unnest(${ids}::bigint[], ${ids.map(target.newPublicId)}::text[]) as c(id, new_public_id)
      join reports r on r.account_id = ${target.accountId} and r.id = c.id
    ), copied as (
      insert into reports (id, account_id, deployment_id, embed_tenant_id, folder_id, workbook_id, public_id, name, title,
        description, json_query, sql_query, pivot_items, meta, source, version, user_id)
      overriding system value
      select s.new_id, s.account_id, s.deployment_id, ${target.embedTenantId}::bigint, w.folder_id, w.id, s.new_public_id,
        s.name, s.title, s.description, s.json_query, s.sql_query, s.pivot_items, s.meta, s.source, s.version, ${target.userId}::bigint
      from source s join workbooks w on w.account_id = s.account_id and w.id = ${target.workbookId}
    )
    select id as original, new_id as id from source`.execute(transaction)
  return new Map(rows.map(({ original, id }) => [original, id]))
}

/** Makes a report of each snapshot of a version. @returns id of each by the id of the report that the snapshot was of. */
export async function reportsOfSnapshots(
  transaction: Executor,
  versionId: number,
  target: CopyTarget,
): Promise<ReadonlyMap<number, number>> {
  const snapshots = await transaction
    .selectFrom('reportSnapshots')
    .select('id')
    .where('accountId', '=', target.accountId)
    .where('dashboardVersionId', '=', versionId)
    .orderBy('id')
    .execute()
  const ids = snapshots.map(({ id }) => id)
  const { rows } = await sql<Copied>`
    with source as (
      select s.*, c.new_public_id, nextval(pg_get_serial_sequence('reports', 'id')) as new_id
      from unnest(${ids}::bigint[], ${ids.map(target.newPublicId)}::text[]) as c(id, new_public_id)
      join report_snapshots s on s.account_id = ${target.accountId} and s.id = c.id
    ), copied as (
      insert into reports (id, account_id, deployment_id, embed_tenant_id, folder_id, workbook_id, public_id, name, title,
        description, json_query, sql_query, pivot_items, meta, version, user_id)
      overriding system value
      select s.new_id, s.account_id, w.deployment_id, ${target.embedTenantId}::bigint, w.folder_id, w.id, s.new_public_id,
        s.content->>'name', s.content->>'title', s.content->>'description', s.content->>'jsonQuery',
        s.content->>'sqlQuery', nullif(s.content->'pivotItems', 'null'), nullif(s.content->'meta', 'null'), s.version_number,
        ${target.userId}::bigint
      from source s join workbooks w on w.account_id = s.account_id and w.id = ${target.workbookId}
    )
    select report_id as original, new_id as id from source`.execute(transaction)
  return new Map(rows.map(({ original, id }) => [original, id]))
}
