import type { Admission } from './admission.ts'
import type { OpenSources } from './open-sources.ts'
import { problems } from './query-service-error.ts'
import { laneOf } from './request-key.ts'
import type { RowSink } from './shapes/driver.ts'
import type { RowQuery } from './shapes/query.ts'
import { type After, orAborted } from './timers.ts'

/** When the source began and ended to compute. */
export interface Executed {
  readonly startedAt: number
  readonly finishedAt: number
}

/**
 * Runs a query on its source when its turn has come, and puts its rows into the sink. Rejects as soon as the signal aborts or
 * the time is over; its place and its connection stay taken until the database has let go of it.
 */
export type Execute = (request: RowQuery, sink: RowSink, signal: AbortSignal) => Promise<Executed>

export function createExecute(options: {
  readonly admission: Admission
  readonly sources: OpenSources
  readonly isEmbedded: (request: RowQuery) => boolean
  readonly now: () => number
  readonly after: After
}): Execute {
  const { admission, sources, isEmbedded, now, after } = options
  return async (request, sink, signal) => {
    const { pool, owner, source } = request
    const { concurrency } = source
    const place = { pool, owner, lane: laneOf(pool, source), concurrency, shared: isEmbedded(request) }
    const leave = await admission.enter(place, signal)
    const startedAt = now()
    const stop = new AbortController()
    const pass = () => stop.abort(signal.reason)
    signal.addEventListener('abort', pass, { once: true })
    // It may have aborted in the moment between its turn and this.
    if (signal.aborted) pass()
    const timeoutMs = Math.min(request.timeoutMs ?? Number.POSITIVE_INFINITY, source.timeoutMs)
    const stopTimer = after(timeoutMs, () => stop.abort(problems.queryTimeout(timeoutMs)))
    const running = sources.use(pool, source, opened => opened.stream(request, sink, stop.signal)).finally(leave)
    try {
      await orAborted(running, stop.signal)
      return { startedAt, finishedAt: now() }
    } finally {
      stopTimer()
      signal.removeEventListener('abort', pass)
    }
  }
}

/** Asks a source whether it answers, past every queue. */
export async function probe(
  sources: OpenSources,
  { pool, source, timeoutMs, after }: Pick<RowQuery, 'pool' | 'source'> & { timeoutMs: number; after: After },
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
