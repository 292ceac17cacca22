import { createAdmission } from '../admission.ts'
import type { Engine } from '../engine/engine.ts'
import { createEngines, type Engines } from '../engine/engines.ts'
import { createHandoff, type Handoff } from '../handoff.ts'
import { problems } from '../query-service-error.ts'
import { rowStream } from '../row-streams.ts'
import type { Parameter, RowStream } from '../shapes/query.ts'
import { type After, orAborted, systemAfter } from '../timers.ts'

/** Rows of a query, as a table of a computation. */
export interface ComputeTable {
  readonly name: string
  readonly columns: readonly string[]
  readonly open: (signal: AbortSignal) => Promise<RowStream>
}

/** A statement over tables that are given with it, and nothing else. */
export interface Computation {
  /** Isolation: computations of one pool take at most all but one of the places. */
  readonly pool: string
  /** Opened when the statement's turn has come, and read whole before it runs. Columns are called as `columns` says. */
  readonly tables: readonly ComputeTable[]
  /** DuckDB's SQL, made by the planner: it is not judged here. */
  readonly sql: string
  readonly parameters: readonly Parameter[]
  readonly timeoutMs: number
}

/** Computes over rows of queries in a process of the engine, for what no data source can compute alone. */
export interface Compute {
  /**
   * Rows as they are computed. Each computation has a process and a database in memory to itself, which can read no file and no network.
   *
   * @throws QueryServiceError `query_failed`, `query_timeout`, `query_cancelled`, `queue_full`, `memory_exceeded`; what opening a table throws
   */
  run(computation: Computation, signal: AbortSignal): Promise<RowStream>
}

export interface ComputeOptions {
  readonly after?: After
  /** How long rows lie ready for a reader who does not ask for them. Default 30 s. */
  readonly stallMs?: number
  /** Computations at once. Default 3. */
  readonly places?: number
  /** Where it computes; what a computation may take is theirs to say. Default: engines of its own. */
  readonly engines?: Engines
}

export function createCompute(options: ComputeOptions = {}): Compute {
  const { after = systemAfter, stallMs = 30_000, places = 3, engines = createEngines() } = options
  const admission = createAdmission(places, 100)

  async function run(computation: Computation, handoff: Handoff, stop: AbortController): Promise<void> {
    const { pool, timeoutMs, sql, parameters } = computation
    const { signal } = stop
    const compute = () =>
      engines.computing.use(signal, async engine => {
        for (const table of computation.tables) await loadTable(engine, table, signal)
        await engine.ask({ do: 'compute', sql, parameters }, signal, handoff.sink)
      })
    try {
      const leave = await admission.enter({ pool, lane: pool, concurrency: places, shared: true }, signal)
      const stopTimer = after(timeoutMs, () => stop.abort(problems.queryTimeout(timeoutMs)))
      await orAborted(compute().finally(leave), signal).finally(stopTimer)
      handoff.end()
    } catch (error) {
      handoff.fail(signal.aborted ? signal.reason : error)
    }
  }

  return {
    async run(computation, signal) {
      const stop = new AbortController()
      const leave = () => stop.abort(problems.queryCancelled('the one who asked went away'))
      const stalled = () => stop.abort(problems.queryCancelled(`nobody read its rows for ${stallMs / 1000} s`))
      const handoff = createHandoff({ maximumRows: Number.POSITIVE_INFINITY, stallMs, after, stalled })
      stop.signal.addEventListener('abort', () => handoff.fail(stop.signal.reason))
      signal.addEventListener('abort', leave, { once: true })
      if (signal.aborted) leave()
      run(computation, handoff, stop).finally(() => signal.removeEventListener('abort', leave))
      return rowStream(await handoff.columns, handoff, leave)
    },
  }
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
