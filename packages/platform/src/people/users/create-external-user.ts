import { CodedError, type UserCreateInput } from '@hedron/contract'
import { type Executor, userChanges, type users } from '@hedron/store'
import { ensureExternalUser } from '../../embedding/external-users.ts'
import { readAccountSettings } from '../account-settings.ts'
import { normalizeExternalId } from '../external-id.ts'
import { mergeUserSettings } from './user-settings.ts'

/** Whether an external user is meant: one of the account itself, of no embed tenant. */
export const isOfExternalUser = (body: UserCreateInput): boolean =>
  typeof body.externalId === 'string' || body.isExternal === true

/**
 * Makes an external user ahead of the first session. Without `externalId` it is the user name.
 *
 * @throws {CodedError} `name_taken`, `external_user_limit`, `invalid_request` for what only users of the account can have.
 */
export async function createExternalUser(
  transaction: Executor,
  accountId: number,
  body: UserCreateInput,
  now: Date,
): Promise<users.UserRow> {
  for (const field of ['isAdmin', 'password', 'defaultRoles'] as const) {
    const value = body[field]
    if (!value || (Array.isArray(value) && value.length === 0)) continue
    throw new CodedError('invalid_request', {
      problems: `${field}: is for users of the account, not for external ones`,
    })
  }
  const externalId = normalizeExternalId(body.externalId ?? body.username)
  const { externalUserLimit } = await readAccountSettings(transaction, accountId)
  const { user, isNew } = await ensureExternalUser(
    transaction,
    {
      accountId,
      externalId,
      embedTenantId: null,
      email: body.email,
      ...(body.firstName ? { displayName: body.firstName } : {}),
      ...(body.picture ? { picture: body.picture } : {}),
    },
    { now, limit: externalUserLimit },
  )
  if (!isNew) throw new CodedError('name_taken', { kind: 'external user', name: externalId })
  const row = await userChanges.updateUser(transaction, accountId, user.id, {
    username: body.username,
    settings: body.settings ? JSON.stringify(mergeUserSettings(null, body.settings)) : null,
  })
  if (!row) throw new Error(`external user ${user.id} was made and is gone`)
  return row
}
