import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { LRUCache } from 'lru-cache'
import { problems } from '../../query-service-error.ts'

/**
 * Table functions that only read rows, files of the data folder or the catalogue. Any other of DuckDB's own is refused:
 * `FROM enable_logging(...)` writes files (and aborts the process where it may not), `checkpoint()` writes the database,
 * `query('...')` would hide a statement from this check, `arrow_scan(...)` reads any memory.
 */
const readingTableFunctions: ReadonlySet<string> = new Set([
  ...['read_parquet', 'parquet_scan', 'parquet_metadata', 'parquet_schema', 'parquet_file_metadata'],
  ...['parquet_kv_metadata', 'parquet_full_metadata', 'parquet_bloom_probe'],
  ...['read_csv', 'read_csv_auto', 'sniff_csv', 'read_text', 'read_blob', 'glob'],
  ...['read_json', 'read_json_auto', 'read_json_objects', 'read_json_objects_auto'],
  ...['read_ndjson', 'read_ndjson_auto', 'read_ndjson_objects', 'json_each', 'json_tree'],
  ...['range', 'generate_series', 'unnest', 'repeat', 'repeat_row', 'summary', 'histogram', 'histogram_values'],
  ...['duckdb_columns', 'duckdb_constraints', 'duckdb_functions', 'duckdb_indexes'],
  ...['duckdb_keywords', 'duckdb_schemas', 'duckdb_sequences', 'duckdb_tables', 'duckdb_types', 'duckdb_views'],
  ...['pragma_version', 'pragma_table_info', 'pragma_show', 'pragma_collations'],
  ...['pg_timezone_names', 'icu_calendar_names', 'test_all_types'],
])

const refusedScalarFunctions: ReadonlySet<string> = new Set(['write_log', 'nextval', 'setseed'])

/** Table functions whose first argument names a file. */
const namesFile = /^(read_|parquet_|sniff_csv$|glob$)/

/** What `FROM 'flights.parquet'` reads as a file. */
const fileName = /\.(parquet|csv|tsv|json|jsonl|ndjson)(\.gz|\.zst)?$|\*/i

/** `FROM 'other.duckdb'` would open a database whose views nobody has looked at. */
const databaseFileName = /\.(db|ddb|duckdb)$/i

export interface StatementGate {
  /**
   * Gives the text to run: the statement itself, with literal file names made absolute. (DuckDB checks a relative name against
   * the process's working directory before it looks at `file_search_path`, so that setting cannot do it.)
   *
   * @throws QueryServiceError `statement_refused`, or `query_failed` for text that is not SQL
   */
  admit(connection: DuckDBConnection, sql: string): Promise<string>
}

/**
 * Admits one statement that reads, judged on DuckDB's own parse tree.
 *
 * @param folder where relative file names start
 * @param macros table macros of the deployment's database file
 */
export function createStatementGate(folder: string, macros: ReadonlySet<string>): StatementGate {
  const admitted = new LRUCache<string, string>({
    maxSize: 8 * 2 ** 20,
    sizeCalculation: (sql, key) => sql.length + key.length + 1,
  })
  return {
    async admit(connection, sql) {
      const known = admitted.get(sql)
      if (known !== undefined) return known
      const tree = await parse(connection, sql)
      const text = withAbsoluteFiles(sql, judge(tree, macros), folder)
      admitted.set(sql, text)
      return text
    },
  }
}

type Node = Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)

async function parse(connection: DuckDBConnection, sql: string): Promise<Node> {
  // By its full name: a database file may bring a macro of the short one.
  const reader = await connection.runAndReadAll('SELECT system.main.json_serialize_sql($1::VARCHAR)', [sql])
  const parsed: unknown = JSON.parse(String(reader.value(0, 0)))
  if (!isNode(parsed)) throw new Error('json_serialize_sql gave no object')
  if (parsed.error === true) {
    if (parsed.error_type === 'not implemented') throw onlyReading()
    throw problems.queryFailed(`Parser Error: ${String(parsed.error_message)}`)
  }
  const statements = Array.isArray(parsed.statements) ? parsed.statements : []
  const [only] = statements
  if (statements.length !== 1 || !isNode(only)) {
    throw problems.statementRefused(`it must be one statement and holds ${statements.length}.`)
  }
  return only
}

