import type { Insertable, Selectable } from 'kysely'
import type { Executor } from '../executor.ts'
import type { SignInTable } from '../schema-sign-in.ts'

export type SignInRow = Selectable<SignInTable>

export async function insertSignIn(executor: Executor, values: Insertable<SignInTable>): Promise<void> {
  await executor.insertInto('signIns').values(values).execute()
}

/** Who holds the secret with this digest, whatever the account: this is how a person's account is found. */
export async function findSignIn(executor: Executor, digest: Buffer) {
  return executor
    .selectFrom('signIns')
    .innerJoin('users', join =>
      join.onRef('users.id', '=', 'signIns.userId').onRef('users.accountId', '=', 'signIns.accountId'),
    )
    .innerJoin('accounts', 'accounts.id', 'signIns.accountId')
    .selectAll('signIns')
    .select([
      'users.email',
      'users.username',
      'users.firstName',
      'users.isAdmin',
      'users.isDeactivated',
      'accounts.name as accountName',
    ])
    .where('digest', '=', digest)
    .executeTakeFirst()
}

export async function touchSignIn(executor: Executor, accountId: number, id: string, at: Date): Promise<void> {
  await executor
    .updateTable('signIns')
    .set({ seenAt: at })
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .execute()
}

/** @returns what it was; undefined where there is none. */
export async function deleteSignIn(executor: Executor, digest: Buffer): Promise<SignInRow | undefined> {
  return executor.deleteFrom('signIns').where('digest', '=', digest).returningAll().executeTakeFirst()
}

/** Ends what a user is signed in with, but for one. */
export async function deleteSignInsOf(
  executor: Executor,
  accountId: number,
  userId: number,
  exceptId: string | null = null,
): Promise<void> {
  await executor
    .deleteFrom('signIns')
    .where('accountId', '=', accountId)
    .where('userId', '=', userId)
    .$if(exceptId !== null, query => query.where('id', '!=', exceptId ?? ''))
    .execute()
}

/** Removes of every account what is over since that time. */
export async function deleteEndedSignIns(executor: Executor, endedBy: Date): Promise<void> {
  await executor.deleteFrom('signIns').where('endsAt', '<', endedBy).execute()
}
