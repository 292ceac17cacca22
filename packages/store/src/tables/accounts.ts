import type { Selectable } from 'kysely'
import type { Executor } from '../executor.ts'
import type { AccountTable } from '../schema.ts'

export type AccountRow = Selectable<AccountTable>

/** Makes the account unless it is there; safe when several nodes start at once. */
export async function ensureAccount(executor: Executor, name: string): Promise<AccountRow> {
  await executor
    .insertInto('accounts')
    .values({ name })
    .onConflict(conflict => conflict.column('name').doNothing())
    .execute()
  return executor.selectFrom('accounts').selectAll().where('name', '=', name).executeTakeFirstOrThrow()
}

/** The account of that name. */
export async function findAccountByName(executor: Executor, name: string): Promise<AccountRow | undefined> {
  return executor.selectFrom('accounts').selectAll().where('name', '=', name).executeTakeFirst()
}

/** The account's name, which addresses of chats carry. */
export async function findAccountName(executor: Executor, accountId: number): Promise<string | undefined> {
  const row = await executor.selectFrom('accounts').select('name').where('id', '=', accountId).executeTakeFirst()
  return row?.name
}
