/** A cell as all engines' cells are compared: numbers by value, times as local timestamps. */
export type Canonical = string | number | boolean | null

export interface Answer {
  /** Names of the columns, where the engine tells. */
  readonly columns: readonly string[] | null
  readonly rows: readonly (readonly Canonical[])[]
}

/** Engines keep a different number of digits of one number. */
const digits = 10

export function canonicalCell(cell: unknown): Canonical {
  if (cell === null || cell === undefined) return null
  if (typeof cell === 'boolean') return cell
  const text = String(cell)
  if (/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)) return Number(Number(text).toPrecision(digits)) + 0
  const [, date, clock = '00:00:00', fraction = ''] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}:\d{2})(?:\.(\d+))?(?:\+00)?)?$/.exec(text) ?? []
  return date === undefined ? text : `${date}T${clock}.${fraction.slice(0, 3).padEnd(3, '0')}`
}

/** Rows in an order that says nothing, for comparing sets of rows. */
export const asSet = (rows: Answer['rows']) => rows.map(row => JSON.stringify(row)).toSorted()

/**
 * The cells by which rows are ordered. Where nulls go differs between databases and no contract tells it, so rows with one
 * are left out.
 */
export const orderOf = (rows: Answer['rows'], keys: readonly number[]) =>
  rows.map(row => keys.map(key => row[key] ?? null)).filter(cells => !cells.includes(null))
