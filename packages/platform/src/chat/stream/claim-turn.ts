import { createHash } from 'node:crypto'
import { CodedError } from '@hedron/contract'
import { auditLog, chatEvents, chatThreads, chatTurns, type Executor, type Store } from '@hedron/store'
import type { Effects } from '../../effects.ts'
import type { AgentImage } from '../agent.ts'
import type { ChatNode } from './chat-node.ts'
import { type Checkpoint, readCheckpoint } from './checkpoint.ts'
import { lines } from './lines.ts'
import { newUuid } from './new-id.ts'

/** A message that somebody sends, or sends again. */
export interface SentMessage {
  readonly accountId: number
  readonly deploymentId: number
  readonly ownerId: number
  readonly agentId: number
  /** Null: a new thread. */
  readonly chatId: string | null
  /** Null: only what `messageId` names, which has to be there. */
  readonly input: string | null
  readonly images: readonly AgentImage[]
  readonly messageId: string | null
  /** For the audit log. */
  readonly actor: string
  readonly address: string | null
  readonly requestId: string
}

/** What becomes of a message. */
export type Claim =
  /** This node answers it, from now on. */
  | {
      readonly kind: 'run'
      readonly thread: chatThreads.ChatThreadRow
      readonly turn: chatTurns.ChatTurnRow
      readonly checkpoint: Checkpoint | null
      readonly lastSort: number
      readonly isNewThread: boolean
    }
  /** It is being answered, here or elsewhere. */
  | { readonly kind: 'follow'; readonly thread: chatThreads.ChatThreadRow; readonly turn: chatTurns.ChatTurnRow }
  /** It was answered. */
  | { readonly kind: 'replay'; readonly thread: chatThreads.ChatThreadRow; readonly turn: chatTurns.ChatTurnRow }
  /** The thread is busy with another message. */
  | { readonly kind: 'busy'; readonly thread: chatThreads.ChatThreadRow }

interface ClaimNeeds {
  readonly store: Store
  readonly effects: Effects
  readonly node: ChatNode
}

/** For how long a suspended turn goes on from where it was, in milliseconds (contract/chat.yaml). */
const resumableMs = 24 * 3_600_000
const longestTitle = 80
const longestFirstMessage = 2000

/**
 * Decides what becomes of a message, in one transaction in which the thread is locked: so of any number of requests with one message, on
 * any number of nodes, one answers it and the others are told of that answer (SPEC, "Idempotency rules").
 *
 * @throws {CodedError} `chat_thread_not_found`, `chat_message_not_found`.
 */
