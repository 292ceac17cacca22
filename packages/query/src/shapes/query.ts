import type { DataSource } from './data-source.ts'

/** What a query gives for one column of one row, ready for JSON. Numbers are text with all their digits. */
export type Cell = string | boolean | null

/** A value bound to `$1`, `$2`, … by position. Numbers are finite. */
export type Parameter = string | number | boolean | null

/**
 * What a column holds, in words that no database owns:
 * integer, decimal and double are numbers as text; date and timestamp are `YYYY-MM-DDTHH:mm:ss.SSS` without a zone;
 * time, interval and binary are the database's own text; json is JSON text (lists, structs, maps).
 */
export type ColumnType =
  | 'string'
  | 'boolean'
  | 'integer'
  | 'decimal'
  | 'double'
  | 'date'
  | 'timestamp'
  | 'time'
  | 'interval'
  | 'binary'
  | 'json'

export interface Column {
  readonly name: string
  readonly type: ColumnType
  /** As the database names it: `DECIMAL(18,3)`. */
  readonly databaseType: string
}

/** Columns and rows as they came, frozen and shared: one array for every caller who asked the same. */
export interface Table {
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly Cell[])[]
}

/**
 * What to do with a cached result (contract/core-data.yaml, `cache`):
 *
 * - `stale-if-slow`: current results from the cache; an expired one is fetched again, and served as it is only when the
 *   source does not answer within the wait.
 * - `stale-while-revalidate`: an expired result is served at once and refreshed in the background.
 * - `must-revalidate`: an expired result is never served.
 * - `no-cache`: the source is always asked, and the refresh key is not.
 */
export type CacheMode = 'stale-if-slow' | 'stale-while-revalidate' | 'must-revalidate' | 'no-cache'

/**
 * When a cached result expires: after a time, or when the answer of a small query has changed. That answer is itself
 * asked again after `everyMs`.
 */
export type Refresh =
  | { readonly everyMs: number }
  | { readonly sql: string; readonly parameters: readonly Parameter[]; readonly everyMs: number }

/** What to ask of which source, for whom. */
export interface RowQuery {
  /** Isolation: pools share neither results nor connections nor places in a queue. One for each deployment environment. */
  readonly pool: string
  readonly source: DataSource
  /** One statement that reads. */
  readonly sql: string
  readonly parameters: readonly Parameter[]
  /** How long the query may run, in milliseconds; the data source's own limit when that is shorter or this is absent. */
  readonly timeoutMs?: number
  /** One row more is an error, never a cut. Absent, for streams: as many as there are. */
  readonly maximumRows?: number
  /** Names this request in `cancel`. Retries of one request may differ after `-span-`. */
  readonly requestId: string
  /** With whose rights it is asked: only the same owner can cancel it by its id, as clients choose ids that others can guess. */
  readonly owner?: string
  /** Follows the statement into the database as an SQL comment. Plain text; what could end a comment is taken out. */
  readonly comment?: string
}

export interface QueryRequest extends RowQuery {
  readonly cache: CacheMode
  readonly refresh: Refresh
  /** How long to wait for the result before `ContinueWait`, in milliseconds. Infinity: until the query ends. */
  readonly waitMs?: number
  readonly maximumRows: number
}

/**
 * Rows as they come from the source, in portions of some thousands, for one reader. The source computes no faster than they
 * are read, and is stopped when the loop is left, when `close` is called, and when nobody asks for rows that are ready.
 *
 * Asking for the next portion throws `QueryServiceError` when the query failed in between: without it, all rows came.
 */
export interface RowStream extends AsyncIterable<readonly (readonly Cell[])[]> {
  readonly columns: readonly Column[]
  /** Stops the query, if it still runs: for who has a stream and will not read it. */
  close(): void
}

export interface QueryResult extends Table {
  /** When the source began to compute these rows. */
  readonly lastRefreshTime: Date
  /** Whether they came from the cache. */
  readonly cached: boolean
  /** Whether they are expired and were served because the source is slow (`stale-if-slow`). */
  readonly slow: boolean
  /** What the refresh query answered for them; absent where none was asked. */
  readonly refreshAnswer?: Table
}
