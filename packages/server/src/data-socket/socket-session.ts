import type { WebSocket } from 'ws'
import { describeDataError } from '../data-api/describe-data-error.ts'
import type { RequestMeter } from '../metrics/request-meter.ts'
import { createSlots } from './slots.ts'
import type { SocketAddress } from './socket-address.ts'
import { closeCodes, type SocketLimits } from './socket-limits.ts'
import { MessageProblem, type MethodMessage, readSocketMessage } from './socket-message.ts'
import {
  answerAbout,
  isContinueWait,
  isRefusal,
  type RunSocketQuery,
  type SocketApi,
  type SocketQuery,
} from './socket-query.ts'
import { createSocketSender } from './socket-sender.ts'
import type { Outcome, Subscriptions } from './subscriptions.ts'

interface SessionNeeds {
  readonly api: SocketApi
  readonly limits: SocketLimits
  readonly run: RunSocketQuery
  readonly subscriptions: Subscriptions
  readonly newRequestId: () => string
  /** Told of faults of ours. */
  readonly report: (error: unknown, requestId?: string) => void
  readonly requests?: Pick<RequestMeter, 'count'>
}

/** One web socket of the data API. */
export interface SocketSession {
  readonly isAuthorized: () => boolean
  /** Whether what comes is not being read, because much of it waits. */
  readonly isPaused: () => boolean
  /** Ends what the socket asked for. */
  end(): void
}

type MessageId = string | number

/** A message whose answer is on its way. */
interface Pending {
  readonly text: string
  /** One of the same id that has to be answered first. */
  readonly before: Pending | undefined
  readonly abort: AbortController
  done: Promise<void>
}

type RequestMessage = Exclude<MethodMessage, { readonly method: 'unsubscribe' }>
type RowsMessage = Extract<MethodMessage, { readonly method: 'load' | 'subscribe' }>

/**
 * Answers the messages of one socket (contract/behaviour/query.md section 9): at most a few at a time, those of one id one after
 * the other. The token is checked again for every message and every run, so that the socket's rights end with the token's.
 */
