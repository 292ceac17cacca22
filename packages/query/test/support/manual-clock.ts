import type { After } from '../../src/timers.ts'

/** A clock that stands still until it is told to go on. */
export interface ManualClock {
  now(): number
  readonly after: After
  /** Lets so much time pass: every timer on the way fires in its order, and what it sets off settles. */
  advance(milliseconds: number): Promise<void>
  readonly pending: number
}

export function createManualClock(start = Date.UTC(2001, 0, 1)): ManualClock {
  const timers = new Set<{ readonly at: number; readonly callback: () => void }>()
  let time = start
  return {
    now: () => time,
    after(milliseconds, callback) {
      const timer = { at: time + milliseconds, callback }
      if (milliseconds !== Number.POSITIVE_INFINITY) timers.add(timer)
      return () => timers.delete(timer)
    },
    async advance(milliseconds) {
      const end = time + milliseconds
      await settle()
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= end).sort((left, right) => left.at - right.at)
        if (!next) break
        time = next.at
        timers.delete(next)
        next.callback()
        await settle()
      }
      time = end
    },
    get pending() {
      return timers.size
    },
  }
}

/** Lets everything that is ready to go on do so. */
export const settle = () => new Promise<void>(resolve => setImmediate(resolve))
