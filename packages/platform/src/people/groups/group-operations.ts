import { type AccountGroup, CodedError } from '@hedron/contract'
import { type Executor, isUniqueViolation, roles, userGroups } from '@hedron/store'
import { requireAdmin } from '../../access.ts'
import type { CallContext, Caller } from '../../caller.ts'
import { requireGroupName } from '../../embedding/tenants/require-group-name.ts'
import type { Operations } from '../../operations.ts'
import { page } from '../../page.ts'
import type { PeopleNeed } from '../people-need.ts'
import { requireRoleKey, roleKeyToTake } from '../roles/role-key.ts'
import { holdCustomGroup } from './hold-group.ts'
import { createMemberOperations } from './member-operations.ts'

type GroupOperations = Pick<
  Operations,
  | 'listUserGroups'
  | 'createUserGroup'
  | 'getUserGroup'
  | 'updateUserGroup'
  | 'deleteUserGroup'
  | 'deleteGroupByOlderPath'
  | 'listUserGroupMembers'
  | 'addUserGroupMembers'
  | 'removeUserGroupMembers'
  | 'assignRoleToGroup'
  | 'removeRoleFromGroup'
>

/** Groups of the whole account. */
export function createGroupOperations(need: PeopleNeed): GroupOperations {
  const { store, effects, audit } = need
  return {
    ...createMemberOperations(need),

    async listUserGroups({ accountId }, { query }) {
      const { search, kind } = query
      return page(
        'user-groups',
        query,
        ({ limit, after }: { limit: number; after: readonly [number] | undefined }) =>
          userGroups.listUserGroups(store.kysely, accountId, { search, kind, before: after?.[0], limit }),
        row => [row.id] as const,
        showGroup,
      )
    },

    async createUserGroup(caller, { body }, context) {
      requireAdmin(caller)
      requireGroupName(body.name)
      return store.transaction(async transaction => {
        const row = await userGroups.insertUserGroup(transaction, {
          accountId: caller.accountId,
          embedTenantId: null,
          name: body.name,
          description: body.description || null,
          createdAt: effects.now(),
          updatedAt: effects.now(),
        })
        if (!row) throw new CodedError('name_taken', { kind: 'group', name: body.name })
        await audit(transaction, caller, context, 'group.create', `group ${row.id}`, { name: row.name })
        return showGroup({ ...row, userCount: 0 })
      })
    },

    async getUserGroup(caller, { params }) {
      requireAdmin(caller)
      return find(store.kysely, caller.accountId, params.id)
    },

    async updateUserGroup(caller, { params, body }, context) {
      requireAdmin(caller)
      const { accountId } = caller
      const { name, description } = body
      if (name !== undefined) requireGroupName(name)
      return store.transaction(async transaction => {
        const group = await holdCustomGroup(transaction, accountId, params.id)
        const values = {
          ...(name === undefined ? {} : { name }),
          ...(description === undefined ? {} : { description: description || null }),
          updatedAt: effects.now(),
        }
        await userGroups.updateUserGroup(transaction, accountId, group.id, values).catch((error: unknown) => {
          if (!isUniqueViolation(error)) throw error
          throw new CodedError('name_taken', { kind: 'group', name: name ?? group.name })
        })
        await audit(transaction, caller, context, 'group.update', `group ${group.id}`, { fields: Object.keys(body) })
        return find(transaction, accountId, group.id)
      })
    },

    async deleteUserGroup(caller, { params }, context) {
      return remove(caller, params.id, context)
    },

    async deleteGroupByOlderPath(caller, { params }, context) {
      return remove(caller, params.id, context)
    },

    async assignRoleToGroup(caller, { params }, context) {
      requireAdmin(caller)
      const { accountId } = caller
      await store.transaction(async transaction => {
        const group = await holdCustomGroup(transaction, accountId, params.groupId)
        const key = await requireRoleKey(transaction, accountId, params.roleId)
        await roles.giveGroupRole(transaction, accountId, group.id, key)
        await audit(transaction, caller, context, 'role.assign', `role ${params.roleId}`, { group: group.id })
      })
    },

    async removeRoleFromGroup(caller, { params }, context) {
      requireAdmin(caller)
      const { accountId } = caller
      const key = roleKeyToTake(params.roleId)
      await store.transaction(async transaction => {
        const group = await holdCustomGroup(transaction, accountId, params.groupId)
        await roles.takeGroupRole(transaction, accountId, group.id, key)
        await audit(transaction, caller, context, 'role.remove', `role ${params.roleId}`, { group: group.id })
      })
    },
  }

  async function find(executor: Executor, accountId: number, id: number): Promise<AccountGroup> {
    const row = await userGroups.findUserGroup(executor, accountId, id)
    if (!row) throw new CodedError('group_not_found', { group: id })
    return showGroup(row)
  }

  async function remove(caller: Caller, id: number, context: CallContext): Promise<undefined> {
    requireAdmin(caller)
    await store.transaction(async transaction => {
      const group = await holdCustomGroup(transaction, caller.accountId, id)
      await userGroups.deleteUserGroup(transaction, caller.accountId, group.id)
      await audit(transaction, caller, context, 'group.delete', `group ${group.id}`, { name: group.name })
    })
    return undefined
  }
}

function showGroup(row: userGroups.UserGroupListed): AccountGroup {
  return { id: row.id, name: row.name, description: row.description, userCount: row.userCount, kind: row.kind }
}
