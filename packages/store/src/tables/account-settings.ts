import type { Json } from '../column-types.ts'
import type { Executor } from '../executor.ts'

export interface SettingsRow {
  /** What was set; the rest has defaults. */
  readonly settings: Json
  readonly accountCreatedAt: Date
}

export async function readSettings(executor: Executor, accountId: number): Promise<SettingsRow> {
  const row = await executor
    .selectFrom('accounts')
    .leftJoin('accountSettings', 'accountSettings.accountId', 'accounts.id')
    .select(['accountSettings.settings', 'accounts.createdAt'])
    .where('accounts.id', '=', accountId)
    .executeTakeFirstOrThrow()
  return { settings: row.settings ?? {}, accountCreatedAt: row.createdAt }
}

/** What was set, with nobody else changing it until the transaction ends. */
export async function lockSettings(executor: Executor, accountId: number): Promise<Json> {
  await executor
    .insertInto('accountSettings')
    .values({ accountId, settings: '{}' })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  const row = await executor
    .selectFrom('accountSettings')
    .select('settings')
    .where('accountId', '=', accountId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return row.settings
}

export async function writeSettings(executor: Executor, accountId: number, settings: Json, at: Date): Promise<void> {
  await executor
    .updateTable('accountSettings')
    .set({ settings: JSON.stringify(settings), updatedAt: at })
    .where('accountId', '=', accountId)
    .execute()
}
