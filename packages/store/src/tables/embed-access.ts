import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Executor } from '../executor.ts'
import type { WorkbookRow } from './workbooks.ts'

/** A group that stands for all embed users, or for all of one embed tenant. */
export interface SharingGroup {
  readonly groupId: number
  /** Null: all embed users. */
  readonly embedTenantName: string | null
}

/** The sharing groups that an item itself is shared with, all embed users first, then tenants by name. */
export async function sharingGroupsOf(
  executor: Executor,
  accountId: number,
  workbookId: number,
): Promise<SharingGroup[]> {
  return executor
    .selectFrom('resourcePolicies as p')
    .innerJoin('userGroups as g', join => join.onRef('g.accountId', '=', 'p.accountId').onRef('g.id', '=', 'p.groupId'))
    .leftJoin('embedTenants as t', join =>
      join.onRef('t.accountId', '=', 'g.accountId').onRef('t.id', '=', 'g.embedTenantId'),
    )
    .select(['g.id as groupId', 't.name as embedTenantName'])
    .where('p.accountId', '=', accountId)
    .where('p.resourceType', '=', 'Workbook')
    .where('p.resourceId', '=', workbookId)
    .where('g.kind', '!=', 'custom')
    .orderBy(sql`t.name collate "C" nulls first`)
    .execute()
}

/** The group of all embed users, or of one embed tenant; made where it was never needed before. */
export async function ensureSharingGroup(
  transaction: Executor,
  accountId: number,
  tenant: { readonly id: number; readonly name: string } | null,
): Promise<number> {
  const values =
    tenant === null
      ? { accountId, kind: 'all_embed_users' as const, embedTenantId: null, name: 'all_embed_users' }
      : { accountId, kind: 'embed_tenant' as const, embedTenantId: tenant.id, name: `system:tenant:${tenant.name}:*` }
  await transaction
    .insertInto('userGroups')
    .values(values)
    .onConflict(conflict => conflict.doNothing())
    .execute()
  const { id } = await transaction
    .selectFrom('userGroups')
    .select('id')
    .where('accountId', '=', accountId)
    .where('kind', '=', values.kind)
    .where('embedTenantId', tenant === null ? 'is' : '=', tenant?.id ?? null)
    .executeTakeFirstOrThrow()
  return id
}

/** Lets a group read a workbook, or takes that away. @returns whether anything changed. */
export async function shareWorkbook(
  transaction: Executor,
  accountId: number,
  workbookId: number,
  groupId: number,
  isShared: boolean,
): Promise<boolean> {
  if (!isShared) {
    const { numDeletedRows } = await transaction
      .deleteFrom('resourcePolicies')
      .where('accountId', '=', accountId)
      .where('resourceType', '=', 'Workbook')
      .where('resourceId', '=', workbookId)
      .where('groupId', '=', groupId)
      .executeTakeFirst()
    return numDeletedRows > 0n
  }
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('resourcePolicies')
    .values({ accountId, resourceType: 'Workbook', resourceId: workbookId, groupId, level: 'read' })
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** How a workbook reaches an embed tenant: shared itself with the tenant or with all, or a folder around it with either. */
export type AccessSource = 'tenant' | 'allEmbedUsers' | 'folder'

/** Workbooks of the account's own workspace that an embed tenant reaches, in the order of ids, after the id `after`. */
export async function listEmbedTenantWorkbooks(
  executor: Executor,
  place: { readonly accountId: number; readonly deploymentId: number; readonly embedTenantId: number },
  source: AccessSource | undefined,
  window: { readonly after: number | undefined; readonly limit: number },
): Promise<WorkbookRow[]> {
  const { accountId, deploymentId, embedTenantId } = place
  const shared = (type: 'Workbook' | 'Folder', groups: RawBuilder<unknown>) => sql`
    select p.resource_id from resource_policies p join user_groups g on g.account_id = p.account_id and g.id = p.group_id
    where p.account_id = ${accountId} and p.resource_type = ${type}::text and ${groups}`
  const withTenant = sql`g.embed_tenant_id = ${embedTenantId}`
  const withAll = sql`g.kind = 'all_embed_users'`
  const inFolder = sql<SqlBool>`workbooks.folder_id = any(array(
    with recursive below(id) as (
      select f.id from folders f
      where f.account_id = ${accountId} and f.deployment_id = ${deploymentId} and f.embed_tenant_id is null
        and f.id in (${shared('Folder', sql`(${withTenant} or ${withAll})`)})
      union
      select f.id from folders f join below on f.parent_id = below.id
    ) select id from below))`
  const itself = (groups: RawBuilder<unknown>) => sql<SqlBool>`workbooks.id = any(array(${shared('Workbook', groups)}))`
  const ways: Record<AccessSource, RawBuilder<SqlBool>> = {
    tenant: itself(withTenant),
    allEmbedUsers: itself(withAll),
    folder: inFolder,
  }
  const reached = source === undefined ? sql<SqlBool>`(${sql.join(Object.values(ways), sql` or `)})` : ways[source]
  return executor
    .selectFrom('workbooks')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('deploymentId', '=', deploymentId)
    .where('embedTenantId', 'is', null)
    .where(reached)
    .$if(window.after !== undefined, query => query.where('id', '>', window.after ?? 0))
    .orderBy('id')
    .limit(window.limit)
    .execute()
}

/** Id of the group of all embed users; undefined where nothing was ever shared with them. */
export async function allEmbedUsersGroup(executor: Executor, accountId: number): Promise<number | undefined> {
  const row = await executor
    .selectFrom('userGroups')
    .select('id')
    .where('accountId', '=', accountId)
    .where('kind', '=', 'all_embed_users')
    .executeTakeFirst()
  return row?.id
}
