import type { EmbedUser, ProvisionEmbedUserInput } from '@hedron/contract'
import { embedUsers } from '@hedron/store'
import type { CallContext, Caller } from '../../caller.ts'
import { readAccountSettings } from '../../people/account-settings.ts'
import { normalizeExternalId } from '../../people/external-id.ts'
import { ensureExternalUser } from '../external-users.ts'
import { ensureEmbedTenant } from './ensure-tenant.ts'
import { setGroups } from './set-groups.ts'
import { showEmbedUser } from './show-embed-user.ts'
import type { TenantsNeed } from './tenants-need.ts'

/**
 * Makes a user of an embed tenant, or brings him up to date, as generate-session would: what is left out is kept. One transaction,
 * in the same order as a session's.
 *
 * @throws {CodedError} `groups_not_found`, `external_user_limit`, `invalid_request` for an external id that cannot be one.
 */
export async function provisionUser(
  { store, effects, audit }: TenantsNeed,
  caller: Caller,
  tenantName: string,
  input: ProvisionEmbedUserInput,
  context: CallContext,
): Promise<EmbedUser> {
  const { accountId } = caller
  const externalId = normalizeExternalId(input.externalId)
  const now = effects.now()
  return store.transaction(async transaction => {
    const { externalUserLimit: limit } = await readAccountSettings(transaction, accountId)
    const tenant = await ensureEmbedTenant(transaction, accountId, tenantName)
    const { user, isNew } = await ensureExternalUser(
      transaction,
      {
        accountId,
        externalId,
        embedTenantId: tenant.id,
        email: input.email ?? undefined,
        displayName: input.userProfile?.displayName ?? undefined,
        picture: input.userProfile?.picture ?? undefined,
        // Whom an administrator asks for is not to be gone after a week.
        becomesPersistent: true,
      },
      { now, limit },
    )
    const member = { accountId, userId: user.id }
    await setGroups(transaction, { ...member, embedTenantId: null }, input.groups, now)
    await setGroups(transaction, { ...member, embedTenantId: tenant.id }, input.tenantGroups, now)
    await audit(transaction, caller, context, 'embed-user.provision', `embed-tenant ${tenant.name} user ${user.id}`, {
      externalId,
      isNew,
      ...(input.groups ? { groups: input.groups } : {}),
      ...(input.tenantGroups ? { tenantGroups: input.tenantGroups } : {}),
    })
    const scope = { accountId, embedTenantId: tenant.id }
    const [row] = await embedUsers.holdEmbedUsers(transaction, scope, { ids: [user.id], externalIds: [] }, now)
    if (!row) throw new Error(`user ${user.id} is not in the tenant that he was made in`)
    return showEmbedUser(row)
  })
}