export function createClaimTurn({ store, effects, node }: ClaimNeeds) {
  return async (sent: SentMessage): Promise<Claim> => {
    const reserved = newUuid(effects)
    const taken = new Set([reserved])
    node.reserve(reserved)
    let claim: Claim | undefined
    try {
      claim = await store.transaction(transaction => decide(transaction, sent, reserved, taken))
      return claim
    } finally {
      const kept = claim?.kind === 'run' ? claim.turn.id : undefined
      for (const id of taken) if (id !== kept) node.release(id)
    }
  }

  async function decide(transaction: Executor, sent: SentMessage, newId: string, taken: Set<string>): Promise<Claim> {
    const { accountId, messageId } = sent
    const { thread, isNew } = await findOrMakeThread(transaction, sent)
    const known =
      messageId === null || isNew
        ? undefined
        : await chatTurns.findTurnByMessage(transaction, accountId, thread.id, messageId)
    if (known === undefined && sent.input === null)
      throw new CodedError('chat_message_not_found', { message: messageId ?? '' })
    if (known !== undefined) {
      if (known.status === 'running' && (await node.isAnswered(known.id, known.node, transaction))) {
        return { kind: 'follow', thread, turn: known }
      }
      if (known.status !== 'running' && known.status !== 'suspended') return { kind: 'replay', thread, turn: known }
      node.reserve(known.id)
      taken.add(known.id)
      return takeOver(transaction, thread, known, sent)
    }
    const open = isNew ? undefined : await chatTurns.findOpenTurn(transaction, accountId, thread.id)
    if (open !== undefined) {
      if (open.status === 'running' && (await node.isAnswered(open.id, open.node, transaction)))
        return { kind: 'busy', thread }
      // A suspended turn ends with the next message (contract/chat.yaml).
      const ended = {
        status: 'abandoned',
        attempt: open.attempt + 1,
        node: null,
        endedAt: effects.now(),
        checkpoint: null,
      } as const
      await chatTurns.updateTurn(transaction, accountId, open.id, ended)
    }
    return addTurn(transaction, thread, sent, newId, isNew)
  }

  async function findOrMakeThread(transaction: Executor, sent: SentMessage) {
    const { accountId, deploymentId, ownerId, chatId, input, messageId } = sent
    if (chatId === null) {
      const id = newUuid(effects)
      const text = input ?? ''
      const thread = await chatThreads.insertThread(transaction, {
        id,
        accountId,
        deploymentId,
        userId: ownerId,
        agentId: sent.agentId,
        startKey: messageId === null ? null : startKey(messageId, text),
        title: titleOf(text),
        firstMessage: text.slice(0, longestFirstMessage),
        createdAt: effects.now(),
        updatedAt: effects.now(),
      })
      if (thread) return { thread, isNew: thread.id === id }
    }
    const thread = chatId === null ? undefined : await chatThreads.lockThread(transaction, accountId, chatId)
    if (thread?.deploymentId !== deploymentId || thread.userId !== ownerId) {
      throw new CodedError('chat_thread_not_found', { thread: chatId ?? '' })
    }
    return { thread, isNew: false }
  }

  async function addTurn(
    transaction: Executor,
    thread: chatThreads.ChatThreadRow,
    sent: SentMessage,
    id: string,
    isNewThread: boolean,
  ): Promise<Claim> {
    const { accountId } = sent
    const now = effects.now()
    const input = sent.input ?? ''
    const threadId = thread.id
    const number = isNewThread ? 1 : (await chatTurns.lastNumber(transaction, accountId, threadId)) + 1
    const sort = isNewThread ? 1 : (await chatEvents.lastSort(transaction, accountId, threadId)) + 1
    const messageId = sent.messageId ?? (await freeMessageId(transaction, accountId, threadId, now.getTime()))
    const turn = await chatTurns.insertTurn(transaction, {
      id,
      accountId,
      threadId,
      number,
      messageId,
      status: 'running',
      node: node.name,
      input,
      images: JSON.stringify(sent.images),
      startedAt: now,
    })
    const line = lines.user(messageId, input, sort)
    await chatEvents.insertEvents(transaction, [
      { accountId, threadId, turnId: id, sort, attempt: 1, kind: 'user', line },
    ])
    if (!isNewThread) await chatThreads.updateThread(transaction, accountId, threadId, { updatedAt: now })
    await auditLog.insertAudit(transaction, {
      accountId,
      at: now,
      actor: sent.actor,
      action: isNewThread ? 'chat-thread.create' : 'chat-thread.ask',
      target: `chat-thread ${threadId}`,
      address: sent.address,
      requestId: sent.requestId,
      details: JSON.stringify({ deploymentId: sent.deploymentId, agentId: sent.agentId, messageId }),
    })
    return { kind: 'run', thread, turn, checkpoint: null, lastSort: sort, isNewThread }
  }

  /** Goes on with a turn that was suspended, or whose node died. */
  async function takeOver(
    transaction: Executor,
    thread: chatThreads.ChatThreadRow,
    known: chatTurns.ChatTurnRow,
    { accountId }: SentMessage,
  ): Promise<Claim> {
    const since = known.suspendedAt ?? known.startedAt
    const isFresh = effects.now().getTime() - since.getTime() <= resumableMs
    const checkpoint = isFresh ? readCheckpoint(known.checkpoint) : null
    await chatEvents.supersede(transaction, accountId, known.id, checkpoint?.sort ?? 0)
    const turn = await chatTurns.updateTurn(transaction, accountId, known.id, {
      status: 'running',
      attempt: known.attempt + 1,
      node: node.name,
      suspendedAt: null,
    })
    if (!turn) throw new Error(`turn ${known.id} went while its thread was locked`)
    const lastSort = await chatEvents.lastSort(transaction, accountId, thread.id)
    return { kind: 'run', thread, turn, checkpoint, lastSort, isNewThread: false }
  }

  async function freeMessageId(executor: Executor, accountId: number, threadId: string, from: number): Promise<string> {
    for (let milliseconds = from; ; milliseconds++) {
      const id = `${milliseconds}-message`
      if (!(await chatTurns.findTurnByMessage(executor, accountId, threadId, id))) return id
    }
  }
}
export type ClaimTurn = ReturnType<typeof createClaimTurn>

/** A first message that is sent again finds the thread that it began, though the answer that named it was lost. */
const startKey = (messageId: string, input: string): Buffer =>
  createHash('sha256').update(`${messageId}\n${input}`).digest()

/** The first line of a message, short. */
function titleOf(input: string): string {
  const line = input.trim().replace(/\s+/g, ' ')
  const letters = [...line.slice(0, longestTitle * 2)]
  return letters.length <= longestTitle
    ? line
    : `${letters
        .slice(0, longestTitle - 1)
        .join('')
        .trimEnd()}…`
}
