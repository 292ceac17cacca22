import { chatNodes, chatTurns, type Executor, type Store } from '@hedron/store'
import type { Effects } from '../../effects.ts'
import { createLiveTurn, type LiveTurn } from './live-turn.ts'

interface NodeNeeds {
  readonly store: Store
  readonly effects: Effects
  /** The node's name, the same after every start. */
  readonly node: string
  readonly report: (error: unknown) => void
}

/** How often a node that answers says that it lives, in milliseconds; after how many seconds of silence it is thought dead. */
const beatMs = 2000
export const silentSeconds = 10

/** The turns that this node answers, and its word to the others that it lives. */
export interface ChatNode {
  /** This start of the node. */
  readonly name: string
  /** Begins; earlier starts of the node are dead from now on, however they ended. */
  start(): Promise<void>
  /** Says that a turn is about to be answered here, before the database does. */
  reserve(turnId: string): void
  /** It was not, after all. */
  release(turnId: string): void
  /** It is answered here from now on. */
  begin(turnId: string): LiveTurn
  find(turnId: string): LiveTurn | undefined
  /** Whether a turn that the database says is answered by a node really is. @param executor asks on the connection of who has one */
  isAnswered(turnId: string, node: string | null, executor?: Executor): Promise<boolean>
  /** Turns that are answered now. */
  living(): readonly LiveTurn[]
  close(): Promise<void>
}

export function createChatNode({ store, effects, node, report }: NodeNeeds): ChatNode {
  const name = `${node}/${effects.randomBytes(8).toString('hex')}`
  const reserved = new Set<string>()
  const turns = new Map<string, LiveTurn>()
  let timer: NodeJS.Timeout | undefined
  let beating: Promise<void> | undefined
  let lastBeat = Number.NEGATIVE_INFINITY

  async function beat(): Promise<void> {
    await chatNodes.beat(store.kysely, name)
    lastBeat = performance.now()
    const running = [...turns.keys()]
    await chatTurns.suspendAllBut(store.kysely, name, [...running, ...reserved], effects.now())
    if (running.length === 0) return
    for (const id of await chatTurns.notRunningAt(store.kysely, name, running)) turns.get(id)?.stop('lost')
  }

  function pass(): void {
    beating ??= beat()
      .catch(report)
      .finally(() => {
        beating = undefined
        // One more beat after the last turn, for what it could not say itself.
        if (turns.size === 0 && reserved.size === 0) stopBeating()
      })
  }

  function keepBeating(): void {
    timer ??= setInterval(pass, beatMs).unref()
  }

  function stopBeating(): void {
    clearInterval(timer)
    timer = undefined
  }

  return {
    name,
    async start() {
      await chatNodes.removeEarlierStarts(store.kysely, `${node}/`, name)
      await chatNodes.removeOldNodes(store.kysely)
    },
    reserve(turnId) {
      reserved.add(turnId)
      if (performance.now() - lastBeat > beatMs * 2) pass()
      keepBeating()
    },
    release: turnId => {
      reserved.delete(turnId)
    },
    begin(turnId) {
      const live = createLiveTurn(turnId)
      turns.set(turnId, live)
      reserved.delete(turnId)
      const forget = () => {
        if (turns.get(turnId) === live) turns.delete(turnId)
      }
      void live.ended.then(forget)
      return live
    },
    find: turnId => turns.get(turnId),
    async isAnswered(turnId, by, executor = store.kysely) {
      if (by === null) return false
      if (by === name) return turns.has(turnId) || reserved.has(turnId)
      return chatNodes.isAlive(executor, by, silentSeconds)
    },
    living: () => [...turns.values()],
    async close() {
      stopBeating()
      await beating
      await chatNodes.removeNode(store.kysely, name).catch(report)
    },
  }
}
