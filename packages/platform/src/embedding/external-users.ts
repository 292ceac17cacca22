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
  /** `persistent`: those who are ephemeral are neither counted nor limited (SPEC, "Limits", of the Chat API). Default: all are. */
  readonly counts?: 'all' | 'persistent'
}

export interface EnsuredUser {
  readonly user: UserRow
  readonly isNew: boolean
  /** Whether he is the one with whom the account has used four fifths of what it may have. */
  readonly isWarning: boolean
}

/** Of the limit, from which on an account is warned. */
const warningShare = 0.8

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
  { now, limit, counts = 'all' }: ExternalUserPlace,
): Promise<EnsuredUser> {
  const persistentOnly = counts === 'persistent'
  const found = await externalUsers.findExternalUser(executor, input, now)
  const becomesCounted = persistentOnly && found?.isEphemeral === true && input.becomesPersistent === true
  if (found && !becomesCounted) return { ...known, user: await bringUpToDate(executor, found, input) }
  await externalUsers.lockExternalUsers(executor, input.accountId)
  const made = await externalUsers.findExternalUser(executor, input, now)
  if (made && !(persistentOnly && made.isEphemeral && input.becomesPersistent === true)) {
    return { ...known, user: await bringUpToDate(executor, made, input) }
  }
  if (!made) await externalUsers.deleteExpiredUser(executor, input, now)
  const isLimited = !persistentOnly || input.expiresAt === undefined
  const count = isLimited ? await externalUsers.countExternalUsers(executor, input.accountId, now, counts) : 0
  if (isLimited && count >= limit) throw new CodedError('external_user_limit', { limit })
  if (made) return { ...known, user: await bringUpToDate(executor, made, input) }
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
  return { user, isNew: true, isWarning: isLimited && count + 1 === Math.ceil(limit * warningShare) }
}

const known = { isNew: false, isWarning: false } as const

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
