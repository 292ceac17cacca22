import { problems, QueryServiceError } from '../query-service-error.ts'
import { type After, systemAfter } from '../timers.ts'
import { type Engine, startEngine } from './engine.ts'

export interface EnginesOptions {
  readonly after?: After
  /** What a computation may take. Default 512 MiB. */
  readonly computeBytes?: number
  /** What a statement of a data source may take at most. Default 1 GiB. */
  readonly memoryBytes?: number
  /** How long a process stays that nothing runs in, but for one that is kept ready. Default 5 min. */
  readonly idleMs?: number
  /** Processes of data sources that stay although nothing runs in them. Default 8. */
  readonly idleMost?: number
}

/** Lends an engine to one statement at a time. */
export interface EngineHolder {
  /**
   * @throws QueryServiceError what the engine could not be prepared for, `query_failed` when its process ended, `service_closed`; the
   * signal's reason; what the work throws
   */
  use<T>(signal: AbortSignal, work: (engine: Engine) => Promise<T>): Promise<T>
  /** Ends what is not lent, and the rest when it comes back. Settles when the former is gone. */
  close(): Promise<void>
}

/**
 * The processes in which DuckDB computes. DuckDB's own limit does not count all that a statement takes (long texts, above all), so each
 * statement has a process to itself, which may be ended without harm to anything else.
 */
export interface Engines {
  /** Engines of one data source. @param prepare makes a fresh engine one of them */
  holder(prepare: (engine: Engine, signal: AbortSignal) => Promise<void>): EngineHolder
  /** Engines that compute over tables they are given, nothing of which is left for the next. */
  readonly computing: EngineHolder
  /** Starts a process, so that the first who needs one does not wait for it. */
  warm(): void
  /** How many processes there are. */
  count(): number
  /** Ends all of them. What is asked afterwards ends with `service_closed`. Settles when they are gone. */
  close(): Promise<void>
}

/** How long a fresh engine is not started for, because those who wait need the machine. */
const spareMs = 500

/** Starts no process before one is needed, or `warm` is called; then one more is kept ready, since a start takes a tenth of a second. */
export function createEngines(options: EnginesOptions = {}): Engines {
  const { after = systemAfter, computeBytes = 2 ** 29, memoryBytes = 2 ** 30 } = options
  const { idleMs = 5 * 60_000, idleMost = 8 } = options
  const all = new Set<Engine>()
  /** What nothing runs in, the longest unused first. */
  const idle = new Map<Engine, { readonly of: object; readonly stopTimer: () => void }>()
  /** Stands for the data source of those that have none yet. */
  const fresh = {}
  let isSpareComing = false
  let isClosed = false

  function start(): Engine {
    const engine = startEngine({
      after,
      computeBytes,
      memoryBytes: Math.max(memoryBytes, computeBytes),
      ended() {
        all.delete(engine)
        forget(engine)
      },
    })
    all.add(engine)
    return engine
  }

  function forget(engine: Engine): void {
    idle.get(engine)?.stopTimer()
    idle.delete(engine)
  }

  function takeIdle(of: object): Engine | undefined {
    const found = [...idle].findLast(([engine, entry]) => entry.of === of && engine.isUsable)?.[0]
    if (found) forget(found)
    return found
  }

  function giveBack(engine: Engine, of: object): void {
    if (!engine.isUsable) return
    if (isClosed) {
      engine.end()
      return
    }
    idle.set(engine, { of, stopTimer: after(idleMs, () => expire(engine, of)) })
    const bound = [...idle].filter(([, entry]) => entry.of !== fresh)
    const [oldest] = bound
    if (oldest && bound.length > idleMost) dismiss(oldest[0])
  }

  /** One that is fresh stays for whoever comes next. */
  function expire(engine: Engine, of: object): void {
    const alike = [...idle].filter(([, entry]) => entry.of === of)
    if (of !== fresh || alike.length > 1) dismiss(engine)
  }

  function dismiss(engine: Engine): Promise<void> {
    forget(engine)
    return engine.end()
  }

  function takeFresh(): Engine {
    const engine = takeIdle(fresh) ?? start()
    bringSpare()
    return engine
  }

  function bringSpare(): void {
    if (isSpareComing) return
    isSpareComing = true
    after(spareMs, () => {
      isSpareComing = false
      const has = [...idle.values()].some(({ of }) => of === fresh)
      if (!isClosed && !has) giveBack(start(), fresh)
    })
  }

  async function lend<T>(engine: Engine, work: (engine: Engine) => Promise<T>): Promise<T> {
    try {
      return await work(engine)
    } catch (error) {
      // What is left of such a statement is not worth to be known.
      if (error instanceof QueryServiceError && error.code === 'memory_exceeded') engine.end()
      throw error
    }
  }

  function refuseWhenClosed(): void {
    if (isClosed) throw problems.serviceClosed()
  }

  return {
    holder(prepare) {
      const own = {}
      let isOver = false

      async function takePrepared(signal: AbortSignal): Promise<Engine> {
        const engine = takeFresh()
        try {
          await lend(engine, () => prepare(engine, signal))
          return engine
        } catch (error) {
          // Told to stop, it may have opened the source all the same, which nobody else must find in it.
          if (signal.aborted) engine.end()
          else giveBack(engine, fresh)
          throw error
        }
      }

      return {
        async use(signal, work) {
          refuseWhenClosed()
          signal.throwIfAborted()
          const engine = takeIdle(own) ?? (await takePrepared(signal))
          try {
            return await lend(engine, work)
          } finally {
            if (isOver) engine.end()
            else giveBack(engine, own)
          }
        },
        async close() {
          isOver = true
          await Promise.all([...idle].filter(([, { of }]) => of === own).map(([engine]) => dismiss(engine)))
        },
      }
    },

    computing: {
      async use(signal, work) {
        refuseWhenClosed()
        signal.throwIfAborted()
        const engine = takeFresh()
        try {
          return await lend(engine, work)
        } finally {
          const stop = new AbortController()
          engine.ask({ do: 'reset' }, stop.signal).then(
            () => giveBack(engine, fresh),
            () => engine.end(),
          )
        }
      },
      async close() {},
    },

    warm() {
      if (!isClosed && all.size === 0) giveBack(start(), fresh)
    },

    count: () => all.size,

    async close() {
      isClosed = true
      await Promise.all([...all].map(engine => engine.end()))
    },
  }
}
