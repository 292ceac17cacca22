import { CodedError } from '@hedron/contract'
import { type AttributeType, type Executor, embedAttributes, type embedGroups } from '@hedron/store'
import { requireDefault } from './attribute-type.ts'
import { requireOnce } from './require-once.ts'
import { byName } from './upsert-groups.ts'

/** SPEC, "User-attribute definition". */
export interface AttributeDefinition {
  readonly name: string
  readonly type: AttributeType
  readonly displayName?: string | null | undefined
  readonly defaultValue?: string | null | undefined
  readonly description?: string | null | undefined
}

/**
 * Makes the attribute definitions that an embed tenant has not, and brings what the others say of themselves up to date; what is
 * not given is never cleared. The same definitions again change nothing and wait for nobody.
 *
 * @throws {CodedError} `definition_duplicate`, `attribute_default_invalid`, and `attribute_type_immutable` where a definition of
 * that name has another type; the transaction is to be given up then, so that nothing is written.
 */
export async function upsertAttributeDefinitions(
  transaction: Executor,
  scope: embedGroups.TenantScope,
  definitions: readonly AttributeDefinition[],
  at: Date,
): Promise<void> {
  requireOnce('userAttributeDefinitions', definitions)
  for (const definition of definitions) requireDefault(definition)
  const wanted = byName(definitions)
  const names = wanted.map(({ name }) => name)
  const before = await embedAttributes.holdEmbedAttributesNamed(transaction, scope, names)
  requireTypes(before, wanted)
  const there = new Set(before.map(({ name }) => name))
  const missing = wanted.filter(({ name }) => !there.has(name))
  const inserted = await embedAttributes.insertEmbedAttributes(
    transaction,
    scope,
    missing.map(({ name, type, displayName, defaultValue, description }) => ({
      name,
      type,
      displayName: displayName || null,
      defaultValue: defaultValue ?? null,
      description: description || null,
      createdAt: at,
      updatedAt: at,
    })),
  )
  // Made by another transaction since they were looked for, perhaps with another type.
  const raced = missing.length - inserted.length
  const found = raced > 0 ? await embedAttributes.holdEmbedAttributesNamed(transaction, scope, names) : before
  requireTypes(found, wanted)
  const stored = new Map(found.map(attribute => [attribute.name, attribute]))
  for (const definition of wanted) {
    const attribute = stored.get(definition.name)
    if (!attribute) continue
    const changes = {
      displayName: definition.displayName || attribute.displayName,
      defaultValue: definition.defaultValue ?? attribute.defaultValue,
      description: definition.description || attribute.description,
    }
    const differs =
      changes.displayName !== attribute.displayName ||
      changes.defaultValue !== attribute.defaultValue ||
      changes.description !== attribute.description
    if (differs) await embedAttributes.changeEmbedAttribute(transaction, scope, attribute.id, changes, at)
  }
}

function requireTypes(
  stored: readonly embedAttributes.EmbedAttributeRow[],
  wanted: readonly AttributeDefinition[],
): void {
  const types = new Map(stored.map(({ name, type }) => [name, type]))
  for (const { name, type: wantedType } of wanted) {
    const type = types.get(name)
    if (type !== undefined && type !== wantedType) {
      throw new CodedError('attribute_type_immutable', { name, type, wanted: wantedType })
    }
  }
}