export const onlyReading = () => problems.statementRefused('only statements that read rows can be run.')

/** A literal that names a file, and where it stands in the text, in bytes. */
interface FileLiteral {
  readonly value: string
  readonly at: number
}

function judge(tree: Node, macros: ReadonlySet<string>): readonly FileLiteral[] {
  const files: FileLiteral[] = []
  const pending: unknown[] = [tree]
  while (pending.length > 0) {
    const value = pending.pop()
    if (Array.isArray(value)) for (const item of value) pending.push(item)
    if (!isNode(value)) continue
    for (const part of Object.values(value)) pending.push(part)
    if (value.type === 'TABLE_FUNCTION' && isNode(value.function)) {
      const name = String(value.function.function_name).toLowerCase()
      if (!readingTableFunctions.has(name) && !macros.has(name)) {
        throw problems.statementRefused(`the table function ${name}() is not allowed.`)
      }
      if (namesFile.test(name) && Array.isArray(value.function.children)) {
        files.push(...literals(value.function.children[0]))
      }
    } else if (value.type === 'BASE_TABLE' && value.schema_name === '' && value.catalog_name === '') {
      const { table_name: name, query_location: at } = value
      if (typeof name !== 'string' || typeof at !== 'number') continue
      if (databaseFileName.test(name)) {
        throw problems.statementRefused(
          `"${name}" is a database. Name it in CUBEJS_DB_DUCKDB_DATABASE_PATH and query its tables.`,
        )
      }
      if (fileName.test(name)) files.push({ value: name, at })
    } else if (refusedScalarFunctions.has(String(value.function_name).toLowerCase())) {
      throw problems.statementRefused(`the function ${value.function_name}() is not allowed.`)
    }
  }
  return files
}

/** String literals of an argument: `'a.csv'` or `['a.csv', 'b.csv']`. */
function literals(argument: unknown): readonly FileLiteral[] {
  if (!isNode(argument)) return []
  if (argument.function_name === 'list_value' && Array.isArray(argument.children)) {
    return argument.children.flatMap(literals)
  }
  if (!isNode(argument.value) || typeof argument.value.value !== 'string') return []
  return typeof argument.query_location === 'number'
    ? [{ value: argument.value.value, at: argument.query_location }]
    : []
}

/** Convenience, not protection: whatever text comes out, DuckDB checks each file that it opens. */
function withAbsoluteFiles(sql: string, files: readonly FileLiteral[], folder: string): string {
  const relative = files.filter(({ value }) => value !== '' && !/^(\/|\w+:)/.test(value))
  if (relative.length === 0) return sql
  const parts: Buffer[] = []
  let rest = Buffer.from(sql)
  for (const { value, at } of [...relative].sort((left, right) => right.at - left.at)) {
    const written = [quoted(value, "'"), quoted(value, '"')].find(text => rest.subarray(at).indexOf(text) === 0)
    if (written === undefined) continue
    parts.unshift(Buffer.from(quoted(join(folder, value), "'")), rest.subarray(at + Buffer.byteLength(written)))
    rest = rest.subarray(0, at)
  }
  return Buffer.concat([rest, ...parts]).toString()
}

const quoted = (text: string, quote: string) => quote + text.replaceAll(quote, quote + quote) + quote

/**
 * What the definition of a view or macro uses that a query may not: a call, or another database.
 *
 * @param definition DuckDB's own rendering, which has no comments and quotes names only with double quotes
 */
export function findRefused(definition: string, tableFunctions: Iterable<string>): string | undefined {
  const refused = [...tableFunctions].filter(name => !readingTableFunctions.has(name))
  const call = new RegExp(`\\b(${[...refused, ...refusedScalarFunctions].join('|')})"?\\s*\\(`, 'i').exec(definition)
  if (call) return `${call[1]}()`
  return /[^\s"'/]*\.(db|ddb|duckdb)(?=["'])/i.exec(definition)?.[0]
}
