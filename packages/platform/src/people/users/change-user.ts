import { CodedError, type UserUpdateInput } from '@hedron/contract'
import { devSessions, type Executor, signInLinks, signIns, userChanges, type users } from '@hedron/store'
import type { Caller } from '../../caller.ts'
import type { Effects } from '../../effects.ts'
import { endLogins } from '../../sign-in/end-logins.ts'
import { credentialOf } from '../authenticate.ts'
import { hashPassword } from '../password.ts'
import { mergeUserSettings } from './user-settings.ts'

interface Change {
  readonly caller: Caller
  readonly effects: Effects
}

/**
 * Changes a user, with every guard: nobody deactivates himself, an external user is no administrator, and an active administrator
 * is left.
 *
 * @throws {CodedError} `user_not_found`, `own_account_deactivated`, `user_is_external`, `last_admin`.
 */
export async function changeUser(
  transaction: Executor,
  { caller, effects }: Change,
  id: number,
  body: UserUpdateInput,
): Promise<users.UserRow> {
  const { accountId } = caller
  const deactivates = body.isDeactivated === true
  if (deactivates && id === caller.userId) throw new CodedError('own_account_deactivated', {})
  if (deactivates || body.isAdmin === false) await requireAnotherAdministrator(transaction, accountId, id)
  const row = await requireUser(transaction, accountId, id)
  if (row.externalId !== null && (body.isAdmin === true || typeof body.password === 'string')) {
    throw new CodedError('user_is_external', { id })
  }
  if (deactivates) await userChanges.endSessionsOf(transaction, accountId, id, effects.now())
  if (deactivates || typeof body.password === 'string') {
    await signIns.deleteSignInsOf(transaction, accountId, id)
    await signInLinks.deleteSignInLinksOf(transaction, accountId, id)
    await endLogins(transaction, accountId, id)
  }
  const updated = await userChanges.updateUser(transaction, accountId, id, valuesOf(row, body, effects))
  if (!updated) throw new Error(`user ${id} is locked and gone`)
  return updated
}

function valuesOf(row: users.UserRow, body: UserUpdateInput, effects: Effects) {
  const { firstName, title, picture, isAdmin, isDeactivated, password, notifications } = body
  const { settings, lastLogin, tosAccepted } = body
  return {
    ...(firstName === undefined ? {} : { firstName }),
    ...(title === undefined ? {} : { title }),
    ...(picture === undefined ? {} : { picture }),
    ...(typeof isAdmin === 'boolean' ? { isAdmin } : {}),
    ...(typeof isDeactivated === 'boolean' ? { isDeactivated } : {}),
    ...(typeof password === 'string' ? { passwordHash: hashPassword(password, effects) } : {}),
    ...(notifications === undefined ? {} : { notifications: JSON.stringify(switchedOn(notifications ?? [])) }),
    ...(settings === undefined
      ? {}
      : { settings: settings === null ? null : JSON.stringify(mergeUserSettings(row.settings, settings)) }),
    ...(typeof lastLogin === 'string' ? { lastLoginAt: new Date(lastLogin) } : {}),
    ...(tosAccepted === undefined ? {} : { tosAccepted: tosAccepted === null ? null : JSON.stringify(tosAccepted) }),
    updatedAt: effects.now(),
  }
}

const switchedOn = (names: readonly string[]) => Object.fromEntries(names.map(name => [name, true]))

/**
 * Removes a user, with every guard.
 *
 * @throws {CodedError} `user_not_found`, `own_account_deleted`, `last_admin`.
 */
export async function removeUser(transaction: Executor, { caller, effects }: Change, id: number): Promise<void> {
  const { accountId } = caller
  if (id === caller.userId) throw new CodedError('own_account_deleted', {})
  await requireAnotherAdministrator(transaction, accountId, id)
  await requireUser(transaction, accountId, id)
  const keys = await userChanges.deleteUser(transaction, accountId, id, effects.now())
  for (const key of keys) await devSessions.closeSessionsOf(transaction, accountId, credentialOf(key))
}

async function requireUser(transaction: Executor, accountId: number, id: number): Promise<users.UserRow> {
  const row = await userChanges.lockUserRow(transaction, accountId, id)
  if (!row) throw new CodedError('user_not_found', { id })
  return row
}

async function requireAnotherAdministrator(transaction: Executor, accountId: number, id: number): Promise<void> {
  const administrators = await userChanges.lockAdministrators(transaction, accountId)
  if (administrators.every(administrator => administrator === id)) throw new CodedError('last_admin', {})
}
