import type { Insertable, Selectable } from 'kysely'
import type { Executor } from '../executor.ts'
import type { ApiKeyTable } from '../schema.ts'
import { statement } from '../statement.ts'

export type ApiKeyRow = Selectable<ApiKeyTable>
export type ApiKeyListed = ApiKeyRow & { createdByEmail: string | null }

export async function insertApiKey(executor: Executor, values: Insertable<ApiKeyTable>): Promise<void> {
  await executor.insertInto('apiKeys').values(values).execute()
}

/** Makes a key with a known secret unless its digest is there; for the bootstrap key. */
export async function ensureApiKey(executor: Executor, values: Insertable<ApiKeyTable>): Promise<void> {
  await executor
    .insertInto('apiKeys')
    .values(values)
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/**
 * The key with this SHA-256 digest and who made it, whatever the account: this is how a caller's account is found. Revoked and
 * expired keys are found too; the caller of this decides.
 */
export async function findApiKeyByDigest(executor: Executor, digest: Buffer): Promise<ApiKeyFound | undefined> {
  return (await keyOfDigest(executor, { digest })).rows[0]
}

export interface ApiKeyFound extends ApiKeyRow {
  readonly userEmail: string | null
  readonly userFirstName: string | null
  readonly userIsDeactivated: boolean | null
  readonly userIsAdmin: boolean | null
}

const keyOfDigest = statement<{ readonly digest: Buffer }, ApiKeyFound>((executor, slot) =>
  executor
    .selectFrom('apiKeys')
    .leftJoin('users', join =>
      join.onRef('users.id', '=', 'apiKeys.createdByUserId').onRef('users.accountId', '=', 'apiKeys.accountId'),
    )
    .selectAll('apiKeys')
    .select([
      'users.email as userEmail',
      'users.firstName as userFirstName',
      'users.isDeactivated as userIsDeactivated',
      'users.isAdmin as userIsAdmin',
    ])
    .where('digest', '=', slot('digest'))
    .compile(),
)

/** Keys that are not revoked, oldest first, after the given place. */
export async function listApiKeys(
  executor: Executor,
  accountId: number,
  options: { after: readonly [createdAt: string, id: string] | undefined; limit: number },
): Promise<ApiKeyListed[]> {
  const { after } = options
  return listed(executor, accountId)
    .where('revokedAt', 'is', null)
    .$if(after !== undefined, query =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('apiKeys.createdAt', 'apiKeys.id'), '>', tuple(new Date(after?.[0] ?? 0), after?.[1] ?? '')),
      ),
    )
    .orderBy('apiKeys.createdAt')
    .orderBy('apiKeys.id')
    .limit(options.limit)
    .execute()
}

export async function findApiKey(executor: Executor, accountId: number, id: string): Promise<ApiKeyListed | undefined> {
  return listed(executor, accountId).where('apiKeys.id', '=', id).where('revokedAt', 'is', null).executeTakeFirst()
}

function listed(executor: Executor, accountId: number) {
  return executor
    .selectFrom('apiKeys')
    .leftJoin('users', join =>
      join.onRef('users.id', '=', 'apiKeys.createdByUserId').onRef('users.accountId', '=', 'apiKeys.accountId'),
    )
    .selectAll('apiKeys')
    .select('users.email as createdByEmail')
    .where('apiKeys.accountId', '=', accountId)
}

/** @returns whether there was such a key that was not revoked yet. */
export async function revokeApiKey(executor: Executor, accountId: number, id: string, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await executor
    .updateTable('apiKeys')
    .set({ revokedAt: at })
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function touchApiKey(executor: Executor, accountId: number, id: string, at: Date): Promise<void> {
  await executor
    .updateTable('apiKeys')
    .set({ lastUsedAt: at })
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .execute()
}
