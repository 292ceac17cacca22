import { rename, rm, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { type DuckDBConnection, DuckDBDataChunk, DuckDBInstance, VARCHAR } from '@duckdb/node-api'
import { problems } from '../query-service-error.ts'
import type { Cell, Column } from '../shapes/query.ts'
import { type KeptColumn, keepColumns } from './rollup-columns.ts'

export interface WrittenFile {
  /** Its columns, and as what queries read them. */
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly rows: number
  readonly bytes: number
  /** The last time in `timeColumn`, `YYYY-MM-DDTHH:mm:ss.SSS`; null: none. */
  readonly lastTime: string | null
}

/** Which file is to be written. */
export interface ParquetTarget {
  readonly columns: readonly Column[]
  /** Absolute; nothing outside of it is written or read. */
  readonly folder: string
  readonly file: string
  /** Columns by which rows are sorted, so that filters on them read less. */
  readonly sortBy: readonly string[]
  /** A column of times without a zone, of which the last is to be known. */
  readonly timeColumn: string | null
  /** What the file may take. */
  readonly maximumBytes: number
  /** Whether columns are of the engine's own types and have to be read as these. Default: as types that sums are made of. */
  readonly keepsTypes?: boolean
}

/** Writes one file, in the process of an engine: DuckDB takes rows one at a time, which would keep the server from everybody else. */
export interface ParquetWriter {
  append(rows: readonly (readonly Cell[])[]): void
  /**
   * Writes what was appended. The file is there complete or not at all: it has another name until its last byte is written.
   *
   * @throws QueryServiceError `query_failed` for values that can't be kept as they are
   */
  finish(): Promise<WrittenFile>
  close(): void
}

const rowsOfChunk = 2048
/** Numbers of fewer digits fit into 64 bits. */
const digitsOfBigint = 19

/** What a file is called until it is complete. */
export const temporaryName = (file: string): string => `${file}.tmp`

/**
 * Opens a database of its own for one file, that can reach nothing but the folder.
 *
 * @throws QueryServiceError `query_failed` for columns that can't be kept
 */
export async function openParquetWriter(target: ParquetTarget, memoryBytes: number): Promise<ParquetWriter> {
  const { columns, folder, file, sortBy, timeColumn, maximumBytes, keepsTypes } = target
  const kept = keepColumns(columns, keepsTypes)
  const instance = await openDatabase(folder, memoryBytes)
  const connection = await instance.connect()
  // Rows as the text that every source gives.
  const names = kept.map((_, position) => `c${position} VARCHAR`)
  await connection.run(`CREATE TABLE staged (${names.join(', ')})`)
  const appender = await connection.createAppender('staged')
  const types = names.map(() => VARCHAR)
  let count = 0

  return {
    append(rows) {
      for (let from = 0; from < rows.length; from += rowsOfChunk) {
        const part = rows.slice(from, from + rowsOfChunk)
        const chunk = DuckDBDataChunk.create(types, part.length)
        chunk.setRows(part.map(row => row.map(cell => (typeof cell === 'boolean' ? String(cell) : cell))))
        appender.appendDataChunk(chunk)
      }
      count += rows.length
    },
    async finish() {
      appender.closeSync()
      const temporary = join(folder, temporaryName(file))
      const typed: TypedColumn[] = []
      for (const [position, column] of kept.entries()) typed.push(await withType(connection, column, position))
      const timePosition = columns.findIndex(({ name }) => name === timeColumn)
      const lastTime = timePosition === -1 ? null : await lastTimeOf(connection, timePosition)
      try {
        await copy(connection, typed, temporary, sortBy)
        const { size } = await stat(temporary)
        if (size > maximumBytes) {
          throw problems.queryFailed(`The rollup takes ${size} bytes and may take ${maximumBytes}.`)
        }
        await rename(temporary, join(folder, file))
        return { columns: typed.map(({ name, type }) => ({ name, type })), rows: count, bytes: size, lastTime }
      } catch (error) {
        await rm(temporary, { force: true })
        throw error
      }
    },
    close() {
      connection.closeSync()
      instance.closeSync()
    },
  }
}

async function openDatabase(folder: string, memoryBytes: number): Promise<DuckDBInstance> {
  const instance = await DuckDBInstance.create(':memory:', {
    threads: '2',
    memory_limit: `${memoryBytes}B`,
    temp_directory: join(folder, 'spill'),
    preserve_insertion_order: 'false',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
    allow_persistent_secrets: 'false',
  })
  const connection = await instance.connect()
  await connection.run(`SET GLOBAL allowed_directories = [${literal(folder + sep)}]`)
  await connection.run(`SET GLOBAL TimeZone = 'UTC'`)
  await connection.run('SET GLOBAL enable_external_access = false')
  await connection.run('SET GLOBAL lock_configuration = true')
  connection.closeSync()
  return instance
}

interface TypedColumn {
  readonly name: string
  readonly stored: string
  readonly type: string
}

/**
 * Decimals of a database that does not say how many digits they have get as many as the longest needs. Files hold no integers of more
 * than 64 bits: where there is one, decimals hold them all.
 */
async function withType(
  connection: DuckDBConnection,
  { name, stored, type }: KeptColumn,
  position: number,
): Promise<TypedColumn> {
  if (stored !== null && type !== null) return { name, stored, type }
  const digits = `ltrim(c${position}, '-')`
  const reader = await connection.runAndReadAll(
    `SELECT max(length(split_part(${digits}, '.', 1))), max(length(split_part(${digits}, '.', 2))) FROM staged`,
  )
  const [whole, scale] = [0, 1].map(column => Number(reader.value(column, 0) ?? 0))
  if (whole === undefined || scale === undefined || whole + scale > 38) {
    throw problems.queryFailed(`A rollup can't keep the column "${name}": its numbers have more than 38 digits.`)
  }
  if (type !== null && whole < digitsOfBigint) return { name, stored: 'BIGINT', type }
  const decimal = `DECIMAL(38,${scale})`
  return { name, stored: decimal, type: type ?? decimal }
}

async function lastTimeOf(connection: DuckDBConnection, position: number): Promise<string | null> {
  const reader = await connection.runAndReadAll(
    `SELECT epoch_ms(max(CAST(c${position} AS TIMESTAMP)))::VARCHAR FROM staged`,
  )
  const milliseconds = reader.value(0, 0)
  return milliseconds === null ? null : new Date(Number(milliseconds)).toISOString().replace('Z', '')
}

async function copy(
  connection: DuckDBConnection,
  columns: readonly TypedColumn[],
  path: string,
  sortBy: readonly string[],
): Promise<void> {
  const selected = columns.map(({ name, stored }, position) => `CAST(c${position} AS ${stored}) AS ${identifier(name)}`)
  const sorted = sortBy.filter(name => columns.some(column => column.name === name)).map(identifier)
  const order = sorted.length > 0 ? ` ORDER BY ${sorted.join(', ')}` : ''
  const query = `SELECT ${selected.join(', ')} FROM staged${order}`
  try {
    await connection.run(`COPY (${query}) TO ${literal(path)} (FORMAT parquet, COMPRESSION zstd)`)
  } catch (error) {
    const message = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error)
    throw problems.queryFailed(`The rollup can't be kept: ${message.replaceAll(path, 'its file')}`, { cause: error })
  }
}

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`
const identifier = (name: string) => `"${name.replaceAll('"', '""')}"`
