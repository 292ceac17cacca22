import { type Listener, listen, notify, type Store } from '@hedron/store'
import * as z from 'zod'
import type { ChatNode } from './chat-node.ts'

interface RelayNeeds {
  readonly store: Pick<Store, 'pool'>
  readonly node: Pick<ChatNode, 'find'>
  readonly report: (error: unknown) => void
}

/** What nodes tell each other of turns: no words of them, those are read from the log. */
const Message = z.object({
  /** `abort`: stop it. `watch`: somebody follows it from elsewhere. `more`: there is more of it in the log. */
  kind: z.enum(['abort', 'watch', 'more']),
  turnId: z.string(),
})

const channel = 'hedron_chat'

/** Carries word of a turn from the node that answers it to those where somebody follows it, and back. */
export interface ChatRelay {
  start(): void
  /** Stops a turn wherever it is answered. */
  abort(turnId: string): Promise<void>
  /** Asks whoever answers a turn to tell of more. */
  watch(turnId: string): Promise<void>
  /** Tells those who follow. */
  tellMore(turnId: string): void
  /** Ends when there may be more of a turn, at the latest after that many milliseconds. */
  untilMore(turnId: string, milliseconds: number): Promise<void>
  close(): Promise<void>
}

export function createChatRelay({ store, node, report }: RelayNeeds): ChatRelay {
  const waiting = new Map<string, Set<() => void>>()
  let listener: Listener | undefined

  function heard(payload: string): void {
    const { kind, turnId } = Message.parse(JSON.parse(payload))
    if (kind === 'abort') node.find(turnId)?.stop('aborted')
    else if (kind === 'watch') {
      const live = node.find(turnId)
      if (live) live.watched = true
    } else for (const wake of waiting.get(turnId) ?? []) wake()
  }

  const say = (kind: z.infer<typeof Message>['kind'], turnId: string) =>
    notify(store.pool, channel, JSON.stringify({ kind, turnId }))

  return {
    start() {
      listener ??= listen(store.pool, {
        channel,
        onMessage(payload) {
          try {
            heard(payload)
          } catch (error) {
            report(error)
          }
        },
        onBegin: () => {},
        onEnd: () => {},
      })
    },
    async abort(turnId) {
      const live = node.find(turnId)
      if (live) live.stop('aborted')
      else await say('abort', turnId)
    },
    watch: turnId => say('watch', turnId),
    tellMore(turnId) {
      say('more', turnId).catch(report)
    },
    async untilMore(turnId, milliseconds) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, milliseconds)
      const mine = waiting.get(turnId) ?? new Set()
      waiting.set(turnId, mine.add(resolve))
      try {
        await promise
      } finally {
        clearTimeout(timer)
        mine.delete(resolve)
        if (mine.size === 0) waiting.delete(turnId)
      }
    },
    async close() {
      await listener?.close()
    },
  }
}
