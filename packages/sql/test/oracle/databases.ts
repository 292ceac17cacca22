import { DuckDBInstance } from '@duckdb/node-api'
import { createTestDatabase } from '@hedron/store/testing'
import { Client } from 'pg'
import { modelOf, planText, statementOf } from '../support/plan-text.ts'

/** Of a column each: missing values, both signs, repeated ones. */
const rows = `(1, 1, 0.5, 'abc', true, timestamp '2024-01-01 00:00:00'),
  (2, 1, 2.25, 'Bcd', false, timestamp '2024-01-15 10:00:00'),
  (3, 2, -1.75, NULL, NULL, timestamp '2024-02-29 23:59:59'),
  (4, NULL, 10, 'abc', true, NULL),
  (5, -3, NULL, '', false, timestamp '2024-03-10 07:30:00'),
  (6, 0, 0, ' aB ', true, timestamp '2024-12-31 12:00:00'),
  (7, 2, 7.25, 'x', NULL, timestamp '2023-12-31 12:00:00')`

const columns = { id: 'number', a: 'number', b: 'number', s: 'string', f: 'boolean', d: 'time' }
const cube = (table: string) => `cubes:
  - name: t
    sql: ${JSON.stringify(`SELECT * FROM ${table}`)}
    dimensions:
${Object.entries(columns)
  .map(
    ([name, type]) =>
      `      - { name: ${name}, sql: ${name}, type: ${type}, public: true${name === 'id' ? ', primary_key: true' : ''} }`,
  )
  .join('\n')}
`
const onDuckDb = modelOf({ 'model/t.yml': cube(`(VALUES ${rows}) AS v(id, a, b, s, f, d)`) })
const onPostgres = modelOf({ 'model/t.yml': cube('t') })

type Row = readonly unknown[]

/** The same statements, of PostgreSQL itself and of the SQL API over each database, on a table and a cube `t(id, a, b, s, f, d)`. */
export interface Databases {
  /** A statement of PostgreSQL's own. */
  asPostgres(text: string, values?: readonly unknown[]): Promise<readonly Row[]>
  throughDuckDb(text: string): Promise<readonly Row[]>
  throughPostgres(text: string): Promise<readonly Row[]>
  close(): Promise<void>
}

export async function openDatabases(): Promise<Databases> {
  const database = await createTestDatabase()
  const client = new Client({ connectionString: database.url })
  await client.connect()
  await client.query("SET TIME ZONE 'UTC'")
  // A model's number is PostgreSQL's numeric, whatever its source holds.
  await client.query('CREATE TABLE t(id numeric, a numeric, b numeric, s text, f boolean, d timestamp)')
  await client.query(`INSERT INTO t VALUES ${rows}`)
  const duckdb = await (await DuckDBInstance.create(':memory:')).connect()

  const asPostgres = async (text: string, values: readonly unknown[] = []): Promise<readonly Row[]> =>
    (
      await client.query({
        text,
        values: [...values],
        rowMode: 'array',
        types: { getTypeParser: type => (value: unknown) => (Number(type) === boolType ? flag(value) : value) },
      })
    ).rows

  return {
    asPostgres,
    async throughDuckDb(text) {
      const { sql, parameters, positions } = statementOf(await planText(text, { model: onDuckDb, dialect: 'duckdb' }))
      const reader = await duckdb.runAndReadAll(sql, [...parameters])
      return reader.getRows().map(row => positions.map(position => row[position]))
    },
    async throughPostgres(text) {
      const plan = await planText(text, { model: onPostgres, dialect: 'postgres' })
      const { sql, parameters, positions } = statementOf(plan)
      const found = await asPostgres(sql, parameters)
      return found.map(row => positions.map(position => row[position]))
    },
    async close() {
      duckdb.closeSync()
      await client.end()
      await database.close()
    },
  }
}

/** Its number in `pg_type`. */
const boolType = 16
/** PostgreSQL writes flags as letters. */
const flag = (value: unknown) => (value === 't' ? true : value === 'f' ? false : value)
