import { sql } from 'kysely'
import type { Executor } from '../executor.ts'
import type { ContentLevel, ContentType } from '../schema-content.ts'

/** Who owns an item, as lists show it. */
export interface Owner {
  readonly id: number
  /** Of users without an address, their name. */
  readonly email: string
  readonly firstName: string | null
  readonly picture: string | null
}

/** Users of the account by id; those that are gone are left out. */
export async function findOwners(
  executor: Executor,
  accountId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Owner>> {
  if (ids.length === 0) return new Map()
  const rows = await executor
    .selectFrom('users')
    .select(['id', 'email', 'username', 'firstName', 'picture'])
    .where('accountId', '=', accountId)
    .where(({ eb, val }) => eb('id', '=', eb.fn.any(val([...new Set(ids)]))))
    .execute()
  return new Map(rows.map(({ username, ...row }) => [row.id, { ...row, email: row.email ?? username }]))
}

export interface PathFolder {
  readonly id: number
  readonly name: string
}

/** For each of the folders the way to it from the workspace's root, itself last. */
export async function folderPaths(
  executor: Executor,
  accountId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly PathFolder[]>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ place: number; id: number; name: string }>`
    with recursive up(place, id, name, parent_id, step) as (
      select id, id, name, parent_id, 0 from folders
      where account_id = ${accountId} and id = any(${[...new Set(ids)]}::bigint[])
      union all
      select up.place, f.id, f.name, f.parent_id, up.step + 1 from up join folders f on f.id = up.parent_id
    )
    select place, id, name from up order by place, step desc`.execute(executor)
  const paths = new Map<number, PathFolder[]>()
  for (const { place, id, name } of rows) paths.set(place, [...(paths.get(place) ?? []), { id, name }])
  return paths
}

export interface GroupShare {
  readonly id: number
  readonly name: string
  readonly level: ContentLevel
}

/** The groups, of the account or of an embed tenant, that each of the items is shared with. */
export async function groupShares(
  executor: Executor,
  accountId: number,
  type: ContentType,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly GroupShare[]>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<GroupShare & { item: number }>`
    select p.resource_id as item, coalesce(g.id, e.id) as id, coalesce(g.name, e.name) as name, p.level
    from resource_policies p
    left join user_groups g on g.account_id = p.account_id and g.id = p.group_id
    left join embed_user_groups e on e.account_id = p.account_id and e.id = p.embed_group_id
    where p.account_id = ${accountId} and p.resource_type = ${type}::text
      and p.resource_id = any(${[...new Set(ids)]}::bigint[]) and p.user_id is null
    order by p.resource_id, p.id`.execute(executor)
  const shares = new Map<number, GroupShare[]>()
  for (const { item, ...share } of rows) shares.set(item, [...(shares.get(item) ?? []), share])
  return shares
}
