import { sql } from 'kysely'
import type { Executor } from '../executor.ts'

/** Whose groups: those of the whole account, or of embed tenants. */
export type MembershipTable = 'userGroupMembers' | 'embedUserGroupMembers'

/** Groups of a tenant, or of the whole account where `embedTenantId` is null. */
export interface GroupScope {
  readonly accountId: number
  readonly embedTenantId: number | null
}

/** Groups with these names that can have members, kept from being deleted until the transaction ends. */
export async function holdGroupsNamed(
  transaction: Executor,
  { accountId, embedTenantId }: GroupScope,
  names: readonly string[],
): Promise<{ id: number; name: string }[]> {
  if (names.length === 0) return []
  const table = embedTenantId === null ? 'userGroups' : 'embedUserGroups'
  return transaction
    .selectFrom(table)
    .select(['id', 'name'])
    .where('accountId', '=', accountId)
    .where(embedTenantId === null ? sql<boolean>`kind = 'custom'` : sql<boolean>`embed_tenant_id = ${embedTenantId}`)
    .where('name', 'in', names)
    .orderBy('id')
    .forKeyShare()
    .execute()
}

/** Ids of the groups of that kind that the user is in. */
export async function groupIdsOf(
  executor: Executor,
  table: MembershipTable,
  accountId: number,
  userId: number,
): Promise<number[]> {
  const rows = await executor
    .selectFrom(table)
    .select('groupId')
    .where('accountId', '=', accountId)
    .where('userId', '=', userId)
    .execute()
  return rows.map(row => row.groupId)
}

/** Puts users into groups. @returns the memberships that are new. */
export async function insertMemberships(
  transaction: Executor,
  table: MembershipTable,
  accountId: number,
  members: readonly { readonly groupId: number; readonly userId: number }[],
  at: Date,
): Promise<{ groupId: number; userId: number }[]> {
  if (members.length === 0) return []
  return transaction
    .insertInto(table)
    .values(members.map(({ groupId, userId }) => ({ accountId, groupId, userId, addedAt: at })))
    .onConflict(conflict => conflict.columns(['groupId', 'userId']).doNothing())
    .returning(['groupId', 'userId'])
    .execute()
}

/** Takes a user out of groups. */
export async function leaveGroups(
  transaction: Executor,
  table: MembershipTable,
  accountId: number,
  userId: number,
  groupIds: readonly number[],
): Promise<void> {
  if (groupIds.length === 0) return
  await transaction
    .deleteFrom(table)
    .where('accountId', '=', accountId)
    .where('userId', '=', userId)
    .where('groupId', 'in', groupIds)
    .execute()
}

/** Takes users out of a group. */
export async function removeMembers(
  transaction: Executor,
  table: MembershipTable,
  accountId: number,
  groupId: number,
  userIds: readonly number[],
): Promise<number> {
  if (userIds.length === 0) return 0
  const { numDeletedRows } = await transaction
    .deleteFrom(table)
    .where('accountId', '=', accountId)
    .where('groupId', '=', groupId)
    .where('userId', 'in', userIds)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
