import { CodedError } from '@hedron/contract'
import { type Executor, memberships, users } from '@hedron/store'

/** A user, and where names of groups and attributes are looked up for him; `embedTenantId` null: in the whole account. */
export interface UserScope {
  readonly accountId: number
  readonly userId: number
  readonly embedTenantId: number | null
}

/**
 * Puts a user into exactly the groups with these names (SPEC, "Generate embed session", rule 5). Groups of the other kind are left
 * as they are.
 *
 * @param names undefined or null: as they are; none: out of all.
 * @throws {CodedError} `groups_not_found`, naming all that are missing.
 */
export async function setGroups(
  transaction: Executor,
  scope: UserScope,
  names: readonly string[] | null | undefined,
  at: Date,
): Promise<void> {
  if (names === undefined || names === null) return
  const { accountId, userId, embedTenantId } = scope
  const groups = await memberships.holdGroupsNamed(transaction, scope, [...new Set(names)])
  const known = new Set(groups.map(({ name }) => name))
  const missing = [...new Set(names)].filter(name => !known.has(name))
  if (missing.length > 0) throw new CodedError('groups_not_found', { names: missing })

  const table = embedTenantId === null ? 'userGroupMembers' : 'embedUserGroupMembers'
  const wanted = new Set(groups.map(({ id }) => id))
  if (sameIds(wanted, await memberships.groupIdsOf(transaction, table, accountId, userId))) return
  // Two that replace the groups of one user at once come one after the other, so that neither's are mixed with the other's.
  await users.lockUser(transaction, accountId, userId)
  const before = await memberships.groupIdsOf(transaction, table, accountId, userId)
  const left = before.filter(id => !wanted.has(id))
  const added = [...wanted].filter(id => !before.includes(id)).map(groupId => ({ groupId, userId }))
  await memberships.leaveGroups(transaction, table, accountId, userId, left)
  await memberships.insertMemberships(transaction, table, accountId, added, at)
}

const sameIds = (wanted: ReadonlySet<number>, ids: readonly number[]): boolean =>
  wanted.size === ids.length && ids.every(id => wanted.has(id))
