import type { DataSource } from './data-source.ts'
import type { Parameter, Table } from './query.ts'

/** One statement as a driver is asked to run it. */
export interface Statement {
  readonly sql: string
  readonly parameters: readonly Parameter[]
  readonly maximumRows: number
  /** What the rows may take in memory, roughly. */
  readonly maximumBytes: number
  readonly comment?: string
}

/** How to reach one kind of database. What each member owes is written down in CONTEXT.md. */
export interface Driver {
  /** The `CUBEJS_DB_TYPE` that it serves. */
  readonly type: string
  /** How many queries of one data source run at once when `CUBEJS_CONCURRENCY` is absent. */
  readonly defaultConcurrency: number
  /** It computes on this machine, in this process: its queries share a few places over all pools. */
  readonly embedded: boolean
  /**
   * Reads the source's settings and opens nothing.
   *
   * @throws QueryServiceError `source_misconfigured`, naming the variable
   */
  check(source: DataSource): void
  /** @throws QueryServiceError `source_misconfigured` or `source_unavailable` */
  open(source: DataSource): Promise<OpenSource>
}

/** A data source that was opened for one pool. */
export interface OpenSource {
  /**
   * Runs one statement that reads and gives its rows. An aborted signal stops it in the database too.
   *
   * @throws QueryServiceError `query_failed`, `statement_refused`, `too_many_rows`, `result_too_large`, `source_unavailable`
   */
  run(statement: Statement, signal: AbortSignal): Promise<Table>
  /**
   * Whether the database answers at all.
   *
   * @throws QueryServiceError `source_unavailable`
   */
  test(signal: AbortSignal): Promise<void>
  /** Gives every connection back. Called once, when nothing runs. */
  close(): Promise<void>
}
