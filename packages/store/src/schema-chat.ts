import type { ColumnType, Generated } from 'kysely'
import type { CreatedAt, UpdatedAt } from './column-types.ts'

/** JSON of any kind; JSON text when written. */
type AnyJson = ColumnType<unknown, string | null | undefined, string | null>

export interface ChatThreadTable {
  id: string
  accountId: number
  deploymentId: number
  /** Whose it is. */
  userId: number
  agentId: number | null
  /** Digest of the message that began it and its id: sent again it finds this thread. Null: it had no id. */
  startKey: Buffer | null
  title: string
  firstMessage: string
  /** What the agent left for itself at the end of the last answered turn. */
  memo: AnyJson
  createdAt: CreatedAt
  updatedAt: UpdatedAt
}

/**
 * `suspended`: it can go on with the same message. `abandoned`: it was suspended and the thread went on with another message.
 */
export type ChatTurnStatus = 'running' | 'suspended' | 'answered' | 'failed' | 'aborted' | 'abandoned'

/** A message and its answer. */
export interface ChatTurnTable {
  id: string
  accountId: number
  threadId: string
  /** From 1, in the order of the thread. */
  number: number
  messageId: string
  status: ChatTurnStatus
  /** Counts who answers it: whoever has an older number writes nothing any more. */
  attempt: Generated<number>
  /** Which start of which node answers it, while it runs. */
  node: string | null
  input: string
  images: ColumnType<unknown, string, string>
  /** How far it is (`AgentTurn.checkpoint`). */
  checkpoint: AnyJson
  answer: string | null
  usage: AnyJson
  rating: 'up' | 'down' | null
  feedback: string | null
  startedAt: CreatedAt
  suspendedAt: Date | null
  endedAt: Date | null
}

export type ChatEventKind = 'user' | 'delta' | 'tool' | 'tool_result' | 'answer' | 'final' | 'error'

/** A line of the stream. */
export interface ChatEventTable {
  accountId: number
  threadId: string
  turnId: string
  /** As the line says; rises within the thread. */
  sort: number
  attempt: number
  kind: ChatEventKind
  /** JSON text. */
  line: string
  /** Of an attempt that died after its last checkpoint: told again by the next one. */
  superseded: Generated<boolean>
}

export interface ChatNodeTable {
  node: string
  /** By the clock of the database. */
  seenAt: ColumnType<Date, never, never>
}
