import { isDeepStrictEqual } from 'node:util'
import { CodedError } from '@hedron/contract'
import { attributeValues, type Executor, users } from '@hedron/store'
import { requireValue } from './attribute-type.ts'
import type { UserScope } from './set-groups.ts'

/** SPEC, "User-attribute value". */
export interface AttributeInput {
  readonly name: string
  /** Null clears it. */
  readonly value: unknown
}

/**
 * Sets attribute values of a user; those that are not named stay (SPEC, "Generate embed session", rule 4).
 *
 * @throws {CodedError} `attribute_duplicate`, `user_attributes_not_found`, `attribute_value_invalid`.
 */
export async function setAttributes(
  transaction: Executor,
  scope: UserScope,
  inputs: readonly AttributeInput[],
  at: Date,
): Promise<void> {
  if (inputs.length === 0) return
  requireDistinct(inputs)
  const { accountId, userId, embedTenantId } = scope
  const names = inputs.map(({ name }) => name)
  const definitions = await attributeValues.holdAttributesNamed(transaction, scope, names)
  const known = new Map(definitions.map(definition => [definition.name, definition]))
  const missing = names.filter(name => !known.has(name))
  if (missing.length > 0) throw new CodedError('user_attributes_not_found', { names: missing })

  const values = new Map(inputs.map(({ name, value }) => [name, value]))
  const put: attributeValues.StoredAttributeValue[] = []
  const cleared: number[] = []
  // In the order of ids, as the definitions come.
  for (const { id, name, type } of definitions) {
    const value = values.get(name)
    if (value === null || value === undefined) cleared.push(id)
    else put.push({ attributeId: id, value: requireValue(name, type, value) })
  }
  const table = embedTenantId === null ? 'userAttributeValues' : 'embedUserAttributeValues'
  if (alreadySo(await attributeValues.attributeValuesOf(transaction, table, accountId, userId), put, cleared)) return
  // Two that set values of one user at once come one after the other, so that their values are not mixed.
  await users.lockUser(transaction, accountId, userId)
  await attributeValues.clearAttributeValues(transaction, table, accountId, userId, cleared)
  await attributeValues.putAttributeValues(transaction, table, accountId, userId, put, at)
}

function requireDistinct(inputs: readonly AttributeInput[]): void {
  const seen = new Set<string>()
  for (const { name } of inputs) {
    if (seen.has(name)) throw new CodedError('attribute_duplicate', { name })
    seen.add(name)
  }
}

function alreadySo(
  stored: readonly attributeValues.StoredAttributeValue[],
  put: readonly attributeValues.StoredAttributeValue[],
  cleared: readonly number[],
): boolean {
  const values = new Map(stored.map(({ attributeId, value }) => [attributeId, value]))
  return (
    put.every(({ attributeId, value }) => isDeepStrictEqual(values.get(attributeId), value)) &&
    !cleared.some(id => values.has(id))
  )
}
