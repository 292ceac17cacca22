import { ApiError } from '@hedron/contract/client'
import type { Effects } from '../effects.ts'
import { isTransientStatus } from '../session/explain.ts'
import { Failure } from './failure.ts'
import type { Output } from './output.ts'
import { reportOf } from './report.ts'
import { oneCell } from './text.ts'

/** Still going on, with a few words on how far it is; or done. */
export type Step<T> = { readonly waiting: string } | { readonly done: T }

export interface WaitOptions {
  /** What is waited for, as in `build`. */
  readonly what: string
  /** Milliseconds until the wait is given up, a request that is open at that moment included. */
  readonly timeout: number
  /** Milliseconds between two looks; the first few come sooner, since most builds take less than a second. */
  readonly interval: number
  readonly advice?: string
}

type WaitEffects = Pick<Effects, 'now' | 'sleep' | 'signal'>

/** Failures in a row that are taken for a passing disturbance. */
const mostFailures = 5
const longestPause = 60_000
const firstPause = 250
const usualAdvice = 'It may still be running — re-run the status command to check, or raise --timeout'

/** Whether the same request may succeed a moment later: no answer at all, 5xx, 408 or 429. */
export const isTransient = (error: unknown): boolean =>
  isTransientStatus(error) || (error instanceof Failure && error.code === 'transport_failed')

/**
 * Looks again and again until something is done, and says on the standard error when its state changes.
 *
 * @throws {Failure} `wait_timed_out`; what `look` throws, once it is not transient or for the sixth time in a row
 */
export async function waitFor<T>(
  effects: WaitEffects,
  output: Pick<Output, 'progress'>,
  { what, timeout, interval, advice = usualAdvice }: WaitOptions,
  look: (signal: AbortSignal) => Promise<Step<T>>,
): Promise<T> {
  const start = effects.now()
  const remaining = () => start + timeout - effects.now()
  let lastSeen: string | null = null
  let looks = 0
  let failures = 0
  let lastError: string | null = null
  /** Milliseconds that the server asked for. */
  let wanted = 0

  while (remaining() > 0) {
    const deadline = AbortSignal.timeout(remaining())
    try {
      const step = await look(deadline)
      if (remaining() <= 0) break
      if ('done' in step) return step.done
      failures = 0
      lastError = null
      wanted = 0
      if (step.waiting !== lastSeen) output.progress(`${what}: ${step.waiting}`)
      lastSeen = step.waiting
    } catch (error) {
      if (deadline.aborted && isTransient(error)) break
      if (!isTransient(error) || failures === mostFailures) throw error
      failures += 1
      wanted = error instanceof ApiError ? (error.retryAfter ?? 0) * 1_000 : 0
      lastError = oneCell(reportOf(error).line)
      output.progress(`${what}: ${lastError} (retrying, ${failures}/${mostFailures})`)
    }
    const usual = Math.min(interval, firstPause * 2 ** looks++)
    const pause = failures === 0 ? usual : Math.max(wanted, Math.min(interval * 2 ** (failures - 1), longestPause))
    await effects.sleep(Math.min(pause, Math.max(0, remaining())), effects.signal)
  }

  const seconds = Math.round((effects.now() - start) / 1000)
  const seen = lastSeen === null ? '' : ` (last seen: ${lastSeen})`
  const blame = lastError === null ? '' : `. Last error: ${lastError}`
  throw new Failure('wait_timed_out', {
    message: `timed out after ${seconds}s waiting for ${what}${seen}. ${advice}${blame}`,
  })
}
