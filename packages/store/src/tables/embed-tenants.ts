import type { Selectable } from 'kysely'
import type { Executor } from '../executor.ts'
import type { EmbedTenantTable } from '../schema-people.ts'
import { containing } from './containing.ts'

export type EmbedTenantRow = Selectable<EmbedTenantTable>
export type EmbedTenantListed = EmbedTenantRow & { userCount: number }

export async function findEmbedTenant(
  executor: Executor,
  accountId: number,
  name: string,
): Promise<EmbedTenantRow | undefined> {
  return executor
    .selectFrom('embedTenants')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('name', '=', name)
    .executeTakeFirst()
}

/**
 * The embed tenant, kept from being deleted until the transaction ends.
 *
 * @returns undefined where there is none.
 */
export async function holdEmbedTenant(
  transaction: Executor,
  accountId: number,
  name: string,
): Promise<EmbedTenantRow | undefined> {
  return transaction
    .selectFrom('embedTenants')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('name', '=', name)
    .forKeyShare()
    .executeTakeFirst()
}

/** @returns undefined where the account has a tenant of that name already. */
export async function insertEmbedTenant(
  transaction: Executor,
  values: { readonly accountId: number; readonly name: string; readonly displayName: string | null },
): Promise<EmbedTenantRow | undefined> {
  return transaction
    .insertInto('embedTenants')
    .values(values)
    .onConflict(conflict => conflict.columns(['accountId', 'name']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function renameEmbedTenant(
  transaction: Executor,
  accountId: number,
  id: number,
  displayName: string,
): Promise<void> {
  await transaction
    .updateTable('embedTenants')
    .set({ displayName })
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .execute()
}

/** Embed tenants with how many users each has, in the order of their names, after the name `after`. */
export async function listEmbedTenants(
  executor: Executor,
  accountId: number,
  options: { search: string | undefined; after: string | undefined; limit: number },
): Promise<EmbedTenantListed[]> {
  const { search, after } = options
  return executor
    .selectFrom('embedTenants')
    .selectAll()
    .select(({ selectFrom }) =>
      selectFrom('users')
        .whereRef('users.embedTenantId', '=', 'embedTenants.id')
        .select(({ fn, eb }) => eb.cast<number>(fn.countAll(), 'integer').as('count'))
        .$asScalar()
        .$notNull()
        .as('userCount'),
    )
    .where('accountId', '=', accountId)
    .$if(search !== undefined, query => query.where('name', 'like', containing((search ?? '').toLowerCase())))
    .$if(after !== undefined, query => query.where('name', '>', after ?? ''))
    .orderBy('name')
    .limit(options.limit)
    .execute()
}

/**
 * Removes an embed tenant with all that is of it: users, groups, attributes, sessions, content, its sharing group.
 *
 * @returns whether there was one.
 */
export async function deleteEmbedTenant(transaction: Executor, accountId: number, name: string): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom('embedTenants')
    .where('accountId', '=', accountId)
    .where('name', '=', name)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
