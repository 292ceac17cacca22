import { DuckDBInstance } from '@duckdb/node-api'
import { createTestDatabase, type TestDatabase } from '@hedron/store/testing'
import fc from 'fast-check'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { modelOf, planText, statementOf } from '../support/plan-text.ts'
import { bag } from './rows.ts'
import { statements } from './statements.ts'

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

let database: TestDatabase<object>
let client: Client
let duckdb: Awaited<ReturnType<DuckDBInstance['connect']>>
beforeAll(async () => {
  database = await createTestDatabase()
  client = new Client({ connectionString: database.url })
  await client.connect()
  await client.query("SET TIME ZONE 'UTC'")
  // A model's number is PostgreSQL's numeric, whatever its source holds.
  await client.query('CREATE TABLE t(id numeric, a numeric, b numeric, s text, f boolean, d timestamp)')
  await client.query(`INSERT INTO t VALUES ${rows}`)
  duckdb = await (await DuckDBInstance.create(':memory:')).connect()
})
afterAll(async () => {
  duckdb.closeSync()
  await client.end()
  await database.close()
})

type Outcome = { readonly rows: string[] } | { readonly error: string }

async function outcome(ask: () => Promise<readonly (readonly unknown[])[]>): Promise<Outcome> {
  try {
    return { rows: bag(await ask()) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

const asPostgres = async (text: string, values: readonly unknown[] = []) =>
  (
    await client.query({
      text,
      values: [...values],
      rowMode: 'array',
      types: { getTypeParser: () => (value: unknown) => flag(value) },
    })
  ).rows

/** PostgreSQL writes flags as letters. */
const flag = (value: unknown) => (value === 't' ? true : value === 'f' ? false : value)

async function throughDuckDb(text: string) {
  const { sql, parameters, positions } = statementOf(await planText(text, { model: onDuckDb, dialect: 'duckdb' }))
  const reader = await duckdb.runAndReadAll(sql, [...parameters])
  return reader.getRows().map(row => positions.map(position => row[position]))
}

async function throughPostgres(text: string) {
  const { sql, parameters, positions } = statementOf(await planText(text, { model: onPostgres, dialect: 'postgres' }))
  const found = await asPostgres(sql, parameters)
  return found.map((row: readonly unknown[]) => positions.map(position => row[position]))
}

test('statements over a cube give what PostgreSQL gives over its table', async () => {
  await fc.assert(
    fc.asyncProperty(statements, async text => {
      const wanted = await outcome(() => asPostgres(text))
      fc.pre('rows' in wanted)
      expect({ text, ...(await outcome(() => throughPostgres(text))) }).toEqual({ text, ...wanted })
      expect({ text, ...(await outcome(() => throughDuckDb(text))) }).toEqual({ text, ...wanted })
    }),
    { numRuns: Number(process.env.HEDRON_SQL_ORACLE_RUNS ?? 300), maxSkipsPerRun: 50, endOnFailure: true },
  )
})
