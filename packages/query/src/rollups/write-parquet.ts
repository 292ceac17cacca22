import { rename, rm, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { type DuckDBConnection, DuckDBDataChunk, DuckDBInstance, VARCHAR } from '@duckdb/node-api'
import { problems } from '../query-service-error.ts'
import type { Cell, Column } from '../shapes/query.ts'
import { type KeptColumn, keepColumns } from './rollup-columns.ts'

/** Rows with their columns, read once. */
export interface IncomingRows {
  readonly columns: readonly Column[]
  readonly portions: AsyncIterable<readonly (readonly Cell[])[]> | Iterable<readonly (readonly Cell[])[]>
}

export interface WrittenFile {
  /** Its columns, and as what queries read them. */
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly rows: number
  readonly bytes: number
}

export interface WriteOptions {
  /** Absolute; nothing outside of it is written or read. */
  readonly folder: string
  readonly file: string
  /** Columns by which rows are sorted, so that filters on them read less. */
  readonly sortBy: readonly string[]
  /** What the file may take. */
  readonly maximumBytes: number
  readonly signal: AbortSignal
}

const rowsOfChunk = 2048
/** Numbers of fewer digits fit into 64 bits. */
const digitsOfBigint = 19
const memory = '512MB'

/**
 * Writes rows into a Parquet file that is there complete or not at all: it has another name until its last byte is written.
 *
 * It is written by a database of its own that can reach nothing but the folder.
 *
 * @throws QueryServiceError `query_failed` for values that can't be kept as they are; what the rows or the signal throw
 */
export async function writeParquet({ columns, portions }: IncomingRows, options: WriteOptions): Promise<WrittenFile> {
  const { folder, file, sortBy, maximumBytes, signal } = options
  const kept = keepColumns(columns)
  const temporary = join(folder, `${file}.tmp`)
  const instance = await openWriter(folder)
  try {
    const connection = await instance.connect()
    try {
      const rows = await stage(connection, kept.length, portions, signal)
      const typed = await Promise.all(kept.map((column, position) => withType(connection, column, position)))
      signal.throwIfAborted()
      await copy(connection, typed, temporary, sortBy)
      const { size } = await stat(temporary)
      if (size > maximumBytes) {
        throw problems.queryFailed(`The rollup takes ${size} bytes and may take ${maximumBytes}.`)
      }
      await rename(temporary, join(folder, file))
      return { columns: typed.map(({ name, type }) => ({ name, type })), rows, bytes: size }
    } finally {
      connection.closeSync()
    }
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  } finally {
    instance.closeSync()
  }
}

async function openWriter(folder: string): Promise<DuckDBInstance> {
  const instance = await DuckDBInstance.create(':memory:', {
    threads: '2',
    memory_limit: memory,
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

/** Rows as the text that every source gives. @returns how many. */
async function stage(
  connection: DuckDBConnection,
  width: number,
  portions: IncomingRows['portions'],
  signal: AbortSignal,
): Promise<number> {
  const names = Array.from({ length: width }, (_, position) => `c${position} VARCHAR`)
  await connection.run(`CREATE TABLE staged (${names.join(', ')})`)
  const types = names.map(() => VARCHAR)
  const appender = await connection.createAppender('staged')
  let count = 0
  try {
    for await (const rows of portions) {
      signal.throwIfAborted()
      for (let from = 0; from < rows.length; from += rowsOfChunk) {
        const part = rows.slice(from, from + rowsOfChunk)
        const chunk = DuckDBDataChunk.create(types, part.length)
        chunk.setRows(part.map(row => row.map(cell => (typeof cell === 'boolean' ? String(cell) : cell))))
        appender.appendDataChunk(chunk)
      }
      count += rows.length
    }
    appender.flushSync()
  } finally {
    appender.closeSync()
  }
  return count
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
