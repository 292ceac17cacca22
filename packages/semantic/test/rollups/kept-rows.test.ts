import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  compileKeptRead,
  compileKeptRows,
  compileRollupBuild,
  type KeptTables,
  keptRowsOf,
  type Model,
  matchRollup,
  normalizeQuery,
  QueryError,
} from '../../src/index.ts'
import { type Database, openDatabase } from '../support/database.ts'
import { goldenData, readGoldenCases } from '../support/golden.ts'
import { compileFor, everyone, modelOf, options } from '../support/model.ts'

let database: Database
beforeAll(async () => {
  database = await openDatabase(goldenData)
})
afterAll(() => database.close())

const [keeper] = modelOf(
  'cubes: [{ name: c, sql_table: t, dimensions: [{ name: d, sql: d, type: string }], pre_aggregations: [{ name: rows, type: original_sql }] }]',
).cubes.flatMap(({ preAggregations }) => preAggregations)

/** The model with the rows of each cube kept. */
const keeping = (model: Model): Model => ({
  ...model,
  cubes: model.cubes.map(cube => ({ ...cube, preAggregations: keeper ? [keeper] : [] })),
})

async function keepRows(model: Model, cubes: readonly string[], to: string): Promise<KeptTables> {
  const tables = new Map<string, { schema: null; table: string }[]>()
  const build = { timezone: 'UTC', partition: null }
  for (const cube of cubes) {
    const table = `${to}_${cube}`
    const { sql } = compileRollupBuild(model, { cube, name: 'rows' }, build, 'duckdb')
    await database.run(`CREATE OR REPLACE TABLE "${table}" AS ${sql}`)
    tables.set(cube, [{ schema: null, table }])
  }
  return tables
}

const asked = { matched: 0, refused: 0 }

describe.each(readGoldenCases())('$name', ({ model: plain, query: input, caller }) => {
  test('gets from kept rows what the source gives', async () => {
    const model = keeping(plain)
    const query = normalizeQuery(model, input, { ...options, context: caller })
    const found = matchRollup(model, query, caller)
    if (found.rollup === null) {
      asked.refused += 1
      return
    }
    expect(found.kind).toBe('original_sql')
    asked.matched += 1
    const cubes = found.parts.map(({ id }) => id.cube)
    const tables = await keepRows(model, cubes, 'kept')
    const kept = compileKeptRead(model, query, caller, tables)
    for (const cube of cubes) expect(kept.sql).toContain(`kept_${cube}`)
    const source = compileFor(model, input, 'duckdb', caller)
    expect(kept.columns).toEqual(source.columns)
    expect(await database.query(kept)).toEqual(await database.query(source))
  })
})

test('most queries can be answered from kept rows', () => {
  expect(asked.matched).toBeGreaterThan(asked.refused * 4)
})

const cube = (name: string, sql: string, more = '') => `  - name: ${name}
    sql: ${sql}
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: at, sql: at, type: time }
${more}    measures: [{ name: count, type: count }]
`
const rows = '    pre_aggregations: [{ name: rows, type: original_sql }]\n'

function refusal(yaml: string, query: unknown): string | undefined {
  const model = modelOf(`cubes:\n${yaml}`)
  const { rollup, considered } = matchRollup(model, normalizeQuery(model, query, options), everyone)
  expect(rollup).toBeNull()
  return considered.at(-1)?.miss?.reason
}

test.each([
  [
    'of a caller',
    cube('a', "SELECT * FROM t WHERE {SECURITY_CONTEXT.tenant.filter('tenant')}", rows),
    "'a' reads other rows",
  ],
  ['of a filter', cube('a', "SELECT * FROM t WHERE {FILTER_PARAMS.a.at.filter('at')}", rows), "'a' reads other rows"],
  [
    'beside which a member reads tables',
    cube('a', 'SELECT 1', rows).replace('sql: id,', 'sql: (SELECT max(id) FROM other),'),
    "'a.id' reads tables",
  ],
])('rows %s are not read from where they are kept', (_, yaml, reason) => {
  expect(refusal(yaml, { measures: ['a.count'], dimensions: ['a.id'] })).toContain(reason)
})

