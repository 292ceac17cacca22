import { createHandoff, type Handoff } from './handoff.ts'
import { problems, type QueryServiceError } from './query-service-error.ts'
import { requestOf } from './request-id.ts'
import type { Cell, RowQuery, RowStream } from './shapes/query.ts'
import type { After } from './timers.ts'

/** Whose stream it is, and what a request to cancel it names. */
export type StreamOwner = Pick<RowQuery, 'pool' | 'requestId' | 'owner' | 'maximumRows'>

/** What computes the rows of a stream ends them with `end` or `fail` of the handoff, and stops when `stop` aborts; it never rejects. */
export type StreamWork = (handoff: Handoff, stop: AbortController) => Promise<void>

/** Streams that run, each for one reader: who asked stops them when he goes away, forgets to read, or asks for their end. */
export interface RunningStreams {
  /** @throws QueryServiceError whatever ended the work before its first row */
  open(of: StreamOwner, work: StreamWork, signal: AbortSignal | undefined): Promise<RowStream>
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

/** @param stallMs how long rows lie ready for a reader who does not ask for them */
export function createRunningStreams({ after, stallMs }: { after: After; stallMs: number }): RunningStreams {
  const all = new Set<Running>()
  return {
    async open({ pool, requestId, owner, maximumRows = Number.POSITIVE_INFINITY }, work, signal) {
      const controller = new AbortController()
      const running = { pool, request: requestOf(requestId, owner), controller }
      const stop = (reason: QueryServiceError) => controller.abort(reason)
      const leave = () => stop(problems.queryCancelled('the one who asked went away'))
      const stalled = () => stop(problems.queryCancelled(`nobody read its rows for ${stallMs / 1000} s`))
      const handoff = createHandoff({ maximumRows, stallMs, after, stalled })
      controller.signal.addEventListener('abort', () => handoff.fail(controller.signal.reason))
      all.add(running)
      signal?.addEventListener('abort', leave, { once: true })
      if (signal?.aborted) leave()
      work(handoff, controller).finally(() => {
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

function rowStream(columns: RowStream['columns'], handoff: Handoff, leave: () => void): RowStream {
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