export function openSession(socket: WebSocket, address: SocketAddress, need: SessionNeeds): SocketSession {
  const { api, limits, run, subscriptions, newRequestId, report } = need
  const sender = createSocketSender(socket, limits)
  const slots = createSlots(limits.running)
  const waiting: string[] = []
  /** The newest message of each id that has no answer yet. */
  const pending = new Map<MessageId, Pending>()
  const subscribed = new Map<MessageId, { readonly text: string; end: () => void }>()
  let token: string | undefined
  let pumping = false
  let accepted = 0
  let spans = 0
  let accepting = Promise.withResolvers<void>()

  socket.on('message', (data, isBinary) => {
    if (isBinary) return socket.close(closeCodes.unsupportedData, 'Messages are JSON text')
    waiting.push(String(data))
    if (waiting.length >= limits.waiting) socket.pause()
    void pump()
  })

  return {
    isAuthorized: () => token !== undefined,
    isPaused: () => socket.isPaused,
    end() {
      waiting.length = 0
      for (const id of pending.keys()) stop(id, 'the socket was closed')
      endSubscriptions()
    },
  }

  async function pump(): Promise<void> {
    if (pumping) return
    pumping = true
    for (let text = waiting.shift(); text !== undefined; text = waiting.shift()) {
      if (waiting.length < limits.waiting / 2 && socket.isPaused) socket.resume()
      try {
        await take(text)
      } catch (error) {
        await replyError(error instanceof MessageProblem ? error.messageId : undefined, error)
      }
    }
    pumping = false
  }

  async function take(text: string): Promise<void> {
    const message = readSocketMessage(text)
    if ('authorization' in message) return authorize(message.authorization)
    if ('unsubscribe' in message) return unsubscribe(message.unsubscribe)
    if (message.method === 'unsubscribe') {
      unsubscribe(message.messageId)
      return sender.send(JSON.stringify({ messageProcessedId: message.messageId }))
    }
    const { messageId } = message
    const before = pending.get(messageId)
    // Clients send what they still wait for again; its answer is on its way.
    if (before?.text === text) return
    if (message.method === 'subscribe' && subscribed.get(messageId)?.text === text) {
      return sender.send(JSON.stringify({ messageProcessedId: messageId }))
    }
    while (accepted >= limits.waiting) await accepting.promise
    accepted += 1
    const abort = new AbortController()
    const entry: Pending = { text, before, abort, done: Promise.resolve() }
    pending.set(messageId, entry)
    entry.done = (before?.done ?? Promise.resolve())
      .then(() => slots.use(() => answer(message, text, abort.signal)))
      .catch((error: unknown) => report(error))
      .finally(() => {
        if (pending.get(messageId) === entry) pending.delete(messageId)
        accepted -= 1
        accepting.resolve()
        accepting = Promise.withResolvers<void>()
      })
  }

  async function authorize(given: string): Promise<void> {
    token = undefined
    await api.authenticate({ ...address, header: given })
    token = given
    const again = [...subscribed.values()]
    endSubscriptions()
    // With the new token they may see something else.
    waiting.unshift(...again.map(({ text }) => text))
    await sender.send('{"handshake":true}')
  }

  function unsubscribe(messageId: MessageId): void {
    for (const id of [messageId, otherForm(messageId)]) {
      stop(id, 'it was unsubscribed')
      endSubscription(id)
    }
  }

  function stop(id: MessageId, reason: string): void {
    for (let entry = pending.get(id); entry !== undefined; entry = entry.before) entry.abort.abort(new Error(reason))
  }

  function endSubscription(id: MessageId): void {
    subscribed.get(id)?.end()
    subscribed.delete(id)
  }

  function endSubscriptions(): void {
    for (const { end } of subscribed.values()) end()
    subscribed.clear()
  }

  async function answer(message: RequestMessage, text: string, signal: AbortSignal): Promise<void> {
    const { messageId, method } = message
    if (signal.aborted) return
    const startedAt = performance.now()
    const count = (status: number) =>
      need.requests?.count(`socket_${method}`, status, (performance.now() - startedAt) / 1000)
    try {
      if (token === undefined) {
        count(403)
        return reply(messageId, JSON.stringify({ error: 'Not authorized' }), 403)
      }
      const caller = await api.authenticate({ ...address, header: token })
      api.admit(address.deploymentId)
      if (message.method === 'load' || message.method === 'subscribe')
        await answerRows(message, { token, text }, signal)
      else {
        const about = await answerAbout(api.operations, message, caller)
        await reply(messageId, JSON.stringify(about), 200)
      }
      if (!signal.aborted) count(200)
    } catch (error) {
      if (!signal.aborted) count(await replyError(messageId, error))
    }
    if (!signal.aborted) await sender.send(JSON.stringify({ messageProcessedId: messageId }))
  }

  async function answerRows(
    message: RowsMessage,
    given: { token: string; text: string },
    signal: AbortSignal,
  ): Promise<void> {
    const { messageId } = message
    const parameters = deepFreeze(message.params)
    const query = { address, token: given.token, parameters, requestId: requestIdOf(message) }
    const outcome = await outcomeOf(query, messageId, signal)
    if (signal.aborted) return
    if (message.method === 'subscribe' && !('error' in outcome && isRefusal(outcome.error))) {
      subscribe(messageId, given.text, query, outcome)
    }
    if ('error' in outcome) throw outcome.error
    await reply(messageId, outcome.text, 200)
  }

  /** A client of the field asks once, is told to wait, and is sent the result when it is there. */
  async function outcomeOf(query: SocketQuery, messageId: MessageId, signal: AbortSignal): Promise<Outcome> {
    for (;;) {
      try {
        return { text: await run(query, signal) }
      } catch (error) {
        if (!isContinueWait(error) || signal.aborted) return { error }
        await replyError(messageId, error)
      }
    }
  }

  function subscribe(messageId: MessageId, text: string, query: SocketQuery, shown: Outcome): void {
    endSubscription(messageId)
    const subscriber = { query, isBusy: sender.isBusy, tell: (outcome: Outcome) => void tell(messageId, outcome) }
    const end = subscribed.size < limits.subscriptions ? subscriptions.add(subscriber, shown) : null
    if (end === null) throw new MessageProblem('UserError', tooMany(limits), messageId)
    subscribed.set(messageId, { text, end })
  }

  async function tell(messageId: MessageId, outcome: Outcome): Promise<void> {
    if ('text' in outcome) return reply(messageId, outcome.text, 200)
    await replyError(messageId, outcome.error)
    if (isRefusal(outcome.error)) endSubscription(messageId)
  }

  /** The client's own id with a number, as over HTTP, so that its query is stopped by that id. */
  function requestIdOf({ requestId }: MethodMessage): string {
    if (requestId === undefined || !/^[\x21-\x7e]+$/.test(requestId)) return newRequestId()
    spans += 1
    return /-span-\d+$/.test(requestId) ? requestId : `${requestId}-span-${spans}`
  }

  function reply(messageId: unknown, text: string, status: number): Promise<void> {
    const id = messageId === undefined ? '' : `"messageId":${JSON.stringify(messageId)},`
    return sender.send(`{${id}"message":${text},"status":${status}}`)
  }

  /** @returns the status that was told */
  async function replyError(messageId: unknown, error: unknown): Promise<number> {
    if (error instanceof MessageProblem) {
      await reply(messageId, JSON.stringify({ type: error.type, error: error.message }), 400)
      return 400
    }
    const requestId = newRequestId()
    const { status, body, isFault } = describeDataError(error, requestId)
    if (isFault) report(error, requestId)
    await reply(messageId, JSON.stringify(body), status)
    return status
  }
}

const tooMany = ({ subscriptions, subscriptionsOfDeployment }: SocketLimits) =>
  `A web socket has at most ${subscriptions} subscriptions, a deployment ${subscriptionsOfDeployment}. Unsubscribe from others first.`

/** `{ "unsubscribe": "1" }` ends the subscription of the message 1, too. */
const otherForm = (id: MessageId): MessageId =>
  typeof id === 'number' ? String(id) : /^\d{1,15}$/.test(id) ? Number(id) : id

function deepFreeze<T extends object>(value: T): T {
  for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) deepFreeze(inner)
  return Object.freeze(value)
}
