import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { matchRollup, normalizeQuery } from '../../src/index.ts'
import { everyone, modelOf, options } from '../support/model.ts'
import { runsOf } from '../support/property-runs.ts'
import { compileReference, type Reference } from './support/reference.ts'

/** Which pre-aggregation answers a query, by the rules of data-model.md section 7, beside what the field's compiler chooses. */

const content = `
cubes:
  - name: orders
    sql_table: orders
    joins: [{ name: customers, sql: "{CUBE}.customer_id = {customers.id}", relationship: many_to_one }]
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: status, sql: status, type: string }
      - { name: channel, sql: channel, type: string }
      - { name: at, sql: created_at, type: time }
    measures:
      - { name: count, type: count }
      - { name: revenue, sql: amount, type: sum }
      - { name: largest, sql: amount, type: max }
      - { name: buyers, sql: customer_id, type: count_distinct }
      - { name: mean, sql: amount, type: avg }
      - { name: ratio, sql: "{revenue} / {count}", type: number }
      - { name: per_buyer, sql: "{revenue} / {buyers}", type: number }
    segments: [{ name: large, sql: "{CUBE}.amount > 100" }]
    pre_aggregations:
      - { name: rows, type: original_sql }
      - { name: hours, measures: [count, revenue], dimensions: [channel], time_dimension: at, granularity: hour }
      - { name: main, measures: [count, revenue, largest, buyers, mean], dimensions: [status, customers.city], segments: [large], time_dimension: at, granularity: day }
      - { name: weeks, measures: [count, buyers], time_dimension: at, granularity: week }
      - { name: plain, measures: [count, buyers], dimensions: [status] }
      - { name: keys, measures: [count, revenue], dimensions: [id, status] }
  - name: customers
    sql_table: customers
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: city, sql: city, type: string }
    measures: [{ name: count, type: count }]
views:
  - name: sales
    cubes:
      - { join_path: orders, includes: "*" }
      - { join_path: orders.customers, includes: [city] }
`
const model = modelOf(content)

let reference: Reference
beforeAll(async () => {
  reference = await compileReference([{ path: 'model/model.yml', content }])
})

const ranges = [
  ['2024-01-01', '2024-01-31'],
  ['2024-01-01', '2024-01-07'],
  ['2024-01-01T00:00:00.000', '2024-01-01T11:59:59.999'],
  ['2024-02-01T05:30:00.000', '2024-03-01T05:30:00.000'],
]

/** Queries of the cube or of the view over it. */
const query = fc.constantFrom('orders', 'sales').chain(source => {
  const city = source === 'sales' ? 'sales.city' : 'customers.city'
  const own = (name: string) => `${source}.${name}`
  const filters = [
    { member: own('status'), operator: 'equals', values: ['new'] },
    { member: own('status'), operator: 'equals', values: ['new', 'paid'] },
    { member: own('channel'), operator: 'notEquals', values: ['web'] },
    { member: city, operator: 'contains', values: ['er'] },
    { member: own('count'), operator: 'gt', values: ['1'] },
  ]
  const measures = ['count', 'revenue', 'largest', 'buyers', 'mean', 'ratio', 'per_buyer'].map(own)
  const time = { dimension: fc.constant(own('at')), dateRange: fc.constantFrom(...ranges) }
  const granularity = fc.constantFrom('minute', 'hour', 'day', 'week', 'month', 'quarter', 'year')
  return fc.record({
    measures: fc.subarray(measures, { maxLength: 3 }),
    dimensions: fc.subarray([own('status'), own('channel'), own('id'), city], { maxLength: 2 }),
    segments: fc.subarray([own('large')]),
    timeDimensions: fc.array(
      fc.oneof(fc.record(time), fc.record({ ...time, granularity }, { requiredKeys: ['dimension', 'granularity'] })),
      { maxLength: 1 },
    ),
    filters: fc.array(fc.constantFrom(...filters), { maxLength: 1 }),
    timezone: fc.constantFrom('UTC', 'UTC', 'UTC', 'America/New_York'),
  })
})

