import { problems } from './query-service-error.ts'

/** Whose query wants to run, and how many of the same may run beside it. */
export interface Place {
  readonly pool: string
  /** One queue: a data source within a pool. */
  readonly lane: string
  readonly concurrency: number
  /** It computes on this machine, so it takes one of the places that all pools share. */
  readonly shared: boolean
}

export interface Admission {
  /**
   * Waits for a place, first come first served within a lane and in turns between lanes. Gives what gives the place back.
   *
   * @throws QueryServiceError `queue_full`; the signal's reason when it aborts first
   */
  enter(place: Place, signal: AbortSignal): Promise<() => void>
  count(): { readonly running: number; readonly waiting: number }
}

interface Waiting {
  start(): void
}

interface Lane {
  readonly place: Place
  readonly waiting: Waiting[]
  running: number
}

/**
 * Decides which query runs next.
 *
 * @param sharedPlaces for all embedded databases together. One pool takes at most all but one of them, so a deployment's slow
 * queries never keep every other deployment waiting.
 * @param maximumWaiting in one lane
 */
export function createAdmission(sharedPlaces: number, maximumWaiting: number): Admission {
  const lanes = new Map<string, Lane>()
  /** Lanes in which something waits, the next to be served first. */
  const turns = new Set<Lane>()
  const sharedOfPool = new Map<string, number>()
  const sharedMost = Math.max(1, sharedPlaces - 1)
  let sharedRunning = 0

  function hasRoom({ place, running }: Lane): boolean {
    if (running >= place.concurrency) return false
    return !place.shared || (sharedRunning < sharedPlaces && (sharedOfPool.get(place.pool) ?? 0) < sharedMost)
  }

  function countShared({ pool, shared }: Place, change: 1 | -1): void {
    if (!shared) return
    sharedRunning += change
    const ofPool = (sharedOfPool.get(pool) ?? 0) + change
    if (ofPool === 0) sharedOfPool.delete(pool)
    else sharedOfPool.set(pool, ofPool)
  }

  function leave(lane: Lane): void {
    lane.running -= 1
    countShared(lane.place, -1)
    dropIfEmpty(lane)
    startNext()
  }

  function dropIfEmpty(lane: Lane): void {
    if (lane.waiting.length === 0) turns.delete(lane)
    if (lane.waiting.length === 0 && lane.running === 0) lanes.delete(lane.place.lane)
  }

  function startNext(): void {
    for (let lane = nextLane(); lane; lane = nextLane()) {
      const next = lane.waiting.shift()
      turns.delete(lane)
      if (lane.waiting.length > 0) turns.add(lane)
      lane.running += 1
      countShared(lane.place, 1)
      next?.start()
    }
  }

  function nextLane(): Lane | undefined {
    for (const lane of turns) if (hasRoom(lane)) return lane
    return undefined
  }

  return {
    async enter(place, signal) {
      signal.throwIfAborted()
      const lane = lanes.get(place.lane) ?? { place, waiting: [], running: 0 }
      if (lane.waiting.length >= maximumWaiting) throw problems.queueFull(lane.waiting.length)
      lanes.set(place.lane, lane)
      const { promise, resolve, reject } = Promise.withResolvers<() => void>()
      const giveUp = () => {
        lane.waiting.splice(lane.waiting.indexOf(waiting), 1)
        dropIfEmpty(lane)
        reject(signal.reason)
      }
      let left = false
      const waiting: Waiting = {
        start() {
          signal.removeEventListener('abort', giveUp)
          resolve(() => {
            if (!left) leave(lane)
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
        running: all.reduce((sum, { running }) => sum + running, 0),
        waiting: all.reduce((sum, { waiting }) => sum + waiting.length, 0),
      }
    },
  }
}
