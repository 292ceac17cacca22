/**
 * Waits for work that is told by a signal to stop. What does not stop within that time is waited for no longer: its result is for nobody.
 *
 * @param graceMs milliseconds after the signal
 */
export async function untilStopped<T>(work: Promise<T>, signal: AbortSignal, graceMs: number): Promise<T> {
  const givenUp = Promise.withResolvers<never>()
  let timer: NodeJS.Timeout | undefined
  const onAbort = () => {
    timer = setTimeout(() => givenUp.reject(signal.reason), graceMs)
  }
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work, givenUp.promise])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    work.catch(() => {})
    givenUp.promise.catch(() => {})
  }
}
