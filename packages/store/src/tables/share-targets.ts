import { type RawBuilder, sql } from 'kysely'
import type { Executor } from '../executor.ts'
import type { UserGroupKind } from '../schema-people.ts'
import { containing } from './containing.ts'

export interface ShareableUserRow {
  readonly id: number
  readonly username: string
  readonly email: string | null
  readonly firstName: string | null
  readonly picture: string | null
}

/** Users of the account itself, or external ones of an embed tenant (null: of none). */
export type ShareableUsersOf =
  | { readonly kind: 'internal' }
  | { readonly kind: 'external'; readonly embedTenantId: number | null }

interface TargetWindow {
  /** Part of a name; empty: all. */
  readonly search: string
  /** Name and id of the row before. */
  readonly after: readonly [name: string, id: number] | undefined
  readonly limit: number
}

/** Users who are active and have not expired by `now`, in the order of user names, then ids. */
export async function listShareableUsers(
  executor: Executor,
  accountId: number,
  who: ShareableUsersOf,
  { search, after, limit, now }: TargetWindow & { readonly now: Date },
): Promise<ShareableUserRow[]> {
  const name = sql<string>`users.username collate "C"`
  return executor
    .selectFrom('users')
    .select(['id', 'username', 'email', 'firstName', 'picture'])
    .where('accountId', '=', accountId)
    .where('externalId', who.kind === 'internal' ? 'is' : 'is not', null)
    .$if(who.kind === 'external' && who.embedTenantId === null, query => query.where('embedTenantId', 'is', null))
    .$if(who.kind === 'external' && who.embedTenantId !== null, query =>
      query.where('embedTenantId', '=', who.kind === 'external' ? who.embedTenantId : null),
    )
    .where('isDeactivated', '=', false)
    .where(({ eb, or }) => or([eb('expiresAt', 'is', null), eb('expiresAt', '>', now)]))
    .$if(search !== '', query => {
      const pattern = containing(search)
      return query.where(({ eb, or }) =>
        or([eb('username', 'ilike', pattern), eb('email', 'ilike', pattern), eb('firstName', 'ilike', pattern)]),
      )
    })
    .$if(after !== undefined, query => query.where(sql<boolean>`(${name}, users.id) > (${after?.[0]}, ${after?.[1]})`))
    .orderBy(name)
    .orderBy('users.id')
    .limit(limit)
    .execute()
}

export interface ShareableGroupRow {
  readonly id: number
  readonly name: string
  readonly kind: UserGroupKind
}

/** Groups of an embed tenant and the one of all its users; all of the account's; or those of it that somebody is in. */
export type ShareableGroupsOf =
  | { readonly kind: 'embedTenant'; readonly embedTenantId: number }
  | { readonly kind: 'account' }
  | { readonly kind: 'member'; readonly groupIds: readonly number[] }

/** Groups in the order of names, then ids. */
export async function listShareableGroups(
  executor: Executor,
  accountId: number,
  who: ShareableGroupsOf,
  { search, after, limit }: TargetWindow,
): Promise<ShareableGroupRow[]> {
  const conditions: RawBuilder<unknown>[] = [sql`true`]
  if (search !== '') conditions.push(sql`name ilike ${containing(search)}`)
  if (after !== undefined) conditions.push(sql`(name collate "C", id) > (${after[0]}, ${after[1]}::bigint)`)
  const { rows } = await sql<ShareableGroupRow>`
    select id, name, kind from (${groupsOf(accountId, who)}) as target
    where ${sql.join(conditions, sql` and `)}
    order by name collate "C", id limit ${limit}`.execute(executor)
  return rows
}

function groupsOf(accountId: number, who: ShareableGroupsOf): RawBuilder<unknown> {
  const ofAccount = sql`select id, name, kind from user_groups where account_id = ${accountId}`
  if (who.kind === 'account') return ofAccount
  if (who.kind === 'member') return sql`${ofAccount} and id = any(${who.groupIds}::bigint[])`
  return sql`${ofAccount} and kind = 'embed_tenant' and embed_tenant_id = ${who.embedTenantId}
    union all
    select id, name, 'custom' from embed_user_groups
    where account_id = ${accountId} and embed_tenant_id = ${who.embedTenantId}`
}
