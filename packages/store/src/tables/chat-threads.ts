import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Executor } from '../executor.ts'
import type { ChatThreadTable } from '../schema-chat.ts'

export type ChatThreadRow = Selectable<ChatThreadTable>

export async function findThread(
  executor: Executor,
  accountId: number,
  id: string,
): Promise<ChatThreadRow | undefined> {
  return executor
    .selectFrom('chatThreads')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** The thread, which nobody else changes until the transaction ends: what is done with its turns is done one after the other. */
export async function lockThread(
  transaction: Executor,
  accountId: number,
  id: string,
): Promise<ChatThreadRow | undefined> {
  return transaction
    .selectFrom('chatThreads')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/**
 * Adds a thread. Of several that begin with the same message of the same owner, one is added.
 *
 * @returns the one that is there, kept as it is until the transaction ends; it has the given id where this call has made it
 */
export async function insertThread(
  transaction: Executor,
  values: Insertable<ChatThreadTable>,
): Promise<ChatThreadRow | undefined> {
  const made = await transaction
    .insertInto('chatThreads')
    .values(values)
    .onConflict(conflict =>
      conflict.columns(['deploymentId', 'userId', 'startKey']).where('startKey', 'is not', null).doNothing(),
    )
    .returningAll()
    .executeTakeFirst()
  if (made) return made
  return transaction
    .selectFrom('chatThreads')
    .selectAll()
    .where('accountId', '=', values.accountId)
    .where('deploymentId', '=', values.deploymentId)
    .where('userId', '=', values.userId)
    .where('startKey', '=', values.startKey ?? null)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export async function updateThread(
  executor: Executor,
  accountId: number,
  id: string,
  values: Pick<Updateable<ChatThreadTable>, 'title' | 'memo' | 'updatedAt' | 'agentId'>,
): Promise<boolean> {
  const { numUpdatedRows } = await executor
    .updateTable('chatThreads')
    .set(values)
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Removes the thread with its turns and events. */
export async function deleteThread(executor: Executor, accountId: number, id: string): Promise<boolean> {
  const { numDeletedRows } = await executor
    .deleteFrom('chatThreads')
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
