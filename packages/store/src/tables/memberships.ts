import type { Executor } from '../executor.ts'

/** Whose groups: those of the whole account, or of embed tenants. */
export type MembershipTable = 'userGroupMembers' | 'embedUserGroupMembers'

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
