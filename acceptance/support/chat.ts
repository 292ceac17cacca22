import type { Api } from './api.ts'

/** One line of a chat's stream, of any kind. */
export interface ChatLine {
  readonly id?: string
  readonly role?: string
  readonly content?: string
  readonly graphPath?: readonly string[]
  readonly isDelta?: boolean
  readonly toolCall?: { readonly name: string; readonly input: string; readonly result?: string }
  readonly state?: { readonly chatId?: string; readonly isStreaming?: boolean; readonly messages?: readonly unknown[] }
  readonly usage?: Readonly<Record<string, unknown>>
  readonly error?: string
  readonly sort?: number
}

/** A stream that was read to its end, and what most tests want to know of it. */
export interface ChatAnswer {
  readonly status: number
  readonly lines: readonly ChatLine[]
  /** As it came. */
  readonly text: string
  readonly chatId: string
  /** The consolidated answer; undefined where there is none (SPEC, "Extracting the final answer"). */
  readonly final: string | undefined
  /** Results of tools, in order. */
  readonly results: readonly Readonly<Record<string, unknown>>[]
  readonly errors: readonly string[]
  readonly usage: Readonly<Record<string, unknown>> | undefined
}

/** Chats with one agent as somebody; `body` is that of the stream (contract/chat.yaml). */
export interface Chat {
  open(body: object, signal?: AbortSignal): Promise<Response>
  ask(body: object): Promise<ChatAnswer>
  abort(chatId: string): Promise<number>
}

/** @param who `sessionSettings` */
export async function createChat(api: Api, deploymentId: number, who: object): Promise<Chat> {
  const { body } = await api.get(`/api/v1/deployments/${deploymentId}/agents`)
  const [agent] = Object.values(body.items ?? {})
  const base = `${api.baseUrl}/api/v1/public/hedron/agents/${String(agent?.id)}/chat`
  const post = (last: string, content: object, signal?: AbortSignal) =>
    fetch(`${base}/${last}`, {
      method: 'POST',
      headers: { authorization: `Api-Key ${api.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ sessionSettings: who, ...content }),
      ...(signal === undefined ? {} : { signal }),
    })
  const open: Chat['open'] = (content, signal) => post('stream-chat-state', content, signal)
  return {
    open,
    ask: async content => readChat(await open(content)),
    abort: async chatId => (await post('abort', { chatId })).status,
  }
}

/** Reads a stream to its end, even one that breaks off. */
export async function readChat(response: Response): Promise<ChatAnswer> {
  const text = await response.text()
  return understandChat(response.status, text)
}

export function understandChat(status: number, text: string): ChatAnswer {
  const lines: ChatLine[] = text
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))
  const finals = lines.filter(({ role, graphPath }) => role === 'assistant' && graphPath?.[0] === 'final')
  return {
    status,
    lines,
    text,
    chatId: lines.find(({ id }) => id === '__cutoff__')?.state?.chatId ?? '',
    final: finals.at(-1)?.content,
    results: lines.flatMap(({ toolCall }) => (toolCall?.result === undefined ? [] : [JSON.parse(toolCall.result)])),
    errors: lines.flatMap(({ error }) => (error === undefined ? [] : [error])),
    usage: lines.find(({ id }) => id === '__usage__')?.usage,
  }
}

/** An id of a message that no other test uses. */
export const messageId = (): string => `${Date.now()}${Math.floor(Math.random() * 1e6)}-message`
