import { CodedError, type UserGroup } from '@hedron/contract'
import { embedGroups } from '@hedron/store'
import { requireAdmin } from '../../access.ts'
import type { Operations } from '../../operations.ts'
import { page } from '../../page.ts'
import { ensureEmbedTenant, holdEmbedTenant, requireEmbedTenant } from './ensure-tenant.ts'
import { requireGroupName } from './require-group-name.ts'
import type { TenantsNeed } from './tenants-need.ts'

type GroupOperations = Pick<Operations, 'getGroups' | 'createGroup' | 'getGroup' | 'updateGroup' | 'deleteGroup'>

/** Groups of embed tenants. */
export function createGroupOperations({ store, effects, audit }: TenantsNeed): GroupOperations {
  return {
    async getGroups(caller, { params, query }) {
      requireAdmin(caller)
      const { accountId } = caller
      const tenant = await requireEmbedTenant(store.kysely, accountId, params.embedTenantName)
      return page(
        'embed-groups',
        query,
        ({ limit, after }: { limit: number; after: readonly [number] | undefined }) =>
          embedGroups.listEmbedGroups(
            store.kysely,
            { accountId, embedTenantId: tenant.id },
            { after: after?.[0], limit },
          ),
        row => [row.id] as const,
        showGroup,
      )
    },

    async createGroup(caller, { params, body }, context) {
      requireAdmin(caller)
      const { accountId } = caller
      const { name, description } = body
      requireGroupName(name)
      return store.transaction(async transaction => {
        const tenant = await ensureEmbedTenant(transaction, accountId, params.embedTenantName)
        const scope = { accountId, embedTenantId: tenant.id }
        const group = { name, description: description || null }
        const [made] = await embedGroups.insertEmbedGroups(transaction, scope, [group], effects.now())
        if (!made) throw new CodedError('embed_group_name_taken', { name, tenant: tenant.name })
        await audit(transaction, caller, context, 'embed-group.create', targetOf(tenant.name, made.id), { name })
        return showGroup({ ...made, userCount: 0 })
      })
    },

    async getGroup(caller, { params }) {
      requireAdmin(caller)
      const { accountId } = caller
      const tenant = await requireEmbedTenant(store.kysely, accountId, params.embedTenantName)
      const group = await embedGroups.findEmbedGroup(store.kysely, { accountId, embedTenantId: tenant.id }, params.id)
      if (!group) throw new CodedError('embed_group_not_found', { id: params.id, tenant: tenant.name })
      return showGroup(group)
    },

    async updateGroup(caller, { params, body }, context) {
      requireAdmin(caller)
      const { accountId } = caller
      const { id } = params
      return store.transaction(async transaction => {
        const tenant = await holdEmbedTenant(transaction, accountId, params.embedTenantName)
        const scope = { accountId, embedTenantId: tenant.id }
        const { description } = body
        if (description !== undefined && description !== null) {
          await embedGroups.describeEmbedGroup(transaction, scope, id, description || null, effects.now())
          await audit(transaction, caller, context, 'embed-group.update', targetOf(tenant.name, id), { description })
        }
        const group = await embedGroups.findEmbedGroup(transaction, scope, id)
        if (!group) throw new CodedError('embed_group_not_found', { id, tenant: tenant.name })
        return showGroup(group)
      })
    },

    async deleteGroup(caller, { params }, context) {
      requireAdmin(caller)
      const { accountId } = caller
      const { id } = params
      await store.transaction(async transaction => {
        const tenant = await holdEmbedTenant(transaction, accountId, params.embedTenantName)
        const scope = { accountId, embedTenantId: tenant.id }
        const outcome = await embedGroups.deleteEmptyEmbedGroup(transaction, scope, id)
        if (outcome === 'missing') throw new CodedError('embed_group_not_found', { id, tenant: tenant.name })
        if (outcome !== 'deleted') {
          throw new CodedError('embed_group_not_empty', { name: outcome.name, count: outcome.userCount })
        }
        await audit(transaction, caller, context, 'embed-group.delete', targetOf(tenant.name, id))
      })
      return undefined
    },
  }
}

/** How the audit log names a group. */
export const targetOf = (tenant: string, id: number): string => `embed-tenant ${tenant} group ${id}`

function showGroup(row: embedGroups.EmbedGroupListed): UserGroup {
  return { id: row.id, name: row.name, description: row.description, userCount: row.userCount }
}
