import { createHash } from 'node:crypto'
import { CodedError } from '@hedron/contract'
import { chatClaims, chatEvents, chatThreads, chatTurns, type Executor, type Store } from '@hedron/store'
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
 * any number of nodes, one answers it and the others are told of that answer (SPEC, "Idempotency rules"). What is claimed is in the
 * database when this resolves: message, turn and audit row, so that the first line of the stream acknowledges nothing that can be lost.
 *
 * @throws {CodedError} `chat_thread_not_found`, `chat_message_not_found`; `deployment_not_found` where it went meanwhile.
 */
export function createClaimTurn({ store, effects, node }: ClaimNeeds) {
  return async (sent: SentMessage): Promise<Claim> => {
    const reserved = newUuid(effects)
    const taken = new Set([reserved])
    node.reserve(reserved)
    let claim: Claim | undefined
    try {
      claim = sent.chatId === null ? await beginThread(sent, reserved) : undefined
      claim ??= await store.transaction(transaction => decide(transaction, sent, reserved, taken))
      return claim
    } catch (error) {
      if (!chatClaims.isOrphaned(error)) throw error
      throw new CodedError('deployment_not_found', { deployment: sent.deploymentId })
    } finally {
      const kept = claim?.kind === 'run' ? claim.turn.id : undefined
      for (const id of taken) if (id !== kept) node.release(id)
    }
  }

  /**
   * Begins a thread, in one statement: this is what stands between a first message and the first line of its stream, which says that
   * the thread is there.
   *
   * @returns undefined where the message began one before
   */
  async function beginThread(sent: SentMessage, turnId: string): Promise<Claim | undefined> {
    const { accountId, deploymentId, ownerId, agentId, messageId } = sent
    const id = newUuid(effects)
    const now = effects.now()
    const text = sent.input ?? ''
    const thread = {
      id,
      accountId,
      deploymentId,
      userId: ownerId,
      agentId,
      startKey: messageId === null ? null : startKey(messageId, text),
      title: titleOf(text),
      firstMessage: text.slice(0, longestFirstMessage),
      createdAt: now,
      updatedAt: now,
    }
    const place = { turn: 1, sort: 1, messageId: messageId ?? messageIdAt(now) }
    const message = messageAt(sent, { threadId: id, turnId, now, action: 'chat-thread.create' }, place)
    const turn = await chatClaims.beginThread(store.kysely, thread, message)
    if (!turn) return undefined
    return { kind: 'run', thread: { ...thread, memo: null }, turn, checkpoint: null, lastSort: 1, isNewThread: true }
  }

  async function decide(transaction: Executor, sent: SentMessage, newId: string, taken: Set<string>): Promise<Claim> {
    const { accountId } = sent
    const thread = await lockThread(transaction, sent)
    const messageId = sent.messageId ?? messageIdAt(effects.now())
    const found = await chatClaims.findTurnsToDecide(transaction, accountId, thread.id, messageId)
    const known = sent.messageId === null ? undefined : found.known
    if (known === undefined && sent.input === null) {
      throw new CodedError('chat_message_not_found', { message: sent.messageId ?? '' })
    }
    if (known !== undefined) {
      if (known.status === 'running' && (await node.isAnswered(known.id, known.node, transaction))) {
        return { kind: 'follow', thread, turn: known }
      }
      if (known.status !== 'running' && known.status !== 'suspended') return { kind: 'replay', thread, turn: known }
      node.reserve(known.id)
      taken.add(known.id)
      return takeOver(transaction, thread, known, sent)
    }
    const { open } = found
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
    const freeId = found.known === undefined ? messageId : await freeMessageId(transaction, accountId, thread.id)
    return addTurn(transaction, thread, sent, newId, freeId)
  }

  /** The thread that the message is for: the one that it names, or that it began when it was sent before. */
  async function lockThread(transaction: Executor, sent: SentMessage): Promise<chatThreads.ChatThreadRow> {
    const { accountId, deploymentId, ownerId, chatId, input, messageId } = sent
    const thread =
      chatId === null
        ? await chatThreads.lockThreadBegunBy(transaction, {
            accountId,
            deploymentId,
            userId: ownerId,
            startKey: startKey(messageId ?? '', input ?? ''),
          })
        : await chatThreads.lockThread(transaction, accountId, chatId)
    if (thread?.deploymentId === deploymentId && thread.userId === ownerId) return thread
    throw new CodedError('chat_thread_not_found', { thread: chatId ?? '' })
  }

  async function addTurn(
    transaction: Executor,
    thread: chatThreads.ChatThreadRow,
    sent: SentMessage,
    turnId: string,
    messageId: string,
  ): Promise<Claim> {
    const threadId = thread.id
    const last = await chatClaims.lastNumbers(transaction, sent.accountId, threadId)
    const place = { turn: last.turn + 1, sort: last.sort + 1, messageId }
    const at = { threadId, turnId, now: effects.now(), action: 'chat-thread.ask' }
    const turn = await chatClaims.addMessage(transaction, threadId, messageAt(sent, at, place))
    if (!turn) throw new Error(`thread ${threadId} went while it was locked`)
    return { kind: 'run', thread, turn, checkpoint: null, lastSort: place.sort, isNewThread: false }
  }

  /** All that is written of a message. */
  function messageAt(
    sent: SentMessage,
    at: { readonly threadId: string; readonly turnId: string; readonly now: Date; readonly action: string },
    { turn: number, sort, messageId }: { readonly turn: number; readonly sort: number; readonly messageId: string },
  ): chatClaims.ClaimedMessage {
    const { accountId, deploymentId, agentId, actor, address, requestId } = sent
    const input = sent.input ?? ''
    const { threadId, turnId: id, now, action } = at
    const details = JSON.stringify({ deploymentId, agentId, messageId })
    const images = JSON.stringify(sent.images)
    return {
      turn: { id, accountId, number, messageId, node: node.name, input, images, startedAt: now },
      sort,
      line: lines.user(messageId, input, sort),
      audit: { accountId, at: now, actor, action, target: `chat-thread ${threadId}`, address, requestId, details },
    }
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

  async function freeMessageId(executor: Executor, accountId: number, threadId: string): Promise<string> {
    for (let milliseconds = effects.now().getTime(); ; milliseconds++) {
      const id = messageIdAt(new Date(milliseconds))
      if (!(await chatTurns.findTurnByMessage(executor, accountId, threadId, id))) return id
    }
  }
}
export type ClaimTurn = ReturnType<typeof createClaimTurn>

/** The id of a message whose sender gave it none. */
const messageIdAt = (at: Date): string => `${at.getTime()}-message`

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
