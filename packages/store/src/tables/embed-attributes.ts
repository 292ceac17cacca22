import type { Insertable, Selectable } from 'kysely'
import type { Executor } from '../executor.ts'
import type { EmbedUserAttributeTable } from '../schema-people.ts'
import type { TenantScope } from './embed-groups.ts'

export type EmbedAttributeRow = Selectable<EmbedUserAttributeTable>
export type EmbedAttributeValues = Omit<Insertable<EmbedUserAttributeTable>, keyof TenantScope>

/** Attribute definitions of the tenant, newest first, after the id `after`. */
export async function listEmbedAttributes(
  executor: Executor,
  { accountId, embedTenantId }: TenantScope,
  options: { after: number | undefined; limit: number },
): Promise<EmbedAttributeRow[]> {
  const { after } = options
  return executor
    .selectFrom('embedUserAttributes')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('embedTenantId', '=', embedTenantId)
    .$if(after !== undefined, query => query.where('id', '<', after ?? 0))
    .orderBy('id', 'desc')
    .limit(options.limit)
    .execute()
}

/** Definitions of the tenant with these names, kept from being deleted until the transaction ends. */
export async function holdEmbedAttributesNamed(
  transaction: Executor,
  { accountId, embedTenantId }: TenantScope,
  names: readonly string[],
): Promise<EmbedAttributeRow[]> {
  if (names.length === 0) return []
  return transaction
    .selectFrom('embedUserAttributes')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('embedTenantId', '=', embedTenantId)
    .where('name', 'in', names)
    .orderBy('name')
    .forKeyShare()
    .execute()
}

/** Makes definitions, in the order in which they are given; those whose name is taken stay as they are. */
export async function insertEmbedAttributes(
  transaction: Executor,
  scope: TenantScope,
  attributes: readonly EmbedAttributeValues[],
): Promise<EmbedAttributeRow[]> {
  if (attributes.length === 0) return []
  return transaction
    .insertInto('embedUserAttributes')
    .values(attributes.map(attribute => ({ ...attribute, ...scope })))
    .onConflict(conflict => conflict.columns(['embedTenantId', 'name']).doNothing())
    .returningAll()
    .execute()
}

/** Changes what a definition says of itself; its name and type never change. */
export async function changeEmbedAttribute(
  transaction: Executor,
  { accountId, embedTenantId }: TenantScope,
  id: number,
  changes: Pick<EmbedAttributeRow, 'displayName' | 'description' | 'defaultValue'>,
  at: Date,
): Promise<void> {
  await transaction
    .updateTable('embedUserAttributes')
    .set({ ...changes, updatedAt: at })
    .where('accountId', '=', accountId)
    .where('embedTenantId', '=', embedTenantId)
    .where('id', '=', id)
    .execute()
}

/** Removes a definition with the values that users have for it. @returns its name; undefined where there is none. */
export async function deleteEmbedAttribute(
  transaction: Executor,
  { accountId, embedTenantId }: TenantScope,
  id: number,
): Promise<string | undefined> {
  const row = await transaction
    .deleteFrom('embedUserAttributes')
    .where('accountId', '=', accountId)
    .where('embedTenantId', '=', embedTenantId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst()
  return row?.name
}
