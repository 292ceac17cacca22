import { problems } from './query-service-error.ts'
import type { After } from './timers.ts'

/** Whose query wants to run, and how many of the same may run beside it. */
export interface Place {
  readonly pool: string
  /** With whose rights it is asked; absent: nobody's, who takes what places there are. */
  readonly owner?: string | undefined
  /** One queue: a data source within a pool. */
  readonly lane: string
  readonly concurrency: number
  /** It computes on this machine, so it takes one of the places that all pools share. */
  readonly shared: boolean
}

export interface Admission {
  /**
   * Waits for a place, in turns between lanes and within a lane between owners. Gives what gives the place back.
   *
   * @throws QueryServiceError `queue_full`; the signal's reason when it aborts first
   */
  enter(place: Place, signal: AbortSignal): Promise<() => void>
  count(): { readonly running: number; readonly waiting: number }
}

interface Waiting {
  readonly place: Place
  start(leave: () => void): void
}

interface Lane {
  readonly waiting: Waiting[]
  readonly running: Counts
  /** When a query of an owner was last started, as a number that grows; of owners of whom something waits or runs. */
  readonly started: Map<Owner, number>
}

/** Undefined: what is nobody's. */
type Owner = string | undefined

/** How many run: all of them, those of each owner, and those that have run for long. */
interface Counts {
  all: number
  long: number
  readonly ofOwner: Map<Owner, number>
}

const noCounts = (): Counts => ({ all: 0, long: 0, ofOwner: new Map() })

function count(counts: Counts, owner: Owner, change: 1 | -1): void {
  counts.all += change
  const ofOwner = (counts.ofOwner.get(owner) ?? 0) + change
  if (ofOwner === 0) counts.ofOwner.delete(owner)
  else counts.ofOwner.set(owner, ofOwner)
}

/**
 * Of three places and more, one owner leaves one to others; two are too few to be divided. For whoever has none there is one more for each
 * that is held for long, up to as many again.
 */
function hasPlace(counts: Counts, owner: Owner, places: number): boolean {
  const { all, long, ofOwner } = counts
  const own = ofOwner.get(owner) ?? 0
  if (all >= places) return owner !== undefined && own === 0 && all < places + Math.min(long, places)
  const most = places >= 3 ? places - 1 : places
  return owner === undefined || own < most
}

/**
 * Decides which query runs next. One owner takes at most all but one of the places of a lane and of a pool's shared ones, where there are
 * three or more: his slow queries never keep every other caller of a deployment waiting. Where several owners together have all of them, the next
 * that is free is for who has the fewest, and of these for who was served longest ago: nobody waits for more than one query of each of the others,
 * however many they ask. Where all shared places are held by queries that have run for long, there are more for owners of whom nothing runs, up to
 * as many again, so that queries without an end of several owners do not keep the next one waiting; databases elsewhere have their own limits.
 */
