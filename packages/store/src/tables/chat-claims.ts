import { type Insertable, type RawBuilder, sql } from 'kysely'
import type { Executor } from '../executor.ts'
import type { AuditTable } from '../schema.ts'
import type { ChatThreadTable } from '../schema-chat.ts'
import { codeOf } from '../store-error.ts'
import type { ChatTurnRow } from './chat-turns.ts'

/** A message that is to be answered, with all that is written of it before anybody is told so. */
export interface ClaimedMessage {
  readonly turn: {
    readonly id: string
    readonly accountId: number
    readonly number: number
    readonly messageId: string
    readonly node: string
    readonly input: string
    /** JSON text. */
    readonly images: string
    readonly startedAt: Date
  }
  /** Number of the message's line in the thread. */
  readonly sort: number
  /** The message as the stream tells it: JSON text. */
  readonly line: string
  readonly audit: Insertable<AuditTable>
}

/**
 * Begins a thread with its first message: thread, turn, line and audit row, in one statement and so all or none of them.
 *
 * @returns the turn; undefined, with nothing written, where the owner has begun a thread with the same message before
 */
export async function beginThread(
  executor: Executor,
  thread: Insertable<ChatThreadTable> & { readonly startKey: Buffer | null },
  message: ClaimedMessage,
): Promise<ChatTurnRow | undefined> {
  const { id, accountId, deploymentId, userId, agentId, startKey, title, firstMessage } = thread
  const { startedAt } = message.turn
  const { rows } = await sql<ChatTurnRow>`
    with thread as (
      insert into chat_threads (id, account_id, deployment_id, user_id, agent_id, start_key, title, first_message, created_at,
        updated_at)
      values (${id}, ${accountId}, ${deploymentId}, ${userId}, ${agentId}, ${startKey}, ${title}, ${firstMessage}, ${startedAt},
        ${startedAt})
      on conflict (deployment_id, user_id, start_key) where start_key is not null do nothing
      returning id
    ), ${writes(message)}`.execute(executor)
  return rows[0]
}

/** Adds a message to a thread that is locked, with its line and audit row: one statement. */
export async function addMessage(
  transaction: Executor,
  threadId: string,
  message: ClaimedMessage,
): Promise<ChatTurnRow | undefined> {
  const { accountId, startedAt } = message.turn
  const { rows } = await sql<ChatTurnRow>`
    with thread as (
      update chat_threads set updated_at = ${startedAt} where account_id = ${accountId} and id = ${threadId} returning id
    ), ${writes(message)}`.execute(transaction)
  return rows[0]
}

function writes({ turn, sort, line, audit }: ClaimedMessage): RawBuilder<ChatTurnRow> {
  return sql`turn as (
      insert into chat_turns (id, account_id, thread_id, number, message_id, status, node, input, images, started_at)
      select ${turn.id}::text, ${turn.accountId}::bigint, id, ${turn.number}::integer, ${turn.messageId}::text, 'running',
        ${turn.node}::text, ${turn.input}::text, ${turn.images}::jsonb, ${turn.startedAt}::timestamptz
      from thread returning *
    ), line as (
      insert into chat_events (account_id, thread_id, turn_id, sort, attempt, kind, line)
      select account_id, thread_id, id, ${sort}::bigint, attempt, 'user', ${line}::text from turn
    ), audit as (
      insert into audit_log (account_id, at, actor, action, target, address, request_id, details)
      select account_id, ${audit.at}::timestamptz, ${audit.actor}::text, ${audit.action}::text, ${audit.target}::text,
        ${audit.address}::text, ${audit.requestId}::text, ${audit.details}::jsonb
      from turn
    )
    select * from turn`
}

/** Of a thread that is locked: the turn of a message and the one that runs or can go on, which may be one. */
export async function findTurnsToDecide(
  transaction: Executor,
  accountId: number,
  threadId: string,
  messageId: string,
): Promise<{ readonly known: ChatTurnRow | undefined; readonly open: ChatTurnRow | undefined }> {
  const rows = await transaction
    .selectFrom('chatTurns')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('threadId', '=', threadId)
    .where(({ eb, or }) => or([eb('messageId', '=', messageId), eb('status', 'in', ['running', 'suspended'])]))
    .orderBy('number', 'desc')
    .execute()
  return {
    known: rows.find(row => row.messageId === messageId),
    open: rows.find(({ status }) => status === 'running' || status === 'suspended'),
  }
}

/** The highest numbers of a thread that is locked: of its turns and of its lines; 0 where it has none. */
export async function lastNumbers(
  transaction: Executor,
  accountId: number,
  threadId: string,
): Promise<{ readonly turn: number; readonly sort: number }> {
  const { rows } = await sql<{ turn: number | null; sort: number | null }>`
    select
      (select max(number) from chat_turns where account_id = ${accountId} and thread_id = ${threadId}) as turn,
      (select max(sort) from chat_events where account_id = ${accountId} and thread_id = ${threadId}) as sort
  `.execute(transaction)
  return { turn: rows[0]?.turn ?? 0, sort: rows[0]?.sort ?? 0 }
}

/** Whether a write failed since what it belongs to (a deployment, a user) went meanwhile. */
export const isOrphaned = (error: unknown): boolean => codeOf(error) === '23503'
