import type { Bound } from '../shapes/bound.ts'
import { filled, type Piece, Unprintable } from './piece.ts'
import type { Printing } from './printing.ts'
import { asTimestamp, unitOf } from './times.ts'

/** With `$1` and `$2` for the times: how many units begin after the first until the second. */
const onPostgres: Readonly<Record<string, string>> = {
  second: epochs('second', 1),
  minute: epochs('minute', 60),
  hour: epochs('hour', 3600),
  day: 'CAST(CAST($2 AS date) - CAST($1 AS date) AS bigint)',
  week: "CAST((CAST(date_trunc('week', $2) AS date) - CAST(date_trunc('week', $1) AS date)) / 7 AS bigint)",
  month: years('month', 12),
  quarter: years('quarter', 4),
  year: "CAST(date_part('year', $2) - date_part('year', $1) AS bigint)",
}

function epochs(unit: string, seconds: number): string {
  return `CAST(date_part('epoch', date_trunc('${unit}', $2) - date_trunc('${unit}', $1)) / ${seconds} AS bigint)`
}

function years(unit: string, each: number): string {
  const whole = `(date_part('year', $2) - date_part('year', $1)) * ${each}`
  return `CAST(${whole} + date_part('${unit}', $2) - date_part('${unit}', $1) AS bigint)`
}

/** DuckDB's own function counts days in sevens for weeks, wherever they begin. */
const onDuckDb = (unit: string) =>
  unit === 'week'
    ? "(date_diff('day', date_trunc('week', $1), date_trunc('week', $2)) // 7)"
    : `date_diff('${unit}', $1, $2)`

const differences = new Set([...Object.keys(onPostgres), 'milliseconds', 'microseconds'])

/** DATEDIFF(unit, from, to): how many boundaries of the unit lie between two times; weeks begin on Monday. */
export function printDifference(printing: Printing, [unit, from, to]: readonly Bound[]): Piece[] | null {
  if (!from || !to) return null
  const name = unitOf(unit)
  const template = printing.dialect === 'postgres' ? onPostgres[name] : onDuckDb(name)
  if (template === undefined || !differences.has(name)) throw new Unprintable(`DATEDIFF in ${name}`, unit?.at ?? -1)
  return filled(template, [asTimestamp(printing, from), asTimestamp(printing, to)])
}
