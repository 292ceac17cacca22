import { type Insertable, type Selectable, sql } from 'kysely'
import type { Executor } from '../executor.ts'
import type { AuditTable } from '../schema.ts'
import type { EmbedSessionTable } from '../schema-people.ts'

export type EmbedSessionRow = Selectable<EmbedSessionTable>

/**
 * Adds a session and the row of the audit log that speaks of it, in one statement: for a user who is known that is all there is to
 * write.
 */
export async function insertEmbedSession(
  executor: Executor,
  values: Insertable<EmbedSessionTable>,
  audit: Omit<Insertable<AuditTable>, 'target'>,
): Promise<void> {
  await executor
    .with('session', query => query.insertInto('embedSessions').values(values).returning('id'))
    .insertInto('auditLog')
    .columns(['accountId', 'at', 'actor', 'action', 'address', 'requestId', 'details', 'target'])
    .expression(({ selectFrom, val, cast }) =>
      selectFrom('session').select([
        cast<number>(val(audit.accountId), 'bigint').as('accountId'),
        cast<Date>(val(audit.at), 'timestamptz').as('at'),
        cast<string>(val(audit.actor), 'text').as('actor'),
        cast<string>(val(audit.action), 'text').as('action'),
        cast<string | null>(val(audit.address), 'text').as('address'),
        cast<string | null>(val(audit.requestId), 'text').as('requestId'),
        cast<string>(val(audit.details), 'jsonb').as('details'),
        sql<string>`'embed-session ' || id`.as('target'),
      ]),
    )
    .execute()
}

/** The session of this id's SHA-256 digest, whatever its account: by it alone who exchanges it is known. */
export async function findSessionByDigest(executor: Executor, digest: Buffer): Promise<EmbedSessionRow | undefined> {
  return executor.selectFrom('embedSessions').selectAll().where('digest', '=', digest).executeTakeFirst()
}

/**
 * Exchanges a session: the one statement that does, so that of several at once one succeeds.
 *
 * @returns undefined where it is unknown, expired, revoked or exchanged.
 */
export async function redeemSession(
  executor: Executor,
  digest: Buffer,
  { now, endsAt }: { readonly now: Date; readonly endsAt: Date },
): Promise<EmbedSessionRow | undefined> {
  return executor
    .updateTable('embedSessions')
    .set({ redeemedAt: now, endsAt })
    .where('digest', '=', digest)
    .where('redeemedAt', 'is', null)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', now)
    .returningAll()
    .executeTakeFirst()
}

/**
 * Lets an exchanged session last until then, but no longer than `longestSeconds` after its exchange.
 *
 * @returns undefined where it ended meanwhile.
 */
export async function prolongSession(
  executor: Executor,
  accountId: number,
  id: number,
  { now, endsAt, longestSeconds }: { readonly now: Date; readonly endsAt: Date; readonly longestSeconds: number },
): Promise<EmbedSessionRow | undefined> {
  return executor
    .updateTable('embedSessions')
    .set({ endsAt: sql<Date>`least(${endsAt}::timestamptz, redeemed_at + ${longestSeconds} * interval '1 second')` })
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .where('endsAt', '>', now)
    .returningAll()
    .executeTakeFirst()
}

/** @returns whether it was not revoked before. */
export async function revokeSession(executor: Executor, accountId: number, id: number, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await executor
    .updateTable('embedSessions')
    .set({ revokedAt: at })
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Who bears an embed token, in one statement: the session, its user, its embed tenant, and the secret that the token says it is
 * signed with. Nothing of it may be believed before the signature is checked with that secret.
 */
export async function findBearer(executor: Executor, sessionId: number, secretId: string) {
  return executor
    .selectFrom('embedSessions')
    .innerJoin('users', join =>
      join.onRef('users.id', '=', 'embedSessions.userId').onRef('users.accountId', '=', 'embedSessions.accountId'),
    )
    .innerJoin('embedSecrets', join =>
      join.onRef('embedSecrets.accountId', '=', 'embedSessions.accountId').on('embedSecrets.id', '=', secretId),
    )
    .leftJoin('embedTenants', join =>
      join
        .onRef('embedTenants.id', '=', 'embedSessions.embedTenantId')
        .onRef('embedTenants.accountId', '=', 'embedSessions.accountId'),
    )
    .leftJoin('accountSettings', 'accountSettings.accountId', 'embedSessions.accountId')
    .selectAll('embedSessions')
    .select([
      'users.username',
      'users.firstName',
      'users.picture',
      'users.email',
      'users.externalId',
      'users.isAdmin',
      'users.isDeactivated',
      'users.expiresAt as userExpiresAt',
      'embedSecrets.sealed as secretSealed',
      'embedSecrets.retiredAt as secretRetiredAt',
      'embedTenants.name as embedTenantName',
      'accountSettings.settings as accountSettings',
    ])
    .where('embedSessions.id', '=', sessionId)
    .executeTakeFirst()
}
export type BearerRow = NonNullable<Awaited<ReturnType<typeof findBearer>>>

/** Removes sessions of every account that nobody can use any more, at most `limit`. @returns how many. */
export async function deleteOldSessions(executor: Executor, endedBy: Date, limit: number): Promise<number> {
  const { numDeletedRows } = await executor
    .deleteFrom('embedSessions')
    .where('id', 'in', ({ selectFrom, fn }) =>
      selectFrom('embedSessions')
        .select('id')
        .where(fn.coalesce('endsAt', 'expiresAt'), '<', endedBy)
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Whether the deployment has a dashboard with that public id. */
export async function hasDashboard(
  executor: Executor,
  accountId: number,
  deploymentId: number,
  publicId: string,
): Promise<boolean> {
  const row = await executor
    .selectFrom('dashboards')
    .select('id')
    .where('accountId', '=', accountId)
    .where('deploymentId', '=', deploymentId)
    .where('publicId', '=', publicId)
    .executeTakeFirst()
  return row !== undefined
}
