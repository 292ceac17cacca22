import type { DuckDbSettings } from '../drivers/duckdb/settings.ts'
import type { QueryServiceErrorCode } from '../query-service-error.ts'
import type { ParquetTarget } from '../rollups/parquet-writer.ts'
import type { DataSource } from '../shapes/data-source.ts'
import type { Statement } from '../shapes/driver.ts'
import type { Cell, Column, Parameter } from '../shapes/query.ts'

/** What an instance of DuckDB may take. */
export interface InstanceLimits {
  readonly memoryBytes: number
  readonly threads: number
}

/**
 * What the server asks of the process of an engine, each answered by one `done` or `failed` before the next.
 *
 * An engine computes over tables that it is given (`table`, `append`, `loaded`, `compute`, and `reset` when all of it is over), until
 * it is made that of a data source (`open`), for which it then runs statements (`stream`, `test`), or one that builds (`build`), which
 * then writes one file after another (`write`, `append`, `written`, which gives a row with JSON of the `WrittenFile`).
 */
export type EngineRequest =
  | {
      readonly do: 'table'
      readonly name: string
      readonly names: readonly string[]
      readonly columns: readonly Column[]
    }
  | { readonly do: 'append'; readonly rows: readonly (readonly Cell[])[] }
  | { readonly do: 'loaded' }
  | { readonly do: 'compute'; readonly sql: string; readonly parameters: readonly Parameter[] }
  | { readonly do: 'reset' }
  | {
      readonly do: 'open'
      readonly source: DataSource
      readonly settings: DuckDbSettings
      readonly limits: InstanceLimits
    }
  | { readonly do: 'stream'; readonly statement: Statement }
  | { readonly do: 'test' }
  | { readonly do: 'build' }
  | { readonly do: 'write'; readonly target: ParquetTarget }
  | { readonly do: 'written' }

/** What it is told meanwhile: that rows were taken, or that nobody wants the answer any longer. Not answered. */
export type EngineNotice = { readonly do: 'taken' } | { readonly do: 'stop' }

/** What it answers: columns and then rows, where there are any, and how it ended. */
export type EngineAnswer =
  | { readonly is: 'columns'; readonly columns: readonly Column[] }
  | { readonly is: 'rows'; readonly rows: Cell[][] }
  | { readonly is: 'done' }
  | { readonly is: 'failed'; readonly error: ToldError }

/** An error on its way between processes. */
export interface ToldError {
  /** Null: a fault, and nothing that can be shown. */
  readonly code: QueryServiceErrorCode | null
  readonly message: string
  /** What the database itself said, for the log. */
  readonly cause: string | null
}

/** How many portions of rows may be on their way before one is taken: one lies ready, one is computed. */
export const portionsAhead = 2

/** What the process may hold beside the memory that DuckDB counts: the program itself, and what a statement makes uncounted. */
export const uncountedBytes = 384 * 2 ** 20

/** By this signal a process ends itself that holds more than it may. Without a handler it is the end, at once and without a core dump. */
export const tooMuchMemory = 'SIGUSR2'
