import type { Selectable } from 'kysely'
import type { Executor } from '../executor.ts'
import type { EmbedUserGroupTable } from '../schema-people.ts'

export type EmbedGroupRow = Selectable<EmbedUserGroupTable>
export type EmbedGroupListed = EmbedGroupRow & { userCount: number }

/** The embed tenant whose groups or attributes are meant. */
export interface TenantScope {
  readonly accountId: number
  readonly embedTenantId: number
}

/** Groups of the tenant with how many members each has, newest first, after the id `after`. */
export async function listEmbedGroups(
  executor: Executor,
  scope: TenantScope,
  options: { after: number | undefined; limit: number },
): Promise<EmbedGroupListed[]> {
  const { after } = options
  return listed(executor, scope)
    .$if(after !== undefined, query => query.where('id', '<', after ?? 0))
    .orderBy('id', 'desc')
    .limit(options.limit)
    .execute()
}

export async function findEmbedGroup(
  executor: Executor,
  scope: TenantScope,
  id: number,
): Promise<EmbedGroupListed | undefined> {
  return listed(executor, scope).where('id', '=', id).executeTakeFirst()
}

function listed(executor: Executor, { accountId, embedTenantId }: TenantScope) {
  return executor
    .selectFrom('embedUserGroups')
    .selectAll()
    .select(({ selectFrom }) =>
      selectFrom('embedUserGroupMembers')
        .whereRef('embedUserGroupMembers.groupId', '=', 'embedUserGroups.id')
        .select(({ fn, eb }) => eb.cast<number>(fn.countAll(), 'integer').as('count'))
        .$asScalar()
        .$notNull()
        .as('userCount'),
    )
    .where('accountId', '=', accountId)
    .where('embedTenantId', '=', embedTenantId)
}

/** The group, kept from being deleted until the transaction ends. */
export async function holdEmbedGroup(
  transaction: Executor,
  { accountId, embedTenantId }: TenantScope,
  id: number,
): Promise<EmbedGroupRow | undefined> {
  return transaction
    .selectFrom('embedUserGroups')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('embedTenantId', '=', embedTenantId)
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst()
}

/** Groups of the tenant with these names, kept from being deleted until the transaction ends. */
export async function holdEmbedGroupsNamed(
  transaction: Executor,
  { accountId, embedTenantId }: TenantScope,
  names: readonly string[],
): Promise<EmbedGroupRow[]> {
  if (names.length === 0) return []
  return transaction
    .selectFrom('embedUserGroups')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('embedTenantId', '=', embedTenantId)
    .where('name', 'in', names)
    .orderBy('name')
    .forKeyShare()
    .execute()
}

/** Makes groups, in the order in which they are given; those whose name is taken stay as they are. @returns the new ones. */
export async function insertEmbedGroups(
  transaction: Executor,
  scope: TenantScope,
  groups: readonly { readonly name: string; readonly description: string | null }[],
  at: Date,
): Promise<EmbedGroupRow[]> {
  if (groups.length === 0) return []
  return transaction
    .insertInto('embedUserGroups')
    .values(groups.map(({ name, description }) => ({ ...scope, name, description, createdAt: at, updatedAt: at })))
    .onConflict(conflict => conflict.columns(['embedTenantId', 'name']).doNothing())
    .returningAll()
    .execute()
}

/** @returns whether there is such a group. */
export async function describeEmbedGroup(
  transaction: Executor,
  { accountId, embedTenantId }: TenantScope,
  id: number,
  description: string | null,
  at: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('embedUserGroups')
    .set({ description, updatedAt: at })
    .where('accountId', '=', accountId)
    .where('embedTenantId', '=', embedTenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Removes a group that has no members; nobody becomes one meanwhile.
 *
 * @returns what became of it.
 */
export async function deleteEmptyEmbedGroup(
  transaction: Executor,
  { accountId, embedTenantId }: TenantScope,
  id: number,
): Promise<'deleted' | 'missing' | { name: string; userCount: number }> {
  const group = await transaction
    .selectFrom('embedUserGroups')
    .select('name')
    .where('accountId', '=', accountId)
    .where('embedTenantId', '=', embedTenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!group) return 'missing'
  const { count } = await transaction
    .selectFrom('embedUserGroupMembers')
    .select(({ fn, eb }) => eb.cast<number>(fn.countAll(), 'integer').as('count'))
    .where('groupId', '=', id)
    .executeTakeFirstOrThrow()
  if (count > 0) return { name: group.name, userCount: count }
  await transaction.deleteFrom('embedUserGroups').where('accountId', '=', accountId).where('id', '=', id).execute()
  return 'deleted'
}
