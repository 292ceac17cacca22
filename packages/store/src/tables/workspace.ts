import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Executor } from '../executor.ts'
import { containing } from './containing.ts'
import { type Viewer, visibleReports, visibleWorkbooks } from './content-access.ts'

export type WorkspaceOrder = 'updated_at' | 'created_at' | 'name' | 'viewer_last_viewed_at'
export type PlacedType = 'Workbook' | 'Report'

/** A workbook, or a report that is in none, with what it is sorted by. */
export interface PlacedItem {
  readonly type: PlacedType
  readonly id: number
  /** A name in lower case, or a time in ISO 8601; null: never viewed. */
  readonly sortKey: string | null
}

export interface PlacedWindow {
  readonly types: readonly PlacedType[]
  /** Directly in this folder; null: at the root; undefined: anywhere. */
  readonly folderId: number | null | undefined
  /** Part of a name, whatever its case. */
  readonly search: string | undefined
  readonly order: WorkspaceOrder
  readonly direction: 'asc' | 'desc'
  /** The item before, in this order. */
  readonly after: { readonly sortKey: string; readonly type: PlacedType; readonly id: number } | undefined
  readonly limit: number
}

/**
 * Workbooks and reports that the viewer may see, in one order. Each type is read along its own index and no further than the
 * window, so that the last page of many costs what the first does.
 */
export async function listPlacedItems(executor: Executor, viewer: Viewer, window: PlacedWindow): Promise<PlacedItem[]> {
  const parts = window.types.map(type => sql`(${partOf(viewer, type, window)})`)
  if (parts.length === 0) return []
  const direction = sql.raw(window.direction)
  const { rows } = await sql<PlacedItem>`
    select type, id, ${window.order === 'name' ? sql`sort_key` : isoText(sql`sort_key`)} as sort_key
    from (${sql.join(parts, sql` union all `)}) as item
    order by item.sort_key ${direction} ${never(window)}, type ${direction}, id ${direction}
    limit ${window.limit}`.execute(executor)
  return rows
}

/** The items of one type in the window. */
function partOf(viewer: Viewer, type: PlacedType, window: PlacedWindow): RawBuilder<unknown> {
  const table = type === 'Workbook' ? 'workbooks' : 'reports'
  const column = (name: string) => sql.ref(`${table}.${name}`)
  const sortKey = {
    name: sql`lower(${column('name')})`,
    updated_at: column('updated_at'),
    created_at: column('created_at'),
    viewer_last_viewed_at: sql`content_views.viewed_at`,
  }[window.order]
  const { folderId, search } = window
  const conditions: RawBuilder<unknown>[] = [
    type === 'Workbook' ? visibleWorkbooks(viewer) : sql`reports.workbook_id is null and ${visibleReports(viewer)}`,
  ]
  if (folderId === null) conditions.push(sql`${column('folder_id')} is null`)
  else if (folderId !== undefined) conditions.push(sql`${column('folder_id')} = ${folderId}::bigint`)
  if (search !== undefined) conditions.push(sql`${column('name')} ilike ${containing(search)}`)
  if (window.after !== undefined) conditions.push(isAfter(type, sortKey, column('id'), window, window.after))
  const views = sql`left join content_views on content_views.account_id = ${viewer.accountId}::bigint
    and content_views.user_id = ${viewer.userId}::bigint and content_views.resource_type = ${type}::text
    and content_views.resource_id = ${column('id')}`
  const direction = sql.raw(window.direction)
  // The same in all rows of one place; without them PostgreSQL sorts all of it, for "is null" tells it nothing of an index's order.
  const place =
    folderId === undefined || window.order === 'viewer_last_viewed_at'
      ? sql``
      : sql`${column('embed_tenant_id')} ${direction}, ${column('folder_id')} ${direction},`
  return sql`
    select ${type}::text as type, ${column('id')} as id, ${sortKey} as sort_key
    from ${sql.table(table)} ${window.order === 'viewer_last_viewed_at' ? views : sql``}
    where ${sql.join(conditions, sql` and `)}
    order by ${place} ${sortKey} ${direction} ${never(window)}, ${column('id')} ${direction}
    limit ${window.limit}`
}

/** What was never viewed comes as if that was long ago. The other orders have no nulls, and their indexes say nothing of them. */
const never = ({ order, direction }: PlacedWindow): RawBuilder<unknown> => {
  if (order !== 'viewer_last_viewed_at') return sql``
  return direction === 'asc' ? sql`nulls first` : sql`nulls last`
}

/** Whether an item comes after the one before the window: by its key, then its type, then its id. */
function isAfter(
  type: PlacedType,
  sortKey: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
  { order, direction }: PlacedWindow,
  after: NonNullable<PlacedWindow['after']>,
): RawBuilder<SqlBool> {
  const key = order === 'name' ? sql`${after.sortKey}::text` : sql`${after.sortKey}::timestamptz`
  const beyond = sql.raw(direction === 'asc' ? '>' : '<')
  if (type === after.type) return sql<SqlBool>`(${sortKey}, ${id}) ${beyond} (${key}, ${after.id}::bigint)`
  const comesLater = direction === 'asc' ? type > after.type : type < after.type
  return comesLater ? sql<SqlBool>`${sortKey} ${beyond}= ${key}` : sql<SqlBool>`${sortKey} ${beyond} ${key}`
}

const isoText = (time: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
