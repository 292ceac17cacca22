import type { QueryService } from '@hedron/query'
import { countListeners, type Listener, listen, notify, type Store } from '@hedron/store'
import * as z from 'zod'
import type { Effects } from '../effects.ts'

/** Stops queries wherever they run: a client's request to stop one may reach another node than the query did. */
export interface CancelEverywhere {
  /** Begins to hear of what other nodes are asked. Before, and where nothing can be heard, only this node's queries are stopped. */
  start(): void
  /** @returns how many queries of the request there were, on all nodes that answered within a second */
  cancel(pool: string, requestId: string, owner: string): Promise<number>
  close(): Promise<void>
}

interface CancelNeeds {
  readonly store: Pick<Store, 'pool'>
  readonly effects: Pick<Effects, 'randomBytes'>
  readonly queryService: Pick<QueryService, 'cancel'>
  /** Told of faults that the caller is not: his own node's queries were stopped. */
  readonly report: (error: unknown) => void
}

const channel = 'hedron_query_cancels'
const answerMs = 1_000
/** Of requests that there can be; what is longer than PostgreSQL passes on names none. */
const longestId = 300

const Message = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('cancel'),
    id: z.string(),
    node: z.string(),
    pool: z.string(),
    requestId: z.string(),
    owner: z.string(),
  }),
  z.object({ kind: z.literal('cancelled'), id: z.string(), found: z.number() }),
])
type Message = z.infer<typeof Message>

export function createCancelEverywhere({ store, effects, queryService, report }: CancelNeeds): CancelEverywhere {
  const node = effects.randomBytes(12).toString('base64url')
  const asked = new Map<string, (found: number) => void>()
  let listener: Listener | undefined
  let isHeard = false

  const say = (message: Message) => notify(store.pool, channel, JSON.stringify(message))

  function heard(payload: string): void {
    const message = Message.parse(JSON.parse(payload))
    if (message.kind === 'cancelled') {
      asked.get(message.id)?.(message.found)
      return
    }
    if (message.node === node) return
    const { found } = queryService.cancel(message.pool, message.requestId, message.owner)
    say({ kind: 'cancelled', id: message.id, found }).catch(report)
  }

  async function askOthers(pool: string, requestId: string, owner: string): Promise<number> {
    const others = (await countListeners(store.pool, channel)) - 1
    if (others <= 0) return 0
    const id = effects.randomBytes(12).toString('base64url')
    const { promise: over, resolve } = Promise.withResolvers<void>()
    let [answers, count] = [0, 0]
    asked.set(id, found => {
      answers += 1
      count += found
      if (answers >= others) resolve()
    })
    const timer = setTimeout(resolve, answerMs)
    try {
      await say({ kind: 'cancel', id, node, pool, requestId, owner })
      await over
      return count
    } finally {
      clearTimeout(timer)
      asked.delete(id)
    }
  }

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
        onBegin: () => {
          isHeard = true
        },
        onEnd: () => {
          isHeard = false
        },
      })
    },
    async cancel(pool, requestId, owner) {
      const { found } = queryService.cancel(pool, requestId, owner)
      if (!isHeard || requestId.length > longestId) return found
      try {
        return found + (await askOthers(pool, requestId, owner))
      } catch (error) {
        report(error)
        return found
      }
    },
    async close() {
      await listener?.close()
    },
  }
}
