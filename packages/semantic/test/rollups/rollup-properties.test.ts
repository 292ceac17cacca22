import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  compileQuery,
  compileRollupBuild,
  compileRollupRead,
  type FoundRollup,
  type Model,
  matchRollup,
  type NormalizedQuery,
  normalizeQuery,
  partitionsOf,
  QueryError,
  type RollupPartition,
} from '../../src/index.ts'
import { type Database, openDatabase } from '../support/database.ts'
import { everyone, modelOf, options } from '../support/model.ts'
import { runsOf } from '../support/property-runs.ts'

vi.setConfig({ testTimeout: 120_000 })

const read = (name: string) => readFileSync(new URL(`../golden/${name}`, import.meta.url), 'utf8')
const runs = runsOf('rollups that match')
let database: Database
beforeAll(async () => {
  // Rows without a time belong to no step and to no range.
  database = await openDatabase(
    read('data.sql'),
    "insert into orders values (11, 3, 'open', 4, NULL), (12, 5, 'done', 6, NULL)",
  )
})
afterAll(() => database.close())

const measures = [
  'orders.count',
  'orders.revenue',
  'orders.average',
  'orders.done',
  'orders.buyers',
  'orders.smallest',
  'orders.done_share',
  'orders.items_per_order',
  'line_items.quantity',
  'line_items.food',
  'customers.count',
]
const dimensions = ['orders.status', 'customers.city', 'orders.customer_city', 'orders.size', 'products.category']
const granularities = ['hour', 'day', 'week', 'month', 'quarter', 'year']
const zones = ['UTC', 'America/New_York', 'Asia/Kathmandu']

/** Null for what nothing joins, which no rollup answers either. */
function matchOf(model: Model, query: NormalizedQuery): FoundRollup | null {
  try {
    return matchRollup(model, query, everyone)
  } catch (error) {
    if (error instanceof QueryError && error.code === 'no_join_path') return null
    throw error
  }
}

/** What is asked for most often can be had from days. */
const asked = fc.option(fc.constantFrom('day', 'week', 'month', 'quarter', 'year', 'month', 'year'))
const some = <T>(values: readonly T[], maxLength: number) => fc.uniqueArray(fc.constantFrom(...values), { maxLength })

const rollup = fc.record({
  measures: fc.uniqueArray(fc.constantFrom(...measures), { minLength: 1, maxLength: 4 }),
  dimensions: some(dimensions, 3),
  segments: some(['orders.finished'], 1),
  granularity: fc.option(fc.constantFrom(...granularities, 'day', 'day', 'day', 'hour')),
})

const ranges: readonly [string, string][] = [
  ['2024-01-01', '2024-03-31'],
  ['2024-01-01', '2024-12-31'],
  ['2024-03-10', '2024-11-03'],
]

/** Mostly asks for what a rollup has, so that a good part of the cases match. */
const caseOf = rollup.chain(definition =>
  fc.record({
    definition: fc.constant(definition),
    measures: fc.subarray(definition.measures, { minLength: 1 }),
    dimensions: fc.oneof(fc.subarray(definition.dimensions), fc.constant(definition.dimensions)),
    segments: fc.subarray(definition.segments),
    granularity: definition.granularity ? asked : fc.constant(null),
    range: definition.granularity ? fc.option(fc.constantFrom(...ranges)) : fc.constant(null),
    moment: definition.granularity
      ? fc.option(
          fc.record({
            operator: fc.constantFrom(
              'beforeDate',
              'afterDate',
              'beforeOrOnDate',
              'afterOrOnDate',
              'inDateRange',
              'notInDateRange',
            ),
            range: fc.constantFrom(...ranges),
          }),
        )
      : fc.constant(null),
    statuses: definition.dimensions.includes('orders.status')
      ? fc.option(fc.uniqueArray(fc.constantFrom('done', 'open', 'cancelled', null), { minLength: 1 }))
      : fc.constant(null),
    /** Whether rows of either of both filters are asked for. */
    either: fc.boolean(),
    least: fc.option(fc.constantFrom(1, 3)),
    timezone: fc.constantFrom(...zones),
    partitions: fc.boolean(),
    policy: fc.constantFrom(null, null, 'orders', 'customers'),
  }),
)

const policies: Readonly<Record<string, string>> = {
  orders: 'equals, values: [done, null]',
  customers: 'notEquals, values: [Paris]',
}

