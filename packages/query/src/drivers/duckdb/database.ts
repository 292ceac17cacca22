import {
  type DuckDBConnection,
  type DuckDBDataChunk,
  type DuckDBPreparedStatement,
  type DuckDBResult,
  type DuckDBValue,
  ResultReturnType,
  StatementType,
} from '@duckdb/node-api'
import type { InstanceLimits } from '../../engine/messages.ts'
import { problems, QueryServiceError } from '../../query-service-error.ts'
import { safeMessage } from '../../safe-message.ts'
import type { DataSource } from '../../shapes/data-source.ts'
import type { OpenSource, RowSink, Statement } from '../../shapes/driver.ts'
import type { Cell, Parameter } from '../../shapes/query.ts'
import { commented } from '../commented.ts'
import { createStatementGate, onlyReading, type StatementGate } from './admit-statement.ts'
import { columnOf, createCellWriter } from './cells.ts'
import { type LockedDatabase, openLocked } from './open-locked.ts'
import type { DuckDbSettings } from './settings.ts'

/**
 * Opens the data folder of a source, or a database file in it, in this process, which is that of an engine (../../engine/).
 *
 * @throws QueryServiceError `source_misconfigured`, `source_unavailable`
 */
export async function openDatabase(
  source: DataSource,
  settings: DuckDbSettings,
  limits: InstanceLimits,
): Promise<OpenSource> {
  return openSource(settings, limits, await openLocked(source, settings, limits))
}

function openSource({ schema }: DuckDbSettings, limits: InstanceLimits, database: LockedDatabase): OpenSource {
  const gate = createStatementGate(database.folder, database.macros)

  // A connection for each query, 0.04 ms: nothing of one query (temporary tables, rejects, variables) meets the next.
  async function withConnection<T>(
    signal: AbortSignal,
    work: (connection: DuckDBConnection) => Promise<T>,
  ): Promise<T> {
    signal.throwIfAborted()
    const connection = await database.instance.connect()
    const stopInterrupting = interruptOnAbort(connection, signal)
    try {
      if (schema !== undefined) await connection.run(`USE "${schema.replaceAll('"', '""')}"`)
      return await work(connection)
    } catch (error) {
      signal.throwIfAborted()
      throw explained(error, database.folder, limits)
    } finally {
      stopInterrupting()
      connection.closeSync()
    }
  }

  return {
    stream: (statement, sink, signal) =>
      withConnection(signal, connection => streamStatement(connection, gate, statement, sink, signal)),
    async test(signal) {
      await withConnection(signal, connection => connection.run('SELECT 1'))
    },
    async close() {
      database.instance.closeSync()
    },
  }
}

async function streamStatement(
  connection: DuckDBConnection,
  gate: StatementGate,
  statement: Statement,
  sink: RowSink,
  signal: AbortSignal,
): Promise<void> {
  const admitted = await gate.admit(connection, statement.sql)
  signal.throwIfAborted()
  const prepared = await connection.prepare(commented(admitted, statement.comment))
  if (prepared.statementType !== StatementType.SELECT) {
    throw onlyReading()
  }
  bind(prepared, statement.parameters)
  signal.throwIfAborted()
  const result = await prepared.stream()
  await readResult(result, sink, signal)
  if (result.returnType === ResultReturnType.INVALID) await failAgain(connection, admitted, statement)
}

/**
 * A result that fails while it is read ends as if it were complete: the library says that it failed, and not why. So it runs
 * once more, where its rows are thrown away, and then it says.
 */
async function failAgain(connection: DuckDBConnection, admitted: string, { parameters, comment }: Statement) {
  const prepared = await connection.prepare(`EXPLAIN ANALYZE ${commented(admitted, comment)}`)
  bind(prepared, parameters)
  await prepared.run()
  throw problems.queryFailed('The query failed after its first rows, and when it was repeated it did not. Ask again.')
}

export function bind(prepared: DuckDBPreparedStatement, parameters: readonly Parameter[]): void {
  if (prepared.parameterCount !== parameters.length) {
    throw problems.queryFailed(
      `The statement takes ${prepared.parameterCount} parameters and ${parameters.length} were given.`,
    )
  }
  for (const [index, parameter] of parameters.entries()) bindOne(prepared, index + 1, parameter)
}

function bindOne(prepared: DuckDBPreparedStatement, position: number, parameter: Parameter): void {
  if (parameter === null) prepared.bindNull(position)
  else if (typeof parameter === 'string') prepared.bindVarchar(position, parameter)
  else if (typeof parameter === 'boolean') prepared.bindBoolean(position, parameter)
  else if (Number.isSafeInteger(parameter)) prepared.bindBigInt(position, BigInt(parameter))
  else prepared.bindDouble(position, parameter)
}

/** Reads 2,048 rows at a time, off the event loop, and lets other work in between while it writes their cells. */
export async function readResult(result: DuckDBResult, sink: RowSink, signal: AbortSignal): Promise<void> {
  const types = result.columnTypes()
  const writers = types.map(createCellWriter)
  sink.columns(types.map((type, index) => columnOf(result.columnName(index), type)))
  for await (const chunk of result) {
    signal.throwIfAborted()
    await sink.rows(readRows(chunk, writers))
  }
}

function readRows(chunk: DuckDBDataChunk, writers: readonly ((value: DuckDBValue) => Cell)[]): Cell[][] {
  const count = chunk.rowCount // A call into the library, so once.
  const columns = writers.map((write, column) => {
    const vector = chunk.getColumnVector(column)
    const cells: Cell[] = []
    for (let row = 0; row < count; row++) cells.push(write(vector.getItem(row)))
    return cells
  })
  const rows: Cell[][] = []
  for (let row = 0; row < count; row++) rows.push(columns.map(cells => cells[row] ?? null))
  return rows
}

/** An interrupt that meets no running statement is forgotten by DuckDB, so it is repeated until the query has ended. */
export function interruptOnAbort(connection: DuckDBConnection, signal: AbortSignal): () => void {
  let repeating: NodeJS.Timeout | undefined
  const interrupt = () => {
    connection.interrupt()
    repeating ??= setInterval(interrupt, 20)
  }
  signal.addEventListener('abort', interrupt, { once: true })
  return () => {
    signal.removeEventListener('abort', interrupt)
    clearInterval(repeating)
  }
}

function explained(error: unknown, folder: string, { memoryBytes }: InstanceLimits): QueryServiceError {
  if (error instanceof QueryServiceError) return error
  const message = error instanceof Error ? error.message : String(error)
  if (isOutOfMemory(message)) return problems.memoryExceeded(memoryBytes, { cause: error })
  if (message.includes('disabled by configuration')) {
    return problems.statementRefused(
      "it reads something other than the files of the deployment's data folder. " +
        "Name a file there by a literal relative to the folder, such as read_parquet('flights.parquet').",
      { cause: error },
    )
  }
  return problems.queryFailed(safeMessage(message, folder), { cause: error })
}

/** DuckDB's own account of its memory, and what its allocator refuses. */
export const isOutOfMemory = (message: string) => /^Out of Memory Error|\bbad_alloc\b|bad allocation/i.test(message)
