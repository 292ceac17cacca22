/** One cell as the data API answers it. Numbers may come as text, so that no digit is lost. */
export type Cell = string | number | boolean | null

/** What the model says about how a column's values are shown (docs/data-model.md, Formats). */
export type ColumnFormat =
  | string
  | { readonly type: 'link'; readonly label: string }
  | { readonly type: 'custom-numeric'; readonly value: string; readonly alias?: string }
  | { readonly type: 'custom-time'; readonly value: string }

export interface Column {
  /** As the query names it, such as `orders.revenue`. */
  readonly name: string
  readonly title: string
  readonly type: 'string' | 'number' | 'time' | 'boolean'
  /** Measures are what drilling goes into. */
  readonly isMeasure?: boolean
  readonly format?: ColumnFormat
  /** The model's format as a d3 specifier, where it has one. */
  readonly specifier?: string
  /** ISO 4217. */
  readonly currency?: string
  /** Of time columns: `day`, `month`, ...; absent where the values are moments. */
  readonly granularity?: string
}

/** An answer, whichever way it was asked for. Rows are in the order of `columns`. */
export interface Result {
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly Cell[])[]
  /** How many rows there are in all, where `rows` does not hold them all and it is known. */
  readonly totalRows?: number
}

/** The number that a cell holds; NaN where it holds none. */
export function numberOf(cell: Cell | undefined): number {
  if (typeof cell === 'number') return cell
  if (typeof cell !== 'string' || cell.trim() === '') return Number.NaN
  return Number(cell)
}
