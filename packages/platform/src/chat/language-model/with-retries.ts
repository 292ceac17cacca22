import { toFault } from './provider/to-fault.ts'

export interface RetryNeeds {
  now(): number
  /** Ends after so many milliseconds, or with the signal's reason. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>
  /** Between 0 and 1. */
  random(): number
}

/** Calls beside the first. */
const mostRetries = 3
/** Longest time to wait for a provider that says when it wants to be asked again, in milliseconds. */
const longestWait = 30_000

/**
 * Calls a provider, and again after a pause where it failed in a way that may pass, unless something of its answer was said
 * already: what was said stays said, and a second answer would stand behind half of the first.
 *
 * @param call `mayRepeat` is asked after it failed
 * @throws {ProviderFault} the last one; the signal's reason where that is aborted
 */
export async function withRetries<T>(
  call: () => Promise<T>,
  mayRepeat: () => boolean,
  signal: AbortSignal,
  { now, wait, random }: RetryNeeds,
): Promise<T> {
  for (let retry = 0; ; retry++) {
    try {
      return await call()
    } catch (error) {
      signal.throwIfAborted()
      const fault = toFault(error, now())
      const most = fault.code === 'slow' ? 1 : mostRetries
      if (!fault.isRetryable || retry >= most || !mayRepeat()) throw fault
      const pause = fault.retryAfterMs ?? 1000 * 2 ** retry * (0.5 + random() / 2)
      if (pause > longestWait) throw fault
      await wait(pause, signal)
    }
  }
}
