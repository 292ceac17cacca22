import type { Insertable, Selectable, Updateable } from 'kysely'
import { sql } from 'kysely'
import type { Executor } from '../executor.ts'
import type { StoredPolicy } from '../schema.ts'
import type { RoleTable } from '../schema-people.ts'

export type RoleRow = Selectable<RoleTable>

/** A role as users and groups hold it: one of the account's by its id, or one built in by its name. */
export type RoleKey =
  | { readonly roleId: number; readonly builtIn: null }
  | { readonly roleId: null; readonly builtIn: string }

/** Roles of the account before the id `before`, newest first. */
export async function listRoles(
  executor: Executor,
  accountId: number,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<RoleRow[]> {
  return executor
    .selectFrom('roles')
    .selectAll()
    .where('accountId', '=', accountId)
    .$if(before !== undefined, query => query.where('id', '<', before ?? 0))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export async function findRole(executor: Executor, accountId: number, id: number): Promise<RoleRow | undefined> {
  return executor
    .selectFrom('roles')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** The role's id, if the account has it; it stays until the transaction ends. */
export async function holdRole(executor: Executor, accountId: number, id: number): Promise<number | undefined> {
  const row = await executor
    .selectFrom('roles')
    .select('id')
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst()
  return row?.id
}

/** Roles of these names; they stay until the transaction ends. */
export async function findRolesByName(
  executor: Executor,
  accountId: number,
  names: readonly string[],
): Promise<{ id: number; name: string }[]> {
  if (names.length === 0) return []
  return executor
    .selectFrom('roles')
    .select(['id', 'name'])
    .where('accountId', '=', accountId)
    .where('name', 'in', names)
    .orderBy('id')
    .forKeyShare()
    .execute()
}

/** Roles of these ids that are there, with what they grant. */
export async function findRolesById(executor: Executor, accountId: number, ids: readonly number[]): Promise<RoleRow[]> {
  if (ids.length === 0) return []
  return executor
    .selectFrom('roles')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('id', 'in', ids)
    .orderBy('id')
    .execute()
}

/** @returns undefined where the account has a role of that name. */
export async function insertRole(executor: Executor, values: Insertable<RoleTable>): Promise<RoleRow | undefined> {
  return executor
    .insertInto('roles')
    .values(values)
    .onConflict(conflict => conflict.columns(['accountId', 'name']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

/**
 * @returns undefined where there is no such role.
 * @throws what `isUniqueViolation` knows, where another role has the name.
 */
export async function updateRole(
  executor: Executor,
  accountId: number,
  id: number,
  values: Updateable<RoleTable>,
): Promise<RoleRow | undefined> {
  return executor
    .updateTable('roles')
    .set(values)
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

/** Removes the role, and takes it from all who hold it. @returns whether there was one. */
export async function deleteRole(executor: Executor, accountId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await executor
    .deleteFrom('roles')
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** The same again changes nothing. */
export async function giveRole(executor: Executor, accountId: number, userId: number, role: RoleKey): Promise<void> {
  await executor
    .insertInto('userRoles')
    .values({ accountId, userId, ...role })
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

export async function takeRole(executor: Executor, accountId: number, userId: number, role: RoleKey): Promise<void> {
  await executor
    .deleteFrom('userRoles')
    .where('accountId', '=', accountId)
    .where('userId', '=', userId)
    .where('roleId', 'is not distinct from', role.roleId)
    .where('builtIn', 'is not distinct from', role.builtIn)
    .execute()
}

/** The same again changes nothing. */
export async function giveGroupRole(
  executor: Executor,
  accountId: number,
  groupId: number,
  role: RoleKey,
): Promise<void> {
  await executor
    .insertInto('groupRoles')
    .values({ accountId, groupId, ...role })
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

export async function takeGroupRole(
  executor: Executor,
  accountId: number,
  groupId: number,
  role: RoleKey,
): Promise<void> {
  await executor
    .deleteFrom('groupRoles')
    .where('accountId', '=', accountId)
    .where('groupId', '=', groupId)
    .where('roleId', 'is not distinct from', role.roleId)
    .where('builtIn', 'is not distinct from', role.builtIn)
    .execute()
}

/** What a user may do, before built-in roles are looked up. */
export interface Grants {
  /** His own, and those of the account's roles that he or a group of his holds. */
  readonly policies: readonly StoredPolicy[]
  /** Names of the built-in roles that he or a group of his holds. */
  readonly builtIn: readonly string[]
}

/** In one statement. Nobody who is missing or deactivated has any. */
export async function grantsOf(executor: Executor, accountId: number, userId: number): Promise<Grants> {
  const { rows } = await sql<Grants>`
    with held as (
      select role_id, built_in from user_roles where account_id = ${accountId} and user_id = ${userId}
      union
      select g.role_id, g.built_in from user_group_members m
      join group_roles g on g.account_id = m.account_id and g.group_id = m.group_id
      where m.account_id = ${accountId} and m.user_id = ${userId}
    )
    select
      u.policies || coalesce((
        select jsonb_agg(policy) from held join roles r on r.account_id = ${accountId} and r.id = held.role_id,
          jsonb_array_elements(r.policies) policy), '[]') as policies,
      coalesce((select jsonb_agg(built_in order by built_in) from held where built_in is not null), '[]') as built_in
    from users u
    where u.account_id = ${accountId} and u.id = ${userId} and not u.is_deactivated`.execute(executor)
  return rows[0] ?? { policies: [], builtIn: [] }
}

/** Names of the roles that each of these users holds himself. */
export async function roleNamesOf(
  executor: Executor,
  accountId: number,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  if (userIds.length === 0) return new Map()
  const rows = await executor
    .selectFrom('userRoles')
    .leftJoin('roles', join =>
      join.onRef('roles.accountId', '=', 'userRoles.accountId').onRef('roles.id', '=', 'userRoles.roleId'),
    )
    .select(['userRoles.userId', 'userRoles.builtIn', 'roles.name'])
    .where('userRoles.accountId', '=', accountId)
    .where('userRoles.userId', 'in', userIds)
    .orderBy('userRoles.assignedAt')
    .execute()
  const names = new Map<number, string[]>()
  for (const { userId, builtIn, name } of rows) {
    names.set(userId, [...(names.get(userId) ?? []), builtIn ?? name ?? ''])
  }
  return names
}
