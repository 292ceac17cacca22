import { CodedError, type User, type UserCreateInput, type UserUpdateInput } from '@hedron/contract'
import { deployments, type Executor, roles, users } from '@hedron/store'
import { requireAdmin } from '../../access.ts'
import type { CallContext, Caller } from '../../caller.ts'
import type { Operations } from '../../operations.ts'
import { hashPassword } from '../password.ts'
import type { PeopleNeed } from '../people-need.ts'
import { roleKeysNamed } from '../roles/role-keys.ts'
import { applyToUsers } from './bulk-action.ts'
import { changeUser, removeUser } from './change-user.ts'
import { createExternalUser, isOfExternalUser } from './create-external-user.ts'
import { showUser } from './show-user.ts'
import { mergeUserSettings } from './user-settings.ts'

type UserAdministration = Pick<
  Operations,
  'createUser' | 'bulkUserAction' | 'updateUser' | 'deleteUser' | 'updateMySettings'
>

export function createUserAdministration({ store, effects, audit }: PeopleNeed): UserAdministration {
  return {
    async createUser(caller, { body }, context) {
      requireAdmin(caller)
      await requireDeployment(caller, body.settings?.defaultDeploymentId)
      return store.transaction(async transaction => {
        const { keys, isAdmin } = await roleKeysNamed(transaction, caller.accountId, body.defaultRoles ?? [])
        const row = await insert(transaction, caller.accountId, body, isAdmin || body.isAdmin === true)
        for (const key of keys) await roles.giveRole(transaction, caller.accountId, row.id, key)
        await audit(transaction, caller, context, 'user.create', `user ${row.id}`, { email: row.email })
        return show(transaction, row)
      })
    },

    async bulkUserAction(caller, { body }, context) {
      requireAdmin(caller)
      return applyToUsers(body.action, body.userIds, async userId => {
        if (body.action === 'DELETE') await remove(caller, userId, context)
        else await change(caller, userId, { isDeactivated: body.action === 'DEACTIVATE' }, context)
      })
    },

    async updateUser(caller, { params, body }, context) {
      requireAdmin(caller)
      await requireDeployment(caller, body.settings?.defaultDeploymentId)
      return change(caller, params.id, body, context)
    },

    async deleteUser(caller, { params }, context) {
      requireAdmin(caller)
      await remove(caller, params.id, context)
      return { success: true }
    },

    async updateMySettings(caller, { body }, context) {
      const { userId } = caller
      if (userId === null) {
        throw new CodedError('not_authenticated', { reason: 'This credential belongs to no user any more.' })
      }
      await requireDeployment(caller, body.defaultDeploymentId)
      return store.transaction(async transaction => {
        const row = await changeUser(transaction, { caller, effects }, userId, { settings: body })
        await audit(transaction, caller, context, 'user.settings', `user ${userId}`, { fields: Object.keys(body) })
        return show(transaction, row)
      })
    },
  }

  async function change(caller: Caller, id: number, body: UserUpdateInput, context: CallContext): Promise<User> {
    return store.transaction(async transaction => {
      const row = await changeUser(transaction, { caller, effects }, id, body)
      await audit(transaction, caller, context, 'user.update', `user ${id}`, {
        fields: Object.keys(body),
        ...(typeof body.isAdmin === 'boolean' ? { isAdmin: body.isAdmin } : {}),
        ...(typeof body.isDeactivated === 'boolean' ? { isDeactivated: body.isDeactivated } : {}),
      })
      return show(transaction, row)
    })
  }

  async function remove(caller: Caller, id: number, context: CallContext): Promise<void> {
    await store.transaction(async transaction => {
      await removeUser(transaction, { caller, effects }, id)
      await audit(transaction, caller, context, 'user.delete', `user ${id}`)
    })
  }

  async function insert(transaction: Executor, accountId: number, body: UserCreateInput, isAdmin: boolean) {
    if (isOfExternalUser(body)) return createExternalUser(transaction, accountId, body, effects.now())
    const row = await users.insertUser(transaction, {
      accountId,
      email: body.email,
      username: body.username,
      firstName: body.firstName ?? null,
      picture: body.picture ?? null,
      isAdmin,
      passwordHash: typeof body.password === 'string' ? hashPassword(body.password, effects) : null,
      settings: body.settings ? JSON.stringify(mergeUserSettings(null, body.settings)) : null,
      createdAt: effects.now(),
      updatedAt: effects.now(),
    })
    if (row) return row
    const holder = await users.findUserByEmail(transaction, accountId, body.email)
    throw new CodedError(
      'name_taken',
      holder ? { kind: 'user with the e-mail address', name: body.email } : { kind: 'user', name: body.username },
    )
  }

  async function show(executor: Executor, row: users.UserRow): Promise<User> {
    const names = await roles.roleNamesOf(executor, row.accountId, [row.id])
    return showUser(row, { roleNames: names.get(row.id) ?? [] })
  }

  async function requireDeployment({ accountId }: Caller, id: number | null | undefined): Promise<void> {
    if (typeof id !== 'number') return
    const row = await deployments.findDeployment(store.kysely, accountId, id)
    if (!row) throw new CodedError('deployment_not_found', { deployment: id })
  }
}
