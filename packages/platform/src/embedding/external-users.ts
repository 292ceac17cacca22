import { CodedError } from '@hedron/contract'
import { type Executor, externalUsers, type users } from '@hedron/store'

type UserRow = users.UserRow

/** What a host's backend says of one of its users. What is undefined is kept as it is. */
export interface ExternalUserInput extends externalUsers.ExternalUserKey {
  readonly email?: string | undefined
  readonly displayName?: string | undefined
  readonly picture?: string | undefined
  /** When a user who is new is removed. */
  readonly expiresAt?: Date | undefined
  /** Whether an ephemeral user becomes one who stays. */
  readonly becomesPersistent?: boolean | undefined
}

export interface ExternalUserPlace {
  readonly now: Date
  /** External users that the account may have. */
  readonly limit: number
}

/**
 * The external user with that id, made or brought up to date. Of racing requests for one who is new, one makes him and the others
 * find him; the number of users holds exactly, on however many nodes. Whoever is known and unchanged is only read.
 *
 * @param executor a transaction; the user stays until it ends.
 * @throws {CodedError} `external_user_limit` where he would be one too many.
 */
export async function ensureExternalUser(
  executor: Executor,
  input: ExternalUserInput,
  { now, limit }: ExternalUserPlace,
): Promise<{ readonly user: UserRow; readonly isNew: boolean }> {
  const found = await externalUsers.findExternalUser(executor, input, now)
  if (found) return { user: await bringUpToDate(executor, found, input), isNew: false }
  await externalUsers.lockExternalUsers(executor, input.accountId)
  const made = await externalUsers.findExternalUser(executor, input, now)
  if (made) return { user: await bringUpToDate(executor, made, input), isNew: false }
  await externalUsers.deleteExpiredUser(executor, input, now)
  if ((await externalUsers.countExternalUsers(executor, input.accountId, now)) >= limit) {
    throw new CodedError('external_user_limit', { limit })
  }
  const { accountId, externalId, embedTenantId, email, displayName, picture, expiresAt } = input
  const user = await externalUsers.insertExternalUser(executor, {
    accountId,
    externalId,
    embedTenantId,
    username: externalId,
    email: email ?? null,
    firstName: displayName ?? null,
    picture: picture ?? null,
    isEphemeral: expiresAt !== undefined,
    expiresAt: expiresAt ?? null,
    createdAt: now,
  })
  return { user, isNew: true }
}

async function bringUpToDate(executor: Executor, user: UserRow, input: ExternalUserInput): Promise<UserRow> {
  const { email = user.email, displayName = user.firstName, picture = user.picture } = input
  const stays = user.isEphemeral && input.becomesPersistent === true
  if (email === user.email && displayName === user.firstName && picture === user.picture && !stays) return user
  return externalUsers.updateExternalUser(executor, user.accountId, user.id, {
    email,
    firstName: displayName,
    picture,
    ...(stays ? { isEphemeral: false, expiresAt: null } : {}),
  })
}
