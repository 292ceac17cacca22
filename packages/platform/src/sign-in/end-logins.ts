import { devSessions, type Executor, logins } from '@hedron/store'

/** How what is kept by credential, such as dev mode, names a login. */
export const loginCredential = (loginId: string): string => `login:${loginId}`

/** Ends logins of a user, one or all of them, with what is kept by them. @returns their ids. */
export async function endLogins(
  transaction: Executor,
  accountId: number,
  userId: number,
  loginId: string | null = null,
): Promise<string[]> {
  const ids = await logins.deleteLogins(transaction, accountId, userId, loginId)
  for (const id of ids) await devSessions.closeSessionsOf(transaction, accountId, loginCredential(id))
  return ids
}
