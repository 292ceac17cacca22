import type { StopReason } from './to-pg-error.ts'

/** Work that the client, the time and its leaving can stop. */
export interface Running {
  readonly signal: AbortSignal
  /** Why it was stopped. */
  reason(): StopReason
  cancel(): void
  end(): void
}

/** @param timeoutMs 0: no limit. */
export function beginRunning(gone: AbortSignal, timeoutMs: number): Running {
  const stop = new AbortController()
  let reason: StopReason = null
  const because = (why: StopReason) => () => {
    reason ??= why
    stop.abort()
  }
  const timer = timeoutMs > 0 ? setTimeout(because('timeout'), timeoutMs) : undefined
  const leave = () => stop.abort()
  if (gone.aborted) leave()
  else gone.addEventListener('abort', leave, { once: true })
  return {
    signal: stop.signal,
    reason: () => reason,
    cancel: because('cancelled'),
    end() {
      clearTimeout(timer)
      gone.removeEventListener('abort', leave)
    },
  }
}
