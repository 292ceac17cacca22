import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  compileQuery,
  compileRollupBuild,
  compileRollupRead,
  matchRollup,
  normalizeQuery,
  type RollupPartition,
  rollupSteps,
} from '../../src/index.ts'
import { type Database, openDatabase } from '../support/database.ts'
import { everyone, modelOf, options } from '../support/model.ts'
import { runsOf } from '../support/property-runs.ts'

vi.setConfig({ testTimeout: 120_000 })

const read = (name: string) => readFileSync(new URL(`../golden/${name}`, import.meta.url), 'utf8')
const runs = runsOf('rollups end to end')
let database: Database
beforeAll(async () => {
  database = await openDatabase(
    read('data.sql'),
    "insert into orders values (11, 3, 'open', 4, NULL), (12, 5, 'done', 6, NULL)",
  )
})
afterAll(() => database.close())

const policy = `    access_policy:
      - group: "*"
        row_level: { filters: [{ member: status, operator: equals, values: [done, null] }] }
`

const modelWith = (granularity: string, isRestricted: boolean) => {
  const time = `time_dimension: orders.created_at, granularity: ${granularity}`
  return modelOf(
    read('shop.yml').replace(
      '  - name: orders\n    sql_table: orders\n',
      `$&${isRestricted ? policy : ''}    pre_aggregations:
      - { name: all, type: rollup_lambda, union_with_source_data: true, rollups: [batch, recent], measures: [count, revenue, buyers, smallest, average], dimensions: [status, customers.city], ${time} }
      - { name: batch, measures: [count, revenue, buyers, smallest, average], dimensions: [status, customers.city], ${time} }
      - { name: recent, measures: [average, smallest, buyers, revenue, count], dimensions: [customers.city, status], ${time} }
`,
    ),
  )
}

/** Moments around which orders were made, one of them twice on the clocks of New York. */
const moments = ['2024-01-01T05:00', '2024-01-31T20:00', '2024-03-10T03:00', '2024-11-03T01:30', '2024-12-30T12:00']

const caseOf = fc.record({
  granularity: fc.constantFrom('hour', 'day', 'week', 'month'),
  asked: fc.constantFrom('same', 'month', 'year', null),
  measures: fc.subarray(['orders.count', 'orders.revenue', 'orders.smallest', 'orders.average'], { minLength: 1 }),
  dimensions: fc.subarray(['orders.status', 'customers.city']),
  /** Which can be read by the groups of the rollups alone. */
  withBuyers: fc.boolean(),
  range: fc.option(fc.constantFrom(['2024-01-01', '2024-03-31'], ['2024-03-10', '2024-11-03']), { freq: 1 }),
  ends: fc.tuple(fc.constantFrom(...moments), fc.constantFrom(...moments)).map(ends => ends.toSorted()),
  timezone: fc.constantFrom('UTC', 'America/New_York', 'Asia/Kathmandu'),
  isRestricted: fc.boolean(),
})

const dayEarlier = (local: string) => new Date(Date.parse(`${local}Z`) - 86_400_000).toISOString().slice(0, 23)
const monthLater = (local: string) => new Date(Date.parse(`${local}Z`) + 31 * 86_400_000).toISOString().slice(0, 23)

test('rollups that follow each other give each row of the source once', async () => {
  let matched = 0
  await fc.assert(
    fc.asyncProperty(caseOf, async question => {
      const model = modelWith(question.granularity, question.isRestricted)
      const { withBuyers } = question
      const asked = question.asked === 'same' || withBuyers ? question.granularity : question.asked
      const time = {
        dimension: 'orders.created_at',
        ...(asked ? { granularity: asked } : {}),
        ...(question.range ? { dateRange: question.range } : {}),
      }
      const query = normalizeQuery(
        model,
        {
          measures: [...question.measures, ...(withBuyers ? ['orders.buyers'] : [])],
          dimensions: withBuyers ? ['orders.status', 'customers.city'] : question.dimensions,
          timeDimensions: asked || question.range ? [time] : [],
          timezone: question.timezone,
        },
        options,
      )
      const found = matchRollup(model, query, everyone)
      if (found.rollup?.name !== 'all') return
      matched += 1
      const { timezone } = query
      const startOf = rollupSteps(model, { cube: 'orders', name: 'batch' })?.startOf
      const [first = '', second = ''] = question.ends.map(end => startOf?.(end) ?? '')
      // Each holds rows on both sides of where it answers, which must not count.
      const parts: readonly [string, RollupPartition | null][] = [
        ['batch', { range: [null, monthLater(first)], withUndated: true }],
        ['recent', null],
        ['all', { range: [dayEarlier(second), null], withUndated: false }],
      ]
      for (const [name, partition] of parts) {
        const build = compileRollupBuild(model, { cube: 'orders', name }, { timezone, partition }, 'duckdb')
        await database.query({ ...build, sql: `CREATE OR REPLACE TABLE part_${name} AS ${build.sql}` })
      }
      const tablesOf = (name: string) => [{ schema: null, table: `part_${name}` }]
      const sections = [
        { tables: tablesOf('batch'), from: null, before: first },
        { tables: tablesOf('recent'), from: first, before: second },
        { tables: tablesOf('all'), from: second, before: null },
      ]
      const place = { tables: [], sections, dataSource: 'rollups' }
      const kept = compileRollupRead(model, query, everyone, found.rollup, place, 'duckdb')
      const source = compileQuery(model, query, everyone, 'duckdb')
      expect(kept.columns).toEqual(source.columns)
      expect((await database.query(kept)).map(numeric)).toEqual((await database.query(source)).map(numeric))
    }),
    { numRuns: runs },
  )
  expect(matched).toBeGreaterThan(runs / 3)
})

const numeric = (row: readonly unknown[]) =>
  row.map(cell =>
    typeof cell === 'string' && /^-?\d+(\.\d+)?(e-?\d+)?$/.test(cell) ? Number(Number(cell).toPrecision(12)) : cell,
  )
