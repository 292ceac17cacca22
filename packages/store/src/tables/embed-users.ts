import { sql } from 'kysely'
import type { Executor } from '../executor.ts'
import { containing } from './containing.ts'
import type { TenantScope } from './embed-groups.ts'

/** A user of an embed tenant as administration shows him. */
export interface EmbedUserRow {
  readonly id: number
  readonly username: string
  /** Where none is known, one that can receive nothing (RFC 2606), made of the external id; lists are in its order. */
  readonly shownEmail: string
  readonly externalId: string | null
  readonly firstName: string | null
  readonly createdAt: Date
  readonly lastLoginAt: Date | null
}

export type MemberRow = EmbedUserRow & { readonly addedAt: Date }

/** As the index `users_embed_tenant_email` has it. */
const shownEmail = sql<string>`coalesce(users.email, users.external_id || '@embed-user.invalid') collate "C"`

/** Users of the tenant who have not expired by `now`, in the order of e-mail addresses, then ids. */
export async function listEmbedUsers(
  executor: Executor,
  scope: TenantScope,
  options: {
    readonly search: string | undefined
    readonly after: readonly [email: string, id: number] | undefined
    readonly limit: number
    readonly now: Date
  },
): Promise<EmbedUserRow[]> {
  const { search, after } = options
  return ofTenant(executor, scope, options.now)
    .$if(after !== undefined, query =>
      query.where(sql<boolean>`(${shownEmail}, users.id) > (${after?.[0]}, ${after?.[1]})`),
    )
    .$if(Boolean(search), query => {
      const pattern = containing(search ?? '')
      return query.where(({ eb, or }) =>
        or([eb(shownEmail, 'ilike', pattern), eb('users.externalId', 'ilike', pattern)]),
      )
    })
    .orderBy(shownEmail)
    .orderBy('users.id')
    .limit(options.limit)
    .execute()
}

/** Users of the tenant who have not expired by `now`, in the order of user names, then ids, with the addresses that are known. */
export async function listEmbedUsersByName(
  executor: Executor,
  scope: TenantScope,
  options: {
    readonly search: string | undefined
    readonly after: readonly [username: string, id: number] | undefined
    readonly limit: number
    readonly now: Date
  },
): Promise<(EmbedUserRow & { readonly email: string | null })[]> {
  const { search, after } = options
  const name = sql<string>`users.username collate "C"`
  return ofTenant(executor, scope, options.now)
    .select('users.email')
    .$if(after !== undefined, query => query.where(sql<boolean>`(${name}, users.id) > (${after?.[0]}, ${after?.[1]})`))
    .$if(Boolean(search), query => {
      const pattern = containing(search ?? '')
      return query.where(({ eb, or }) =>
        or([eb('users.username', 'ilike', pattern), eb('users.email', 'ilike', pattern)]),
      )
    })
    .orderBy(name)
    .orderBy('users.id')
    .limit(options.limit)
    .execute()
}

/** Those of the users that are of the tenant and have not expired by `now`; they are not removed before the transaction ends. */
export async function holdEmbedUsers(
  transaction: Executor,
  scope: TenantScope,
  wanted: { readonly ids: readonly number[]; readonly externalIds: readonly string[] },
  now: Date,
): Promise<EmbedUserRow[]> {
  const { ids, externalIds } = wanted
  if (ids.length === 0 && externalIds.length === 0) return []
  return ofTenant(transaction, scope, now)
    .where(({ eb, or }) =>
      or([
        ...(ids.length > 0 ? [eb('users.id', 'in', ids)] : []),
        ...(externalIds.length > 0 ? [eb('users.externalId', 'in', externalIds)] : []),
      ]),
    )
    .orderBy('users.id')
    .forKeyShare()
    .execute()
}

/** Members of a group of the tenant who have not expired by `now`, those added last first, then by ids. */
export async function listEmbedGroupMembers(
  executor: Executor,
  scope: TenantScope,
  groupId: number,
  options: {
    readonly after: readonly [addedAt: string, userId: number] | undefined
    readonly limit: number
    readonly now: Date
  },
): Promise<MemberRow[]> {
  const { after } = options
  const { accountId, embedTenantId } = scope
  // Users are found by their ids alone: by their tenant, as a database without statistics might, it would read all for each member.
  return stillThere(executor, options.now)
    .where('users.accountId', 'is not distinct from', accountId)
    .where('users.embedTenantId', 'is not distinct from', embedTenantId)
    .innerJoin('embedUserGroupMembers as member', join => join.onRef('member.userId', '=', 'users.id'))
    .select('member.addedAt')
    .where('member.accountId', '=', accountId)
    .where('member.groupId', '=', groupId)
    .$if(after !== undefined, query =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('member.addedAt', 'member.userId'), '<', tuple(new Date(after?.[0] ?? 0), after?.[1] ?? 0)),
      ),
    )
    .orderBy('member.addedAt', 'desc')
    .orderBy('member.userId', 'desc')
    .limit(options.limit)
    .execute()
}

/**
 * Adds users to the tenant who are known by nothing but their external id. Those of the same ids whose time is over make room.
 *
 * @param externalIds none of them is of a user who has not expired, and no other transaction adds users meanwhile.
 */
export async function insertEmbedUsers(
  transaction: Executor,
  scope: TenantScope,
  externalIds: readonly string[],
  now: Date,
): Promise<void> {
  if (externalIds.length === 0) return
  await transaction
    .deleteFrom('users')
    .where('accountId', '=', scope.accountId)
    .where('embedTenantId', '=', scope.embedTenantId)
    .where('externalId', 'in', externalIds)
    .where('expiresAt', '<=', now)
    .execute()
  await transaction
    .insertInto('users')
    .values(externalIds.map(externalId => ({ ...scope, externalId, username: externalId, createdAt: now })))
    .execute()
}

function ofTenant(executor: Executor, { accountId, embedTenantId }: TenantScope, now: Date) {
  return stillThere(executor, now)
    .where('users.accountId', '=', accountId)
    .where('users.embedTenantId', '=', embedTenantId)
}

function stillThere(executor: Executor, now: Date) {
  return executor
    .selectFrom('users')
    .select([
      'users.id',
      'users.username',
      'users.externalId',
      'users.firstName',
      'users.createdAt',
      'users.lastLoginAt',
      shownEmail.as('shownEmail'),
    ])
    .where(({ eb, or }) => or([eb('users.expiresAt', 'is', null), eb('users.expiresAt', '>', now)]))
}
