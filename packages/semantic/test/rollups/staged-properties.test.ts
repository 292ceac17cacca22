import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  compileQuery,
  compileRollupBuild,
  compileRollupRead,
  matchRollup,
  normalizeQuery,
  QueryError,
} from '../../src/index.ts'
import { type Database, openDatabase } from '../support/database.ts'
import { everyone, modelOf, options } from '../support/model.ts'

vi.setConfig({ testTimeout: 180_000 })
const runs = Number(process.env.HEDRON_PROPERTY_RUNS ?? 200)

const read = (name: string) => readFileSync(new URL(`../golden/${name}`, import.meta.url), 'utf8')
let database: Database
beforeAll(async () => {
  // Rows without a time, and rows whose shifted days fall together at the end of February.
  database = await openDatabase(
    read('data.sql'),
    `insert into orders values (11, 3, 'open', 4, NULL), (12, 5, 'done', 6, NULL), (13, 1, 'done', 8, '2023-01-29 12:00:00'),
       (14, 2, 'open', 9, '2023-01-31 22:15:00'), (15, 1, NULL, 3, '2023-03-10 11:00:00'), (16, 3, 'done', 2, '2022-12-31 23:30:00')`,
  )
})
afterAll(() => database.close())

/** Additive measures computed in stages, and some that need rows. */
const staged = [
  'revenue_60_days',
  'revenue_so_far',
  'count_before',
  'next_month',
  'this_year',
  'this_quarter',
  'revenue_year_ago',
  'revenue_month_ago',
  'two_months_ago',
  'next_days',
  'window_month_ago',
  'month_over_month',
  'city_revenue',
  'share_of_city',
  'without_status',
  'rank_in_city',
  'best_status',
  'all_statuses',
  'query_filters',
  'revenue_in',
  'growth',
  'buyers_60_days',
  'average_so_far',
]
const rollup = fc.record({
  measures: fc
    .subarray(['count', 'revenue', 'customers.count'], { minLength: 1 })
    .map(all => [...new Set([...all, 'count', 'revenue'])]),
  dimensions: fc.subarray(['status', 'customers.city'], { minLength: 1 }),
  granularity: fc.constantFrom('hour', 'day', 'day', 'month'),
})
const asked = fc.record({
  rollup,
  measures: fc.uniqueArray(fc.constantFrom(...staged), { minLength: 1, maxLength: 3 }),
  plain: fc.subarray(['orders.count', 'orders.revenue', 'customers.count'], { maxLength: 1 }),
  dimensions: fc.subarray(['orders.status', 'customers.city', 'orders.currency']),
  granularity: fc.constantFrom('day', 'week', 'month', 'quarter', 'year', null),
  range: fc.constantFrom(
    ['2024-01-01', '2024-03-31'],
    ['2023-02-01', '2024-02-29'],
    ['2024-01-10', '2024-03-09'],
    null,
  ),
  statuses: fc.option(fc.uniqueArray(fc.constantFrom('done', 'open', null), { minLength: 1 })),
  timezone: fc.constantFrom('UTC', 'America/New_York', 'Asia/Kathmandu'),
  policy: fc.constantFrom(
    null,
    null,
    '      access_policy: [{ group: "*", row_level: { filters: [{ member: status, operator: equals, values: [done] }] } }]\n',
  ),
})

/** From the first moment to the one before the next. */
const years: readonly (readonly [string, string])[] = [
  ['1900', '2023'],
  ['2023', '2024'],
  ['2024', '2100'],
].map(([from, before]) => [`${from}-01-01T00:00:00.000`, `${before}-01-01T00:00:00.000`])

const numeric = (row: readonly unknown[]) =>
  row.map(cell =>
    typeof cell === 'string' && /^-?\d+(\.\d+)?(e-?\d+)?$/.test(cell) ? Number(Number(cell).toPrecision(10)) : cell,
  )
const sorted = (rows: readonly unknown[][]) => rows.map(row => JSON.stringify(numeric(row))).toSorted()

test('windows, shifts and stages over a rollup give the rows that the source gives', async () => {
  const seen = { matched: new Map<string, number>(), refused: new Map<string, number>() }
  await fc.assert(
    fc.asyncProperty(asked, async question => {
      const { measures, dimensions, granularity } = question.rollup
      const definition = `    pre_aggregations:
      - { name: main, measures: [${measures}], dimensions: [${dimensions}], time_dimension: created_at, granularity: ${granularity} }
${question.policy?.replace(/^ {2}/, '') ?? ''}`
      const model = modelOf(read('stages.yml').replace('    sql_table: orders\n', `$&${definition}`))
      const hasTime = question.granularity !== null || question.range !== null
      const time = {
        dimension: 'orders.created_at',
        ...(question.granularity ? { granularity: question.granularity } : {}),
        ...(question.range ? { dateRange: question.range } : {}),
      }
      const asking = {
        measures: [...question.measures.map(name => `orders.${name}`), ...question.plain],
        dimensions: question.dimensions,
        timeDimensions: hasTime ? [time] : [],
        filters: question.statuses ? [{ member: 'orders.status', operator: 'equals', values: question.statuses }] : [],
        timezone: question.timezone,
      }
      const query = normalizeQuery(model, asking, options)
      try {
        compileQuery(model, query, everyone, 'duckdb')
      } catch (error) {
        // A window without a range, or a measure of a switch without its value, is refused with a rollup and without.
        if (error instanceof QueryError) {
          expect(() => matchRollup(model, query, everyone)).toThrow(error.message)
          return
        }
        throw error
      }
      const found = matchRollup(model, query, everyone)
      if (!found.rollup) {
        const code = found.considered[0]?.miss?.code ?? 'nothing'
        seen.refused.set(code, (seen.refused.get(code) ?? 0) + 1)
        return
      }
      for (const name of question.measures) seen.matched.set(name, (seen.matched.get(name) ?? 0) + 1)
      // Only the years are there which the query is said to be about; rows without a time are in the first.
      const [from, to] = found.parts[0]?.range ?? [null, null]
      const needed = years.filter(([first, before]) => (to === null || first <= to) && (from === null || before > from))
      const tables = await Promise.all(
        (needed.length > 0 ? needed : years.slice(0, 1)).map(async (range, position) => {
          const partition = { range, withUndated: range === years[0] }
          const how = { timezone: query.timezone, partition }
          const build = compileRollupBuild(model, { cube: 'orders', name: 'main' }, how, 'duckdb')
          const table = `staged_rollup_${position}`
          await database.query({ ...build, sql: `CREATE OR REPLACE TABLE ${table} AS ${build.sql}` })
          return { schema: null, table }
        }),
      )
      const where = { tables, dataSource: 'rollups' }
      const kept = compileRollupRead(model, query, everyone, found.rollup, where, 'duckdb')
      const source = compileQuery(model, query, everyone, 'duckdb')
      expect(kept.columns).toEqual(source.columns)
      expect(kept.sql).not.toMatch(/FROM (orders|customers)\b/)
      expect(sorted(await database.query(kept))).toEqual(sorted(await database.query(source)))
    }),
    { numRuns: runs },
  )
  const matched = [...seen.matched.values()].reduce((total, count) => total + count, 0)
  expect(matched).toBeGreaterThan(runs / 8)
  expect([...seen.refused.keys()].length).toBeGreaterThan(2)
  expect([...seen.matched.keys()]).not.toContain('average_so_far')
})
