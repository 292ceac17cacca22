import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  compileQuery,
  compileRollupBuild,
  compileRollupRead,
  type DialectName,
  matchRollup,
  normalizeQuery,
  partitionsOf,
} from '../../src/index.ts'
import { type Database, openDatabase } from '../support/database.ts'
import { everyone, modelOf, options } from '../support/model.ts'
import { runsOf } from '../support/property-runs.ts'

vi.setConfig({ testTimeout: 120_000 })

const runs = runsOf('rollups that are joined')
let database: Database
beforeAll(async () => {
  const data = readFileSync(new URL('../golden/data.sql', import.meta.url), 'utf8')
  // A customer who never bought, orders of nobody and of somebody unknown, and without a time.
  database = await openDatabase(
    data,
    "insert into orders values (11, 3, 'open', 4, NULL), (12, NULL, 'done', 6, '2024-05-05'), (13, 99, 'done', 7, '2024-05-06')",
  )
})
afterAll(() => database.close())

const joined = (
  how: { readonly dimensions?: string; readonly sql?: string; readonly city?: string; readonly policy?: string } = {},
) =>
  modelOf(`
cubes:
  - name: orders
    sql_table: orders
    joins:
      - { name: customers, sql: "${how.sql ?? '{CUBE}.customer_id = {customers.id}'}", relationship: many_to_one }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: customer_id, sql: customer_id, type: number }
      - { name: status, sql: status, type: string }
      - { name: created_at, sql: created_at, type: time }
    measures:
      - { name: count, type: count }
      - { name: revenue, sql: amount, type: sum }
      - { name: smallest, sql: amount, type: min }
      - { name: average, sql: "{revenue} / {count}", type: number }
      - { name: buyers, sql: customer_id, type: count_distinct }
      - { name: lately, sql: amount, type: sum, rolling_window: { trailing: 2 month } }
    pre_aggregations:
      - name: by_customer
        type: rollup_join
        measures: [count, revenue, smallest, buyers]
        dimensions: [status, customers.city, profiles.level]
        time_dimension: created_at
        granularity: month
        rollups: [profiles.levels, main, customers.all]
      - name: main
        measures: [count, revenue, smallest, buyers]
        dimensions: [status, customer_id]
        time_dimension: created_at
        granularity: day
        partition_granularity: year
  - name: customers
    sql_table: customers
${how.policy ?? ''}    joins:
      - { name: profiles, sql: "{CUBE.id} = {profiles.customer_id}", relationship: one_to_one }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: city, sql: "${how.city ?? 'city'}", type: string }
    measures:
      - { name: count, type: count }
    pre_aggregations:
      - { name: all, dimensions: ${how.dimensions ?? '[id, city]'} }
  - name: profiles
    sql_table: profiles
    dimensions:
      - { name: customer_id, sql: customer_id, type: number, primary_key: true }
      - { name: level, sql: "{CUBE}.level", type: string }
    pre_aggregations:
      - { name: levels, dimensions: [customer_id, level] }
`)

const some = <T>(values: readonly T[], maxLength: number) => fc.uniqueArray(fc.constantFrom(...values), { maxLength })
const question = fc.record({
  measures: fc.uniqueArray(fc.constantFrom('count', 'revenue', 'smallest', 'average', 'lately'), {
    minLength: 1,
    maxLength: 3,
  }),
  dimensions: some(['orders.status', 'customers.city', 'profiles.level'], 3),
  granularity: fc.option(fc.constantFrom('month', 'quarter', 'year')),
  range: fc.option(fc.constantFrom(['2024-01-01', '2024-03-31'], ['2023-07-01', '2024-12-31'])),
  filters: some(
    [
      { member: 'customers.city', operator: 'equals', values: ['Paris', null] },
      { member: 'customers.city', operator: 'notEquals', values: ['Oslo'] },
      { member: 'profiles.level', operator: 'set' },
      { member: 'orders.count', operator: 'gt', values: ['1'] },
    ],
    2,
  ),
  timezone: fc.constantFrom('UTC', 'America/New_York'),
})

const numeric = (row: readonly unknown[]) =>
  row.map(cell =>
    typeof cell === 'string' && /^-?\d+(\.\d+)?(e-?\d+)?$/.test(cell) ? Number(Number(cell).toPrecision(12)) : cell,
  )

