import { type DuckDBConnection, DuckDBDataChunk, VARCHAR } from '@duckdb/node-api'
import { problems } from '../query-service-error.ts'
import type { Cell, Column, RowStream } from '../shapes/query.ts'

/** Rows of a query, as a table of a computation. */
export interface ComputeTable {
  readonly name: string
  readonly columns: readonly string[]
  readonly open: (signal: AbortSignal) => Promise<RowStream>
}

const chunkRows = 2_048

/** Makes a table of all rows of a query; nothing is computed over some of them. */
export async function loadTable(
  connection: DuckDBConnection,
  { name, columns, open }: ComputeTable,
  signal: AbortSignal,
): Promise<void> {
  const rows = await open(signal)
  try {
    if (rows.columns.length !== columns.length) {
      throw problems.queryFailed(
        `A part of the statement gave ${rows.columns.length} columns instead of ${columns.length}.`,
      )
    }
    const texts = columns.map(column => `${quoted(column)} VARCHAR`).join(', ')
    await connection.run(`CREATE TEMP TABLE "loaded texts" (${texts})`)
    await append(connection, columns.length, rows, signal)
    const typed = rows.columns.map((column, position) => {
      const own = quoted(columns[position] ?? '')
      return `CAST(${own} AS ${typeOf(column)}) AS ${own}`
    })
    await connection.run(`CREATE TEMP TABLE ${quoted(name)} AS SELECT ${typed.join(', ')} FROM "loaded texts"`)
    await connection.run('DROP TABLE "loaded texts"')
  } finally {
    rows.close()
  }
}

async function append(
  connection: DuckDBConnection,
  width: number,
  rows: AsyncIterable<readonly (readonly Cell[])[]>,
  signal: AbortSignal,
): Promise<void> {
  const appender = await connection.createAppender('loaded texts')
  const types = Array.from({ length: width }, () => VARCHAR)
  try {
    for await (const portion of rows) {
      for (let start = 0; start < portion.length; start += chunkRows) {
        signal.throwIfAborted()
        const chunk = DuckDBDataChunk.create(types, Math.min(chunkRows, portion.length - start))
        chunk.setRows(portion.slice(start, start + chunkRows).map(row => row.map(textOf)))
        appender.appendDataChunk(chunk)
      }
      appender.flushSync()
    }
  } finally {
    appender.closeSync()
  }
}

const textOf = (cell: Cell) => (typeof cell === 'boolean' ? String(cell) : cell)

/** The type in which the engine holds what a source gave, with all its digits. */
function typeOf({ type, databaseType }: Column): string {
  switch (type) {
    case 'boolean':
      return 'BOOLEAN'
    case 'integer':
      return /^(U?BIGINT|U?HUGEINT|BIGNUM)/i.test(databaseType) && !/^BIGINT$/i.test(databaseType)
        ? 'HUGEINT'
        : 'BIGINT'
    case 'decimal':
      return /^(DECIMAL|NUMERIC)\(\d+,\s*\d+\)$/i.test(databaseType) ? databaseType : 'DECIMAL(38,15)'
    case 'double':
      return 'DOUBLE'
    case 'date':
    case 'timestamp':
      return 'TIMESTAMP'
    default:
      return 'VARCHAR'
  }
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
