import type { Insertable, Selectable } from 'kysely'
import type { Executor } from '../executor.ts'
import type { LoginTable, LoginTokenTable } from '../schema-sign-in.ts'

export type LoginRow = Selectable<LoginTable>

export async function insertLogin(executor: Executor, values: Insertable<LoginTable>): Promise<void> {
  await executor.insertInto('logins').values(values).execute()
}

export async function insertTokens(
  executor: Executor,
  values: readonly [Insertable<LoginTokenTable>, ...Insertable<LoginTokenTable>[]],
): Promise<void> {
  await executor
    .insertInto('loginTokens')
    .values([...values])
    .execute()
}

/**
 * The token with this digest, the login that it is of and its user, whatever the account: this is how a caller's account is found.
 * Expired ones are found too; the caller of this decides.
 */
export async function findToken(executor: Executor, digest: Buffer) {
  return joined(executor).where('loginTokens.digest', '=', digest).executeTakeFirst()
}

/**
 * As `findToken`; until the transaction ends nobody else exchanges that token, or ends its login. Both rows are locked: of a row that is
 * not, who waited would see what it was before.
 */
export async function lockToken(transaction: Executor, digest: Buffer) {
  return joined(transaction)
    .where('loginTokens.digest', '=', digest)
    .forUpdate(['loginTokens', 'logins'])
    .executeTakeFirst()
}
export type TokenRow = NonNullable<Awaited<ReturnType<typeof findToken>>>

function joined(executor: Executor) {
  return executor
    .selectFrom('loginTokens')
    .innerJoin('logins', join =>
      join.onRef('logins.id', '=', 'loginTokens.loginId').onRef('logins.accountId', '=', 'loginTokens.accountId'),
    )
    .innerJoin('users', join =>
      join.onRef('users.id', '=', 'logins.userId').onRef('users.accountId', '=', 'logins.accountId'),
    )
    .selectAll('loginTokens')
    .select([
      'logins.userId',
      'logins.clientId',
      'logins.scope',
      'logins.endsAt',
      'logins.usedAt',
      'users.email',
      'users.username',
      'users.firstName',
      'users.isAdmin',
      'users.isDeactivated',
    ])
}

export async function markRotated(
  executor: Executor,
  digest: Buffer,
  rotated: { readonly rotatedAt: Date; readonly rotatedFor: string | null },
): Promise<void> {
  await executor.updateTable('loginTokens').set(rotated).where('digest', '=', digest).execute()
}

export async function touchLogin(executor: Executor, accountId: number, id: string, at: Date): Promise<void> {
  await executor
    .updateTable('logins')
    .set({ usedAt: at })
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .execute()
}

/** What a user is logged in with, newest first. */
export async function listLogins(
  executor: Executor,
  accountId: number,
  userId: number,
  now: Date,
): Promise<LoginRow[]> {
  return executor
    .selectFrom('logins')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('userId', '=', userId)
    .where('endsAt', '>', now)
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .limit(200)
    .execute()
}

/** Ends logins of a user: one, or all of them. @returns their ids. */
export async function deleteLogins(
  executor: Executor,
  accountId: number,
  userId: number,
  id: string | null = null,
): Promise<string[]> {
  const rows = await executor
    .deleteFrom('logins')
    .where('accountId', '=', accountId)
    .where('userId', '=', userId)
    .$if(id !== null, query => query.where('id', '=', id ?? ''))
    .returning('id')
    .execute()
  return rows.map(row => row.id)
}

/** Removes of every account the logins and tokens that ended before. */
export async function deleteEndedLogins(executor: Executor, endedBy: Date): Promise<void> {
  await executor.deleteFrom('logins').where('endsAt', '<', endedBy).execute()
  await executor.deleteFrom('loginTokens').where('expiresAt', '<', endedBy).execute()
}
