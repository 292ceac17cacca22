import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Executor } from '../executor.ts'
import type { AttributeType, AttributeValue, UserAttributeTable } from '../schema-people.ts'

export type UserAttributeRow = Selectable<UserAttributeTable>

export interface UserAttributeFilter {
  /** Exactly this name. */
  readonly name: string | undefined
  readonly type: AttributeType | undefined
}

/** Definitions of the account, newest first: before the id `before`, or from the given offset. */
export async function listUserAttributes(
  executor: Executor,
  accountId: number,
  filter: UserAttributeFilter,
  window: { readonly before: number | undefined; readonly offset?: number | undefined; readonly limit: number },
): Promise<UserAttributeRow[]> {
  const { before, offset, limit } = window
  return matching(executor, accountId, filter)
    .selectAll()
    .$if(before !== undefined, query => query.where('id', '<', before ?? 0))
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset ?? 0)
    .execute()
}

export async function countUserAttributes(
  executor: Executor,
  accountId: number,
  filter: UserAttributeFilter,
): Promise<number> {
  const { count } = await matching(executor, accountId, filter)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

const matching = (executor: Executor, accountId: number, { name, type }: UserAttributeFilter) =>
  executor
    .selectFrom('userAttributes')
    .where('accountId', '=', accountId)
    .$if(name !== undefined, query => query.where('name', '=', name ?? ''))
    .$if(type !== undefined, query => query.where('type', '=', type ?? 'string'))

/** The definition, kept as it is until the transaction ends. */
export async function lockUserAttribute(
  transaction: Executor,
  accountId: number,
  id: number,
): Promise<UserAttributeRow | undefined> {
  return transaction
    .selectFrom('userAttributes')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** @returns undefined where the account has an attribute of that name. */
export async function insertUserAttribute(
  transaction: Executor,
  values: Insertable<UserAttributeTable>,
): Promise<UserAttributeRow | undefined> {
  return transaction
    .insertInto('userAttributes')
    .values(values)
    .onConflict(conflict => conflict.columns(['accountId', 'name']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Changes what a definition says of itself; name and type stay. */
export async function updateUserAttribute(
  transaction: Executor,
  accountId: number,
  id: number,
  values: Pick<Updateable<UserAttributeTable>, 'displayName' | 'description' | 'defaultValue' | 'updatedAt'>,
): Promise<UserAttributeRow> {
  return transaction
    .updateTable('userAttributes')
    .set(values)
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Removes a definition with the values that users have for it. @returns its name; undefined where there is none. */
export async function deleteUserAttribute(
  transaction: Executor,
  accountId: number,
  id: number,
): Promise<string | undefined> {
  const row = await transaction
    .deleteFrom('userAttributes')
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst()
  return row?.name
}

/** Every definition of the account with what the user has for it; null: nothing of his own. In the order of names. */
export async function listValuesOf(
  executor: Executor,
  accountId: number,
  userId: number,
): Promise<(UserAttributeRow & { value: AttributeValue | null })[]> {
  return executor
    .selectFrom('userAttributes')
    .leftJoin('userAttributeValues', join =>
      join
        .onRef('userAttributeValues.accountId', '=', 'userAttributes.accountId')
        .onRef('userAttributeValues.attributeId', '=', 'userAttributes.id')
        .on('userAttributeValues.userId', '=', userId),
    )
    .selectAll('userAttributes')
    .select('userAttributeValues.value')
    .where('userAttributes.accountId', '=', accountId)
    .orderBy('userAttributes.name')
    .execute()
}
