import { type ChatThread, type ChatTurn, CodedError, deploymentReaders } from '@hedron/contract'
import { type chatEvents, chatHistory, chatThreads, chatTurns, type Store } from '@hedron/store'
import * as z from 'zod'
import { requirePermission } from '../../access.ts'
import type { Audit } from '../../audit.ts'
import type { CallContext, Caller } from '../../caller.ts'
import type { FindDeployment } from '../../deployments/find-deployment.ts'
import type { Operations } from '../../operations.ts'
import { page, type Window } from '../../page.ts'
import type { ChatRelay } from '../stream/chat-relay.ts'
import { readThreadContent } from './thread-content.ts'

interface ThreadsNeed {
  readonly store: Store
  readonly audit: Audit
  readonly findDeployment: FindDeployment
  readonly relay: Pick<ChatRelay, 'abort'>
}

type ThreadOperations = Pick<
  Operations,
  | 'listChatThreads'
  | 'getChatThread'
  | 'updateChatThread'
  | 'deleteChatThread'
  | 'rateChatMessage'
  | 'listChatHistory'
  | 'getChatHistory'
>

/**
 * Threads as their owners see them, and as those do who may read everybody's (contract/behaviour/chat.md section 5). A thread of somebody
 * else is not there for an owner.
 */
export function createThreadOperations(need: ThreadsNeed): ThreadOperations {
  const { store, audit } = need

  return {
    async listChatThreads(caller, { params, query }) {
      const { id } = await need.findDeployment(caller, params.deploymentId, deploymentReaders)
      const filter = {
        accountId: caller.accountId,
        deploymentIds: [id],
        // Nobody's id: a key of no user owns no threads.
        userId: caller.userId ?? 0,
        search: query.search,
      }
      return list(filter, query, showThread)
    },

    async getChatThread(caller, { params }) {
      const thread = await ownThread(caller, params)
      return { ...showThread(thread), turns: await turnsOf(thread, caller.accountId) }
    },

    async updateChatThread(caller, { params, body }, context) {
      const thread = await ownThread(caller, params)
      await store.transaction(async transaction => {
        if (!(await chatThreads.updateThread(transaction, caller.accountId, thread.id, { title: body.title }))) {
          throw missing(thread.id)
        }
        await record(transaction, caller, context, 'chat-thread.rename', thread.id, {})
      })
      return { ...showThread(thread), title: body.title }
    },

    async deleteChatThread(caller, { params }, context) {
      const { id } = await ownThread(caller, params)
      const { accountId } = caller
      const running = await store.transaction(async transaction => {
        await chatThreads.lockThread(transaction, accountId, id)
        const open = await chatTurns.findOpenTurn(transaction, accountId, id)
        if (!(await chatThreads.deleteThread(transaction, accountId, id))) throw missing(id)
        await record(transaction, caller, context, 'chat-thread.delete', id, {})
        return open?.id
      })
      if (running !== undefined) await need.relay.abort(running)
      return undefined
    },

    async rateChatMessage(caller, { params, body }, context) {
      const { id } = await ownThread(caller, params)
      const { accountId } = caller
      await store.transaction(async transaction => {
        const turn = await chatTurns.findTurnByMessage(transaction, accountId, id, params.chatMessageId)
        if (!turn) throw new CodedError('chat_message_not_found', { message: params.chatMessageId })
        const { rating } = body
        const feedback = body.feedback || null
        await chatTurns.updateTurn(transaction, accountId, turn.id, { rating, feedback })
        await record(transaction, caller, context, 'chat-thread.rate', id, { messageId: turn.messageId, rating })
      })
      return undefined
    },

    async listChatHistory(caller, { query }) {
      requirePermission(caller, historyReaders)
      const { accountId } = caller
      const deploymentIds = query.deploymentId === undefined ? null : [query.deploymentId]
      return list({ accountId, deploymentIds, search: query.search }, query, showOwned)
    },

    async getChatHistory(caller, { params }) {
      requirePermission(caller, historyReaders)
      const { accountId } = caller
      const thread = await chatHistory.findListedThread(store.kysely, accountId, params.chatThreadId)
      if (!thread) throw missing(params.chatThreadId)
      return { ...showOwned(thread), turns: await turnsOf(thread, accountId) }
    },
  }

  function list<T>(
    filter: chatHistory.ThreadFilter,
    query: { first?: number | undefined; after?: string | undefined },
    show: (thread: chatHistory.ListedThread) => T,
  ) {
    return page(
      'chat-threads',
      query,
      (window: Window<readonly [string, string]>) => chatHistory.listThreads(store.kysely, filter, window),
      ({ updatedAt, id }) => [updatedAt.toISOString(), id] as const,
      show,
    )
  }

  /** @throws {CodedError} `chat_thread_not_found` where it is not there, of another deployment, or somebody else's */
  async function ownThread(caller: Caller, params: { deploymentId: number; chatThreadId: string }) {
    const { id } = await need.findDeployment(caller, params.deploymentId, deploymentReaders)
    const thread = await chatHistory.findListedThread(store.kysely, caller.accountId, params.chatThreadId)
    if (!thread || thread.deploymentId !== id || thread.userId !== caller.userId) throw missing(params.chatThreadId)
    return thread
  }

  async function turnsOf({ id }: chatHistory.ListedThread, accountId: number): Promise<ChatTurn[]> {
    const { turns } = await readThreadContent(store.kysely, accountId, id)
    return turns.map(({ row, events }) => ({
      messageId: row.messageId,
      status: row.status,
      input: row.input,
      toolCalls: events.flatMap(event => (event.kind === 'tool_result' ? [readToolCall(event)] : [])),
      answer: row.answer ?? lastText(events, 'answer', 'content'),
      error: lastText(events, 'error', 'error'),
      rating: row.rating,
      feedback: row.feedback,
      startedAt: row.startedAt.toISOString(),
      endedAt: row.endedAt?.toISOString() ?? null,
    }))
  }

  async function record(
    transaction: Parameters<Audit>[0],
    caller: Caller,
    context: CallContext,
    action: string,
    id: string,
    details: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    await audit(transaction, caller, context, action, `chat-thread ${id}`, details)
  }
}

const historyReaders = ['ChatHistoryRead', 'ChatThreadRead'] as const

const missing = (id: string) => new CodedError('chat_thread_not_found', { thread: id })

const showThread = (thread: chatHistory.ListedThread): ChatThread => ({
  id: thread.id,
  deploymentId: thread.deploymentId,
  agentId: thread.agentId,
  title: thread.title,
  firstMessage: thread.firstMessage,
  messageCount: thread.turns,
  lastStatus: thread.lastStatus,
  createdAt: thread.createdAt.toISOString(),
  updatedAt: thread.updatedAt.toISOString(),
})

const showOwned = (thread: chatHistory.ListedThread) => ({
  ...showThread(thread),
  owner: { id: thread.userId, username: thread.username, email: thread.email, externalId: thread.externalId },
})

const ToolLine = z.object({
  id: z.string(),
  toolCall: z.object({ name: z.string(), input: z.string(), result: z.string() }),
})

function readToolCall({ line }: chatEvents.ChatEventRow): ChatTurn['toolCalls'][number] {
  const { id, toolCall } = ToolLine.parse(JSON.parse(line))
  return { id, ...toolCall }
}

function lastText(events: readonly chatEvents.ChatEventRow[], kind: string, field: string): string | null {
  const found = events.findLast(event => event.kind === kind)
  return found ? (z.record(z.string(), z.unknown()).parse(JSON.parse(found.line))[field]?.toString() ?? null) : null
}
