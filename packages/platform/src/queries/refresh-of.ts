import type { Refresh } from '@hedron/query'
import { type CompiledQuery, sinceLastStep } from '@hedron/semantic'

/** An answer that never expires by time is still asked for again after this long. */
const longest = 365 * 24 * 3600

/**
 * When a result over several cubes expires: with the first of them. One cube with a refresh query is asked by that query; of
 * several, the time between their checks decides, which is sooner than their answers could.
 */
export function refreshOf(keys: CompiledQuery['refreshKeys'], now: Date): Refresh {
  const everyMs = Math.min(longest * 1000, ...keys.map(key => freshMs(key, now)))
  const [only] = keys
  if (keys.length === 1 && only?.kind === 'sql') return { ...only.statement, everyMs }
  return { everyMs }
}

/** For how long an answer of this moment may have been made before it. */
function freshMs(key: CompiledQuery['refreshKeys'][number], now: Date): number {
  if (key.kind === 'immutable') return longest * 1000
  return key.kind === 'schedule' ? sinceLastStep(key, now) : key.seconds * 1000
}
