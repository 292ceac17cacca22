/** Calls back once after so many milliseconds, unless the function it gives is called before. */
export type After = (milliseconds: number, callback: () => void) => () => void

/** What a timer of Node holds at most; a longer wait would end at once. */
const longest = 2 ** 31 - 1

/** Timers of the process, none of which keeps it alive. Infinity never comes. */
export const systemAfter: After = (milliseconds, callback) => {
  if (milliseconds === Number.POSITIVE_INFINITY) return () => {}
  const timer = setTimeout(callback, Math.min(milliseconds, longest))
  timer.unref()
  return () => clearTimeout(timer)
}

/** Gives what the promise gives, or rejects with the signal's reason as soon as that aborts. The promise itself goes on. */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
