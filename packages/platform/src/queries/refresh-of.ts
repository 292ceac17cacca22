import type { Refresh } from '@hedron/query'
import type { CompiledQuery } from '@hedron/semantic'

/** An answer that never expires by time is still asked for again after this long. */
const longest = 365 * 24 * 3600

/**
 * When a result over several cubes expires: with the first of them. One cube with a refresh query is asked by that query; of
 * several, the time between their checks decides, which is sooner than their answers could.
 */
export function refreshOf(keys: CompiledQuery['refreshKeys']): Refresh {
  const seconds = keys.map(key => (key.kind === 'immutable' ? longest : key.seconds))
  const everyMs = Math.min(longest, ...seconds) * 1000
  const [only] = keys
  if (keys.length === 1 && only?.kind === 'sql') return { ...only.statement, everyMs }
  return { everyMs }
}
