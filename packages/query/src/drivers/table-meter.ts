import { problems } from '../query-service-error.ts'
import type { Statement } from '../shapes/driver.ts'
import type { Cell } from '../shapes/query.ts'

/** Roughly what rows take in memory: their text, and what holds it. */
export function bytesOf(rows: readonly (readonly Cell[])[]): number {
  let bytes = 0
  for (const row of rows) {
    bytes += 16 + row.length * 24
    for (const cell of row) if (typeof cell === 'string') bytes += cell.length
  }
  return bytes
}

/**
 * Counts the rows of a result while a driver reads them, so that it stops at the limit and not when memory is full.
 *
 * The function given throws `too_many_rows` or `result_too_large`.
 */
export function createTableMeter({
  maximumRows,
  maximumBytes,
}: Statement): (rows: readonly (readonly Cell[])[]) => void {
  let count = 0
  let bytes = 0
  return rows => {
    count += rows.length
    bytes += bytesOf(rows)
    if (count > maximumRows) throw problems.tooManyRows(maximumRows)
    if (bytes > maximumBytes) throw problems.resultTooLarge(maximumBytes)
  }
}
