import type { CacheMode, Cell } from '@hedron/query'
import type { SqlColumn, SqlFilter, SqlPlan } from '@hedron/sql'
import type { DataCaller } from '../queries/data-caller.ts'

/** What a session has settled before a statement is asked (contract/behaviour/query.md section 7). */
export interface SqlSession {
  /** IANA name; null: the deployment's. Times are read and shown as local times of it. */
  readonly timezone: string | null
  /** What `current_user` and the like give, by the function's name; `current_database`, `current_schema`, `version`. */
  readonly constants: ReadonlyMap<string, string>
  /** Conditions that hold around each statement, where its columns are members of them. */
  readonly filters?: readonly SqlFilter[]
  /** Numbers of the parameters that the client sends as moments with a zone, not as what stands beside them. */
  readonly zonedParameters?: ReadonlySet<number>
  /** Somebody else as whom the caller may ask by `__user`. Absent: he may not. @throws {DataError} */
  readonly switchUser?: (name: string) => Promise<DataCaller>
}

/** A session of nobody in particular, as each request over HTTP is. */
export const plainSession: SqlSession = { timezone: null, constants: new Map() }

/** A statement that was read and planned. */
export interface PreparedSql {
  readonly kind: SqlPlan['kind']
  /** Names as PostgreSQL gives them, and PostgreSQL's names of types: `text`, `int8`, `numeric`, `timestamp`. */
  readonly columns: readonly SqlColumn[]
  /** Members whose conditions of the session hold in the answer. */
  readonly filtered: readonly string[]
  /** Types of `$1`, `$2`, … */
  readonly parameters: readonly SqlColumn['type'][]
  /**
   * Runs it with these values as text, one for each parameter.
   *
   * @throws {DataError} for every way to end before the first row; later ones are thrown by `rows`
   */
  run(values: readonly (string | null)[], options: SqlRunOptions): Promise<SqlRows>
}

export interface SqlRunOptions {
  /** Stops the statement, in the database too. */
  readonly signal: AbortSignal
  readonly requestId: string
  readonly cache: CacheMode
  /** How long to wait for rows before `Continue wait` is thrown, in milliseconds; Infinity: until they are there. */
  readonly waitMs: number
}

/** The answer. It holds all rows that the statement asks for, or ends with an error: there is no limit that the statement does not set. */
export interface SqlRows {
  /** Cells as `columns` has them: numbers as text, times as `YYYY-MM-DDTHH:mm:ss.SSS`, dates the same. */
  readonly rows: AsyncIterable<readonly (readonly Cell[])[]>
  /** When the source began to compute them. */
  readonly lastRefreshTime: Date
}
