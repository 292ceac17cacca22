import { type AbortChatRequest, CodedError } from '@hedron/contract'
import { auditLog, chatThreads, chatTurns, type Store } from '@hedron/store'
import type { Effects } from '../../effects.ts'
import type { Askers } from '../asker/askers.ts'
import { actorOf, type ChatAddress, type ChatCredential } from '../asker/credential.ts'
import type { FindAddressed } from '../find-addressed.ts'
import type { ChatRelay } from './chat-relay.ts'
import type { ChatContext } from './stream-chat.ts'

interface AbortNeeds {
  readonly store: Store
  readonly effects: Effects
  readonly askers: Askers
  readonly relay: ChatRelay
  readonly findAgent: FindAddressed
}

/**
 * Ends what a thread is answering, wherever that is (SPEC, "Chat abort"): in the database first, so that the thread is free at once and
 * nothing more is written of the answer. A thread that is answering nothing stays as it is.
 *
 * @throws {CodedError} `chat_thread_not_found`, `chat_thread_not_yours`, `agent_not_found`
 */
export function createAbortChat({ store, effects, askers, relay, findAgent }: AbortNeeds) {
  return async (
    credential: ChatCredential,
    address: ChatAddress,
    body: AbortChatRequest,
    context: ChatContext,
  ): Promise<void> => {
    const { accountId } = credential
    const { deploymentId } = await findAgent(accountId, address, null)
    const { chatId } = body
    const by = { accountId, deploymentId, actor: actorOf(credential), ...context }
    const thread = await chatThreads.findThread(store.kysely, accountId, chatId)
    if (thread?.deploymentId !== deploymentId) throw new CodedError('chat_thread_not_found', { thread: chatId })
    const mayName = credential.kind !== 'key' || body.sessionSettings != null
    const ownerId = mayName ? await askers.findOwner(credential, body.sessionSettings ?? null, by) : undefined
    if (thread.userId !== ownerId) throw new CodedError('chat_thread_not_yours', { thread: chatId })
    const turnId = await store.transaction(async transaction => {
      if (!(await chatThreads.lockThread(transaction, accountId, chatId))) return undefined
      const open = await chatTurns.findOpenTurn(transaction, accountId, chatId)
      if (!open) return undefined
      const now = effects.now()
      await chatTurns.updateTurn(transaction, accountId, open.id, { status: 'aborted', endedAt: now, checkpoint: null })
      await auditLog.insertAudit(transaction, {
        accountId,
        at: now,
        actor: by.actor,
        action: 'chat-thread.abort',
        target: `chat-thread ${chatId}`,
        address: context.address,
        requestId: context.requestId,
        details: JSON.stringify({ messageId: open.messageId }),
      })
      return open.id
    })
    if (turnId !== undefined) await relay.abort(turnId)
  }
}
