import { problems } from './query-service-error.ts'
import type { RowSink } from './shapes/driver.ts'
import type { Cell, Column, Table } from './shapes/query.ts'

/** What a result may be. */
export interface TableLimits {
  readonly maximumRows: number
  /** What the rows may take in memory, roughly. */
  readonly maximumBytes: number
}

/** Roughly what rows take in memory: their text, and what holds it. */
export function bytesOf(rows: readonly (readonly Cell[])[]): number {
  let bytes = 0
  for (const row of rows) {
    bytes += 16 + row.length * 24
    for (const cell of row) if (typeof cell === 'string') bytes += cell.length
  }
  return bytes
}

/** Collects a whole result. */
export interface TableSink extends RowSink {
  /** What came, frozen, so that it can be shared. Called once, when all has come. */
  table(): Table
  /** Roughly what it takes in memory. */
  bytes(): number
}

/** What a table takes beside its rows. */
const ofTable = 1_000

/**
 * Keeps a whole result, and stops the query at the limit and not when memory is full: `rows` throws `too_many_rows` or
 * `result_too_large`.
 */
export function createTableSink({ maximumRows, maximumBytes }: TableLimits): TableSink {
  const rows: (readonly Cell[])[] = []
  let columns: readonly Column[] = []
  let bytes = ofTable
  return {
    columns(known) {
      columns = known
    },
    rows(portion) {
      bytes += bytesOf(portion)
      if (rows.length + portion.length > maximumRows) throw problems.tooManyRows(maximumRows)
      if (bytes > maximumBytes) throw problems.resultTooLarge(maximumBytes)
      // Row by row while the source goes on, and not at the end, when somebody waits.
      for (const row of portion) rows.push(Object.freeze(row))
      return undefined
    },
    table() {
      for (const column of columns) Object.freeze(column)
      return Object.freeze({ columns: Object.freeze(columns), rows: Object.freeze(rows) })
    },
    bytes: () => bytes,
  }
}
