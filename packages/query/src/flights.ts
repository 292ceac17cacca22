import { LRUCache } from 'lru-cache'
import { ContinueWait } from './continue-wait.ts'
import { createDebts, type Debts } from './debts.ts'
import { problems, type QueryServiceError } from './query-service-error.ts'
import { requestOf, returnerOf } from './request-id.ts'
import type { After } from './timers.ts'

/** One computation that any number of requests wait for. */
export interface Flight<T> {
  readonly key: string
  readonly pool: string
  /** Of every request that started or joined it, without what follows `-span-`. */
  readonly requests: Set<string>
  readonly waiting: Set<Waiting<T>>
  readonly controller: AbortController
  /** The requests that were told to continue to wait, or lost their connection, and have not come back. */
  readonly debts: Debts
  stopOrphanTimer: () => void
}

interface Waiting<T> {
  readonly request: string
  land(outcome: Outcome<T>): void
}

export type Outcome<T> = { readonly done: true; readonly value: T } | { readonly done: false; readonly error: unknown }

/** Who asks. */
export interface Asker {
  readonly requestId: string
  /** Only the same owner cancels it, or gets what was kept for it. */
  readonly owner?: string | undefined
}

/** How one request waits for a flight. */
export interface Wait extends Asker {
  /** Milliseconds until `ContinueWait`. */
  readonly waitMs: number
  readonly signal?: AbortSignal | undefined
  /** It will ask again when it was told to, so the outcome is kept for it. */
  readonly returns: boolean
}

export interface Flights<T> {
  has(key: string): boolean
  /** The flight under this key, started now when there is none. With nobody waiting it ends after the orphan time. */
  ensure(key: string, pool: string, work: (signal: AbortSignal) => Promise<T>): Flight<T>
  /**
   * @throws ContinueWait when the flight takes longer than the request waits; it goes on
   * @throws QueryServiceError whatever ended the flight; `query_cancelled` when the request was cancelled or its signal aborted
   */
  wait(flight: Flight<T>, wait: Wait): Promise<T>
  /** The outcome of a flight that landed while this request was away, which had been told to wait. Each is given out once. */
  takeHeld(key: string, asker: Asker): Outcome<T> | undefined
  /** Puts an outcome back that was given out to a request which is told to ask again after all. */
  putBack(key: string, pool: string, outcome: Outcome<T>, asker: Asker): void
  /** Whether an outcome waits to be taken by this request. */
  holds(key: string, asker: Asker): boolean
  /** Takes a request off the flights of a pool; a flight for which nobody else waits is stopped. Says how many were stopped. */
  cancel(pool: string, requestId: string, owner?: string): { readonly found: number; readonly stopped: number }
  /** Stops every flight of one pool, or of all, and drops what is held for them. */
  stop(pool: string | undefined, reason: QueryServiceError): void
  count(): { readonly flights: number; readonly held: number }
}

interface Held<T> {
  readonly pool: string
  readonly outcome: Outcome<T>
  readonly stopTimer: () => void
  readonly debts: Debts
}

