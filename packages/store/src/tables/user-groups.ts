import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Executor } from '../executor.ts'
import type { UserGroupKind, UserGroupTable } from '../schema-people.ts'
import { containing } from './containing.ts'

export type UserGroupRow = Selectable<UserGroupTable>
export type UserGroupListed = UserGroupRow & { userCount: number }

export interface GroupMemberRow {
  readonly id: number
  readonly username: string
  readonly email: string | null
  readonly externalId: string | null
  readonly firstName: string | null
  readonly createdAt: Date
  readonly lastLoginAt: Date | null
  /** To the millisecond. */
  readonly addedAt: Date
}

/** Groups of the account before the id `before`, newest first. */
export async function listUserGroups(
  executor: Executor,
  accountId: number,
  options: {
    readonly search: string | undefined
    readonly kind: UserGroupKind | undefined
    readonly before: number | undefined
    readonly limit: number
  },
): Promise<UserGroupListed[]> {
  const { search, kind, before } = options
  return listed(executor, accountId)
    .$if(Boolean(search), query => query.where('name', 'ilike', containing(search ?? '')))
    .$if(kind !== undefined, query => query.where('kind', '=', kind ?? 'custom'))
    .$if(before !== undefined, query => query.where('id', '<', before ?? 0))
    .orderBy('id', 'desc')
    .limit(options.limit)
    .execute()
}

export async function findUserGroup(
  executor: Executor,
  accountId: number,
  id: number,
): Promise<UserGroupListed | undefined> {
  return listed(executor, accountId).where('id', '=', id).executeTakeFirst()
}

function listed(executor: Executor, accountId: number) {
  return executor
    .selectFrom('userGroups')
    .selectAll()
    .select(({ selectFrom }) =>
      selectFrom('userGroupMembers')
        .whereRef('userGroupMembers.groupId', '=', 'userGroups.id')
        .select(({ fn, eb }) => eb.cast<number>(fn.countAll(), 'integer').as('count'))
        .$asScalar()
        .$notNull()
        .as('userCount'),
    )
    .where('accountId', '=', accountId)
}

/** The group, kept from being deleted until the transaction ends. */
export async function holdUserGroup(
  transaction: Executor,
  accountId: number,
  id: number,
): Promise<UserGroupRow | undefined> {
  return transaction
    .selectFrom('userGroups')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst()
}

/** @returns undefined where the account has a group of that name. */
export async function insertUserGroup(
  transaction: Executor,
  values: Insertable<UserGroupTable>,
): Promise<UserGroupRow | undefined> {
  return transaction
    .insertInto('userGroups')
    .values(values)
    .onConflict(conflict => conflict.columns(['accountId', 'name']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** @throws what `isUniqueViolation` knows, where another group has the name. */
export async function updateUserGroup(
  transaction: Executor,
  accountId: number,
  id: number,
  values: Updateable<UserGroupTable>,
): Promise<void> {
  await transaction
    .updateTable('userGroups')
    .set(values)
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .execute()
}

/** Removes the group with its memberships, roles and shares. Its members stay. */
export async function deleteUserGroup(transaction: Executor, accountId: number, id: number): Promise<void> {
  await transaction.deleteFrom('userGroups').where('accountId', '=', accountId).where('id', '=', id).execute()
}

/** Members of a group, most recently added first, from after the given place. */
export async function listGroupMembers(
  executor: Executor,
  accountId: number,
  groupId: number,
  options: { readonly after: readonly [addedAt: string, userId: number] | undefined; readonly limit: number },
): Promise<GroupMemberRow[]> {
  const { after } = options
  // Cursors hold milliseconds and the database microseconds.
  const addedAt = sql<Date>`date_trunc('milliseconds', user_group_members.added_at)`
  return executor
    .selectFrom('userGroupMembers')
    .innerJoin('users', 'users.id', 'userGroupMembers.userId')
    .select(['users.id', 'users.username', 'users.email', 'users.externalId', 'users.firstName'])
    .select(['users.createdAt', 'users.lastLoginAt', addedAt.as('addedAt')])
    .where('userGroupMembers.accountId', '=', accountId)
    .where('userGroupMembers.groupId', '=', groupId)
    .$if(after !== undefined, query =>
      query.where(
        sql<boolean>`(${addedAt}, users.id) < (${new Date(after?.[0] ?? 0)}::timestamptz, ${after?.[1] ?? 0}::bigint)`,
      ),
    )
    .orderBy(addedAt, 'desc')
    .orderBy('users.id', 'desc')
    .limit(options.limit)
    .execute()
}

/** Users of the account with these ids, kept from being deleted until the transaction ends. */
export async function holdUsers(
  transaction: Executor,
  accountId: number,
  ids: readonly number[],
): Promise<Omit<GroupMemberRow, 'addedAt'>[]> {
  if (ids.length === 0) return []
  return transaction
    .selectFrom('users')
    .select(['id', 'username', 'email', 'externalId', 'firstName', 'createdAt', 'lastLoginAt'])
    .where('accountId', '=', accountId)
    .where('id', 'in', ids)
    .orderBy('id')
    .forKeyShare()
    .execute()
}
