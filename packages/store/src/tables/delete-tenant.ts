import { sql } from 'kysely'
import type { Executor } from '../executor.ts'

/** What an embed tenant can have much of, in the order in which it goes. Folders, which hold each other, go with the tenant. */
export const tenantParts = ['embedSessions', 'chatThreads', 'reports', 'workbooks', 'users'] as const
export type TenantPart = (typeof tenantParts)[number]

export interface TenantKey {
  readonly accountId: number
  readonly embedTenantId: number
}

/** Until the transaction ends, nobody else removes anything of the tenant: two that did could wait for each other. */
export async function lockTenantRemoval(transaction: Executor, { accountId, embedTenantId }: TenantKey): Promise<void> {
  const name = `embed tenant removal ${accountId} ${embedTenantId}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(transaction)
}

/** The id of the newest that the tenant has of a part; undefined: it has none. */
export async function newestOf(executor: Executor, part: TenantPart, tenant: TenantKey): Promise<number | undefined> {
  const { rows } = await sql<{ id: number | null }>`
    select max(part.id) as id from ${sql.table(part)} part where ${ofTenant(part, tenant)}`.execute(executor)
  return rows[0]?.id ?? undefined
}

/** Removes up to `limit` of a part, with all that belongs to them, of those until an id. @returns how many. */
export async function deleteSome(
  transaction: Executor,
  part: TenantPart,
  tenant: TenantKey,
  { until, limit }: { readonly until: number; readonly limit: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(part)} where id = any(array(
      select part.id from ${sql.table(part)} part
      where ${ofTenant(part, tenant)} and part.id <= ${until} limit ${limit}))`.execute(transaction)
  return Number(numAffectedRows ?? 0n)
}

const ofTenant = (part: TenantPart, { accountId, embedTenantId }: TenantKey) =>
  part === 'chatThreads'
    ? sql`part.account_id = ${accountId}::bigint
        and part.user_id in (select id from users where embed_tenant_id = ${embedTenantId}::bigint)`
    : sql`part.account_id = ${accountId}::bigint and part.embed_tenant_id = ${embedTenantId}::bigint`
