import type { DataSource } from './data-source.ts'
import type { Cell, Column, Parameter } from './query.ts'

/** One statement as a driver is asked to run it. */
export interface Statement {
  readonly sql: string
  readonly parameters: readonly Parameter[]
  readonly comment?: string
}

/** Where a driver puts what it reads. What its functions throw ends the query: a limit, or a reader that went away. */
export interface RowSink {
  /** Called once, before any rows; also when there are none. */
  columns(columns: readonly Column[]): void
  /** The next rows in order, some thousands at most. The driver reads no further until this has settled. */
  rows(rows: Cell[][]): Promise<void> | undefined
}

/** How to reach one kind of database. What each member owes is written down in CONTEXT.md. */
export interface Driver {
  /** The `CUBEJS_DB_TYPE` that it serves. */
  readonly type: string
  /** How many queries of one data source run at once when `CUBEJS_CONCURRENCY` is absent. */
  readonly defaultConcurrency: number
  /** It computes on this machine: its queries share a few places over all pools. */
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
   * Runs one statement that reads, and puts its rows into the sink in portions, as fast as that takes them. Settles when the
   * database has let go of the query. An aborted signal stops it in the database too.
   *
   * @throws QueryServiceError `query_failed`, `statement_refused`, `source_unavailable`; what the sink throws
   */
  stream(statement: Statement, sink: RowSink, signal: AbortSignal): Promise<void>
  /**
   * Whether the database answers at all.
   *
   * @throws QueryServiceError `source_unavailable`
   */
  test(signal: AbortSignal): Promise<void>
  /** Gives every connection back. Called once, when nothing runs. */
  close(): Promise<void>
}
