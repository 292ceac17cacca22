import { embedTenants } from '@hedron/store'
import { requireAdmin } from '../../access.ts'
import type { Operations } from '../../operations.ts'
import { page } from '../../page.ts'
import { createAttributeOperations } from './attribute-operations.ts'
import { createGroupOperations } from './group-operations.ts'
import { createMemberOperations } from './member-operations.ts'
import { removeTenant } from './remove-tenant.ts'
import type { TenantsNeed } from './tenants-need.ts'
import { createEmbedUserOperations } from './user-operations.ts'

/** Administration of embed tenants (SPEC, "Embed-tenant admin endpoints"). */
export const createEmbedTenantOperations = (need: TenantsNeed) => ({
  ...createTenantOperations(need),
  ...createGroupOperations(need),
  ...createAttributeOperations(need),
  ...createEmbedUserOperations(need),
  ...createMemberOperations(need),
})

function createTenantOperations({
  store,
  audit,
}: TenantsNeed): Pick<Operations, 'listEmbedTenants' | 'deleteEmbedTenant'> {
  return {
    async listEmbedTenants(caller, { query }) {
      requireAdmin(caller)
      return page(
        'embed-tenants',
        query,
        ({ limit, after }: { limit: number; after: readonly [string] | undefined }) =>
          embedTenants.listEmbedTenants(store.kysely, caller.accountId, {
            search: query.search ?? undefined,
            after: after?.[0],
            limit,
          }),
        row => [row.name] as const,
        row => ({
          id: row.id,
          name: row.name,
          displayName: row.displayName,
          createdAt: row.createdAt.toISOString(),
          userCount: row.userCount,
        }),
      )
    },

    async deleteEmbedTenant(caller, { params }, context) {
      requireAdmin(caller)
      await removeTenant({ store, audit }, caller, params.embedTenantName, context)
      return undefined
    },
  }
}
