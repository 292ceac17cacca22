import type { Insertable, Selectable } from 'kysely'
import type { Executor } from '../executor.ts'
import type { AuthorizationCodeTable } from '../schema-sign-in.ts'

export type AuthorizationCodeRow = Selectable<AuthorizationCodeTable>

export async function insertCode(
  executor: Executor,
  values: Omit<Insertable<AuthorizationCodeTable>, 'loginId'>,
): Promise<void> {
  await executor.insertInto('authorizationCodes').values(values).execute()
}

/** The code with this digest, whatever its account; it stays as it is until the transaction ends. */
export async function lockCode(transaction: Executor, digest: Buffer): Promise<AuthorizationCodeRow | undefined> {
  return transaction
    .selectFrom('authorizationCodes')
    .selectAll()
    .where('digest', '=', digest)
    .forUpdate()
    .executeTakeFirst()
}

/** The code is exchanged: it is kept for a while, so that who shows it again is known. */
export async function markExchanged(transaction: Executor, digest: Buffer, loginId: string): Promise<void> {
  await transaction.updateTable('authorizationCodes').set({ loginId }).where('digest', '=', digest).execute()
}

/** Removes codes of every account that expired before. */
export async function deleteOldCodes(executor: Executor, expiredBy: Date): Promise<void> {
  await executor.deleteFrom('authorizationCodes').where('expiresAt', '<', expiredBy).execute()
}
