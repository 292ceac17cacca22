import { CodedError } from '@hedron/contract'
import { embedAttributes } from '@hedron/store'
import { requireAdmin } from '../../access.ts'
import type { Operations } from '../../operations.ts'
import { page } from '../../page.ts'
import { holdEmbedTenant, requireEmbedTenant } from './ensure-tenant.ts'
import type { TenantsNeed } from './tenants-need.ts'

type AttributeOperations = Pick<Operations, 'listEmbedUserAttributes' | 'deleteEmbedUserAttribute'>

/** Attribute definitions of embed tenants; sessions make them (SPEC, "User-attribute definition"). */
export function createAttributeOperations({ store, audit }: TenantsNeed): AttributeOperations {
  return {
    async listEmbedUserAttributes(caller, { params, query }) {
      requireAdmin(caller)
      const { accountId } = caller
      const tenant = await requireEmbedTenant(store.kysely, accountId, params.embedTenantName)
      return page(
        'embed-attributes',
        query,
        ({ limit, after }: { limit: number; after: readonly [number] | undefined }) =>
          embedAttributes.listEmbedAttributes(
            store.kysely,
            { accountId, embedTenantId: tenant.id },
            { after: after?.[0], limit },
          ),
        row => [row.id] as const,
        ({ id, name, type, displayName, description, defaultValue }) => ({
          id,
          name,
          type,
          displayName,
          description,
          defaultValue,
        }),
      )
    },

    async deleteEmbedUserAttribute(caller, { params }, context) {
      requireAdmin(caller)
      const { accountId } = caller
      const { id } = params
      await store.transaction(async transaction => {
        const tenant = await holdEmbedTenant(transaction, accountId, params.embedTenantName)
        const scope = { accountId, embedTenantId: tenant.id }
        const name = await embedAttributes.deleteEmbedAttribute(transaction, scope, id)
        if (name === undefined) throw new CodedError('embed_attribute_not_found', { id, tenant: tenant.name })
        const target = `embed-tenant ${tenant.name} user-attribute ${id}`
        await audit(transaction, caller, context, 'embed-attribute.delete', target, { name })
      })
      return undefined
    },
  }
}
