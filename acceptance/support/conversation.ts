import { agentOf, type ChatLine, chatOf, finalOf } from '../chat/chat-client.ts'
import type { Api } from './api.ts'

/** A stream that was read to its end, and what most tests want to know of it. */
export interface ChatAnswer {
  readonly status: number
  readonly lines: readonly ChatLine[]
  /** As it came. */
  readonly text: string
  readonly chatId: string
  /** The consolidated answer; undefined where there is none. */
  readonly final: string | undefined
  /** Results of tools, in order. */
  readonly results: readonly Readonly<Record<string, unknown>>[]
  readonly errors: readonly string[]
  readonly usage: Readonly<Record<string, unknown>> | undefined
}

/** Chats with the Auto agent of a deployment as one person; `body` is that of the stream (contract/chat.yaml). */
export interface Conversation {
  open(body: object, signal?: AbortSignal): Promise<Response>
  /** Reads a stream to its end, even one that breaks off. */
  ask(body: object): Promise<ChatAnswer>
  /** @returns the status */
  abort(chatId: string): Promise<number>
}

/** @param who `sessionSettings` */
export async function createConversation(api: Api, deploymentId: number, who: object): Promise<Conversation> {
  const chat = chatOf(api, { place: await agentOf(api, deploymentId) })
  const open: Conversation['open'] = (content, signal) =>
    chat.post('stream-chat-state', { sessionSettings: who, ...content }, signal)
  return {
    open,
    async ask(content) {
      const response = await open(content)
      return understand(response.status, await response.text())
    },
    abort: async chatId => (await chat.abort({ sessionSettings: who, chatId })).status,
  }
}

function understand(status: number, text: string): ChatAnswer {
  const lines: ChatLine[] = text
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))
  return {
    status,
    lines,
    text,
    chatId: lines.find(({ id }) => id === '__cutoff__')?.state?.chatId ?? '',
    final: finalOf(lines),
    results: lines.flatMap(({ toolCall }) => (toolCall?.result === undefined ? [] : [JSON.parse(toolCall.result)])),
    errors: lines.flatMap(({ error }) => (error === undefined ? [] : [error])),
    usage: lines.find(({ id }) => id === '__usage__')?.usage,
  }
}