test('rows of a cube that is joined to one whose rows are not kept are read at the source', () => {
  const join = '    joins: [{ name: b, sql: "{CUBE}.id = {b}.id", relationship: many_to_one }]\n'
  const yaml = cube('a', 'SELECT 1', rows + join) + cube('b', 'SELECT 2')
  expect(refusal(yaml, { measures: ['a.count'], dimensions: ['b.id'] })).toContain("also reads 'b'")
})

test('rows that are kept in parts are asked for by their time, and one part is enough where a query needs no other', () => {
  const more = `    pre_aggregations:
      - { name: rows, type: original_sql, time_dimension: at, partition_granularity: month }
`
  const model = modelOf(`cubes:\n${cube('a', "SELECT 1 AS id, TIMESTAMP '2024-01-05' AS at", more)}`)
  const timeDimensions = [{ dimension: 'a.at', dateRange: ['2024-01-01', '2024-01-31'] }]
  const found = matchRollup(model, normalizeQuery(model, { measures: ['a.count'], timeDimensions }, options), everyone)
  expect(found.parts).toEqual([
    { id: { cube: 'a', name: 'rows' }, range: ['2024-01-01T00:00:00.000', '2024-01-31T23:59:59.999'] },
  ])
  const partition = { range: ['2024-01-01T00:00:00.000', '2024-02-01T00:00:00.000'], withUndated: false } as const
  const wanted = {
    columns: [
      { name: 'id', asText: false },
      { name: 'at', asText: true },
    ],
  }
  const { sql } = compileKeptRows(model, { cube: 'a', name: 'rows' }, { timezone: 'UTC', partition }, 'duckdb', wanted)
  expect(sql).toMatch(/^SELECT "a"\."id" AS "id", \(CAST\("a"\."at" AS VARCHAR\)\) AS "at"\nFROM \(/)
  expect(sql).toMatch(/>= .* < /s)
})

test('a rollup is built from kept rows where its author wants that, and holds the same', async () => {
  const yaml = (wish: string) => `cubes:
  - name: orders
    sql_table: orders
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: status, sql: status, type: string }
    measures: [{ name: count, type: count }, { name: revenue, sql: amount, type: sum }]
    pre_aggregations:
      - { name: by_status, measures: [count, revenue], dimensions: [status]${wish} }
      - { name: rows, type: original_sql }
`
  const id = { cube: 'orders', name: 'by_status' }
  expect(keptRowsOf(modelOf(yaml('')), id, () => 'duckdb')).toBeNull()
  const model = modelOf(yaml(', use_original_sql_pre_aggregations: true'))
  expect(keptRowsOf(model, id, () => 'duckdb')).toEqual([{ cube: 'orders', name: 'rows' }])
  expect(keptRowsOf(model, id, () => 'postgres')).toBeNull()
  const tables = await keepRows(model, ['orders'], 'wished')
  const build = { timezone: 'UTC', partition: null }
  const fromRows = compileRollupBuild(model, id, build, 'duckdb', tables)
  expect(fromRows.sql).toContain('wished_orders')
  const rowsOf = async (statement: typeof fromRows) => (await database.query(statement)).map(String).toSorted()
  expect(await rowsOf(fromRows)).toEqual(await rowsOf(compileRollupBuild(model, id, build, 'duckdb')))
})

test('what is not kept can be no part of an answer from kept rows', () => {
  const join = '    joins: [{ name: b, sql: "{CUBE}.id = {b}.id", relationship: many_to_one }]\n'
  const model = modelOf(`cubes:\n${cube('a', 'SELECT 1', rows + join) + cube('b', 'SELECT 2')}`)
  const query = normalizeQuery(model, { measures: ['a.count'], dimensions: ['b.id'] }, options)
  const tables = new Map([['a', [{ schema: null, table: 'kept_a' }]]])
  expect(() => compileKeptRead(model, query, everyone, tables)).toThrow(QueryError)
})
