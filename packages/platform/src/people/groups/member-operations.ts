import { CodedError, type GroupMember } from '@hedron/contract'
import { memberships, userGroups } from '@hedron/store'
import { requireAdmin } from '../../access.ts'
import type { Operations } from '../../operations.ts'
import { page } from '../../page.ts'
import type { PeopleNeed } from '../people-need.ts'
import { holdCustomGroup } from './hold-group.ts'

type MemberOperations = Pick<Operations, 'listUserGroupMembers' | 'addUserGroupMembers' | 'removeUserGroupMembers'>

export function createMemberOperations({ store, effects, audit }: PeopleNeed): MemberOperations {
  return {
    async listUserGroupMembers(caller, { params, query }) {
      requireAdmin(caller)
      const { accountId } = caller
      const group = await userGroups.findUserGroup(store.kysely, accountId, params.id)
      if (!group) throw new CodedError('group_not_found', { group: params.id })
      return page(
        'user-group-members',
        query,
        ({ limit, after }: { limit: number; after: readonly [string, number] | undefined }) =>
          userGroups.listGroupMembers(store.kysely, accountId, group.id, { after, limit }),
        row => [row.addedAt.toISOString(), row.id] as const,
        showMember,
      )
    },

    async addUserGroupMembers(caller, { params, body }, context) {
      requireAdmin(caller)
      const { accountId } = caller
      const ids = [...new Set(body.members.map(({ userId }) => userId))]
      return store.transaction(async transaction => {
        const group = await holdCustomGroup(transaction, accountId, params.id)
        const users = await userGroups.holdUsers(transaction, accountId, ids)
        const found = new Map(users.map(user => [user.id, user]))
        const missing = ids.find(id => !found.has(id))
        if (missing !== undefined) throw new CodedError('user_not_found', { id: missing })
        const members = users.map(({ id }) => ({ groupId: group.id, userId: id }))
        const added = await memberships.insertMemberships(
          transaction,
          'userGroupMembers',
          accountId,
          members,
          effects.now(),
        )
        const isNew = new Set(added.map(({ userId }) => userId))
        const addedMembers = users.filter(({ id }) => isNew.has(id)).map(showMember)
        const unchangedMembers = users.filter(({ id }) => !isNew.has(id)).map(showMember)
        await audit(transaction, caller, context, 'group.add', `group ${group.id}`, {
          users: addedMembers.map(({ id }) => id),
        })
        return { addedMembers, unchangedMembers }
      })
    },

    async removeUserGroupMembers(caller, { params, body }, context) {
      requireAdmin(caller)
      const { accountId } = caller
      const ids = [...new Set(body.members.map(({ userId }) => userId))]
      await store.transaction(async transaction => {
        const group = await holdCustomGroup(transaction, accountId, params.id)
        await memberships.removeMembers(transaction, 'userGroupMembers', accountId, group.id, ids)
        await audit(transaction, caller, context, 'group.remove', `group ${group.id}`, { users: ids })
      })
      return undefined
    },
  }
}

function showMember(row: Omit<userGroups.GroupMemberRow, 'addedAt'>): GroupMember {
  return {
    id: row.id,
    username: row.username,
    email: row.email,
    externalId: row.externalId,
    firstName: row.firstName,
    createdAt: row.createdAt.toISOString(),
    lastLogin: row.lastLoginAt?.toISOString() ?? null,
  }
}
