import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Executor } from '../executor.ts'
import type { ContentLevel, ContentType } from '../schema-content.ts'

/** With whose eyes content is read: one workspace of one deployment, and all that can be shared with somebody. */
export interface Viewer {
  readonly accountId: number
  readonly deploymentId: number
  /** Null: nobody, who owns nothing. */
  readonly userId: number | null
  /** Whether everything in the workspace is his without being shared: an administrator in the account's own. */
  readonly seesAll: boolean
  /** The embed tenant in whose workspace he works; null: the account's own. */
  readonly embedTenantId: number | null
  /** The one workbook that he looks at, with its reports; null: he is not limited. */
  readonly onlyWorkbookId: number | null
  /** Groups of the account with which something can be shared with him. */
  readonly groupIds: readonly number[]
  /** Groups of his embed tenant. */
  readonly embedGroupIds: readonly number[]
}

const levels: readonly ContentLevel[] = ['read', 'edit', 'manage']
const rank = sql`case p.level when 'read' then 1 when 'edit' then 2 else 3 end`

/** Whether the first level includes the second. */
export const includesLevel = (level: ContentLevel, wanted: ContentLevel): boolean =>
  levels.indexOf(level) >= levels.indexOf(wanted)

/**
 * What the viewer may do with items of his workspace, by id; those that he may not see are left out. The owner manages; a share
 * of a folder covers what is below it, however deep; a report in a workbook follows the workbook.
 *
 * A folder that only holds something which the viewer may see can be read: its name leads there.
 */
export async function levelsOf(
  executor: Executor,
  viewer: Viewer,
  type: ContentType,
  ids: readonly number[],
): Promise<ReadonlyMap<number, ContentLevel>> {
  if (ids.length === 0 || (type === 'Folder' && viewer.onlyWorkbookId !== null)) return new Map()
  if (viewer.seesAll) {
    const { rows } = await sql<{ id: number }>`
      select i.id from ${tableOf(type)} i where i.id = any(${ids}::bigint[]) and ${inReach(viewer, type, 'i')}`.execute(
      executor,
    )
    return new Map(rows.map(({ id }) => [id, 'manage']))
  }
  const { rows } = await sql<{ id: number; rank: number }>`
    with recursive item(root, type, id, user_id, folder_id) as (${startOf(viewer, type, ids)}),
    up(root, id, parent_id, user_id) as (
      select item.root, f.id, f.parent_id, f.user_id from item join folders f on f.id = item.folder_id
      union
      select up.root, f.id, f.parent_id, f.user_id from up join folders f on f.id = up.parent_id
    ),
    place(root, type, id, user_id) as (
      select root, type, id, user_id from item union all select root, 'Folder', id, user_id from up
    )
    select root as id, max(rank)::int as rank from (
      select root, 3 as rank from place where user_id = ${viewer.userId}::bigint
      union all
      select place.root, ${rank} from place
        join resource_policies p on p.resource_type = place.type and p.resource_id = place.id and ${granted(viewer)}
    ) as grants group by root`.execute(executor)
  const found = new Map<number, ContentLevel>()
  for (const row of rows) found.set(row.id, levels[row.rank - 1] ?? 'read')
  if (type === 'Folder') {
    const others = ids.filter(id => !found.has(id))
    for (const id of await leadingFolders(executor, viewer, others)) found.set(id, 'read')
  }
  return found
}

/** What the viewer may do with one item; null where it is not there for him. */
export async function levelOf(
  executor: Executor,
  viewer: Viewer,
  type: ContentType,
  id: number,
): Promise<ContentLevel | null> {
  return (await levelsOf(executor, viewer, type, [id])).get(id) ?? null
}

/** What a transaction means to do with an item that it holds: keep it from being deleted, or delete it. */
export type Hold = 'keep' | 'remove'

/**
 * Keeps others from deleting the item until the transaction ends. Who deletes it says so first: two that only kept it would wait
 * for each other.
 *
 * @returns whether it is there.
 */
export async function holdContent(executor: Executor, type: ContentType, id: number, hold: Hold): Promise<boolean> {
  const strength = hold === 'keep' ? sql`for key share` : sql`for update`
  const { rows } = await sql`select 1 from ${tableOf(type)} where id = ${id} ${strength}`.execute(executor)
  return rows.length > 0
}

