import type { Insertable, Selectable } from 'kysely'
import type { Executor } from '../executor.ts'
import type { ChatEventKind, ChatEventTable } from '../schema-chat.ts'

export type ChatEventRow = Pick<Selectable<ChatEventTable>, 'turnId' | 'sort' | 'kind' | 'line'>

/** Adds events; those that are there already, from a write whose answer was lost, are left as they are. */
export async function insertEvents(
  transaction: Executor,
  events: readonly Insertable<ChatEventTable>[],
): Promise<void> {
  if (events.length === 0) return
  await transaction
    .insertInto('chatEvents')
    .values([...events])
    .onConflict(conflict => conflict.columns(['threadId', 'sort']).doNothing())
    .execute()
}

/** Events of a thread that still hold, in their order. @param kinds undefined: all */
export async function listEvents(
  executor: Executor,
  accountId: number,
  threadId: string,
  options: {
    readonly turnId?: string | undefined
    readonly after?: number | undefined
    readonly kinds?: readonly ChatEventKind[]
  } = {},
): Promise<ChatEventRow[]> {
  const { turnId, after, kinds } = options
  return executor
    .selectFrom('chatEvents')
    .select(['turnId', 'sort', 'kind', 'line'])
    .where('accountId', '=', accountId)
    .where('threadId', '=', threadId)
    .where('superseded', '=', false)
    .$if(turnId !== undefined, query => query.where('turnId', '=', turnId ?? ''))
    .$if(after !== undefined, query => query.where('sort', '>', after ?? 0))
    .$if(kinds !== undefined, query => query.where('kind', 'in', [...(kinds ?? [])]))
    .orderBy('sort')
    .execute()
}

/** The highest number that an event of the thread has, superseded ones included; 0: it has none. */
export async function lastSort(executor: Executor, accountId: number, threadId: string): Promise<number> {
  const row = await executor
    .selectFrom('chatEvents')
    .select(({ fn }) => fn.max('sort').as('sort'))
    .where('accountId', '=', accountId)
    .where('threadId', '=', threadId)
    .executeTakeFirst()
  return row?.sort ?? 0
}

/** What a turn said after a place is told again: it does not hold any more. Its message stays. */
export async function supersede(
  transaction: Executor,
  accountId: number,
  turnId: string,
  after: number,
): Promise<void> {
  await transaction
    .updateTable('chatEvents')
    .set({ superseded: true })
    .where('accountId', '=', accountId)
    .where('turnId', '=', turnId)
    .where('sort', '>', after)
    .where('kind', '!=', 'user')
    .execute()
}
