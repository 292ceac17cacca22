import { type Insertable, sql, type Updateable } from 'kysely'
import type { Executor } from '../executor.ts'
import type { UserTable } from '../schema.ts'
import type { UserRow } from './users.ts'

/** By what a host's backend knows one of its users. */
export interface ExternalUserKey {
  readonly accountId: number
  /** Trimmed and in lower case. */
  readonly externalId: string
  /** Null: the account itself. */
  readonly embedTenantId: number | null
}

/**
 * The user who has not expired by `now`; he is not removed before the transaction ends.
 */
export async function findExternalUser(
  executor: Executor,
  { accountId, externalId, embedTenantId }: ExternalUserKey,
  now: Date,
): Promise<UserRow | undefined> {
  return executor
    .selectFrom('users')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('externalId', '=', externalId)
    .where('embedTenantId', 'is not distinct from', embedTenantId)
    .where(({ eb, or }) => or([eb('expiresAt', 'is', null), eb('expiresAt', '>', now)]))
    .forKeyShare()
    .executeTakeFirst()
}

/**
 * Until the transaction ends, nobody else adds an external user to the account: so what is counted holds, on however many nodes.
 * Whoever is known already waits for nobody.
 */
export async function lockExternalUsers(executor: Executor, accountId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`external users ${accountId}`}, 0))`.execute(executor)
}

/** External users of the account who have not expired by `now`; of `persistent`, those who never do. */
export async function countExternalUsers(
  executor: Executor,
  accountId: number,
  now: Date,
  counts: 'all' | 'persistent' = 'all',
): Promise<number> {
  const { count } = await executor
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('accountId', '=', accountId)
    .where('externalId', 'is not', null)
    .where(({ eb, or }) => or([eb('expiresAt', 'is', null), ...(counts === 'all' ? [eb('expiresAt', '>', now)] : [])]))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function insertExternalUser(
  executor: Executor,
  values: Insertable<UserTable> & ExternalUserKey,
): Promise<UserRow> {
  return executor.insertInto('users').values(values).returningAll().executeTakeFirstOrThrow()
}

export async function updateExternalUser(
  executor: Executor,
  accountId: number,
  id: number,
  values: Pick<Updateable<UserTable>, 'email' | 'firstName' | 'picture' | 'isEphemeral' | 'expiresAt' | 'lastLoginAt'>,
): Promise<UserRow> {
  return executor
    .updateTable('users')
    .set({ ...values, updatedAt: new Date() })
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .where('externalId', 'is not', null)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** An ephemeral user who would live longer ends then. */
export async function shortenLife(executor: Executor, accountId: number, id: number, until: Date): Promise<void> {
  await executor
    .updateTable('users')
    .set({ expiresAt: until })
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .where('isEphemeral', '=', true)
    .where('expiresAt', '>', until)
    .execute()
}

/** The user came in; external or not. */
export async function touchLogin(executor: Executor, accountId: number, id: number, at: Date): Promise<void> {
  await executor
    .updateTable('users')
    .set({ lastLoginAt: at })
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .execute()
}

/** Removes the user if his time is over, with all that is his. */
export async function deleteExpiredUser(
  executor: Executor,
  { accountId, externalId, embedTenantId }: ExternalUserKey,
  now: Date,
): Promise<void> {
  await executor
    .deleteFrom('users')
    .where('accountId', '=', accountId)
    .where('externalId', '=', externalId)
    .where('embedTenantId', 'is not distinct from', embedTenantId)
    .where('expiresAt', '<=', now)
    .execute()
}

/** Removes ephemeral users of every account whose time is over, at most `limit`. @returns who they were. */
export async function deleteExpiredUsers(
  transaction: Executor,
  now: Date,
  limit: number,
): Promise<{ id: number; accountId: number; externalId: string | null }[]> {
  return transaction
    .deleteFrom('users')
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('users')
        .select('id')
        .where('expiresAt', '<=', now)
        .orderBy('expiresAt')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'accountId', 'externalId'])
    .execute()
}
