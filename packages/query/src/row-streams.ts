import type { Execute } from './execute.ts'
import type { RunningStreams, StreamWork } from './running-streams.ts'
import type { RowQuery, RowStream } from './shapes/query.ts'
import type { QueryEvent } from './shapes/service.ts'
import { bytesOf } from './table-sink.ts'

/**
 * Opens queries whose rows go to one reader as they come, and are kept nowhere.
 *
 * @throws QueryServiceError whatever ended the query before its first row
 */
export type OpenRows = (request: RowQuery, signal: AbortSignal | undefined) => Promise<RowStream>

export function createOpenRows(options: {
  readonly execute: Execute
  readonly now: () => number
  readonly streams: RunningStreams
  log(event: QueryEvent): void
}): OpenRows {
  const { execute, now, streams, log } = options

  const running =
    (request: RowQuery): StreamWork =>
    async (handoff, { signal }) => {
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
          signal,
        )
        handoff.end()
        const times = { waitedMs: startedAt - askedAt, ranMs: finishedAt - startedAt }
        log({ event: 'query_finished', pool, source: source.name, requestId, ...sent, ...times })
      } catch (error) {
        handoff.fail(error)
        log({ event: 'query_failed', pool, source: source.name, requestId, error })
      }
    }

  return (request, signal) => streams.open(request, running(request), signal)
}
