import { type Selectable, sql } from 'kysely'
import type { Executor } from '../executor.ts'
import type { EmbedSecretTable } from '../schema-people.ts'

export type EmbedSecretRow = Selectable<EmbedSecretTable>

/** The secret that signs embed tokens of the account. */
export async function findCurrentSecret(executor: Executor, accountId: number): Promise<EmbedSecretRow | undefined> {
  return executor
    .selectFrom('embedSecrets')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('retiredAt', 'is', null)
    .executeTakeFirst()
}

/** Makes the account's secret unless it has one: of several who do at once, one succeeds and the others find his. */
export async function ensureCurrentSecret(
  executor: Executor,
  values: { readonly id: string; readonly accountId: number; readonly sealed: Buffer; readonly createdAt: Date },
): Promise<void> {
  await executor
    .insertInto('embedSecrets')
    .values(values)
    .onConflict(conflict => conflict.column('accountId').where('retiredAt', 'is', null).doNothing())
    .execute()
}

/** Until the transaction ends, nobody else rotates the account's secret. */
export async function lockSecrets(executor: Executor, accountId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`embed secrets ${accountId}`}, 0))`.execute(executor)
}

/** From now on it signs nothing, and still verifies what it has signed. */
export async function retireCurrentSecret(executor: Executor, accountId: number, at: Date): Promise<void> {
  await executor
    .updateTable('embedSecrets')
    .set({ retiredAt: at })
    .where('accountId', '=', accountId)
    .where('retiredAt', 'is', null)
    .execute()
}

/** Removes what was retired by then; tokens that it signed are refused from now on. */
export async function deleteRetiredSecrets(executor: Executor, accountId: number, retiredBy: Date): Promise<void> {
  await executor
    .deleteFrom('embedSecrets')
    .where('accountId', '=', accountId)
    .where('retiredAt', '<=', retiredBy)
    .execute()
}
