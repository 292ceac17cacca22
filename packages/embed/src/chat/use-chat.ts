import { ApiError } from '@hedron/contract/client'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Frame } from '../frame/frame.ts'
import { SessionOver } from '../frame/session.ts'
import { type ChatClient, ChatRefused } from './chat-client.ts'
import { type Conversation, changed, emptyConversation, newTurn, turnOfHistory, withLine } from './conversation.ts'
import { newMessageId } from './message-id.ts'

export interface Chat {
  readonly conversation: Conversation
  /** An answer is coming. */
  readonly isRunning: boolean
  /** The line was lost and is being found again. */
  readonly isReconnecting: boolean
  /** Questions that were asked while an answer came, in their order. */
  readonly queued: readonly string[]
  /** A thread of the history is being read, or could not be. */
  readonly opening: boolean | Error
  ask(text: string): void
  stop(): void
  /** Sends the same message again: goes on where an answer was interrupted, and asks anew where it failed. */
  resume(messageId: string): void
  open(chatId: string): void
  startNew(): void
  rate(messageId: string, rating: 'up' | 'down' | null, feedback?: string): Promise<void>
}

interface ChatNeed {
  readonly frame: Frame
  readonly client: ChatClient
  readonly deploymentId: number
  readonly agentId: number
}

const pauses = [300, 1000, 2000, 4000, 8000, 15_000, 30_000]

/**
 * One conversation at a time. Each message has an id that stays its own: when the line is lost, the server starts anew or the page wakes, the
 * same message is sent again and its answer goes on where it is. Leaving a conversation does not stop its answer.
 */
export function useChat({ frame, client, deploymentId, agentId }: ChatNeed): Chat {
  const [conversation, setConversation] = useState<Conversation>(emptyConversation)
  const [running, setRunning] = useState<string | null>(null)
  const [isReconnecting, setReconnecting] = useState(false)
  const [queued, setQueued] = useState<readonly string[]>([])
  const [opening, setOpening] = useState<boolean | Error>(false)
  const stream = useRef<AbortController | null>(null)
  // What the callbacks see is what is now, not what was when they were made.
  const latest = useRef(conversation)

  const update = useCallback((change: (before: Conversation) => Conversation) => {
    latest.current = change(latest.current)
    setConversation(latest.current)
  }, [])

  const leave = useCallback(() => {
    stream.current?.abort()
    stream.current = null
    setRunning(null)
    setReconnecting(false)
    setQueued([])
  }, [])
  useEffect(() => leave, [leave])

  const follow = useCallback(
    async (messageId: string, input: string | null) => {
      const stop = new AbortController()
      stream.current?.abort()
      stream.current = stop
      setRunning(messageId)
      const told = (status: 'submitted' | 'completed' | 'error') => {
        const { chatId } = latest.current
        const query = latest.current.turns.find(turn => turn.messageId === messageId)?.input ?? input ?? ''
        frame.host.emit('ai-query', { query, status, agentId: String(agentId), ...(chatId === null ? {} : { chatId }) })
      }
      if (input !== null) told('submitted')
      let failures = 0
      for (;;) {
        try {
          let isOver = false
          const { chatId } = latest.current
          for await (const line of client.send({ chatId, messageId, input }, stop.signal)) {
            setReconnecting(false)
            if (line.id === '__usage__') isOver = true
            update(before => withLine(before, line, messageId))
          }
          if (isOver) break
          // A stream that was cut off says nothing of its end.
          throw new Error('The stream ended before its answer.')
        } catch (error) {
          if (stop.signal.aborted) return
          const pause = error instanceof ChatRefused || error instanceof SessionOver ? undefined : pauses[failures++]
          if (pause === undefined) {
            const text = error instanceof Error ? error.message : String(error)
            update(before => changed(before, messageId, turn => ({ ...turn, status: 'failed', error: text })))
            break
          }
          setReconnecting(true)
          await until(pause, stop.signal)
          if (stop.signal.aborted) return
        }
      }
      const status = latest.current.turns.find(turn => turn.messageId === messageId)?.status
      // A stream that is over without an answer, or a word why, has failed all the same.
      if (status === 'running') update(before => changed(before, messageId, turn => ({ ...turn, status: 'failed' })))
      told(status === 'answered' ? 'completed' : 'error')
      setReconnecting(false)
      setRunning(null)
    },
    [client, frame, agentId, update],
  )

  const begin = useCallback(
    (text: string) => {
      const messageId = newMessageId()
      update(before => ({ ...before, turns: [...before.turns, newTurn(messageId, text)] }))
      void follow(messageId, text)
    },
    [follow, update],
  )

  const [next] = queued
  useEffect(() => {
    if (running !== null || next === undefined) return
    setQueued(before => before.slice(1))
    begin(next)
  }, [running, next, begin])

  const open = useCallback(
    (chatThreadId: string) => {
      leave()
      const stop = new AbortController()
      stream.current = stop
      setOpening(true)
      frame.api.getChatThread({ params: { deploymentId, chatThreadId } }, stop.signal).then(
        thread => {
          if (stop.signal.aborted) return
          update(() => ({ chatId: thread.id, turns: thread.turns.map(turnOfHistory) }))
          setOpening(false)
          const last = latest.current.turns.at(-1)
          if (last?.status === 'running') void follow(last.messageId, null)
        },
        (error: unknown) => {
          if (stop.signal.aborted) return
          setOpening(error instanceof Error ? error : new Error(String(error)))
          const name = error instanceof ApiError ? (error.code ?? 'ApiError') : 'Error'
          frame.host.emit('error', { message: String(error), name, context: 'chat' })
        },
      )
    },
    [frame, deploymentId, follow, leave, update],
  )

  return {
    conversation,
    isRunning: running !== null,
    isReconnecting,
    queued,
    opening,
    ask(text) {
      if (running === null) begin(text)
      else setQueued(before => [...before, text])
    },
    stop() {
      const { chatId } = latest.current
      setQueued([])
      if (chatId === null) {
        if (running !== null) update(before => changed(before, running, turn => ({ ...turn, status: 'aborted' })))
        leave()
        return
      }
      client.abort(chatId).catch((error: unknown) => {
        frame.host.emit('error', { message: String(error), name: 'AbortFailed', context: 'chat' })
      })
    },
    resume(messageId) {
      const turn = latest.current.turns.find(one => one.messageId === messageId)
      if (!turn || running !== null) return
      if (turn.status === 'failed' && turn.error !== null) {
        // Its end is kept under its id, so that a new try is a new message.
        const isLast = latest.current.turns.at(-1) === turn
        if (isLast) update(before => ({ ...before, turns: before.turns.slice(0, -1) }))
        begin(turn.input)
        return
      }
      update(before => changed(before, messageId, one => ({ ...one, status: 'running', error: null })))
      void follow(messageId, turn.input)
    },
    open,
    startNew() {
      leave()
      setOpening(false)
      update(() => emptyConversation)
    },
    async rate(messageId, rating, feedback) {
      const { chatId } = latest.current
      if (chatId === null) return
      const params = { deploymentId, chatThreadId: chatId, chatMessageId: messageId }
      await frame.api.rateChatMessage({ params, body: { rating, ...(feedback === undefined ? {} : { feedback }) } })
      update(before => changed(before, messageId, turn => ({ ...turn, rating })))
    },
  }
}

/** Waits, but not longer than until the network is back. */
async function until(milliseconds: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, milliseconds)
  window.addEventListener('online', () => resolve(), { once: true, signal })
  signal.addEventListener('abort', () => resolve(), { once: true })
  await promise
  clearTimeout(timer)
}
