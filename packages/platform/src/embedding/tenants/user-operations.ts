import { CodedError, type EmbedUser, type ProvisionEmbedUserFailure } from '@hedron/contract'
import { embedUsers } from '@hedron/store'
import { requireAdmin } from '../../access.ts'
import type { Operations } from '../../operations.ts'
import { page } from '../../page.ts'
import { normalizeExternalId } from '../../people/external-id.ts'
import { requireEmbedTenant } from './ensure-tenant.ts'
import { provisionUser } from './provision-user.ts'
import { showEmbedUser } from './show-embed-user.ts'
import type { TenantsNeed } from './tenants-need.ts'

type UserOperations = Pick<Operations, 'listEmbedUsers' | 'provisionEmbedUser' | 'provisionEmbedUsers'>

/** Users of embed tenants. */
export function createEmbedUserOperations(need: TenantsNeed): UserOperations {
  const { store, effects } = need
  return {
    async listEmbedUsers(caller, { params, query }) {
      requireAdmin(caller)
      const { accountId } = caller
      const tenant = await requireEmbedTenant(store.kysely, accountId, params.embedTenantName)
      return page(
        'embed-users',
        query,
        ({ limit, after }: { limit: number; after: readonly [string, number] | undefined }) =>
          embedUsers.listEmbedUsers(
            store.kysely,
            { accountId, embedTenantId: tenant.id },
            { search: query.search ?? undefined, after, limit, now: effects.now() },
          ),
        row => [row.shownEmail, row.id] as const,
        showEmbedUser,
      )
    },

    async provisionEmbedUser(caller, { params, body }, context) {
      requireAdmin(caller)
      return provisionUser(need, caller, params.embedTenantName, body, context)
    },

    async provisionEmbedUsers(caller, { params, body }, context) {
      requireAdmin(caller)
      const succeeded: EmbedUser[] = []
      const failed: ProvisionEmbedUserFailure[] = []
      for (const user of body.users) {
        context.signal.throwIfAborted()
        try {
          succeeded.push(await provisionUser(need, caller, params.embedTenantName, user, context))
        } catch (error) {
          if (!(error instanceof CodedError)) throw error
          const { status, message } = error
          failed.push({ externalId: shownId(user.externalId), error: { status, message } })
        }
      }
      return { succeeded, failed }
    },
  }
}

/** The external id of a failure: as one of a success, or as it came where it cannot be one. */
function shownId(externalId: string): string {
  try {
    return normalizeExternalId(externalId)
  } catch {
    return externalId
  }
}
