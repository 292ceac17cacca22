import type { Selectable, Updateable } from 'kysely'
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

/** The thread that a message of the owner began, by the digest of it; nobody else changes it until the transaction ends. */
export async function lockThreadBegunBy(
  transaction: Executor,
  {
    accountId,
    deploymentId,
    userId,
    startKey,
  }: {
    readonly accountId: number
    readonly deploymentId: number
    readonly userId: number
    readonly startKey: Buffer
  },
): Promise<ChatThreadRow | undefined> {
  return transaction
    .selectFrom('chatThreads')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('deploymentId', '=', deploymentId)
    .where('userId', '=', userId)
    .where('startKey', '=', startKey)
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
