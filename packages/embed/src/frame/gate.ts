/** Runs work, at most so many at once; the rest waits in the order that it came. */
export type Gate = <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T>

/** @throws the reason of a signal that is aborted while its work waits. */
export function createGate(most: number): Gate {
  let running = 0
  const waiting: (() => void)[] = []

  return async (signal, work) => {
    if (running >= most) {
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push(resolve)
      await promise
    } else running++
    try {
      signal.throwIfAborted()
      return await work()
    } finally {
      const next = waiting.shift()
      // The place goes on to the next without ever being free.
      if (next === undefined) running--
      else next()
    }
  }
}
