import { displayValue, fieldOf } from '../framework/json.ts'
import { resultTables } from '../query/result-table.ts'

/** A number, or whatever else a measure gives, that differs. Null: the row is not there. */
export interface Difference {
  /** The row: its dimensions and times, as `member=value`; empty where the query groups by nothing. */
  readonly row: string
  readonly measure: string
  readonly before: unknown
  readonly after: unknown
}

/** Numbers that differ by less than this part of themselves are the same: sums of floating point depend on the order of rows. */
export const usualTolerance = 1e-9

/**
 * Differences between two answers of the data API to one query, row by row; rows are told by everything in them that is no
 * measure, so that their order does not matter.
 */
export function compareResults(before: unknown, after: unknown, tolerance = usualTolerance): readonly Difference[] {
  const measures = new Set([...measuresOf(before), ...measuresOf(after)])
  const old = rowsByKey(before, measures)
  const fresh = rowsByKey(after, measures)
  const differences: Difference[] = []
  for (const key of new Set([...old.keys(), ...fresh.keys()])) {
    const [left, right] = [old.get(key), fresh.get(key)]
    if (left === undefined || right === undefined) {
      const [present, isOld] = left === undefined ? [right, false] : [left, true]
      // A row without measures is compared as a whole.
      const names = measures.size === 0 ? ['(row)'] : [...measures]
      for (const measure of names) {
        const value = measure === '(row)' ? key : (present?.[measure] ?? null)
        differences.push({ row: rowName(key), measure, before: isOld ? value : null, after: isOld ? null : value })
      }
      continue
    }
    for (const measure of measures) {
      const [one, other] = [left[measure] ?? null, right[measure] ?? null]
      if (!isSame(one, other, tolerance)) differences.push({ row: rowName(key), measure, before: one, after: other })
    }
  }
  return differences.sort((a, b) => a.row.localeCompare(b.row, 'en') || a.measure.localeCompare(b.measure, 'en'))
}

type Row = Readonly<Record<string, unknown>>

function measuresOf(answer: unknown): Set<string> {
  const results = fieldOf(answer, 'results')
  const all = Array.isArray(results) ? results : [answer]
  return new Set(all.flatMap(result => Object.keys(Object(Object(Object(result).annotation).measures))))
}

/** Rows by the text of what tells them apart; equal ones are numbered. */
function rowsByKey(answer: unknown, measures: ReadonlySet<string>): Map<string, Row> {
  const found = new Map<string, Row>()
  resultTables(answer).forEach(({ rows }, part) => {
    for (const row of rows) {
      const record: Row = Object(row)
      const keys = Object.entries(record)
        .filter(([name]) => !measures.has(name))
        .sort(([a], [b]) => (a < b ? -1 : 1))
      for (let copy = 0; ; copy += 1) {
        const key = JSON.stringify([part, keys, copy])
        if (found.has(key)) continue
        found.set(key, record)
        break
      }
    }
  })
  return found
}

function rowName(key: string): string {
  const [, fields]: [number, readonly [string, unknown][], number] = JSON.parse(key)
  return fields.map(([name, value]) => `${name}=${displayValue(value)}`).join(', ')
}

function isSame(one: unknown, other: unknown, tolerance: number): boolean {
  if (one === other) return true
  const [left, right] = [numberOf(one), numberOf(other)]
  if (left === null || right === null) return JSON.stringify(one) === JSON.stringify(other)
  return Math.abs(left - right) <= tolerance * Math.max(Math.abs(left), Math.abs(right))
}

/** Numbers come as text too, since JSON has no exact decimals. */
function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || !/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value)) return null
  return Number(value)
}