export function createFlights<T>(options: {
  readonly after: After
  /** How long a flight goes on, and its outcome is held, while nobody asks for it. */
  readonly orphanMs: number
  readonly heldBytes: number
  readonly bytesOf: (value: T) => number
}): Flights<T> {
  const { after, orphanMs } = options
  const flights = new Map<string, Flight<T>>()
  const held = new LRUCache<string, Held<T>>({
    maxSize: options.heldBytes,
    sizeCalculation: ({ outcome }, key) => (outcome.done ? options.bytesOf(outcome.value) : 1_000) + key.length,
    dispose: ({ stopTimer }) => stopTimer(),
  })

  function land(flight: Flight<T>, outcome: Outcome<T>): void {
    if (flights.get(flight.key) !== flight) return
    remove(flight)
    // Whoever lost his connection heard of no error, and asks as if for the first time.
    if (!outcome.done) flight.debts.forgetLost()
    if (flight.debts.count() > 0) hold(flight, outcome)
    for (const waiting of flight.waiting) waiting.land(outcome)
  }

  function hold({ key, pool, debts }: Pick<Flight<T>, 'key' | 'pool' | 'debts'>, outcome: Outcome<T>): void {
    held.set(key, { pool, outcome, debts, stopTimer: after(orphanMs, () => held.delete(key)) })
  }

  function abort(flight: Flight<T>, reason: QueryServiceError): void {
    if (flights.get(flight.key) !== flight) return
    remove(flight)
    for (const waiting of flight.waiting) waiting.land({ done: false, error: reason })
    flight.controller.abort(reason)
  }

  function remove(flight: Flight<T>): void {
    flights.delete(flight.key)
    flight.stopOrphanTimer()
  }

  function watchOrphan(flight: Flight<T>): void {
    flight.stopOrphanTimer = after(orphanMs, () => {
      abort(flight, problems.queryCancelled(`nobody asked for it again within ${orphanMs / 1000} s`))
    })
  }

  return {
    has: key => flights.has(key),

    ensure(key, pool, work) {
      const known = flights.get(key)
      if (known) return known
      const flight: Flight<T> = {
        key,
        pool,
        requests: new Set(),
        waiting: new Set(),
        controller: new AbortController(),
        debts: createDebts(),
        stopOrphanTimer: () => {},
      }
      flights.set(key, flight)
      watchOrphan(flight)
      work(flight.controller.signal).then(
        value => land(flight, { done: true, value }),
        error => land(flight, { done: false, error }),
      )
      return flight
    },

    wait(flight, { requestId, owner, waitMs, signal, returns }) {
      const request = requestOf(requestId, owner)
      flight.requests.add(request)
      flight.stopOrphanTimer()
      // Whoever waits as long as it takes is told nothing before, so that he has no reason to come back.
      const comesBack = returns && waitMs !== Number.POSITIVE_INFINITY
      const returner = returnerOf(requestId, owner)
      if (comesBack) flight.debts.pay(returner)
      const { promise, resolve, reject } = Promise.withResolvers<T>()
      const waiting: Waiting<T> = {
        request,
        land(outcome) {
          stopTimer()
          signal?.removeEventListener('abort', disconnect)
          flight.waiting.delete(waiting)
          if (outcome.done) resolve(outcome.value)
          else reject(outcome.error)
        },
      }
      const leave = (error: QueryServiceError | ContinueWait) => {
        waiting.land({ done: false, error })
        if (comesBack) flight.debts.owe(returner, error instanceof ContinueWait ? 'told to wait' : 'lost')
        if (flight.waiting.size > 0) return
        if (waitMs !== Number.POSITIVE_INFINITY || flight.debts.count() > 0) watchOrphan(flight)
        else abort(flight, gone())
      }
      const disconnect = () => leave(gone())
      const stopTimer = after(waitMs, () => leave(new ContinueWait()))
      flight.waiting.add(waiting)
      signal?.addEventListener('abort', disconnect, { once: true })
      if (signal?.aborted) disconnect()
      return promise
    },

    putBack(key, pool, outcome, { requestId, owner }) {
      const debts = held.get(key)?.debts ?? createDebts()
      debts.owe(returnerOf(requestId, owner), 'told to wait')
      if (!held.has(key)) hold({ key, pool, debts }, outcome)
    },

    holds: (key, { requestId, owner }) => held.get(key)?.debts.isOwed(returnerOf(requestId, owner)) ?? false,

    takeHeld(key, { requestId, owner }) {
      const kept = held.get(key)
      if (!kept?.debts.pay(returnerOf(requestId, owner))) return undefined
      if (kept.debts.count() === 0) held.delete(key)
      return kept.outcome
    },

    cancel(pool, requestId, owner) {
      const request = requestOf(requestId, owner)
      const found = [...flights.values()].filter(flight => flight.pool === pool && flight.requests.has(request))
      const reason = problems.queryCancelled('it was asked to stop')
      const stopped = found.filter(flight => [...flight.waiting].every(waiting => waiting.request === request))
      for (const flight of stopped) abort(flight, reason)
      for (const flight of found) {
        flight.requests.delete(request)
        const leaving = [...flight.waiting].filter(waiting => waiting.request === request)
        for (const waiting of leaving) waiting.land({ done: false, error: reason })
      }
      return { found: found.length, stopped: stopped.length }
    },

    stop(pool, reason) {
      for (const flight of flights.values()) if (pool === undefined || flight.pool === pool) abort(flight, reason)
      for (const [key, kept] of held.entries()) if (pool === undefined || kept.pool === pool) held.delete(key)
    },

    count: () => ({ flights: flights.size, held: held.size }),
  }
}

const gone = () => problems.queryCancelled('the one who asked went away')