/** Of a query on `workbooks`: those that the viewer may see. */
export const visibleWorkbooks = (viewer: Viewer): RawBuilder<SqlBool> => sql<SqlBool>`
  (${inReach(viewer, 'Workbook', 'workbooks')} and ${ifNotAll(viewer, seen(viewer, 'Workbook', 'workbooks'))})`

/** Of a query on `reports`: those that the viewer may see. */
export const visibleReports = (viewer: Viewer): RawBuilder<SqlBool> => {
  const shared = sql`reports.id = any(${sharedIds(viewer, 'Report')})`
  const inWorkbook = sql`reports.workbook_id in (
    select workbooks.id from workbooks where ${visibleWorkbooks(viewer)})`
  return sql<SqlBool>`(${inReach(viewer, 'Report', 'reports')} and ${ifNotAll(
    viewer,
    sql`case when reports.workbook_id is null then ${seen(viewer, 'Report', 'reports')} else ${shared} or ${inWorkbook} end`,
  )})`
}

/**
 * Of a query on `folders`: those that the viewer may see, which are his, those shared with him, all below these, and the folders
 * that lead to anything he may see.
 */
export const visibleFolders = (viewer: Viewer): RawBuilder<SqlBool> => sql<SqlBool>`
  (${inReach(viewer, 'Folder', 'folders')} and ${ifNotAll(
    viewer,
    sql`(folders.id = any(${openFolders(viewer)}) or folders.id = any(${foldersAbove(viewer)}))`,
  )})`

/** Those of the folders that hold, at any depth, something of the viewer's or shared with him. */
async function leadingFolders(executor: Executor, viewer: Viewer, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: number }>`
    select folders.id from folders
    where folders.id = any(${ids}::bigint[]) and ${inWorkspace(viewer, 'folders')}
      and folders.id = any(${foldersAbove(viewer)})`.execute(executor)
  return rows.map(({ id }) => id)
}

/** The items asked for, and for a report in a workbook that workbook, with who owns them and the folder that they are in. */
function startOf(viewer: Viewer, type: ContentType, ids: readonly number[]): RawBuilder<unknown> {
  const wanted = (alias: string) =>
    sql`${sql.ref(`${alias}.id`)} = any(${ids}::bigint[]) and ${inReach(viewer, type, alias)}`
  if (type === 'Folder') {
    return sql`select f.id, 'Folder', f.id, f.user_id, f.parent_id from folders f where ${wanted('f')}`
  }
  if (type === 'Workbook') {
    return sql`select w.id, 'Workbook', w.id, w.user_id, w.folder_id from workbooks w where ${wanted('w')}`
  }
  return sql`
    select r.id, 'Report', r.id, case when r.workbook_id is null then r.user_id end,
      case when r.workbook_id is null then r.folder_id end
    from reports r where ${wanted('r')}
    union all
    select r.id, 'Workbook', w.id, w.user_id, w.folder_id
    from reports r join workbooks w on w.id = r.workbook_id and ${inWorkspace(viewer, 'w')} where ${wanted('r')}`
}

const seen = (viewer: Viewer, type: 'Workbook' | 'Report', table: string): RawBuilder<unknown> => sql`(
  ${sql.ref(`${table}.user_id`)} = ${viewer.userId}::bigint
  or ${sql.ref(`${table}.id`)} = any(${sharedIds(viewer, type)})
  or ${sql.ref(`${table}.folder_id`)} = any(${openFolders(viewer)}))`

/** Ids of the items of a type that are shared themselves. An array, so that it is read once a statement and can lead an index. */
const sharedIds = (viewer: Viewer, type: ContentType): RawBuilder<unknown> => sql`array(
  select p.resource_id from resource_policies p where p.resource_type = ${type}::text and ${granted(viewer)})`

/** Ids of the folders that are the viewer's or shared with him, and of all below them. */
const openFolders = (viewer: Viewer): RawBuilder<unknown> => sql`array(
  with recursive below(id) as (
    select f.id from folders f where ${inWorkspace(viewer, 'f')} and ${ownOrShared(viewer, 'Folder', 'f')}
    union
    select f.id from folders f join below on f.parent_id = below.id
  ) select id from below)`

