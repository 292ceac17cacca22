import { CodedError, type UserAttribute, type UserAttributeValue } from '@hedron/contract'
import { type AttributeValue, attributeValues, userAttributes, userChanges, users } from '@hedron/store'
import { requireAdmin } from '../../access.ts'
import { requireDefault, requireValue } from '../../embedding/tenants/attribute-type.ts'
import type { Operations } from '../../operations.ts'
import { type OffsetWindow, pageEitherWay } from '../../page.ts'
import type { PeopleNeed } from '../people-need.ts'

type AttributeOperations = Pick<
  Operations,
  | 'getUserAttributes'
  | 'createUserAttribute'
  | 'updateUserAttribute'
  | 'deleteUserAttribute'
  | 'upsertUserAttributeValue'
  | 'getUserAttributeValues'
>

/** Clients of the field that page by offset expect this many when they give no limit. */
const defaultLimit = 100

/** User attributes of the whole account, and what its users have for them. */
export function createAttributeOperations({ store, effects, audit }: PeopleNeed): AttributeOperations {
  return {
    async getUserAttributes({ accountId }, { query }) {
      const filter = { name: query.name, type: query.type }
      const count = await userAttributes.countUserAttributes(store.kysely, accountId, filter)
      const list = await pageEitherWay(
        'user-attributes',
        query,
        { total: count, defaultLimit },
        ({ after, offset, limit }: OffsetWindow<readonly [number]>) =>
          userAttributes.listUserAttributes(store.kysely, accountId, filter, { before: after?.[0], offset, limit }),
        row => [row.id] as const,
        showAttribute,
      )
      return { ...list, count }
    },

    async createUserAttribute(caller, { body }, context) {
      requireAdmin(caller)
      requireDefault(body)
      return store.transaction(async transaction => {
        const row = await userAttributes.insertUserAttribute(transaction, {
          accountId: caller.accountId,
          name: body.name,
          type: body.type,
          displayName: body.displayName ?? null,
          description: body.description ?? null,
          defaultValue: body.defaultValue ?? null,
          createdAt: effects.now(),
          updatedAt: effects.now(),
        })
        if (!row) throw new CodedError('name_taken', { kind: 'user attribute', name: body.name })
        await audit(transaction, caller, context, 'user-attribute.create', `user-attribute ${row.id}`, {
          name: row.name,
          type: row.type,
        })
        return showAttribute(row)
      })
    },

    async updateUserAttribute(caller, { params, body }, context) {
      requireAdmin(caller)
      const { accountId } = caller
      return store.transaction(async transaction => {
        const row = await userAttributes.lockUserAttribute(transaction, accountId, params.id)
        if (!row) throw new CodedError('user_attribute_not_found', { attribute: params.id })
        requireDefault({ name: row.name, type: row.type, defaultValue: body.defaultValue })
        const { displayName, description, defaultValue } = body
        const updated = await userAttributes.updateUserAttribute(transaction, accountId, row.id, {
          ...(displayName === undefined ? {} : { displayName }),
          ...(description === undefined ? {} : { description }),
          ...(defaultValue === undefined ? {} : { defaultValue }),
          updatedAt: effects.now(),
        })
        await audit(transaction, caller, context, 'user-attribute.update', `user-attribute ${row.id}`, {
          fields: Object.keys(body),
        })
        return showAttribute(updated)
      })
    },

    async deleteUserAttribute(caller, { params }, context) {
      requireAdmin(caller)
      await store.transaction(async transaction => {
        const name = await userAttributes.deleteUserAttribute(transaction, caller.accountId, params.id)
        if (name === undefined) throw new CodedError('user_attribute_not_found', { attribute: params.id })
        await audit(transaction, caller, context, 'user-attribute.delete', `user-attribute ${params.id}`, { name })
      })
      return undefined
    },

    async upsertUserAttributeValue(caller, { body }, context) {
      requireAdmin(caller)
      const { accountId } = caller
      const [userId, attributeId] = [Number(body.userId), Number(body.userAttributeId)]
      const table = 'userAttributeValues'
      return store.transaction(async transaction => {
        const user = await userChanges.lockUserRow(transaction, accountId, userId)
        if (!user) throw new CodedError('user_not_found', { id: userId })
        const attribute = await userAttributes.lockUserAttribute(transaction, accountId, attributeId)
        if (!attribute) throw new CodedError('user_attribute_not_found', { attribute: attributeId })
        if (body.value === undefined) {
          const stored = await attributeValues.attributeValuesOf(transaction, table, accountId, userId)
          return showValue(userId, attribute, stored.find(value => value.attributeId === attributeId)?.value ?? null)
        }
        const value = body.value === null ? null : requireValue(attribute.name, attribute.type, body.value)
        if (value === null) {
          await attributeValues.clearAttributeValues(transaction, table, accountId, userId, [attributeId])
        } else {
          const values = [{ attributeId, value }]
          await attributeValues.putAttributeValues(transaction, table, accountId, userId, values, effects.now())
        }
        await audit(transaction, caller, context, 'user-attribute.set', `user ${userId}`, {
          attribute: attribute.name,
          isCleared: value === null,
        })
        return showValue(userId, attribute, value)
      })
    },

    async getUserAttributeValues(caller, { params }) {
      const { accountId } = caller
      if (caller.userId !== params.userId) requireAdmin(caller)
      const user = await users.findUser(store.kysely, accountId, params.userId)
      if (!user) throw new CodedError('user_not_found', { id: params.userId })
      const rows = await userAttributes.listValuesOf(store.kysely, accountId, user.id)
      return rows.map(({ value, ...attribute }) => showValue(user.id, attribute, value))
    },
  }
}

function showAttribute(row: userAttributes.UserAttributeRow): UserAttribute {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    displayName: row.displayName,
    description: row.description,
    defaultValue: row.defaultValue,
  }
}

function showValue(
  userId: number,
  attribute: userAttributes.UserAttributeRow,
  value: AttributeValue | null,
): UserAttributeValue {
  return {
    userId,
    userAttributeId: attribute.id,
    name: attribute.name,
    type: attribute.type,
    displayName: attribute.displayName,
    description: attribute.description,
    value,
    formattedValue: value === null ? null : [value].flat().join(', '),
  }
}
