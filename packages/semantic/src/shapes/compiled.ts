import type { Column } from './plan.ts'

export const dialectNames = ['duckdb', 'postgres'] as const
export type DialectName = (typeof dialectNames)[number]

export type Parameter = string | number

export interface Statement {
  /** Text with `$1`, `$2`, … in the order of `parameters`. */
  readonly sql: string
  readonly parameters: readonly Parameter[]
}

/** What the query service needs to run a query and to know when a cached answer is old. */
export interface CompiledQuery extends Statement {
  readonly columns: readonly Column[]
  readonly dataSource: string
  /** Cubes whose tables are read. */
  readonly cubes: readonly string[]
  readonly refreshKeys: readonly CompiledRefreshKey[]
  /** Counts all rows that the query has without its limit and offset: one row, one column `total`. */
  readonly total: Statement | null
}

/** An answer is fresh for `seconds`; with `sql`, then as long as that statement gives the same rows. Immutable: for ever. */
export type CompiledRefreshKey =
  | { readonly cube: string; readonly kind: 'every'; readonly seconds: number }
  | { readonly cube: string; readonly kind: 'sql'; readonly seconds: number; readonly statement: Statement }
  | { readonly cube: string; readonly kind: 'immutable' }
