import { sql } from 'kysely'
import type { Executor } from '../executor.ts'
import type { ContentLevel, ContentType } from '../schema-content.ts'
import type { UserGroupKind } from '../schema-people.ts'

/** An item, or a folder or workbook around it, with who owns it. */
export interface Place {
  readonly type: ContentType
  readonly id: number
  readonly name: string
  readonly userId: number | null
  readonly email: string | null
  readonly firstName: string | null
  readonly picture: string | null
}

/** The deployment that an item of the account is in; undefined where there is none. */
export async function deploymentOf(
  executor: Executor,
  accountId: number,
  type: ContentType,
  id: number,
): Promise<number | undefined> {
  const table = ({ Folder: 'folders', Workbook: 'workbooks', Report: 'reports' } as const)[type]
  const { rows } = await sql<{ deploymentId: number }>`
    select deployment_id from ${sql.table(table)} where account_id = ${accountId} and id = ${id}`.execute(executor)
  return rows[0]?.deploymentId
}

/** The item first, then its workbook, then the folders around it, the innermost first. */
export async function placesOf(
  executor: Executor,
  accountId: number,
  type: ContentType,
  id: number,
): Promise<readonly Place[]> {
  const start = {
    Folder: sql`select 'Folder', id, name, user_id, parent_id, 0 from folders where account_id = ${accountId} and id = ${id}`,
    Workbook: sql`
      select 'Workbook', id, name, user_id, folder_id, 0 from workbooks where account_id = ${accountId} and id = ${id}`,
    Report: sql`
      select 'Report', id, name, user_id, folder_id, 0 from reports where account_id = ${accountId} and id = ${id}
      union all
      select 'Workbook', w.id, w.name, w.user_id, w.folder_id, 1 from reports r
      join workbooks w on w.account_id = r.account_id and w.id = r.workbook_id
      where r.account_id = ${accountId} and r.id = ${id}`,
  }[type]
  const { rows } = await sql<Place>`
    with recursive around(type, id, name, user_id, place_id, distance) as (
      (${start})
      union all
      select 'Folder', f.id, f.name, f.user_id, f.parent_id, a.distance + 1
      from around a join folders f on f.account_id = ${accountId} and f.id = a.place_id
    )
    select a.type, a.id, a.name, u.id as user_id, u.email, u.first_name, u.picture
    from around a left join users u on u.account_id = ${accountId} and u.id = a.user_id
    order by a.distance`.execute(executor)
  return rows
}

/** One share with its user or its group. */
export type PolicyRow = {
  readonly resourceType: ContentType
  readonly resourceId: number
  readonly level: ContentLevel
  readonly userId: number | null
  readonly email: string | null
  readonly firstName: string | null
  readonly picture: string | null
  readonly groupId: number | null
  readonly groupName: string | null
  readonly userCount: number | null
}

/** Shares of items, the oldest first. */
export async function listPolicies(
  executor: Executor,
  accountId: number,
  items: readonly { readonly type: ContentType; readonly id: number }[],
): Promise<readonly PolicyRow[]> {
  const { rows } = await sql<PolicyRow>`
    select p.resource_type, p.resource_id, p.level, u.id as user_id, u.email, u.first_name, u.picture,
      coalesce(g.id, e.id) as group_id, coalesce(g.name, e.name) as group_name,
      case
        when e.id is not null then (select count(*) from embed_user_group_members m where m.group_id = e.id)
        when g.kind = 'custom' then (select count(*) from user_group_members m where m.group_id = g.id)
        when g.kind = 'embed_tenant' then (select count(*) from users m where m.embed_tenant_id = g.embed_tenant_id)
        when g.kind = 'all_embed_users' then
          (select count(*) from users m where m.account_id = g.account_id and m.external_id is not null)
      end as user_count
    from unnest(${items.map(({ type }) => type)}::text[], ${items.map(({ id }) => id)}::bigint[]) as item(type, id)
    join resource_policies p on p.resource_type = item.type and p.resource_id = item.id and p.account_id = ${accountId}
    left join users u on u.account_id = p.account_id and u.id = p.user_id
    left join user_groups g on g.account_id = p.account_id and g.id = p.group_id
    left join embed_user_groups e on e.account_id = p.account_id and e.id = p.embed_group_id
    order by p.id`.execute(executor)
  return rows
}

/** One of whom an item is shared with; the other two are null. */
export interface Grantee {
  readonly userId: number | null
  readonly groupId: number | null
  readonly embedGroupId: number | null
}

interface Shared {
  readonly accountId: number
  readonly type: ContentType
  readonly id: number
}

/** Shares an item, or changes how. Two at once: the later one stays. */
export async function setPolicy(
  executor: Executor,
  { accountId, type, id }: Shared,
  grantee: Grantee,
  level: ContentLevel,
): Promise<void> {
  await executor
    .insertInto('resourcePolicies')
    .values({ accountId, resourceType: type, resourceId: id, ...grantee, level })
    .onConflict(conflict =>
      conflict.columns(['resourceType', 'resourceId', 'userId', 'groupId', 'embedGroupId']).doUpdateSet({ level }),
    )
    .execute()
}

/** Whom somebody wants to share with. Ids of groups of the account and of embed tenants are of one sequence. */
export type Target = { readonly userId: number } | { readonly groupId: number }

/** Nothing of the item is shared with this user or group any more, whether there is one or not. */
export async function clearPolicy(executor: Executor, { accountId, type, id }: Shared, target: Target): Promise<void> {
  await executor
    .deleteFrom('resourcePolicies')
    .where('accountId', '=', accountId)
    .where('resourceType', '=', type)
    .where('resourceId', '=', id)
    .where(({ eb, or }) =>
      'userId' in target
        ? eb('userId', '=', target.userId)
        : or([eb('groupId', '=', target.groupId), eb('embedGroupId', '=', target.groupId)]),
    )
    .execute()
}

/** Who may be shared with, as far as an id names one; kept from being deleted until the transaction ends. */
export async function holdUser(executor: Executor, accountId: number, id: number) {
  return executor
    .selectFrom('users')
    .select(['id', 'externalId', 'embedTenantId'])
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst()
}

export interface HeldGroup {
  readonly id: number
  readonly name: string
  /** Null: a group of an embed tenant. */
  readonly kind: UserGroupKind | null
  readonly embedTenantId: number | null
}

/** The group of the account or of one of its embed tenants: an id names one of them, for both are of one sequence. */
export async function holdGroup(executor: Executor, accountId: number, id: number): Promise<HeldGroup | undefined> {
  const group = await executor
    .selectFrom('userGroups')
    .select(['id', 'name', 'kind', 'embedTenantId'])
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst()
  if (group !== undefined) return group
  const ofTenant = await executor
    .selectFrom('embedUserGroups')
    .select(['id', 'name', 'embedTenantId'])
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst()
  return ofTenant === undefined ? undefined : { ...ofTenant, kind: null }
}