test('rollups that are joined give the rows that their sources give', async () => {
  const model = joined()
  let matched = 0
  await fc.assert(
    fc.asyncProperty(question, async ({ measures, dimensions, granularity, range, filters, timezone }) => {
      const time = {
        dimension: 'orders.created_at',
        ...(granularity ? { granularity } : {}),
        ...(range ? { dateRange: range } : {}),
      }
      const query = normalizeQuery(
        model,
        {
          // A window needs to know of which periods.
          measures: measures.map(name =>
            name === 'lately' && !(granularity && range) ? 'orders.count' : `orders.${name}`,
          ),
          dimensions,
          filters,
          timeDimensions: granularity || range ? [time] : [],
          timezone,
          total: true,
        },
        options,
      )
      const { rollup, parts } = matchRollup(model, query, everyone)
      if (rollup?.name !== 'by_customer') return
      matched += 1
      const built = await Promise.all(
        parts.map(({ id }, part) => {
          const isCut = id.name === 'main'
          const years = partitionsOf(
            'year',
            { from: '2023-05-01', to: '2024-12-31', opensBefore: true, opensAfter: true },
            9,
          )
          return Promise.all(
            (isCut ? years : [null]).map(async (partition, position) => {
              const table = `joined_${part}_${position}`
              const build = compileRollupBuild(model, id, { timezone, partition }, 'duckdb')
              await database.query({ ...build, sql: `CREATE OR REPLACE TABLE ${table} AS ${build.sql}` })
              return { schema: null, table }
            }),
          )
        }),
      )
      const [tables = [], ...others] = built
      const where = { tables, joined: others, dataSource: 'rollups' }
      const kept = compileRollupRead(model, query, everyone, rollup, where, 'duckdb')
      const source = compileQuery(model, query, everyone, 'duckdb')
      expect(kept.columns).toEqual(source.columns)
      const expected = (await database.query(source)).map(numeric)
      expect((await database.query(kept)).map(numeric)).toEqual(expected)
      if (kept.total) expect(await database.query(kept.total)).toEqual([[String(expected.length)]])
    }),
    { numRuns: runs },
  )
  expect(matched).toBeGreaterThan(runs / 4)
})

describe('what a join of rollups does not answer', () => {
  const usual = { measures: ['orders.count'], dimensions: ['customers.city'] }
  const missOf = (model: ReturnType<typeof joined>, query: object, dialect: DialectName = 'duckdb') =>
    matchRollup(model, normalizeQuery(model, query, options), everyone, () => dialect).considered.find(
      ({ id }) => id.name === 'by_customer',
    )?.miss?.code ?? null

  test.each([
    ['what it does, it does', joined(), null],
    [
      'a part without its primary key, of which a row may be there twice',
      joined({ dimensions: '[city]' }),
      'join_repeats',
    ],
    [
      'a join by something else than same values',
      joined({ sql: '{CUBE}.customer_id >= {customers.id}' }),
      'join_condition',
    ],
    ['a join by either', joined({ sql: '{CUBE.customer_id} = {customers.id} OR 1 = 1' }), 'join_condition'],
    ['a join by what is kept nowhere', joined({ sql: '{CUBE.id} = {customers.id}' }), 'join_key'],
    ['values that are there where nothing is joined', joined({ city: "coalesce(city, 'none')" }), 'join_computed'],
    [
      'rows of a joined cube that not everybody sees',
      joined({
        policy:
          '    access_policy: [{ group: "*", row_level: { filters: [{ member: city, operator: equals, values: [Oslo] }] } }]\n',
      }),
      'policy',
    ],
  ])('%s', (_, model, code) => {
    expect(missOf(model, usual)).toBe(code)
  })

  test('what can’t be added up, whatever the groups', () => {
    const dimensions = ['orders.status', 'customers.city', 'profiles.level']
    const timeDimensions = [{ dimension: 'orders.created_at', granularity: 'month' }]
    expect(missOf(joined(), { measures: ['orders.buyers'], dimensions, timeDimensions })).toBe('not_additive')
  })

  test('texts that their source takes for the same', () => {
    const filters = [{ member: 'customers.city', operator: 'equals', values: ['Oslo'] }]
    expect(missOf(joined(), { measures: ['orders.count'], filters }, 'mysql')).toBe('collation')
  })
})
