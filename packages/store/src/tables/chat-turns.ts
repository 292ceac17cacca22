import type { Selectable, Updateable } from 'kysely'
import type { Executor } from '../executor.ts'
import type { ChatTurnTable } from '../schema-chat.ts'

export type ChatTurnRow = Selectable<ChatTurnTable>

/** Turns of a thread in their order. */
export async function listTurns(executor: Executor, accountId: number, threadId: string): Promise<ChatTurnRow[]> {
  return executor
    .selectFrom('chatTurns')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('threadId', '=', threadId)
    .orderBy('number')
    .execute()
}

export async function findTurn(executor: Executor, accountId: number, id: string): Promise<ChatTurnRow | undefined> {
  return executor
    .selectFrom('chatTurns')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function findTurnByMessage(
  executor: Executor,
  accountId: number,
  threadId: string,
  messageId: string,
): Promise<ChatTurnRow | undefined> {
  return executor
    .selectFrom('chatTurns')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('threadId', '=', threadId)
    .where('messageId', '=', messageId)
    .executeTakeFirst()
}

/** The turn of the thread that runs or can go on: there is one at most. */
export async function findOpenTurn(
  executor: Executor,
  accountId: number,
  threadId: string,
): Promise<ChatTurnRow | undefined> {
  return executor
    .selectFrom('chatTurns')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('threadId', '=', threadId)
    .where('status', 'in', ['running', 'suspended'])
    .orderBy('number', 'desc')
    .executeTakeFirst()
}

/** Changes a turn, whoever answers it. */
export async function updateTurn(
  executor: Executor,
  accountId: number,
  id: string,
  values: Updateable<ChatTurnTable>,
): Promise<ChatTurnRow | undefined> {
  return executor
    .updateTable('chatTurns')
    .set(values)
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

/**
 * The turn, kept as it is until the transaction ends, if this attempt still answers it.
 *
 * @returns its status; undefined where another attempt took its place or it is gone.
 */
export async function lockAttempt(
  transaction: Executor,
  accountId: number,
  id: string,
  attempt: number,
): Promise<ChatTurnRow['status'] | undefined> {
  const row = await transaction
    .selectFrom('chatTurns')
    .select('status')
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row?.status
}

/**
 * Suspends turns of every account that the node was answering and is not any more.
 *
 * @param living those that it is answering
 */
export async function suspendAllBut(
  executor: Executor,
  node: string,
  living: readonly string[],
  at: Date,
): Promise<void> {
  await executor
    .updateTable('chatTurns')
    .set({ status: 'suspended', suspendedAt: at, node: null })
    .where('node', '=', node)
    .where('status', '=', 'running')
    .where(({ eb, fn, val, not }) => not(eb('id', '=', fn.any(val([...living])))))
    .execute()
}

/** Of turns that run here by what is known here, those that the database says do not: somebody else has ended or taken them. */
export async function notRunningAt(executor: Executor, node: string, ids: readonly string[]): Promise<string[]> {
  const rows = await executor
    .selectFrom('chatTurns')
    .select('id')
    .where('node', '=', node)
    .where('status', '=', 'running')
    .where(({ eb, fn, val }) => eb('id', '=', fn.any(val([...ids]))))
    .execute()
  const running = new Set(rows.map(({ id }) => id))
  return ids.filter(id => !running.has(id))
}
