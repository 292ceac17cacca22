import { DuckDBInstance, ResultReturnType, StatementType } from '@duckdb/node-api'
import { createAdmission } from '../admission.ts'
import { bind, interruptOnAbort, readResult } from '../drivers/duckdb/duckdb.ts'
import { createHandoff, type Handoff } from '../handoff.ts'
import { problems, QueryServiceError } from '../query-service-error.ts'
import { rowStream } from '../row-streams.ts'
import type { Parameter, RowStream } from '../shapes/query.ts'
import { type After, orAborted, systemAfter } from '../timers.ts'
import { type ComputeTable, loadTable } from './load-table.ts'

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

/** Computes over rows of queries in an engine of this process, for what no data source can compute alone. */
export interface Compute {
  /**
   * Rows as they are computed. Each computation has a database in memory of its own, which can read no file and no network.
   *
   * @throws QueryServiceError `query_failed`, `query_timeout`, `query_cancelled`, `queue_full`, `result_too_large`; what opening a table throws
   */
  run(computation: Computation, signal: AbortSignal): Promise<RowStream>
}

export interface ComputeOptions {
  readonly after?: After
  /** How long rows lie ready for a reader who does not ask for them. Default 30 s. */
  readonly stallMs?: number
  /** Of one computation. Default 512 MiB. */
  readonly memoryBytes?: number
  /** Computations at once. Default 3. */
  readonly places?: number
}

export function createCompute(options: ComputeOptions = {}): Compute {
  const { after = systemAfter, stallMs = 30_000, memoryBytes = 2 ** 29, places = 3 } = options
  const admission = createAdmission(places, 100)

  async function compute(computation: Computation, handoff: Handoff, signal: AbortSignal): Promise<void> {
    const instance = await DuckDBInstance.create(':memory:', {
      threads: '2',
      memory_limit: `${memoryBytes}B`,
      temp_directory: '',
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      allow_community_extensions: 'false',
      allow_persistent_secrets: 'false',
    })
    try {
      const connection = await instance.connect()
      const stopInterrupting = interruptOnAbort(connection, signal)
      try {
        await connection.run(`SET GLOBAL TimeZone = 'UTC'`)
        // As in drivers/duckdb/open-locked.ts: github.com/duckdb/duckdb/issues/25819
        await connection.run(`SET GLOBAL disabled_optimizers = 'common_subplan'`)
        await connection.run('SET GLOBAL enable_external_access = false')
        await connection.run('SET GLOBAL lock_configuration = true')
        for (const table of computation.tables) await loadTable(connection, table, signal)
        const prepared = await connection.prepare(computation.sql)
        if (prepared.statementType !== StatementType.SELECT) throw problems.statementRefused('it does not only read.')
        bind(prepared, computation.parameters)
        signal.throwIfAborted()
        const result = await prepared.stream()
        await readResult(result, handoff.sink, signal)
        if (result.returnType === ResultReturnType.INVALID) await failAgain(computation, connection)
      } finally {
        stopInterrupting()
        connection.closeSync()
      }
    } finally {
      instance.closeSync()
    }
  }

  /** A result that fails while it is read does not say why: run again, where rows are thrown away, it does. */
  async function failAgain(
    { sql, parameters }: Computation,
    connection: Awaited<ReturnType<DuckDBInstance['connect']>>,
  ) {
    const prepared = await connection.prepare(`EXPLAIN ANALYZE ${sql}`)
    bind(prepared, parameters)
    await prepared.run()
    throw problems.queryFailed('The computation failed after its first rows. Ask again.')
  }

  async function run(computation: Computation, handoff: Handoff, stop: AbortController): Promise<void> {
    const { pool, timeoutMs } = computation
    const { signal } = stop
    try {
      const leave = await admission.enter({ pool, lane: pool, concurrency: places, shared: true }, signal)
      const stopTimer = after(timeoutMs, () => stop.abort(problems.queryTimeout(timeoutMs)))
      await orAborted(compute(computation, handoff, signal).finally(leave), signal).finally(stopTimer)
      handoff.end()
    } catch (error) {
      handoff.fail(signal.aborted ? signal.reason : explained(error, memoryBytes))
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

function explained(error: unknown, memoryBytes: number): unknown {
  if (error instanceof QueryServiceError || !(error instanceof Error)) return error
  if (/out of memory/i.test(error.message)) return problems.resultTooLarge(memoryBytes)
  const [first = ''] = error.message.split('\n')
  // The engine's own errors begin with their kind; any other is not about the statement.
  const [, reason] = /^(?:[A-Z][A-Za-z-]+ )+Error: (.*)$/.exec(first) ?? []
  return reason === undefined ? error : problems.queryFailed(reason, { cause: error })
}
