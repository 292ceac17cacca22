import { sql } from 'kysely'
import type { Executor } from '../executor.ts'
import { statement } from '../statement.ts'
import { codeOf } from '../store-error.ts'
import { insertEmbedSession } from './embed-sessions.ts'
import type { ExternalUserKey } from './external-users.ts'

export interface KnownUser {
  readonly userId: number
  readonly embedTenantId: number | null
  readonly email: string | null
  readonly firstName: string | null
  readonly picture: string | null
  readonly isEphemeral: boolean
  /** Settings of the account as they are stored. */
  readonly accountSettings: unknown
}

type KnownUserKey = Omit<ExternalUserKey, 'embedTenantId'> & { readonly embedTenantName: string | null }

/** A user who has not expired by `now`, by his id and the name of his embed tenant, with his account's settings: in one statement. */
export async function findKnownUser(executor: Executor, key: KnownUserKey, now: Date): Promise<KnownUser | undefined> {
  return (await knownUser(executor, { ...key, now })).rows[0]
}

const knownUser = statement<KnownUserKey & { readonly now: Date }, KnownUser>((executor, slot) =>
  executor
    .selectFrom('users')
    .leftJoin('embedTenants', join =>
      join.onRef('embedTenants.id', '=', 'users.embedTenantId').onRef('embedTenants.accountId', '=', 'users.accountId'),
    )
    .leftJoin('accountSettings', 'accountSettings.accountId', 'users.accountId')
    .select([
      'users.id as userId',
      'users.embedTenantId',
      'users.email',
      'users.firstName',
      'users.picture',
      'users.isEphemeral',
      'accountSettings.settings as accountSettings',
    ])
    .where('users.accountId', '=', slot('accountId'))
    .where('users.externalId', '=', slot('externalId'))
    .where('embedTenants.name', 'is not distinct from', slot('embedTenantName'))
    .where(({ eb, or }) => or([eb('users.expiresAt', 'is', null), eb('users.expiresAt', '>', slot('now'))]))
    .compile(),
)

/** The session that is added; who it is for is found. */
export interface KnownSession {
  readonly deploymentId: number
  /** SHA-256 of the session id. */
  readonly digest: Buffer
  readonly creatorMode: boolean
  /** JSON texts. */
  readonly securityContext: string
  readonly settings: string
  readonly theme: string | null
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** What the user has to be for a session of his to change nothing of him. Null: nothing was said of it. */
export interface AsTold extends KnownUserKey {
  readonly email: string | null
  readonly displayName: string | null
  readonly picture: string | null
  /** Whether he is told to stay: an ephemeral user then would be changed. */
  readonly becomesPersistent: boolean
}

type AuditValues = Parameters<typeof insertEmbedSession>[2]

/**
 * Finds the user, sees that he is as he is told to be and that his account allows the session, and adds it with the row of the audit
 * log that speaks of it: in one statement, alone and without a transaction.
 *
 * @returns false, with nothing written, where anything of that does not hold, or the account has no such deployment.
 */
export async function insertSessionOfKnown(
  executor: Executor,
  user: AsTold,
  session: KnownSession,
  audit: AuditValues,
): Promise<boolean> {
  const { actor, action, address, requestId, details } = audit
  const of = { actor, action, address: address ?? null, requestId: requestId ?? null, details }
  return whereAllIsThere(async () => (await sessionOfKnown(executor, { ...user, ...session, ...of })).affected > 0)
}

/** As `insertEmbedSession`, alone and without a transaction; false, with nothing written, where what it refers to is gone. */
export async function insertSessionIfThere(...values: Parameters<typeof insertEmbedSession>): Promise<boolean> {
  return whereAllIsThere(async () => {
    await insertEmbedSession(...values)
    return true
  })
}

interface SessionOfKnown extends AsTold, KnownSession {
  readonly actor: string
  readonly action: string
  readonly address: string | null
  readonly requestId: string | null
  readonly details: string
}

const sessionOfKnown = statement<SessionOfKnown, never>((executor, slot) =>
  sql<never>`
    with known as (
      select u.account_id, u.id, u.embed_tenant_id
      from users u
      left join embed_tenants t on t.account_id = u.account_id and t.id = u.embed_tenant_id
      left join account_settings s on s.account_id = u.account_id
      where u.account_id = ${slot('accountId')} and u.external_id = ${slot('externalId')}
        and t.name is not distinct from ${slot('embedTenantName')}
        and (u.expires_at is null or u.expires_at > ${slot('createdAt')})
        and u.email is not distinct from coalesce(${slot('email')}, u.email)
        and u.first_name is not distinct from coalesce(${slot('displayName')}, u.first_name)
        and u.picture is not distinct from coalesce(${slot('picture')}, u.picture)
        and not (u.is_ephemeral and ${slot('becomesPersistent')}::boolean)
        and coalesce((s.settings ->> 'embeddingEnabled')::boolean, true)
        and (not ${slot('creatorMode')}::boolean or coalesce((s.settings ->> 'useCreatorMode')::boolean, true))
    ), session as (
      insert into embed_sessions (account_id, deployment_id, user_id, embed_tenant_id, digest, is_internal, creator_mode,
        security_context, settings, theme, created_at, expires_at)
      select account_id, ${slot('deploymentId')}::bigint, id, embed_tenant_id, ${slot('digest')}::bytea, false,
        ${slot('creatorMode')}::boolean, ${slot('securityContext')}::jsonb, ${slot('settings')}::jsonb, ${slot('theme')}::jsonb,
        ${slot('createdAt')}::timestamptz, ${slot('expiresAt')}::timestamptz
      from known
      returning id, account_id
    )
    insert into audit_log (account_id, at, actor, action, target, address, request_id, details)
    select account_id, ${slot('createdAt')}::timestamptz, ${slot('actor')}::text, ${slot('action')}::text, 'embed-session ' || id,
      ${slot('address')}::text, ${slot('requestId')}::text, ${slot('details')}::jsonb
    from session`.compile(executor),
)

async function whereAllIsThere(insert: () => Promise<boolean>): Promise<boolean> {
  try {
    return await insert()
  } catch (error) {
    if (codeOf(error) === foreignKeyViolation) return false
    throw error
  }
}

const foreignKeyViolation = '23503'
