import type { Admission } from './admission.ts'
import type { OpenSources } from './open-sources.ts'
import { problems } from './query-service-error.ts'
import { laneOf } from './request-key.ts'
import type { Statement } from './shapes/driver.ts'
import type { QueryRequest, Table } from './shapes/query.ts'
import { type After, orAborted } from './timers.ts'

export interface Executed {
  readonly table: Table
  readonly startedAt: number
  readonly finishedAt: number
}

/**
 * Runs a query on its source when its turn has come. Rejects as soon as the signal aborts or the time is over; its place and
 * its connection stay taken until the database has let go of it.
 */
export function createExecute(options: {
  readonly admission: Admission
  readonly sources: OpenSources
  readonly isEmbedded: (request: QueryRequest) => boolean
  readonly now: () => number
  readonly after: After
}): (request: QueryRequest & Statement, signal: AbortSignal) => Promise<Executed> {
  const { admission, sources, isEmbedded, now, after } = options
  return async (request, signal) => {
    const { pool, source } = request
    const { concurrency } = source
    const place = { pool, lane: laneOf(pool, source), concurrency, shared: isEmbedded(request) }
    const leave = await admission.enter(place, signal)
    const startedAt = now()
    const stop = new AbortController()
    const pass = () => stop.abort(signal.reason)
    signal.addEventListener('abort', pass, { once: true })
    const timeoutMs = Math.min(request.timeoutMs ?? Number.POSITIVE_INFINITY, source.timeoutMs)
    const stopTimer = after(timeoutMs, () => stop.abort(problems.queryTimeout(timeoutMs)))
    const running = sources.use(pool, source, opened => opened.run(request, stop.signal)).finally(leave)
    try {
      return { table: await orAborted(running, stop.signal), startedAt, finishedAt: now() }
    } finally {
      stopTimer()
      signal.removeEventListener('abort', pass)
    }
  }
}

/** Asks a source whether it answers, past every queue. */
export async function probe(
  sources: OpenSources,
  { pool, source, timeoutMs, after }: Pick<QueryRequest, 'pool' | 'source'> & { timeoutMs: number; after: After },
): Promise<void> {
  const stop = new AbortController()
  const late = problems.sourceUnavailable(source.name, `no answer within ${timeoutMs / 1000} s.`)
  const stopTimer = after(timeoutMs, () => stop.abort(late))
  try {
    await orAborted(
      sources.use(pool, source, opened => opened.test(stop.signal)),
      stop.signal,
    )
  } finally {
    stopTimer()
  }
}
