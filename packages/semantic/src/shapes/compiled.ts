import type { Column } from './plan.ts'

export const dialectNames = [
  'duckdb',
  'postgres',
  'mysql',
  'clickhouse',
  'trino',
  'bigquery',
  'snowflake',
  'redshift',
  'databricks',
  'sqlserver',
] as const
export type DialectName = (typeof dialectNames)[number]

export type Parameter = string | number

/**
 * To be run in a session whose zone is UTC. Where the first of `parameters` stands in the text depends on the dialect:
 * `$1` (duckdb, postgres, redshift), `@p1` (sqlserver), `{p1:String}` (clickhouse), each as often as it is needed; else `?`,
 * each of which takes the next parameter, so that one may be listed several times.
 */
export interface Statement {
  readonly sql: string
  readonly parameters: readonly Parameter[]
}

/** What the query service needs to run a query and to know when a cached answer is old. */
export interface CompiledQuery extends Statement {
  /** The same with a limit of one row more: whoever runs this one knows whether rows are left behind the limit. */
  readonly oneMore: Statement
  readonly columns: readonly Column[]
  readonly dataSource: string
  /** Cubes whose tables are read. */
  readonly cubes: readonly string[]
  readonly refreshKeys: readonly CompiledRefreshKey[]
  /** Counts all rows that the query has without its limit and offset: one row, one column `total`. */
  readonly total: Statement | null
}

/** An answer is fresh for `seconds`, or until a schedule fires next (`sinceLastStep`); with `sql`, then as long as that statement gives the same rows. Immutable: for ever. */
export type CompiledRefreshKey =
  | { readonly cube: string; readonly kind: 'every'; readonly seconds: number }
  | {
      readonly cube: string
      readonly kind: 'schedule'
      readonly seconds: number
      readonly offset: number
      readonly timezone: string
    }
  | { readonly cube: string; readonly kind: 'sql'; readonly seconds: number; readonly statement: Statement }
  | { readonly cube: string; readonly kind: 'immutable' }
