import { CodedError, Policy, type Role } from '@hedron/contract'
import { type Executor, isUniqueViolation, roles, userChanges } from '@hedron/store'
import { requireAdmin } from '../../access.ts'
import type { Caller } from '../../caller.ts'
import type { Operations } from '../../operations.ts'
import { page } from '../../page.ts'
import type { PeopleNeed } from '../people-need.ts'
import { builtInRole, isReservedRoleName } from './built-in-roles.ts'
import { requireRoleKey, roleKeyToTake } from './role-key.ts'

type RoleOperations = Pick<
  Operations,
  'getRoles' | 'createRole' | 'getRole' | 'updateRole' | 'deleteRole' | 'assignRoleToUser' | 'removeRoleFromUser'
>

export function createRoleOperations({ store, effects, audit }: PeopleNeed): RoleOperations {
  return {
    async getRoles(caller, { query }) {
      requireAdmin(caller)
      return page(
        'roles',
        query,
        ({ limit, after }: { limit: number; after: readonly [number] | undefined }) =>
          roles.listRoles(store.kysely, caller.accountId, { before: after?.[0], limit }),
        row => [row.id] as const,
        showRole,
      )
    },

    async createRole(caller, { body }, context) {
      requireAdmin(caller)
      refuseReserved(body.name)
      return store.transaction(async transaction => {
        const row = await roles.insertRole(transaction, {
          accountId: caller.accountId,
          name: body.name,
          description: body.description ?? null,
          policies: JSON.stringify(body.policies),
          createdAt: effects.now(),
          updatedAt: effects.now(),
        })
        if (!row) throw new CodedError('name_taken', { kind: 'role', name: body.name })
        await audit(transaction, caller, context, 'role.create', `role ${row.id}`, { name: row.name })
        return showRole(row)
      })
    },

    async getRole(caller, { params }) {
      requireAdmin(caller)
      const builtIn = builtInRole(params.roleId)
      if (builtIn) return { ...builtIn, policies: [...builtIn.policies] }
      const row = await roles.findRole(store.kysely, caller.accountId, params.roleId)
      if (!row) throw new CodedError('role_not_found', { role: params.roleId })
      return showRole(row)
    },

    async updateRole(caller, { params, body }, context) {
      requireAdmin(caller)
      refuseBuiltIn(params.roleId)
      if (body.name !== undefined) refuseReserved(body.name)
      return store.transaction(async transaction => {
        const values = {
          ...(body.name === undefined ? {} : { name: body.name }),
          ...(body.description === undefined ? {} : { description: body.description }),
          ...(body.policies === undefined ? {} : { policies: JSON.stringify(body.policies) }),
          updatedAt: effects.now(),
        }
        const row = await roles
          .updateRole(transaction, caller.accountId, params.roleId, values)
          .catch((error: unknown) => {
            if (!isUniqueViolation(error)) throw error
            throw new CodedError('name_taken', { kind: 'role', name: body.name ?? '' })
          })
        if (!row) throw new CodedError('role_not_found', { role: params.roleId })
        await audit(transaction, caller, context, 'role.update', `role ${row.id}`, { fields: Object.keys(body) })
        return showRole(row)
      })
    },

    async deleteRole(caller, { params }, context) {
      requireAdmin(caller)
      refuseBuiltIn(params.roleId)
      await store.transaction(async transaction => {
        const deleted = await roles.deleteRole(transaction, caller.accountId, params.roleId)
        if (!deleted) throw new CodedError('role_not_found', { role: params.roleId })
        await audit(transaction, caller, context, 'role.delete', `role ${params.roleId}`)
      })
    },

    async assignRoleToUser(caller, { params }, context) {
      requireAdmin(caller)
      await store.transaction(async transaction => {
        const user = await requireUser(transaction, caller, params.userId)
        if (user.externalId !== null) throw new CodedError('user_is_external', { id: user.id })
        await roles.giveRole(
          transaction,
          caller.accountId,
          user.id,
          await requireRoleKey(transaction, caller.accountId, params.roleId),
        )
        await audit(transaction, caller, context, 'role.assign', `role ${params.roleId}`, { user: user.id })
      })
    },

    async removeRoleFromUser(caller, { params }, context) {
      requireAdmin(caller)
      const { roleId } = params
      const key = roleKeyToTake(roleId)
      await store.transaction(async transaction => {
        const user = await requireUser(transaction, caller, params.userId)
        await roles.takeRole(transaction, caller.accountId, user.id, key)
        await audit(transaction, caller, context, 'role.remove', `role ${roleId}`, { user: user.id })
      })
    },
  }

  async function requireUser(transaction: Executor, caller: Caller, id: number) {
    const user = await userChanges.lockUserRow(transaction, caller.accountId, id)
    if (!user) throw new CodedError('user_not_found', { id })
    return user
  }
}

function refuseReserved(name: string): void {
  if (isReservedRoleName(name)) throw new CodedError('role_name_reserved', { name })
}

function refuseBuiltIn(id: number): void {
  const role = builtInRole(id)
  if (role) throw new CodedError('role_built_in', { name: role.name })
}

function showRole(row: roles.RoleRow): Role {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    policies: Policy.array().parse(row.policies),
  }
}
