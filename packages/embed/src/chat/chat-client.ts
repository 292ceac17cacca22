import type { Session } from '../frame/session.ts'
import type { StreamLine } from './conversation.ts'
import { readLines } from './read-lines.ts'

/** A message to send; without `input` it is one that was sent before. */
export interface ChatMessage {
  readonly chatId: string | null
  readonly messageId: string
  readonly input: string | null
}

/** The server refused the message: it was not taken, and sending it again as it is does not help. */
export class ChatRefused extends Error {
  override readonly name = 'ChatRefused'
  readonly code: string | null

  constructor(message: string, code: string | null) {
    super(message)
    this.code = code
  }
}

export interface ChatClient {
  /**
   * The lines of an answer. It ends after the line `__usage__`; where it ends before, or throws anything but `ChatRefused`, the connection was lost
   * and the same message can be sent again: it is answered once.
   */
  send(message: ChatMessage, signal: AbortSignal): AsyncGenerator<StreamLine, void>
  /** Stops the answer of a thread. */
  abort(chatId: string): Promise<void>
}

/** JSON-RPC's code for who is not let in (SPEC, Errors: in a response of status 200). */
const notAuthenticated = -32_001

/**
 * The chat API of an agent as the session of the frame (SPEC, endpoints 4 and 5).
 *
 * @param chatUrl of the agent, as `listAgents` answers it; asked on the frame's own origin, which alone its policy allows.
 */
export function createChatClient(need: {
  chatUrl: string
  session: Session
  fetch: typeof fetch
  timezone: () => string | undefined
}): ChatClient {
  const { session } = need
  const { pathname } = new URL(need.chatUrl, 'http://localhost')

  async function post(path: string, body: object, signal: AbortSignal | null): Promise<Response> {
    for (let attempt = 0; ; attempt++) {
      const token = await session.token()
      const response = await need.fetch(path, {
        method: 'POST',
        credentials: 'omit',
        headers: { authorization: `Embed-Token ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal,
      })
      if (response.status === 401 && attempt === 0 && (await session.refused(token))) continue
      return response
    }
  }

  return {
    async *send({ chatId, messageId, input }, signal) {
      const timezone = need.timezone()
      const body = {
        messageId,
        ...(chatId === null ? {} : { chatId }),
        ...(input === null ? {} : { input }),
        ...(timezone === undefined ? {} : { sessionSettings: { timezone } }),
      }
      for (let attempt = 0; ; attempt++) {
        const token = await session.token()
        const response = await post(pathname, body, signal)
        if (!response.ok || response.body === null) throw await refusal(response)
        let isRefused = false
        for await (const line of readLines(response.body)) {
          if (line.jsonrpc === '2.0') {
            isRefused = true
            const text = errorText(line.error)
            const mayRenew = attempt === 0 && errorCode(line.error) === notAuthenticated
            if (mayRenew && (await session.refused(token))) break
            throw new ChatRefused(text, 'not_authenticated')
          }
          yield line
        }
        if (!isRefused) return
      }
    },

    async abort(chatId) {
      const response = await post(pathname.replace(/stream-chat-state$/, 'abort'), { chatId }, null)
      if (!response.ok && response.status !== 404) throw await refusal(response)
    },
  }
}

/** Passing trouble is an error to try again after; everything else of 4xx is final. */
async function refusal(response: Response): Promise<Error> {
  const text = await response.text().catch(() => '')
  const { message, code } = readError(text)
  const isPassing = response.status >= 500 || response.status === 429 || response.status === 408
  if (isPassing) return new Error(message || String(response.status))
  return new ChatRefused(message || String(response.status), code)
}

function readError(text: string): { message: string; code: string | null } {
  try {
    const body: { message?: unknown; error?: unknown; code?: unknown } = JSON.parse(text)
    const message = typeof body.message === 'string' ? body.message : typeof body.error === 'string' ? body.error : ''
    return { message, code: typeof body.code === 'string' ? body.code : null }
  } catch {
    return { message: text.slice(0, 300), code: null }
  }
}

function errorText(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : ''
}

function errorCode(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
}