/** Where Hedron asks the source: the field reads a rollup by steps that the range cuts through, and its rows are others then. */
const cutsThrough = /^the date range of '\w+\.at' does not begin and end with a whole (hour|day|week)$/

/**
 * Of measures that do not add up the field takes no segment for settled, though a rollup that has it tells its rows apart. That they
 * are those of the source: test/rollups/rollup-properties.
 */
const isSettledBySegment = ({ measures, segments }: { readonly measures: string[]; readonly segments: string[] }) =>
  segments.length > 0 && measures.some(measure => /\.(buyers|per_buyer|mean)$/.test(measure))

test('the field chooses the same of a model’s pre-aggregations, but for ranges that cut through their steps', () => {
  fc.assert(
    fc.property(query, input => {
      fc.pre(
        input.measures.length + input.dimensions.length > 0 || input.timeDimensions.some(each => 'granularity' in each),
      )
      const asked = normalizeQuery(model, input, options)
      const { rollup, considered } = matchRollup(model, asked, everyone)
      // Rows that are kept come after all rollups; the field puts them in the place of the table when it writes SQL.
      const ours = rollup === null || rollup.name === 'rows' ? null : rollup.name
      const theirs = reference.rollupOf(asked)
      const miss = considered.find(({ id }) => id.name === theirs)?.miss?.reason ?? ''
      if (ours === 'main' && theirs === null && isSettledBySegment(input)) return
      if (!cutsThrough.test(miss)) expect(ours, miss).toBe(theirs)
    }),
    { numRuns: runsOf('rollups that the field chooses') },
  )
})

/** Kinds of pre-aggregations that are made of others, and several time dimensions in one. */
const composed = `
cubes:
  - name: visits
    sql_table: visits
    joins: [{ name: people, sql: "{CUBE}.person_id = {people.id}", relationship: many_to_one }]
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: person_id, sql: person_id, type: number }
      - { name: page, sql: page, type: string }
      - { name: device, sql: device, type: string }
      - { name: at, sql: started_at, type: time }
      - { name: ended, sql: ended_at, type: time }
    measures:
      - { name: count, type: count }
      - { name: seconds, sql: seconds, type: sum }
      - { name: visitors, sql: person_id, type: count_distinct }
    pre_aggregations:
      - { name: joined, type: rollup_join, measures: [count, seconds], dimensions: [people.city], rollups: [CUBE.keyed, people.cities] }
      - { name: keyed, measures: [count, seconds], dimensions: [person_id, device] }
      - { name: both, measures: [count, visitors], dimensions: [page], time_dimensions: [{ dimension: at, granularity: day }, { dimension: ended, granularity: day }] }
  - name: people
    sql_table: people
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: city, sql: city, type: string }
    measures: [{ name: count, type: count }]
    pre_aggregations:
      - { name: cities, dimensions: [id, city] }
  - name: events
    sql_table: events
    dimensions:
      - { name: kind, sql: kind, type: string }
      - { name: device, sql: device, type: string }
      - { name: at, sql: at, type: time }
    measures:
      - { name: count, type: count }
      - { name: weight, sql: weight, type: sum }
      - { name: users, sql: user_id, type: count_distinct }
    pre_aggregations:
      - { name: recent, type: rollup_lambda, rollups: [CUBE.batch, CUBE.hourly] }
      - { name: batch, measures: [count, weight], dimensions: [kind], time_dimension: at, granularity: day, partition_granularity: month }
      - { name: hourly, measures: [count, weight], dimensions: [kind], time_dimension: at, granularity: day, partition_granularity: day }
      - { name: devices, measures: [count, users], dimensions: [device], time_dimension: at, granularity: day }
`
const composedModel = modelOf(composed)

const steps = fc.constantFrom('hour', 'day', 'week', 'month', 'year')
const wholeDays = fc.constantFrom(['2024-01-01', '2024-01-31'], ['2024-01-01', '2024-12-31'])

