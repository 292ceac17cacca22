import { windowsZone } from '../../src/dialects/windows-zones.ts'
import type { DialectName, Statement } from '../../src/index.ts'
import { type Database, openDatabase } from './database.ts'
import { type MariaDb, startMariaDb } from './mariadb.ts'
import { hasPython, runPython } from './python.ts'

/** Something that isn't ours and reads the SQL of a dialect. Rows are comparable to those of other engines. */
export interface Engine {
  readonly dialect: DialectName
  readonly name: string
  /** Answers statements over tables that `setup` makes, which is written for DuckDB. */
  answer(setup: readonly string[], statements: readonly Statement[]): Promise<Answer[]>
}

/** Rows, or what the engine said instead. */
export type Answer = unknown[][] | string

/** For each dialect the database itself where it can be had, else sqlglot's translation for DuckDB. */
export async function availableEngines(): Promise<{ engines: Engine[]; close(): Promise<void> }> {
  const mariadb = await startMariaDb()
  const translated = ['trino', 'bigquery', 'snowflake', 'redshift', 'databricks', 'sqlserver'] as const
  const engines = [
    ...(mariadb ? [mariadbEngine(mariadb)] : []),
    ...(hasPython('chdb') ? [clickhouse] : []),
    ...(hasPython('sqlglot') ? translated.map(translatedEngine) : []),
  ]
  return { engines, close: async () => mariadb?.stop() }
}

function mariadbEngine(mariadb: MariaDb): Engine {
  return {
    dialect: 'mysql',
    name: 'MariaDB',
    async answer(setup, statements) {
      mariadb.run('DROP DATABASE hedron; CREATE DATABASE hedron CHARACTER SET utf8mb4 COLLATE utf8mb4_bin')
      for (const sql of setup) {
        mariadb.run(sql.replace(/\bvarchar\b/g, 'varchar(200)').replace(/ timestamp\b/g, ' datetime(6)'))
      }
      return statements.map(statement => {
        try {
          return mariadb.query(statement).map(row => row.map(comparable))
        } catch (error) {
          return String(error)
        }
      })
    },
  }
}

const clickhouseTypes: Readonly<Record<string, string>> = {
  integer: 'Int32',
  varchar: 'String',
  boolean: 'Bool',
  timestamp: "DateTime64(6, 'UTC')",
  double: 'Float64',
  'decimal(10, 2)': 'Decimal(10, 2)',
}

const clickhouse: Engine = {
  dialect: 'clickhouse',
  name: 'chdb',
  async answer(setup, statements) {
    const tables = setup
      .flatMap(sql => sql.split(/;\s*$/m))
      .filter(sql => sql.trim())
      .map(sql => {
        if (!sql.trimStart().startsWith('create')) return sql
        const types = /\b(integer|varchar|boolean|timestamp|double|decimal\(10, 2\))(?=[,)])/g
        return `${sql.replace(types, type => `Nullable(${clickhouseTypes[type]})`)} ENGINE = Memory`
      })
    const rows = runPython('clickhouse.py', { setup: tables, statements })
    return (rows as Answer[]).map(answer =>
      typeof answer === 'string' ? answer : answer.map(row => row.map(comparable)),
    )
  },
}

/** What DuckDB has under another name. */
const functions = [
  'CREATE MACRO at_timezone(moment, zone) AS timezone(zone, moment)',
  'CREATE MACRO timestamp_millis(milliseconds) AS epoch_ms(milliseconds)',
  "SET TimeZone = 'UTC'",
]

function translatedEngine(dialect: DialectName): Engine {
  return {
    dialect,
    name: 'sqlglot',
    async answer(setup, statements) {
      const written = statements.map(statement => withLiterals(statement, dialect))
      const translated = (runPython('translate.py', { [dialect]: written }) as Record<string, string[]>)[dialect] ?? []
      const database = await openDatabase(...setup, ...functions)
      try {
        const answers: Answer[] = []
        for (const sql of translated) {
          const rows = duckdbRows(database, corrected(sql))
          answers.push(await rows.catch((error: unknown) => `${error}\n${sql}`))
        }
        return answers
      } finally {
        database.close()
      }
    },
  }
}

export const duckdbRows = async (database: Database, sql: string) =>
  (await database.query({ sql, parameters: [] })).map(row => row.map(comparable))

/** Where sqlglot takes words of SQL Server for those of others. */
const corrected = (sql: string) =>
  sql
    .replaceAll('INNER JOIN LATERAL', 'CROSS JOIN LATERAL')
    .replaceAll('TEXT(MAX)', 'TEXT')
    .replaceAll('REAL(53)', 'DOUBLE')
    .replace(/(CAST\('(?:true|false)' AS) BIT\)/g, '$1 BOOLEAN)')

/** Windows calls zones the same that had other clocks once; these are the ones that queries of the tests ask for. */
const asked = ['America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Pacific/Auckland']
const zones = new Map(asked.map(zone => [windowsZone(zone), zone]))

const placeholdersOf: Partial<Record<DialectName, RegExp>> = {
  redshift: /\$(\d+)/g,
  sqlserver: /@p(\d+)/g,
  databricks: /:p(\d+)/g,
}

function withLiterals({ sql, parameters }: Statement, dialect: DialectName): string {
  let next = 0
  const backslash = ['bigquery', 'snowflake', 'databricks', 'redshift'].includes(dialect)
  const placeholders = placeholdersOf[dialect] ?? /'[^']*'|\?/g
  return sql.replace(placeholders, (found, position: unknown) => {
    if (found.startsWith("'")) return found
    const parameter = parameters[found === '?' ? next++ : Number(position) - 1]
    if (typeof parameter !== 'string') throw new Error(`No text for ${found} in\n${sql}`)
    const value = (dialect === 'sqlserver' ? zones.get(parameter) : undefined) ?? parameter
    const escaped = backslash ? value.replaceAll('\\', '\\\\') : value
    return `'${escaped.replaceAll("'", dialect === 'bigquery' || dialect === 'databricks' ? "\\'" : "''")}'`
  })
}

/** Engines differ in how they write one number, time or boolean. */
export function comparable(cell: unknown): unknown {
  if (cell === null || cell === 'NULL') return null
  if (typeof cell === 'boolean') return Number(cell)
  const text = String(cell)
  if (/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)) return Number(Number(text).toPrecision(12))
  const [, date, clock = '00:00:00', fraction = ''] =
    /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d)(?:\.(\d+))?(?:\+00(?::00)?)?)?$/.exec(text) ?? []
  return date === undefined ? text : `${date}T${clock}.${fraction.slice(0, 3).padEnd(3, '0')}`
}
