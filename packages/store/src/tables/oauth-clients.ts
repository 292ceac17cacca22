import type { Insertable, Selectable } from 'kysely'
import type { Executor } from '../executor.ts'
import type { OAuthClientTable } from '../schema-sign-in.ts'

export type OAuthClientRow = Selectable<OAuthClientTable>

export async function insertClient(executor: Executor, values: Insertable<OAuthClientTable>): Promise<void> {
  await executor.insertInto('oauthClients').values(values).execute()
}

export async function findClient(executor: Executor, id: string): Promise<OAuthClientRow | undefined> {
  return executor.selectFrom('oauthClients').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function touchClient(executor: Executor, id: string, usedAt: Date): Promise<void> {
  await executor.updateTable('oauthClients').set({ usedAt }).where('id', '=', id).execute()
}

/** Removes programs that nobody ever let in since then, and those that nobody did since the other time. */
export async function deleteUnusedClients(
  executor: Executor,
  before: { readonly neverUsed: Date; readonly unused: Date },
): Promise<void> {
  await executor
    .deleteFrom('oauthClients')
    .where(({ eb, or, and }) =>
      or([and([eb('usedAt', 'is', null), eb('createdAt', '<', before.neverUsed)]), eb('usedAt', '<', before.unused)]),
    )
    .execute()
}
