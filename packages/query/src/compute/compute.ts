import type { Admission } from '../admission.ts'
import type { Engine } from '../engine/engine.ts'
import type { Engines } from '../engine/engines.ts'
import { problems } from '../query-service-error.ts'
import type { RunningStreams, StreamWork } from '../running-streams.ts'
import type { Parameter, RowQuery, RowStream } from '../shapes/query.ts'
import { type After, orAborted } from '../timers.ts'

/** Rows of a query, as a table of a computation. */
export interface ComputeTable {
  readonly name: string
  readonly columns: readonly string[]
  readonly open: (signal: AbortSignal) => Promise<RowStream>
}

/** A statement over tables that are given with it, and nothing else. */
export interface Computation extends Pick<RowQuery, 'pool' | 'requestId' | 'owner'> {
  /** Opened when the statement's turn has come, and read whole before it runs. Columns are called as `columns` says. */
  readonly tables: readonly ComputeTable[]
  /** DuckDB's SQL, made by the planner: it is not judged here. */
  readonly sql: string
  readonly parameters: readonly Parameter[]
  /** From when its turn has come; the tables are read within it. */
  readonly timeoutMs: number
}

/**
 * Computes over rows of queries in a process of the engine, for what no data source can compute alone: rows as they are computed. Each
 * computation has a process and a database in memory to itself, which can read no file and no network.
 *
 * @throws QueryServiceError `query_failed`, `query_timeout`, `query_cancelled`, `queue_full`, `memory_exceeded`; what opening a table throws
 */
export type Compute = (computation: Computation, signal: AbortSignal | undefined) => Promise<RowStream>

export function createCompute(options: {
  readonly after: After
  readonly admission: Admission
  readonly streams: RunningStreams
  /** Where it computes; what a computation may take is theirs to say. */
  readonly engines: Engines
}): Compute {
  const { after, admission, streams, engines } = options

  const computing =
    ({ pool, owner, timeoutMs, tables, sql, parameters }: Computation): StreamWork =>
    async (handoff, stop) => {
      const { signal } = stop
      const compute = () =>
        engines.computing.use(signal, async engine => {
          for (const table of tables) await loadTable(engine, table, signal)
          await engine.ask({ do: 'compute', sql, parameters }, signal, handoff.sink)
        })
      try {
        const place = { pool, owner, lane: pool, concurrency: Number.POSITIVE_INFINITY, shared: true }
        const leave = await admission.enter(place, signal)
        const stopTimer = after(timeoutMs, () => stop.abort(problems.queryTimeout(timeoutMs)))
        await orAborted(compute().finally(leave), signal).finally(stopTimer)
        handoff.end()
      } catch (error) {
        handoff.fail(signal.aborted ? signal.reason : error)
      }
    }

  return (computation, signal) => streams.open(computation, computing(computation), signal)
}

/** Gives all rows of a query to an engine; nothing is computed over some of them. */
async function loadTable(engine: Engine, { name, columns, open }: ComputeTable, signal: AbortSignal): Promise<void> {
  const rows = await open(signal)
  try {
    if (rows.columns.length !== columns.length) {
      throw problems.queryFailed(
        `A part of the statement gave ${rows.columns.length} columns instead of ${columns.length}.`,
      )
    }
    await engine.ask({ do: 'table', name, names: columns, columns: rows.columns }, signal)
    for await (const portion of rows) await engine.ask({ do: 'append', rows: portion }, signal)
    await engine.ask({ do: 'loaded' }, signal)
  } finally {
    rows.close()
  }
}
