import {
  type DuckDBAppender,
  type DuckDBConnection,
  DuckDBDataChunk,
  DuckDBInstance,
  ResultReturnType,
  StatementType,
  VARCHAR,
} from '@duckdb/node-api'
import { bind, interruptOnAbort, isOutOfMemory, readResult } from '../drivers/duckdb/database.ts'
import { problems, QueryServiceError } from '../query-service-error.ts'
import type { RowSink } from '../shapes/driver.ts'
import type { Cell, Column, Parameter } from '../shapes/query.ts'

/** A database in memory that holds the tables of one computation, in the process of an engine. */
export interface Computing {
  /** @param table its columns are called `names`, and hold what `columns` say */
  createTable(table: {
    readonly name: string
    readonly names: readonly string[]
    readonly columns: readonly Column[]
  }): Promise<void>
  append(rows: readonly (readonly Cell[])[]): void
  /** All rows of the table were appended. */
  finishTable(): Promise<void>
  /** @throws QueryServiceError `query_failed`, `statement_refused`, `memory_exceeded`; what the sink throws */
  run(
    statement: { readonly sql: string; readonly parameters: readonly Parameter[] },
    sink: RowSink,
    signal: AbortSignal,
  ): Promise<void>
  close(): void
}

const chunkRows = 2_048
/** Where rows are, as text, until all of a table are there. */
const loading = '"loaded texts"'

/** Opens a database that can read no file and no network. */
export async function openComputing(memoryBytes: number): Promise<Computing> {
  const instance = await DuckDBInstance.create(':memory:', {
    threads: '2',
    memory_limit: `${memoryBytes}B`,
    temp_directory: '',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
    allow_persistent_secrets: 'false',
  })
  const connection = await instance.connect()
  await connection.run(`SET GLOBAL TimeZone = 'UTC'`)
  // As in drivers/duckdb/open-locked.ts: github.com/duckdb/duckdb/issues/25819
  await connection.run(`SET GLOBAL disabled_optimizers = 'common_subplan'`)
  await connection.run('SET GLOBAL enable_external_access = false')
  await connection.run('SET GLOBAL lock_configuration = true')
  let current: { readonly appender: DuckDBAppender; readonly width: number; readonly finish: string } | undefined

  const explaining = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw explained(error, memoryBytes)
    }
  }

  return {
    createTable: ({ name, names, columns }) =>
      explaining(async () => {
        const texts = names.map(column => `${quoted(column)} VARCHAR`).join(', ')
        await connection.run(`CREATE TEMP TABLE ${loading} (${texts})`)
        const typed = columns.map((column, position) => {
          const own = quoted(names[position] ?? '')
          return `CAST(${own} AS ${typeOf(column)}) AS ${own}`
        })
        const finish = `CREATE TEMP TABLE ${quoted(name)} AS SELECT ${typed.join(', ')} FROM ${loading}`
        current = { appender: await connection.createAppender('loaded texts'), width: names.length, finish }
      }),
    append(rows) {
      if (!current) throw new Error('Rows of no table')
      const types = Array.from({ length: current.width }, () => VARCHAR)
      try {
        for (let start = 0; start < rows.length; start += chunkRows) {
          const part = rows.slice(start, start + chunkRows)
          const chunk = DuckDBDataChunk.create(types, part.length)
          chunk.setRows(part.map(row => row.map(textOf)))
          current.appender.appendDataChunk(chunk)
        }
        current.appender.flushSync()
      } catch (error) {
        throw explained(error, memoryBytes)
      }
    },
    finishTable: () =>
      explaining(async () => {
        if (!current) throw new Error('The end of no table')
        current.appender.closeSync()
        await connection.run(current.finish)
        await connection.run(`DROP TABLE ${loading}`)
        current = undefined
      }),
    run: ({ sql, parameters }, sink, signal) =>
      explaining(async () => {
        const stopInterrupting = interruptOnAbort(connection, signal)
        try {
          const prepared = await connection.prepare(sql)
          if (prepared.statementType !== StatementType.SELECT) {
            throw problems.statementRefused('it does not only read.')
          }
          bind(prepared, parameters)
          signal.throwIfAborted()
          const result = await prepared.stream()
          await readResult(result, sink, signal)
          if (result.returnType === ResultReturnType.INVALID) await failAgain(connection, sql, parameters)
        } finally {
          stopInterrupting()
        }
      }),
    close() {
      current?.appender.closeSync()
      connection.closeSync()
      instance.closeSync()
    },
  }
}

/** A result that fails while it is read does not say why: run again, where rows are thrown away, it does. */
async function failAgain(connection: DuckDBConnection, sql: string, parameters: readonly Parameter[]): Promise<never> {
  const prepared = await connection.prepare(`EXPLAIN ANALYZE ${sql}`)
  bind(prepared, parameters)
  await prepared.run()
  throw problems.queryFailed('The computation failed after its first rows. Ask again.')
}

function explained(error: unknown, memoryBytes: number): unknown {
  if (error instanceof QueryServiceError || !(error instanceof Error)) return error
  if (isOutOfMemory(error.message)) return problems.memoryExceeded(memoryBytes, { cause: error })
  const [first = ''] = error.message.split('\n')
  // The engine's own errors begin with their kind ("Out of Range Error: …"); any other is not about the statement.
  const [, reason] = /^[A-Z][A-Za-z-]* (?:[A-Za-z-]+ )*?Error: (.*)$/.exec(first) ?? []
  return reason === undefined ? error : problems.queryFailed(reason, { cause: error })
}

const textOf = (cell: Cell) => (typeof cell === 'boolean' ? String(cell) : cell)

/** The type in which the engine holds what a source gave, with all its digits. */
function typeOf({ type, databaseType }: Column): string {
  switch (type) {
    case 'boolean':
      return 'BOOLEAN'
    case 'integer':
      return /^(U?BIGINT|U?HUGEINT|BIGNUM)/i.test(databaseType) && !/^BIGINT$/i.test(databaseType)
        ? 'HUGEINT'
        : 'BIGINT'
    case 'decimal':
      return /^(DECIMAL|NUMERIC)\(\d+,\s*\d+\)$/i.test(databaseType) ? databaseType : 'DECIMAL(38,15)'
    case 'double':
      return 'DOUBLE'
    case 'date':
    case 'timestamp':
      return 'TIMESTAMP'
    default:
      return 'VARCHAR'
  }
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
