import type { Insertable } from 'kysely'
import type { Executor } from '../executor.ts'
import type { SignInLinkTable } from '../schema-sign-in.ts'

/** Adds a link in place of any other of the same user. */
export async function replaceSignInLink(executor: Executor, values: Insertable<SignInLinkTable>): Promise<void> {
  await deleteSignInLinksOf(executor, values.accountId, values.userId)
  await executor.insertInto('signInLinks').values(values).execute()
}

/** The link with this digest and its user, whatever the account: this is how his account is found. */
export async function findSignInLink(executor: Executor, digest: Buffer, now: Date) {
  return executor
    .selectFrom('signInLinks')
    .innerJoin('users', join =>
      join.onRef('users.id', '=', 'signInLinks.userId').onRef('users.accountId', '=', 'signInLinks.accountId'),
    )
    .selectAll('signInLinks')
    .select(['users.email', 'users.username', 'users.isDeactivated'])
    .where('digest', '=', digest)
    .where('signInLinks.expiresAt', '>', now)
    .executeTakeFirst()
}

/** @returns whether it was there: of two at once one is the first. */
export async function deleteSignInLink(executor: Executor, digest: Buffer): Promise<boolean> {
  const { numDeletedRows } = await executor.deleteFrom('signInLinks').where('digest', '=', digest).executeTakeFirst()
  return numDeletedRows > 0n
}

export async function deleteSignInLinksOf(executor: Executor, accountId: number, userId: number): Promise<void> {
  await executor.deleteFrom('signInLinks').where('accountId', '=', accountId).where('userId', '=', userId).execute()
}

export async function deleteOldSignInLinks(executor: Executor, expiredBy: Date): Promise<void> {
  await executor.deleteFrom('signInLinks').where('expiresAt', '<', expiredBy).execute()
}
