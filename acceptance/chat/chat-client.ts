import type { Api } from '../support/api.ts'

/** A line of a chat stream (SPEC, "Events"). */
export interface ChatLine {
  readonly id?: string
  readonly role?: string
  readonly content?: string
  readonly thinking?: string
  readonly sort?: number
  readonly error?: string
  readonly type?: string
  readonly code?: string
  readonly messageId?: string
  readonly isDelta?: boolean
  readonly isInProcess?: boolean
  readonly graphPath?: readonly string[]
  readonly toolCall?: { readonly name: string; readonly input: string; readonly result?: string }
  readonly state?: {
    readonly chatId?: string
    readonly isStreaming?: boolean
    readonly suspended?: { readonly messageId: string }
    readonly messages?: readonly { readonly id: readonly string[]; readonly kwargs: { readonly content: string } }[]
  }
  readonly usage?: Readonly<Record<string, unknown>>
  readonly jsonrpc?: string
}

export interface ChatOptions {
  /** `agents/{id}` or `deployments/{id}`. */
  readonly place: string
  /** Default: the API key of the caller. */
  readonly headers?: Readonly<Record<string, string>>
  readonly account?: string
}

/** The chat API of one agent. */
export function chatOf(api: Api, { place, headers, account = 'hedron' }: ChatOptions) {
  const post = (action: string, body: unknown, signal?: AbortSignal) =>
    fetch(`${api.baseUrl}/api/v1/public/${account}/${place}/chat/${action}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(headers ?? { authorization: `Api-Key ${api.apiKey}` }) },
      body:
        typeof body === 'string' || body instanceof Uint8Array
          ? new Uint8Array(Buffer.from(body))
          : JSON.stringify(body),
      ...(signal ? { signal } : {}),
    })
  return {
    post,
    /** The whole stream of a request that must be taken. */
    async lines(body: unknown): Promise<ChatLine[]> {
      const response = await post('stream-chat-state', body)
      const text = await response.text()
      if (response.status !== 200) throw new Error(`${response.status}: ${text}`)
      return parseLines(text)
    },
    /** A stream that is read line by line. */
    async open(body: unknown, signal?: AbortSignal): Promise<LineReader> {
      const response = await post('stream-chat-state', body, signal)
      if (response.status !== 200 || !response.body) throw new Error(`${response.status}: ${await response.text()}`)
      return readLines(response.body)
    },
    async abort(body: unknown) {
      const response = await post('abort', body)
      const text = await response.text()
      return { status: response.status, text }
    },
    /** Status and body of a request that is refused before a stream opens. */
    async refusal(body: unknown, action = 'stream-chat-state') {
      const response = await post(action, body)
      const text = await response.text()
      return { status: response.status, headers: response.headers, text, body: JSON.parse(text.split('\n')[0] || '{}') }
    },
  }
}
export type Chat = ReturnType<typeof chatOf>

export function parseLines(text: string): ChatLine[] {
  if (!text.endsWith('\n')) throw new Error(`the stream was cut off: ${text.slice(-200)}`)
  return text
    .slice(0, -1)
    .split('\n')
    .map(line => JSON.parse(line))
}

export interface LineReader {
  next(): Promise<ChatLine | undefined>
  until(isIt: (line: ChatLine) => boolean): Promise<ChatLine[]>
  rest(): Promise<ChatLine[]>
  leave(): Promise<void>
}

function readLines(body: ReadableStream<Uint8Array>): LineReader {
  const chunks = body.getReader()
  const decoder = new TextDecoder()
  const waiting: ChatLine[] = []
  let part = ''
  const next = async (): Promise<ChatLine | undefined> => {
    while (waiting.length === 0) {
      const { done, value } = await chunks.read()
      if (done) return undefined
      const lines = (part + decoder.decode(value, { stream: true })).split('\n')
      part = lines.pop() ?? ''
      waiting.push(...lines.map(line => JSON.parse(line)))
    }
    return waiting.shift()
  }
  return {
    next,
    async until(isIt) {
      const read: ChatLine[] = []
      for (;;) {
        const line = await next()
        if (line === undefined) throw new Error(`the stream ended: ${JSON.stringify(read.slice(-3))}`)
        read.push(line)
        if (isIt(line)) return read
      }
    },
    async rest() {
      const read: ChatLine[] = []
      for (let line = await next(); line !== undefined; line = await next()) read.push(line)
      return read
    },
    leave: () => chunks.cancel(),
  }
}

let messages = Date.now()
/** An id of a message that no other has. */
export const newMessageId = (): string => `${++messages}-message`

export const chatIdOf = (lines: readonly ChatLine[]): string => {
  const [first] = lines
  if (first?.id !== '__cutoff__' || !first.state?.chatId) throw new Error(`no cut-off: ${JSON.stringify(first)}`)
  return first.state.chatId
}

/** SPEC, "Extracting the final answer". */
export const finalOf = (lines: readonly ChatLine[]): string | undefined =>
  lines.findLast(({ role, graphPath }) => role === 'assistant' && graphPath?.[0] === 'final' && graphPath.length <= 2)
    ?.content

/** What the tools gave. */
export const resultsOf = (lines: readonly ChatLine[]): string =>
  lines.map(({ toolCall }) => toolCall?.result ?? '').join('\n')

/** The Auto agent of a deployment. */
export async function agentOf(api: Api, deploymentId: number): Promise<string> {
  const { body } = await api.get(`/api/v1/deployments/${deploymentId}/agents`)
  return `agents/${String(body.items?.[0]?.id)}`
}
