import { CodedError } from '@hedron/contract'
import { type Executor, embedGroups, embedUsers, memberships } from '@hedron/store'
import { requireAdmin } from '../../access.ts'
import type { Operations } from '../../operations.ts'
import { page } from '../../page.ts'
import { readAccountSettings } from '../../people/account-settings.ts'
import { ensureMembers, readMembers } from './ensure-members.ts'
import { holdEmbedTenant, requireEmbedTenant } from './ensure-tenant.ts'
import { targetOf } from './group-operations.ts'
import { showEmbedUser } from './show-embed-user.ts'
import type { TenantsNeed } from './tenants-need.ts'

type MemberOperations = Pick<Operations, 'getGroupMembers' | 'addGroupMembers' | 'removeGroupMembers'>

const table = 'embedUserGroupMembers'

/** Members of groups of embed tenants. */
export function createMemberOperations({ store, effects, audit }: TenantsNeed): MemberOperations {
  return {
    async getGroupMembers(caller, { params, query }) {
      requireAdmin(caller)
      const { accountId } = caller
      const { id } = params
      const tenant = await requireEmbedTenant(store.kysely, accountId, params.embedTenantName)
      const scope = { accountId, embedTenantId: tenant.id }
      const group = await embedGroups.findEmbedGroup(store.kysely, scope, id)
      if (!group) throw new CodedError('embed_group_not_found', { id, tenant: tenant.name })
      return page(
        'embed-group-members',
        query,
        ({ limit, after }: { limit: number; after: readonly [string, number] | undefined }) =>
          embedUsers.listEmbedGroupMembers(store.kysely, scope, id, { after, limit, now: effects.now() }),
        row => [row.addedAt.toISOString(), row.id] as const,
        showEmbedUser,
      )
    },

    async addGroupMembers(caller, { params, body }, context) {
      requireAdmin(caller)
      const { accountId } = caller
      const now = effects.now()
      return store.transaction(async transaction => {
        const { externalUserLimit: limit } = await readAccountSettings(transaction, accountId)
        const { tenant, groupId } = await holdGroup(transaction, accountId, params)
        const users = await ensureMembers(transaction, tenant, body.members, { now, limit })
        const wanted = users.map(({ id }) => ({ groupId, userId: id })).sort((a, b) => a.userId - b.userId)
        const added = await memberships.insertMemberships(transaction, table, accountId, wanted, now)
        const newIds = new Set(added.map(({ userId }) => userId))
        await audit(transaction, caller, context, 'embed-group.add-members', targetOf(tenant.name, groupId), {
          added: [...newIds],
        })
        return {
          addedMembers: users.filter(({ id }) => newIds.has(id)).map(showEmbedUser),
          unchangedMembers: users.filter(({ id }) => !newIds.has(id)).map(showEmbedUser),
        }
      })
    },

    async removeGroupMembers(caller, { params, body }, context) {
      requireAdmin(caller)
      const { accountId } = caller
      const wanted = readMembers(body.members)
      await store.transaction(async transaction => {
        const { tenant, groupId } = await holdGroup(transaction, accountId, params)
        const scope = { accountId, embedTenantId: tenant.id }
        const users = await embedUsers.holdEmbedUsers(transaction, scope, wanted, effects.now())
        const ids = users.map(({ id }) => id)
        await memberships.removeMembers(transaction, table, accountId, groupId, ids)
        await audit(transaction, caller, context, 'embed-group.remove-members', targetOf(tenant.name, groupId), {
          removed: ids,
        })
      })
      return undefined
    },
  }

  /** Tenant and group of the path, kept from being deleted until the transaction ends. */
  async function holdGroup(
    transaction: Executor,
    accountId: number,
    params: { readonly embedTenantName: string; readonly id: number },
  ) {
    const tenant = await holdEmbedTenant(transaction, accountId, params.embedTenantName)
    const group = await embedGroups.holdEmbedGroup(transaction, { accountId, embedTenantId: tenant.id }, params.id)
    if (!group) throw new CodedError('embed_group_not_found', { id: params.id, tenant: tenant.name })
    return { tenant, groupId: group.id }
  }
}
