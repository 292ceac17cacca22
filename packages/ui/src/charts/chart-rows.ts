import { wallClock } from '../formats/time-format.ts'
import { type Cell, type Column, numberOf, type Result } from '../results/result.ts'

/** A row as charts read it. */
export type ChartRow = Record<string, unknown>

/** Where a row of the result stands in it: charts carry it along, so that tooltips and drilling find the row itself. */
export const rowIndex = '__row'

/**
 * Rows for a chart: numbers as numbers, times as moments at which the browser's own clock shows their digits (Vega reads that clock),
 * and members with dots also as nested objects, since specifications name them both ways.
 */
export function chartRows({ columns, rows }: Result): ChartRow[] {
  const nested = columns.map(({ name }) => nestedPath(name, columns))
  return rows.map((cells, index) => {
    const row: ChartRow = { [rowIndex]: index }
    for (const [at, column] of columns.entries()) {
      const value = chartValue(cells[at] ?? null, column)
      row[column.name] = value
      const path = nested[at]
      if (path) place(row, path, value)
    }
    return row
  })
}

function chartValue(cell: Cell, column: Column): unknown {
  if (cell === null) return null
  if (column.type === 'number') {
    const value = numberOf(cell)
    return Number.isNaN(value) ? null : value
  }
  return column.type === 'time' ? momentOf(String(cell)) : cell
}

/** The moment at which the browser's own clock shows the digits of `text`; null for what is no date. */
export function momentOf(text: string): Date | null {
  const time = wallClock(text)
  if (Number.isNaN(time)) return null
  const utc = new Date(time)
  const [year, month, day] = [utc.getUTCFullYear(), utc.getUTCMonth(), utc.getUTCDate()]
  const local = new Date(
    year,
    month,
    day,
    utc.getUTCHours(),
    utc.getUTCMinutes(),
    utc.getUTCSeconds(),
    utc.getUTCMilliseconds(),
  )
  // Years below 100 would be taken for those of the twentieth century.
  local.setFullYear(year)
  return local
}

const reserved = new Set(['__proto__', 'constructor', 'prototype'])

/** Keys under which `orders.city` is also found, unless another column has the first of them for its name. */
function nestedPath(name: string, columns: readonly Column[]): readonly string[] | undefined {
  const path = name.split('.')
  const isTaken = columns.some(
    column => column.name !== name && path.some((_, at) => at > 0 && path.slice(0, at).join('.') === column.name),
  )
  return path.length < 2 || isTaken || path.some(key => reserved.has(key)) ? undefined : path
}

function place(row: ChartRow, path: readonly string[], value: unknown) {
  let parent = row
  for (const key of path.slice(0, -1)) {
    const inner = parent[key]
    const next: ChartRow = isRow(inner) ? inner : {}
    parent[key] = next
    parent = next
  }
  parent[path.at(-1) ?? ''] = value
}

function isRow(value: unknown): value is ChartRow {
  return typeof value === 'object' && value !== null && !(value instanceof Date)
}