export function createAdmission(options: {
  /**
   * For all embedded databases together. One pool takes at most all but one of them, so a deployment's slow queries never keep every other
   * deployment waiting.
   */
  readonly sharedPlaces: number
  /** In one lane. */
  readonly maximumWaiting: number
  readonly after: After
  /** How long is long, in milliseconds. */
  readonly longMs?: number
}): Admission {
  const { sharedPlaces, maximumWaiting, after, longMs = 2_000 } = options
  const lanes = new Map<string, Lane>()
  /** Lanes in which something waits, the next to be served first. */
  const turns = new Set<Lane>()
  const sharedOfPool = new Map<string, Counts>()
  const sharedMost = Math.max(1, sharedPlaces - 1)
  const shared = noCounts()
  let starts = 0

  function hasRoom({ running }: Lane, place: Place): boolean {
    const { pool, owner, concurrency } = place
    if (!hasPlace(running, owner, concurrency)) return false
    if (!place.shared) return true
    const ofPool = sharedOfPool.get(pool) ?? noCounts()
    if (!hasPlace(ofPool, owner, sharedMost)) return false
    const isNew = owner !== undefined && !ofPool.ofOwner.has(owner)
    return shared.all < sharedPlaces + (isNew ? Math.min(shared.long, sharedPlaces) : 0)
  }

  function countRunning({ running }: Lane, place: Place, change: 1 | -1): void {
    const { pool, owner } = place
    count(running, owner, change)
    if (!place.shared) return
    shared.all += change
    const ofPool = sharedOfPool.get(pool) ?? noCounts()
    sharedOfPool.set(pool, ofPool)
    count(ofPool, owner, change)
    if (ofPool.all === 0) sharedOfPool.delete(pool)
  }

  function countLong({ running }: Lane, { pool }: Place, change: 1 | -1): void {
    running.long += change
    shared.long += change
    const ofPool = sharedOfPool.get(pool)
    if (ofPool) ofPool.long += change
  }

  /** Gives what the place is left with. */
  function begin(lane: Lane, place: Place): () => void {
    countRunning(lane, place, 1)
    let isLong = false
    const stopTimer = place.shared
      ? after(longMs, () => {
          isLong = true
          countLong(lane, place, 1)
          startNext()
        })
      : () => {}
    return () => {
      stopTimer()
      if (isLong) countLong(lane, place, -1)
      countRunning(lane, place, -1)
      dropIfEmpty(lane, place)
      startNext()
    }
  }

  function dropIfEmpty(lane: Lane, place: Place): void {
    const { owner } = place
    if (!lane.running.ofOwner.has(owner) && !lane.waiting.some(other => other.place.owner === owner))
      lane.started.delete(owner)
    if (lane.waiting.length === 0) turns.delete(lane)
    if (lane.waiting.length === 0 && lane.running.all === 0) lanes.delete(place.lane)
  }

  function startNext(): void {
    for (let found = findNext(); found; found = findNext()) {
      const { lane, next } = found
      lane.waiting.splice(lane.waiting.indexOf(next), 1)
      turns.delete(lane)
      if (lane.waiting.length > 0) turns.add(lane)
      const leave = begin(lane, next.place)
      lane.started.set(next.place.owner, ++starts)
      next.start(leave)
    }
  }

  function findNext(): { readonly lane: Lane; readonly next: Waiting } | undefined {
    for (const lane of turns) {
      const next = nextOf(lane)
      if (next) return { lane, next }
    }
    return undefined
  }

  /** Of an owner what came first. */
  function nextOf(lane: Lane): Waiting | undefined {
    let best: { readonly waiting: Waiting; readonly running: number; readonly started: number } | undefined
    for (const waiting of lane.waiting) {
      const { owner } = waiting.place
      const running = lane.running.ofOwner.get(owner) ?? 0
      const started = lane.started.get(owner) ?? 0
      const isBefore = !best || running < best.running || (running === best.running && started < best.started)
      if (isBefore && hasRoom(lane, waiting.place)) best = { waiting, running, started }
    }
    return best?.waiting
  }

  return {
    async enter(place, signal) {
      signal.throwIfAborted()
      const lane: Lane = lanes.get(place.lane) ?? { waiting: [], running: noCounts(), started: new Map() }
      if (lane.waiting.length >= maximumWaiting) throw problems.queueFull(lane.waiting.length)
      lanes.set(place.lane, lane)
      const { promise, resolve, reject } = Promise.withResolvers<() => void>()
      const giveUp = () => {
        lane.waiting.splice(lane.waiting.indexOf(waiting), 1)
        dropIfEmpty(lane, place)
        reject(signal.reason)
      }
      let left = false
      const waiting: Waiting = {
        place,
        start(leave) {
          signal.removeEventListener('abort', giveUp)
          resolve(() => {
            if (!left) leave()
            left = true
          })
        },
      }
      signal.addEventListener('abort', giveUp, { once: true })
      lane.waiting.push(waiting)
      turns.add(lane)
      startNext()
      return promise
    },
    count() {
      const all = [...lanes.values()]
      return {
        running: all.reduce((sum, { running }) => sum + running.all, 0),
        waiting: all.reduce((sum, { waiting }) => sum + waiting.length, 0),
      }
    },
  }
}