const asking = (cube: string, measures: string[], dimensions: string[], times: string[]) =>
  fc.record({
    measures: fc.subarray(
      measures.map(name => `${cube}.${name}`),
      { maxLength: 2 },
    ),
    dimensions: fc.subarray(dimensions, { maxLength: 2 }),
    timeDimensions: fc
      .subarray(times)
      .chain(chosen =>
        fc.tuple(
          ...chosen.map(time =>
            fc.oneof(
              fc.record({ dimension: fc.constant(`${cube}.${time}`), dateRange: wholeDays }),
              fc.record({ dimension: fc.constant(`${cube}.${time}`), granularity: steps }),
              fc.record({ dimension: fc.constant(`${cube}.${time}`), granularity: steps, dateRange: wholeDays }),
            ),
          ),
        ),
      ),
    filters: fc.subarray([{ member: dimensions[0] ?? '', operator: 'equals', values: ['a', 'b'] }]),
  })

const composedQuery = fc.oneof(
  asking(
    'visits',
    ['count', 'seconds', 'visitors'],
    ['people.city', 'visits.page', 'visits.device', 'visits.person_id'],
    ['at', 'ended'],
  ),
  asking('events', ['count', 'weight', 'users'], ['events.kind', 'events.device'], ['at']),
)

/** The field joins no rollups for the sake of a filter alone. The rows are those of the source: test/rollups/join-properties. */
const isFilterAlone = ({
  dimensions,
  filters,
}: {
  readonly dimensions: readonly string[]
  readonly filters: unknown[]
}) => dimensions.length === 0 && filters.length > 0

test('the field chooses the same of pre-aggregations that are made of others, and of those with several time dimensions', async () => {
  const field = await compileReference([{ path: 'model/model.yml', content: composed }])
  const chosen = new Set<string | null>()
  fc.assert(
    fc.property(composedQuery, input => {
      fc.pre(
        input.measures.length + input.dimensions.length > 0 || input.timeDimensions.some(each => 'granularity' in each),
      )
      const asked = normalizeQuery(composedModel, input, options)
      const { rollup, considered } = matchRollup(composedModel, asked, everyone)
      const theirs = field.rollupOf(asked)
      const miss = considered.find(({ id }) => id.name === theirs)?.miss?.reason ?? ''
      chosen.add(theirs)
      if (rollup?.name === 'joined' && theirs === null && isFilterAlone(input)) return
      if (!cutsThrough.test(miss)) expect(rollup?.name ?? null, miss).toBe(theirs)
    }),
    { numRuns: runsOf('rollups made of others that the field chooses') },
  )
  expect([...chosen]).toEqual(expect.arrayContaining(['both', 'devices', 'joined', 'recent', null]))
})

const week = [{ dimension: 'orders.at', granularity: 'week' }]
test.each([
  ['hours', { measures: ['orders.revenue'], dimensions: ['orders.channel'] }],
  ['main', { measures: ['sales.ratio'], dimensions: ['sales.city'], segments: ['sales.large'] }],
  ['weeks', { measures: ['orders.buyers'], timeDimensions: week }],
  ['plain', { measures: ['orders.buyers'], dimensions: ['orders.status'] }],
  ['keys', { measures: ['orders.revenue'], dimensions: ['orders.id'] }],
  [null, { measures: ['orders.per_buyer'], dimensions: ['orders.channel'] }],
])('both choose %s', (name, query) => {
  const asked = normalizeQuery(model, query, options)
  const chosen = matchRollup(model, asked, everyone).rollup?.name
  expect([chosen === 'rows' ? null : chosen, reference.rollupOf(asked)]).toEqual([name, name])
})

test('single rows are those of the source, of which no rollup has more', () => {
  const rows = { measures: ['orders.count'], dimensions: ['orders.id', 'orders.status'] }
  expect(matchRollup(model, normalizeQuery(model, rows, options), everyone).rollup?.name).toBe('keys')
  const ungrouped = normalizeQuery(model, { ...rows, ungrouped: true }, options)
  expect(reference.rollupOf(ungrouped)).toBe('keys')
  const { rollup, considered } = matchRollup(model, ungrouped, everyone)
  expect(rollup?.name).toBe('rows')
  expect(considered.map(({ miss }) => miss?.reason)).toContain('ungrouped queries are answered from source rows')
})
