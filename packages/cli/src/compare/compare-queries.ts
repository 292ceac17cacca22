import { mapConcurrently } from '../deploy/map-concurrently.ts'
import type { Context } from '../framework/command.ts'
import { reportOf } from '../framework/report.ts'
import { load } from '../query/load.ts'
import { missingRows } from '../query/missing-rows.ts'
import { compareResults, type Difference } from './compare-results.ts'

export interface NamedQuery {
  readonly name: string
  readonly query: unknown
}

/** What one query answers before and after. */
export interface Comparison {
  readonly name: string
  /** `broken`: it answered and does not; `mended`: the other way; `failing`: it answers neither before nor after. */
  readonly status: 'same' | 'different' | 'broken' | 'mended' | 'failing'
  readonly differences: readonly Difference[]
  /** What it failed with, after; or before, where it is mended. */
  readonly error: string | null
  /** Whether all rows were compared; where a query has more than its limit the first ones were. */
  readonly complete: boolean
}

interface Compare {
  /** Base addresses of the data API. */
  readonly before: string
  readonly after: string
  readonly token: string
  /** Milliseconds for one query. */
  readonly timeout: number
  readonly tolerance?: number
}

const queriesAtOnce = 2

/** Asks each query at both addresses, with `Continue wait` waited for, and compares the answers. */
export function compareQueries(
  { effects, output }: Pick<Context, 'effects' | 'output'>,
  queries: readonly NamedQuery[],
  { before, after, token, timeout, tolerance }: Compare,
): Promise<readonly Comparison[]> {
  const ask = async (url: string, query: unknown) => {
    try {
      const quiet = { progress: () => {} }
      return { answer: await load(effects, quiet, { action: 'load', url, token, query, timeout }) }
    } catch (error) {
      effects.signal.throwIfAborted()
      return { error: reportOf(error).line }
    }
  }
  return mapConcurrently(queries, queriesAtOnce, async ({ name, query }) => {
    const [old, fresh] = await Promise.all([ask(before, query), ask(after, query)])
    output.progress(`compared ${name}`, 'dim')
    if (old.error !== undefined || fresh.error !== undefined) {
      const status = old.error === undefined ? 'broken' : fresh.error === undefined ? 'mended' : 'failing'
      return { name, status, differences: [], error: fresh.error ?? old.error ?? null, complete: true }
    }
    const differences = compareResults(old.answer, fresh.answer, tolerance)
    const complete = [old.answer, fresh.answer].every(answer => missingRows(answer).length === 0)
    return { name, status: differences.length === 0 ? 'same' : 'different', differences, error: null, complete }
  })
}