/** Ids of the folders above what the viewer owns or what is shared with him. */
const foldersAbove = (viewer: Viewer): RawBuilder<unknown> => {
  const placed = (type: ContentType, table: string, place: string) => sql`
    select ${sql.ref(`i.${place}`)} from ${sql.table(table)} i
    where ${inWorkspace(viewer, 'i')} and ${sql.ref(`i.${place}`)} is not null and ${ownOrShared(viewer, type, 'i')}`
  return sql`array(
    with recursive above(id) as (
      (${placed('Folder', 'folders', 'parent_id')}
       union ${placed('Workbook', 'workbooks', 'folder_id')}
       union ${placed('Report', 'reports', 'folder_id')} and i.workbook_id is null)
      union
      select f.parent_id from folders f join above on above.id = f.id where f.parent_id is not null
    ) select id from above)`
}

const ownOrShared = (viewer: Viewer, type: ContentType, alias: string): RawBuilder<unknown> => sql`(
  ${sql.ref(`${alias}.user_id`)} = ${viewer.userId}::bigint or ${sql.ref(`${alias}.id`)} = any(${sharedIds(viewer, type)}))`

const ifNotAll = (viewer: Viewer, condition: RawBuilder<unknown>): RawBuilder<unknown> =>
  viewer.seesAll ? sql`true` : condition

/** Rows of the viewer's workspace of his deployment: the first condition of every statement on content. */
export function inWorkspace(viewer: Viewer, alias: string): RawBuilder<SqlBool> {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return sql<SqlBool>`(${column('account_id')} = ${viewer.accountId}::bigint
    and ${column('deployment_id')} = ${viewer.deploymentId}::bigint
    and ${
      viewer.embedTenantId === null
        ? sql`${column('embed_tenant_id')} is null`
        : sql`${column('embed_tenant_id')} = ${viewer.embedTenantId}::bigint`
    })`
}

/** Rows of his workspace that the viewer can see at all, were everything in it shared with him. */
function inReach(viewer: Viewer, type: ContentType, alias: string): RawBuilder<SqlBool> {
  const { onlyWorkbookId } = viewer
  if (onlyWorkbookId === null) return inWorkspace(viewer, alias)
  if (type === 'Folder') return sql<SqlBool>`false`
  const column = sql.ref(`${alias}.${type === 'Workbook' ? 'id' : 'workbook_id'}`)
  return sql<SqlBool>`(${inWorkspace(viewer, alias)} and ${column} = ${onlyWorkbookId}::bigint)`
}

const granted = (viewer: Viewer): RawBuilder<unknown> => sql`(p.account_id = ${viewer.accountId}::bigint and (
  p.user_id = ${viewer.userId}::bigint or p.group_id = any(${viewer.groupIds}::bigint[])
  or p.embed_group_id = any(${viewer.embedGroupIds}::bigint[])))`

const tableOf = (type: ContentType): RawBuilder<unknown> =>
  sql.table({ Folder: 'folders', Workbook: 'workbooks', Report: 'reports' }[type])

/** Of whom an item can be shared with somebody, by the groups that he is in. */
export interface Memberships {
  /** Groups of the account that he is a member of. */
  readonly groupIds: readonly number[]
  readonly embedGroupIds: readonly number[]
  /** Group of all embed users; null until something needed it. */
  readonly allEmbedUsers: number | null
  /** Sharing group of the embed tenant asked for. */
  readonly embedTenantGroup: number | null
}

export async function membershipsOf(
  executor: Executor,
  accountId: number,
  userId: number | null,
  embedTenantId: number | null,
): Promise<Memberships> {
  const { rows } = await sql<{ kind: 'group' | 'embed' | 'all_embed_users' | 'embed_tenant'; id: number }>`
    select 'group' as kind, group_id as id from user_group_members
    where account_id = ${accountId} and user_id = ${userId}::bigint
    union all
    select 'embed', m.group_id from embed_user_group_members m
    join embed_user_groups g on g.account_id = m.account_id and g.id = m.group_id
    where m.account_id = ${accountId} and m.user_id = ${userId}::bigint and g.embed_tenant_id = ${embedTenantId}::bigint
    union all
    select kind, id from user_groups
    where account_id = ${accountId}
      and (kind = 'all_embed_users' or kind = 'embed_tenant' and embed_tenant_id = ${embedTenantId}::bigint)`.execute(
    executor,
  )
  const idsOf = (kind: string) => rows.filter(row => row.kind === kind).map(({ id }) => id)
  return {
    groupIds: idsOf('group'),
    embedGroupIds: idsOf('embed'),
    allEmbedUsers: idsOf('all_embed_users')[0] ?? null,
    embedTenantGroup: idsOf('embed_tenant')[0] ?? null,
  }
}
