import type { Client } from '@hedron/contract/client'
import type { Result } from '@hedron/ui'
import type { ChatClient } from '../../chat/chat-client.ts'
import { answerOf, type Conversation, emptyConversation, newTurn, withLine } from '../../chat/conversation.ts'
import { newMessageId } from '../../chat/message-id.ts'
import { readStep } from '../../chat/tool-result.ts'
import { unprovenFigures } from './proven-figures.ts'

export interface Summary {
  readonly markdown: string
  /** Figures of it that no result has; a text that has some is not to be believed. */
  readonly unproven: readonly string[]
}

/**
 * Asks the agent of a deployment for a text, with the rights of the session. The thread that it makes is taken away again: it was not begun by the viewer.
 *
 * @throws {Error} where there is no answer.
 */
export async function writeSummary(need: {
  readonly client: ChatClient
  readonly api: Client
  readonly deploymentId: number
  readonly prompt: string
  readonly signal: AbortSignal
}): Promise<Summary> {
  const { client, api, deploymentId, prompt, signal } = need
  const messageId = newMessageId()
  let conversation: Conversation = { ...emptyConversation, turns: [newTurn(messageId, prompt)] }
  try {
    for await (const line of client.send({ chatId: null, messageId, input: prompt }, signal)) {
      conversation = withLine(conversation, line, messageId)
    }
  } finally {
    const { chatId } = conversation
    if (chatId !== null) {
      if (signal.aborted) await client.abort(chatId).catch(() => undefined)
      void api.deleteChatThread({ params: { deploymentId, chatThreadId: chatId } }).catch(() => undefined)
    }
  }
  const [turn] = conversation.turns
  if (turn === undefined || turn.status !== 'answered') throw new Error(turn?.error ?? '')
  const results = turn.parts.flatMap((part): readonly Result[] => {
    if (part.kind !== 'tool') return []
    const step = readStep(part)
    return step.kind === 'query' && step.result !== null ? [step.result] : []
  })
  const markdown = answerOf(turn)
  return { markdown, unproven: unprovenFigures(markdown, results, [prompt]) }
}