const policyOf = (cube: string, restricted: string | null) =>
  cube === restricted
    ? `    access_policy:
      - group: "*"
        row_level: { filters: [{ member: ${cube === 'orders' ? 'status' : 'city'}, operator: ${policies[cube]} }] }
`
    : ''

const withRollup = (
  { measures: all, dimensions: grain, segments, granularity }: typeof rollup extends fc.Arbitrary<infer T> ? T : never,
  policy: string | null,
) =>
  modelOf(
    read('shop.yml')
      .replace(
        '  - name: orders\n    sql_table: orders\n',
        `$&${policyOf('orders', policy)}    pre_aggregations:
      - name: main
        measures: [${all}]
        dimensions: [${grain}]
        segments: [${segments}]
        ${granularity ? `time_dimension: orders.created_at\n        granularity: ${granularity}` : ''}
`,
      )
      .replace('  - name: customers\n    sql_table: customers\n', `$&${policyOf('customers', policy)}`),
  )

const momentFilter = ({ operator, range }: { readonly operator: string; readonly range: readonly string[] }) => ({
  member: 'orders.created_at',
  operator,
  values: /inDateRange/i.test(operator) ? range : range.slice(0, 1),
})

const numeric = (row: readonly unknown[]) =>
  row.map(cell =>
    typeof cell === 'string' && /^-?\d+(\.\d+)?(e-?\d+)?$/.test(cell) ? Number(Number(cell).toPrecision(12)) : cell,
  )

test('a rollup that matches gives the rows that the source gives', async () => {
  const seen = { matched: 0, refused: new Map<string, number>() }
  await fc.assert(
    fc.asyncProperty(caseOf, async question => {
      const model = withRollup(question.definition, question.policy)
      const time = {
        dimension: 'orders.created_at',
        ...(question.granularity ? { granularity: question.granularity } : {}),
        ...(question.range ? { dateRange: question.range } : {}),
      }
      const rowFilters = [
        ...(question.statuses ? [{ member: 'orders.status', operator: 'equals', values: question.statuses }] : []),
        ...(question.moment ? [momentFilter(question.moment)] : []),
      ]
      const query = normalizeQuery(
        model,
        {
          measures: question.measures,
          dimensions: question.dimensions,
          segments: question.segments,
          timeDimensions: question.granularity || question.range ? [time] : [],
          filters: [
            ...(question.either && rowFilters.length > 0 ? [{ or: rowFilters }] : rowFilters),
            ...(question.least ? [{ member: question.measures[0], operator: 'gte', values: [question.least] }] : []),
          ],
          timezone: question.timezone,
          total: true,
        },
        options,
      )
      const found = matchOf(model, query)
      if (!found) return
      const [considered] = found.considered
      if (!found.rollup) {
        const code = considered?.miss?.code ?? 'nothing'
        seen.refused.set(code, (seen.refused.get(code) ?? 0) + 1)
        return
      }
      seen.matched += 1
      const isPartitioned = question.partitions && question.definition.granularity !== null
      const parts: readonly (RollupPartition | null)[] = isPartitioned
        ? partitionsOf('year', { from: '2023-05-01', to: '2024-12-31', opensBefore: true, opensAfter: true }, 10)
        : [null]
      const tables = await Promise.all(
        parts.map(async (partition, position) => {
          const table = `rollup_${position}`
          const build = compileRollupBuild(
            model,
            { cube: 'orders', name: 'main' },
            { timezone: query.timezone, partition },
            'duckdb',
          )
          await database.query({ ...build, sql: `CREATE OR REPLACE TABLE ${table} AS ${build.sql}` })
          return { schema: null, table }
        }),
      )
      const source = compileQuery(model, query, everyone, 'duckdb')
      const kept = compileRollupRead(model, query, everyone, found.rollup, { tables, dataSource: 'rollups' }, 'duckdb')
      expect(kept.columns).toEqual(source.columns)
      const expected = (await database.query(source)).map(numeric)
      expect((await database.query(kept)).map(numeric)).toEqual(expected)
      if (kept.total) expect(await database.query(kept.total)).toEqual([[String(expected.length)]])
    }),
    { numRuns: runs },
  )
  expect(seen.matched).toBeGreaterThan(runs / 8)
  expect([...seen.refused.keys()].length).toBeGreaterThan(2)
})
