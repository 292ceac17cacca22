import type { Execute } from './execute.ts'
import { createHandoff, type Handoff } from './handoff.ts'
import { problems, type QueryServiceError } from './query-service-error.ts'
import { requestOf } from './request-id.ts'
import type { Cell, RowQuery, RowStream } from './shapes/query.ts'
import type { QueryEvent } from './shapes/service.ts'
import { bytesOf } from './table-sink.ts'
import type { After } from './timers.ts'

/** Queries whose rows go to one reader as they come, and are kept nowhere. */
export interface RowStreams {
  /** @throws QueryServiceError whatever ended the query before its first row */
  open(request: RowQuery, signal: AbortSignal | undefined): Promise<RowStream>
  /** Stops the streams of one request. Says how many. */
  cancel(pool: string, requestId: string, owner?: string): number
  /** Stops the streams of one pool, or of all. */
  stop(pool: string | undefined, reason: QueryServiceError): void
  count(): number
}

interface Running {
  readonly pool: string
  readonly request: string
  readonly controller: AbortController
}

export function createRowStreams(options: {
  readonly execute: Execute
  readonly now: () => number
  readonly after: After
  /** How long rows lie ready for a reader who does not ask for them. */
  readonly stallMs: number
  log(event: QueryEvent): void
}): RowStreams {
  const { execute, now, after, stallMs, log } = options
  const all = new Set<Running>()

  async function run(request: RowQuery, handoff: Handoff, { controller }: Running): Promise<void> {
    const { pool, source, requestId } = request
    const askedAt = now()
    const sent = { rows: 0, bytes: 0 }
    try {
      const { startedAt, finishedAt } = await execute(
        request,
        {
          columns: handoff.sink.columns,
          rows(portion) {
            sent.rows += portion.length
            sent.bytes += bytesOf(portion)
            return handoff.sink.rows(portion)
          },
        },
        controller.signal,
      )
      handoff.end()
      const times = { waitedMs: startedAt - askedAt, ranMs: finishedAt - startedAt }
      log({ event: 'query_finished', pool, source: source.name, requestId, ...sent, ...times })
    } catch (error) {
      handoff.fail(error)
      log({ event: 'query_failed', pool, source: source.name, requestId, error })
    }
  }

  return {
    async open(request, signal) {
      const { pool, requestId, owner, maximumRows = Number.POSITIVE_INFINITY } = request
      const running = { pool, request: requestOf(requestId, owner), controller: new AbortController() }
      const stop = (reason: QueryServiceError) => running.controller.abort(reason)
      const leave = () => stop(problems.queryCancelled('the one who asked went away'))
      const stalled = () => stop(problems.queryCancelled(`nobody read its rows for ${stallMs / 1000} s`))
      const handoff = createHandoff({ maximumRows, stallMs, after, stalled })
      running.controller.signal.addEventListener('abort', () => handoff.fail(running.controller.signal.reason))
      all.add(running)
      signal?.addEventListener('abort', leave, { once: true })
      if (signal?.aborted) leave()
      run(request, handoff, running).finally(() => {
        signal?.removeEventListener('abort', leave)
        all.delete(running)
      })
      return rowStream(await handoff.columns, handoff, leave)
    },

    cancel(pool, requestId, owner) {
      const request = requestOf(requestId, owner)
      const found = [...all].filter(running => running.pool === pool && running.request === request)
      for (const { controller } of found) controller.abort(problems.queryCancelled('it was asked to stop'))
      return found.length
    },

    stop(pool, reason) {
      for (const running of all) if (pool === undefined || running.pool === pool) running.controller.abort(reason)
    },

    count: () => all.size,
  }
}

export function rowStream(columns: RowStream['columns'], handoff: Handoff, leave: () => void): RowStream {
  let last: Promise<unknown> = Promise.resolve()
  let isOver = false
  async function next(): Promise<IteratorResult<readonly (readonly Cell[])[], undefined>> {
    if (isOver) return { done: true, value: undefined }
    try {
      const portion = await handoff.take()
      if (portion) return { done: false, value: portion }
    } catch (error) {
      isOver = true
      throw error
    }
    isOver = true
    return { done: true, value: undefined }
  }
  const iterator: AsyncIterator<readonly (readonly Cell[])[], undefined> = {
    next() {
      const answer = last.then(next)
      last = answer.catch(() => {})
      return answer
    },
    async return() {
      isOver = true
      leave()
      return { done: true, value: undefined }
    },
  }
  return { columns, close: leave, [Symbol.asyncIterator]: () => iterator }
}
