import { sql } from 'kysely'
import type { Executor } from '../executor.ts'
import type { AttributeType, AttributeValue } from '../schema-people.ts'

/** Whose definitions the values are of: those of the whole account, or of embed tenants. */
export type AttributeValueTableName = 'userAttributeValues' | 'embedUserAttributeValues'

export interface StoredAttributeValue {
  readonly attributeId: number
  readonly value: AttributeValue
}

/** A definition as far as values need it. */
export interface AttributeDefined {
  readonly id: number
  readonly name: string
  readonly type: AttributeType
}

/**
 * Definitions with these names, of a tenant or, where `embedTenantId` is null, of the whole account; kept from being deleted
 * until the transaction ends.
 */
export async function holdAttributesNamed(
  transaction: Executor,
  { accountId, embedTenantId }: { readonly accountId: number; readonly embedTenantId: number | null },
  names: readonly string[],
): Promise<AttributeDefined[]> {
  if (names.length === 0) return []
  const table = embedTenantId === null ? 'userAttributes' : 'embedUserAttributes'
  return transaction
    .selectFrom(table)
    .select(['id', 'name', 'type'])
    .where('accountId', '=', accountId)
    .$if(embedTenantId !== null, query => query.where(sql<boolean>`embed_tenant_id = ${embedTenantId}`))
    .where('name', 'in', names)
    .orderBy('id')
    .forKeyShare()
    .execute()
}

/** What the user has for attributes of that kind. */
export async function attributeValuesOf(
  executor: Executor,
  table: AttributeValueTableName,
  accountId: number,
  userId: number,
): Promise<StoredAttributeValue[]> {
  return executor
    .selectFrom(table)
    .select(['attributeId', 'value'])
    .where('accountId', '=', accountId)
    .where('userId', '=', userId)
    .execute()
}

/** Sets values of a user, in place of those that he has for the same attributes. */
export async function putAttributeValues(
  transaction: Executor,
  table: AttributeValueTableName,
  accountId: number,
  userId: number,
  values: readonly StoredAttributeValue[],
  at: Date,
): Promise<void> {
  if (values.length === 0) return
  await transaction
    .insertInto(table)
    .values(
      values.map(({ attributeId, value }) => ({
        accountId,
        userId,
        attributeId,
        value: JSON.stringify(value),
        updatedAt: at,
      })),
    )
    .onConflict(conflict =>
      conflict.columns(['userId', 'attributeId']).doUpdateSet(({ ref }) => ({
        value: ref('excluded.value'),
        updatedAt: at,
      })),
    )
    .execute()
}

/** Removes values of a user. */
export async function clearAttributeValues(
  transaction: Executor,
  table: AttributeValueTableName,
  accountId: number,
  userId: number,
  attributeIds: readonly number[],
): Promise<void> {
  if (attributeIds.length === 0) return
  await transaction
    .deleteFrom(table)
    .where('accountId', '=', accountId)
    .where('userId', '=', userId)
    .where('attributeId', 'in', attributeIds)
    .execute()
}
