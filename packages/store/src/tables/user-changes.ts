import type { Updateable } from 'kysely'
import type { Executor } from '../executor.ts'
import type { UserTable } from '../schema.ts'
import type { UserRow } from './users.ts'

/**
 * Ids of the account's active administrators. Until the transaction ends nobody else makes one of them something else, so that two
 * who remove each other at once can't leave none.
 */
export async function lockAdministrators(executor: Executor, accountId: number): Promise<number[]> {
  const rows = await executor
    .selectFrom('users')
    .select('id')
    .where('accountId', '=', accountId)
    .where('isAdmin', '=', true)
    .where('isDeactivated', '=', false)
    .where('externalId', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.map(({ id }) => id)
}

/** The user as he is, and stays until the transaction ends. */
export async function lockUserRow(executor: Executor, accountId: number, id: number): Promise<UserRow | undefined> {
  return executor
    .selectFrom('users')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export async function updateUser(
  executor: Executor,
  accountId: number,
  id: number,
  values: Omit<Updateable<UserTable>, 'id' | 'accountId' | 'externalId' | 'embedTenantId'>,
): Promise<UserRow | undefined> {
  return executor
    .updateTable('users')
    .set(values)
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

/** Ends the embed sessions of a user: what was minted can be exchanged no more, and its tokens are refused. */
export async function endSessionsOf(executor: Executor, accountId: number, userId: number, at: Date): Promise<void> {
  await executor
    .updateTable('embedSessions')
    .set({ revokedAt: at })
    .where('accountId', '=', accountId)
    .where('userId', '=', userId)
    .where('revokedAt', 'is', null)
    .execute()
}

/**
 * Removes a user with his memberships, attribute values, roles and sessions. Content that he owned stays and has no owner; his API
 * keys are revoked.
 *
 * @returns ids of the revoked keys.
 */
export async function deleteUser(executor: Executor, accountId: number, id: number, at: Date): Promise<string[]> {
  const keys = await executor
    .updateTable('apiKeys')
    .set(({ fn, val }) => ({ createdByUserId: null, revokedAt: fn.coalesce('revokedAt', val(at)) }))
    .where('accountId', '=', accountId)
    .where('createdByUserId', '=', id)
    .returning('id')
    .execute()
  await executor.deleteFrom('users').where('accountId', '=', accountId).where('id', '=', id).execute()
  return keys.map(key => key.id)
}
