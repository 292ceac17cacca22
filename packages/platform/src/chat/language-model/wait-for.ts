/** Waits on the clock of the machine. */
export function waitFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const stop = () => {
    clearTimeout(timer)
    reject(signal.reason)
  }
  const timer = setTimeout(() => {
    signal.removeEventListener('abort', stop)
    resolve()
  }, milliseconds)
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  return promise
}
