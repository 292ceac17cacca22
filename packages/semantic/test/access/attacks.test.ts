import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  compileRollupRead,
  describeModel,
  matchRollup,
  normalizeQuery,
  type QueryContext,
  QueryError,
} from '../../src/index.ts'
import { type Database, openDatabase } from '../support/database.ts'
import { compileFor, everyone, modelOf, options } from '../support/model.ts'

const one: QueryContext = { ...everyone, groups: ['one'], securityContext: { least: 1 } }

const rules = {
  orders: "region = 'EU'",
  customers: "tier = 'gold'",
  items: 'quantity < 10',
  visits: "page <> 'private'",
} as const
type Name = keyof typeof rules

const policies: Readonly<Record<Name, string>> = {
  orders: '{ member: region, operator: equals, values: [EU] }',
  customers: '{ member: tier, operator: equals, values: [gold] }',
  items: '{ member: quantity, operator: lt, values: [10] }',
  visits: '{ member: page, operator: notEquals, values: [private] }',
}

/** The same model with policies, and without them over tables that were filtered before: for a caller, and for nobody. */
const shop = (prefix: 'raw' | 'seen' | 'none') => {
  const isGuarded = prefix === 'raw'
  const policy = (name: Name) =>
    isGuarded ? `access_policy: [{ group: one, row_level: { filters: [${policies[name]}] } }]` : 'description: open'
  return modelOf(`cubes:
  - name: customers
    sql_table: ${prefix}_customers
    ${policy('customers')}
    joins:
      - { name: orders, sql: "{CUBE}.id = {orders}.customer_id", relationship: one_to_many }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: city, sql: city, type: string }
      - { name: tier, sql: "tier -- how good", type: string }
      - { name: spent, sql: "{orders.revenue}", type: number, sub_query: true }
      - { name: spent_then, sql: "{orders.revenue}", type: number, sub_query: true, propagate_filters_to_sub_query: true }
      - { name: pieces, sql: "{items.pieces}", type: number, sub_query: true }
    measures:
      - { name: count, type: count }
      - { name: average_spent, sql: "{spent}", type: avg }
  - name: orders
    sql_table: ${prefix}_orders
    ${policy('orders')}
    joins:
      - { name: items, sql: "{CUBE}.id = {items}.order_id OR {CUBE}.id = {items}.order_id", relationship: one_to_many }
      - { name: buyers, sql: "{CUBE}.customer_id = {buyers}.id", relationship: many_to_one }
    segments:
      - { name: either, sql: "{CUBE}.amount > 30 OR {CUBE}.amount < 15" }
      - { name: noted, sql: "{CUBE}.amount > 0 -- all" }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: status, sql: status, type: string }
      - { name: region, sql: "{CUBE}.region", type: string }
      - { name: odd, sql: "{CUBE}.amount < 25 OR {CUBE}.amount > 35", type: boolean }
      - { name: created_at, sql: created_at, type: time, granularities: [{ name: half, interval: 6 months, origin: "2024-01-01" }] }
      - { name: place, type: geo, latitude: { sql: amount }, longitude: { sql: id } }
      - { name: size, type: string, case: { when: [{ sql: "{CUBE}.amount > 25", label: big }], else: { label: small } } }
      - { name: buyer_tier, sql: "{buyers.tier}", type: string }
      - { name: page, sql: id, type: number, links: [{ name: open, label: Open, url: "'https://x/' || {CUBE}.region" }] }
    measures:
      - { name: count, type: count }
      - { name: revenue, sql: amount, type: sum }
      - { name: done, type: count, filters: [{ sql: "{CUBE}.status = 'done' OR {CUBE}.status = 'lost'" }] }
      - { name: buyers_count, sql: customer_id, type: count_distinct }
      - { name: so_far, sql: amount, type: sum, rolling_window: { trailing: unbounded } }
      - { name: last_days, sql: customer_id, type: count_distinct, rolling_window: { trailing: 60 days } }
      - { name: this_year, sql: amount, type: sum, rolling_window: { type: to_date, granularity: year } }
      - { name: before, multi_stage: true, type: number, sql: "{revenue}", time_shift: [{ time_dimension: created_at, interval: 1 month, type: prior }] }
      - { name: whole, multi_stage: true, type: sum, sql: "{revenue}", grain: { keep_only: [] } }
      - { name: share, multi_stage: true, type: number, sql: "1e0 * {revenue} / nullif({whole}, 0)" }
      - { name: rank, multi_stage: true, type: rank, order_by: [{ sql: "{revenue}", dir: desc }], grain: { exclude: [status] } }
      - { name: fixed, multi_stage: true, type: number, sql: "{revenue}", filter: { mode: fixed } }
      - { name: every_status, multi_stage: true, type: number, sql: "{revenue}", filter: { exclude: [status, region] } }
      - { name: per_customer, multi_stage: true, type: avg, sql: "{revenue}", add_group_by: [customers.id] }
  - name: items
    sql_table: ${prefix}_items
    ${policy('items')}
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: quantity, sql: "quantity", type: number }
      - { name: product, sql: product, type: string }
    measures:
      - { name: count, type: count }
      - { name: pieces, sql: quantity, type: sum }
  - name: buyers
    sql: "SELECT * FROM ({customers.sql()}) c WHERE id >= {SECURITY_CONTEXT.least.unsafeValue()} -- most"
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: tier, sql: tier, type: string }
    measures: [{ name: count, type: count }]
  - name: pushed
    sql: "SELECT o.* FROM {orders.sql()} AS o WHERE {FILTER_PARAMS.pushed.status.filter('status')} AND {FILTER_PARAMS.pushed.created_at.filter('created_at')}"
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: status, sql: status, type: string }
      - { name: created_at, sql: created_at, type: time }
    measures: [{ name: count, type: count }, { name: revenue, sql: amount, type: sum }]
  - name: visits
    sql_table: ${prefix}_visits
    ${policy('visits')}
    joins:
      - { name: customers, sql: "{CUBE}.customer_id = {customers}.id", relationship: many_to_one }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: page, sql: page, type: string }
    measures: [{ name: count, type: count }]
  - name: later
    extends: orders
    joins:
      - { name: customers, sql: "{CUBE}.customer_id = {customers}.id", relationship: many_to_one }
    measures: [{ name: most, sql: amount, type: max }]
views:
  - name: activity
    cubes:
      - { join_path: later, includes: [{ name: revenue, alias: earned }, status] }
      - { join_path: visits, includes: [count, page] }
      - { join_path: customers, includes: [city, { name: tier, alias: rank }, spent] }
  - name: sales
    cubes:
      - { join_path: orders, includes: "*", excludes: [per_customer] }
      - { join_path: orders.items, prefix: true, includes: [pieces, product] }
    default_filters: [{ member: status, operator: notEquals, values: [lost], unless: [region] }]
  - name: wider
    extends: sales
`)
}

const rows: Readonly<Record<Name, string>> = {
  customers: `SELECT * FROM (VALUES (0, 'Rome', 'gold'), (1, 'Paris', 'gold'), (2, 'Berlin', 'tin'), (3, 'Paris', NULL))
    AS rows(id, city, tier)`,
  orders: `SELECT id, customer_id, amount, region, status, CAST(made AS TIMESTAMP) AS created_at FROM (VALUES
    (1, 1, 10, 'EU', 'done', '2024-01-05 10:00:00'), (2, 1, 20, 'US', 'done', '2024-01-20 10:00:00'),
    (3, 2, 30, 'EU', 'open', '2024-02-10 10:00:00'), (4, 2, 40, 'US', 'open', '2023-12-31 23:00:00'),
    (5, 0, 50, 'EU', 'lost', '2024-02-11 10:00:00'), (6, 3, 60, NULL, 'lost', '2024-03-01 10:00:00'),
    (7, 3, 70, 'EU', 'done', '2023-05-01 10:00:00')) AS rows(id, customer_id, amount, region, status, made)`,
  items: `SELECT * FROM (VALUES (1, 1, 'pen', 3), (2, 1, 'ink', 30), (3, 2, 'pen', 4), (4, 3, 'pen', 5), (5, 5, 'ink', 7),
    (6, 6, 'oil', 1)) AS rows(id, order_id, product, quantity)`,
  visits: `SELECT * FROM (VALUES (1, 1, 'home'), (2, 2, 'private'), (3, 2, 'home'), (4, 3, 'home')) AS rows(id, customer_id, page)`,
}

let database: Database
beforeAll(async () => {
  database = await openDatabase()
  for (const name of ['customers', 'orders', 'items', 'visits'] as const) {
    await database.run(`CREATE TABLE raw_${name} AS ${rows[name]}`)
    await database.run(`CREATE TABLE none_${name} AS SELECT * FROM raw_${name} WHERE false`)
    await database.run(`CREATE TABLE seen_${name} AS SELECT * FROM raw_${name} WHERE ${rules[name]}`)
  }
})
afterAll(() => database.close())

const months = [{ dimension: 'orders.created_at', granularity: 'month', dateRange: ['2024-01-01', '2024-03-31'] }]
const questions: Readonly<Record<string, object>> = {
  'rolling sums': { measures: ['orders.so_far', 'orders.this_year'], timeDimensions: months },
  'rolling distinct counts': { measures: ['orders.last_days'], timeDimensions: months, dimensions: ['orders.status'] },
  'a rolling sum without time': { measures: ['orders.so_far'] },
  'a rolling sum beside items': { measures: ['orders.so_far', 'items.pieces'], timeDimensions: months },
  'a time shift': { measures: ['orders.before', 'orders.revenue'], timeDimensions: months },
  'shares of all': { measures: ['orders.share', 'orders.whole'], dimensions: ['orders.status'] },
  ranks: { measures: ['orders.rank'], dimensions: ['orders.status', 'orders.size'] },
  'a stage with fixed filters': {
    measures: ['orders.fixed'],
    dimensions: ['orders.status'],
    filters: [{ member: 'orders.region', operator: 'set' }],
  },
  'a stage without filters of the policy': {
    measures: ['orders.every_status'],
    dimensions: ['orders.status'],
    filters: [{ member: 'orders.region', operator: 'notEquals', values: ['EU'] }],
  },
  'a stage by other groups': { measures: ['orders.per_customer'], dimensions: ['customers.city'] },
  'a filter on a stage': {
    measures: ['orders.revenue'],
    dimensions: ['orders.status'],
    filters: [{ member: 'orders.share', operator: 'gt', values: [0.3] }],
  },
  'sub-queries': { dimensions: ['customers.id', 'customers.spent', 'customers.pieces'] },
  'sub-queries over other rows': { measures: ['customers.average_spent', 'customers.count'] },
  'a sub-query that takes filters on': {
    dimensions: ['customers.id', 'customers.spent_then'],
    filters: [{ member: 'orders.status', operator: 'equals', values: ['done'] }],
  },
  'a filter on a sub-query': {
    measures: ['customers.count'],
    filters: [{ member: 'customers.spent', operator: 'gte', values: [20] }],
  },
  'several facts': { measures: ['activity.earned', 'activity.count'], dimensions: ['activity.city'] },
  'several facts by a renamed member': {
    measures: ['activity.earned', 'activity.count'],
    dimensions: ['activity.rank'],
  },
  'several facts by a sub-query': { measures: ['activity.earned', 'activity.count'], dimensions: ['activity.spent'] },
  'a fan-out': { measures: ['orders.revenue', 'orders.buyers_count', 'items.pieces'], dimensions: ['items.product'] },
  'a fan-out on both sides': { measures: ['customers.count', 'orders.revenue', 'items.count'] },
  'another cube in SQL': { measures: ['buyers.count'], dimensions: ['buyers.tier'] },
  'a member of a joined cube': { measures: ['orders.revenue'], dimensions: ['orders.buyer_tier'] },
  'pushed filters': {
    measures: ['pushed.count', 'pushed.revenue'],
    dimensions: ['pushed.status'],
    filters: [{ member: 'pushed.status', operator: 'notEquals', values: ['lost'] }],
  },
  'pushed dates': {
    measures: ['pushed.revenue'],
    timeDimensions: [
      { dimension: 'pushed.created_at', granularity: 'quarter', dateRange: ['2024-01-01', '2024-03-31'] },
    ],
  },
  'a segment with or': { measures: ['orders.revenue'], segments: ['orders.either'] },
  'a segment that ends in a comment': { measures: ['orders.revenue'], segments: ['orders.noted', 'orders.either'] },
  'a dimension with or': {
    measures: ['orders.revenue'],
    filters: [{ member: 'orders.odd', operator: 'equals', values: ['true'] }],
  },
  'filters joined by or': {
    measures: ['orders.revenue'],
    filters: [
      {
        or: [
          { member: 'orders.region', operator: 'notSet' },
          { member: 'orders.region', operator: 'equals', values: ['US', null] },
        ],
      },
    ],
  },
  'a filter by a measure': {
    measures: ['orders.revenue'],
    filters: [{ member: 'orders.done', operator: 'measureFilter' }],
  },
  'a place, a case, an address': {
    dimensions: ['orders.place', 'orders.size', 'orders.page', 'orders.page___link_open_url'],
  },
  'steps of their own': {
    measures: ['orders.revenue'],
    timeDimensions: [{ dimension: 'orders.created_at', granularity: 'half' }],
  },
  rows: { dimensions: ['orders.id', 'orders.region'], measures: ['orders.revenue'], ungrouped: true },
  'rows of items': { dimensions: ['items.id', 'orders.id'], ungrouped: true, joinHints: [['orders', 'items']] },
  'a way of joins': {
    dimensions: ['customers.id'],
    measures: ['items.count'],
    joinHints: [['customers', 'orders', 'items']],
  },
  'a pretended way of joins': { measures: ['customers.count'], joinHints: [['customers', 'orders']] },
  'an extended cube': { measures: ['later.most', 'later.so_far', 'later.count'], dimensions: ['later.region'] },
  'a view': { measures: ['sales.revenue', 'sales.items_pieces'], dimensions: ['sales.region'] },
  'a view of a view': { measures: ['wider.revenue', 'wider.so_far', 'wider.share'], dimensions: ['wider.status'] },
  'a view with its default filter released': {
    measures: ['wider.revenue'],
    filters: [{ member: 'wider.region', operator: 'notEquals', values: ['EU'] }],
  },
}

const textOf = (answer: readonly (readonly unknown[])[]) =>
  answer.map(row => JSON.stringify(row.map(cell => (cell === null ? null : String(cell))))).toSorted()

describe('rows that a policy takes away are in no answer', () => {
  const guarded = shop('raw')
  const seen = shop('seen')
  const none = shop('none')
  test.each(Object.entries(questions))('%s', async (_, question) => {
    const query = { ...question, total: true }
    for (const [context, model] of [
      [one, seen],
      [{ ...one, groups: ['another', 'ONE', '*', ''] }, none],
    ] as const) {
      const mine = compileFor(guarded, query, 'duckdb', context)
      const expected = compileFor(model, query, 'duckdb', context)
      expect(textOf(await database.query(mine))).toEqual(textOf(await database.query(expected)))
      if (!mine.total || !expected.total) throw new Error('There is no total')
      expect(await database.query(mine.total)).toEqual(await database.query(expected.total))
    }
  })
})

function refusalOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (error instanceof QueryError) return error.message
    throw error
  }
  return 'answered'
}

describe('what is masked tells nothing', () => {
  const masked = modelOf(`cubes:
  - name: people
    sql: SELECT * FROM (VALUES (1, 'a@x', 700, CAST('2024-01-05' AS TIMESTAMP), 'vip'), (2, 'b@x', 800, CAST('2024-02-05' AS TIMESTAMP), 'no'))
      AS rows(id, email, pay, born, kind)
    segments: [{ name: vips, sql: "{CUBE}.kind = 'vip'" }]
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true, mask: 0 }
      - { name: email, sql: email, type: string, mask: "it's '; DROP TABLE people; --", links: [{ name: mail, label: Mail, url: "'mailto:' || {CUBE}.email" }] }
      - { name: pay, sql: pay, type: number }
      - { name: wealth, type: string, case: { when: [{ sql: "{CUBE}.pay > 750", label: rich }], else: { label: poor } } }
      - { name: home, type: geo, latitude: { sql: pay }, longitude: { sql: id } }
      - { name: born, sql: born, type: time, granularities: [{ name: half, interval: 6 months, origin: "2024-01-01" }] }
      - { name: team, sql: "'t'", type: string }
      - { name: kind, sql: kind, type: string }
    measures:
      - { name: count, type: count }
      - { name: earned, sql: pay, type: sum, mask: -1 }
      - { name: vip_count, type: count, filters: [{ sql: "{CUBE}.kind = 'vip'" }] }
      - { name: emails, sql: email, type: count_distinct }
      - { name: earned_so_far, sql: pay, type: sum, rolling_window: { trailing: unbounded } }
    access_policy:
      - group: some
        member_level: { includes: [count, team] }
        member_masking: { includes: "*" }
      - group: vip
        member_level: { includes: "*" }
        row_level: { filters: [{ member: kind, operator: equals, values: [vip] }] }
views:
  - name: staff
    cubes: [{ join_path: people, prefix: true, includes: "*" }]
  - name: names
    cubes: [{ join_path: people, includes: [count, { name: email, alias: contact }, { name: earned, alias: cost }, { name: vip_count, alias: few }] }]
`)
  const some: QueryContext = { ...everyone, groups: ['some'] }
  const both: QueryContext = { ...everyone, groups: ['some', 'vip'] }
  const ask = async (query: object, context = some) => database.query(compileFor(masked, query, 'duckdb', context))

  test.each([
    [
      { dimensions: ['people.id', 'people.pay', 'people.wealth', 'people.home', 'people.kind'] },
      [['0', null, null, null, null]],
    ],
    [{ dimensions: ['people.email___link_mail_url', 'people.email'] }, [[null, "it's '; DROP TABLE people; --"]]],
    [
      { measures: ['people.count'], timeDimensions: [{ dimension: 'people.born', granularity: 'half' }] },
      [[null, '2']],
    ],
    [
      {
        measures: ['people.count'],
        timeDimensions: [{ dimension: 'people.born', dateRange: ['2024-01-01', '2024-01-31'] }],
      },
      [['0']],
    ],
    [
      { measures: ['people.count'], filters: [{ member: 'people.email', operator: 'startsWith', values: ['a'] }] },
      [['0']],
    ],
    [{ measures: ['people.count'], filters: [{ member: 'people.pay', operator: 'gt', values: [750] }] }, [['0']]],
    [
      { measures: ['people.count'], filters: [{ member: 'people.wealth', operator: 'equals', values: ['rich'] }] },
      [['0']],
    ],
    [{ measures: ['people.count'], filters: [{ member: 'people.earned', operator: 'gt', values: [0] }] }, []],
    [
      {
        dimensions: ['people.team'],
        measures: ['people.earned', 'people.vip_count', 'people.emails', 'people.earned_so_far'],
      },
      [['t', '-1', null, null, null]],
    ],
    [
      { measures: ['people.earned'], dimensions: ['people.pay'], ungrouped: true },
      [
        [null, '-1'],
        [null, '-1'],
      ],
    ],
    [
      { measures: ['names.cost', 'names.few'], dimensions: ['names.contact'], order: { 'names.cost': 'desc' } },
      [["it's '; DROP TABLE people; --", '-1', null]],
    ],
    [
      { measures: ['names.count'], filters: [{ member: 'names.contact', operator: 'contains', values: ['@'] }] },
      [['0']],
    ],
  ])('%j', async (query, expected) => {
    expect((await ask(query)).map(row => row.map(cell => (cell === null ? null : String(cell))))).toEqual(expected)
  })

  test.each([
    { measures: ['people.count'], filters: [{ member: 'people.vip_count', operator: 'measureFilter' }] },
    { measures: ['names.count'], filters: [{ member: 'names.few', operator: 'measureFilter' }] },
    { measures: ['names.count'], filters: [{ or: [{ member: 'names.few', operator: 'measureFilter' }] }] },
    {
      measures: ['people.count', 'people.earned_so_far'],
      timeDimensions: [{ dimension: 'people.born', granularity: 'month', dateRange: ['2024-01-01', '2024-12-31'] }],
      filters: [{ member: 'people.vip_count', operator: 'measureFilter' }],
    },
  ])('rows of a masked measure are not told: %j', query => {
    const refusal = /^Operator measureFilter not supported for filter: .* is masked for you\.$/
    expect(refusalOf(() => compileFor(masked, query, 'duckdb', some))).toMatch(refusal)
    expect(refusalOf(() => compileFor(masked, query, 'duckdb', both))).toMatch(refusal)
    expect(refusalOf(() => compileFor(masked, query, 'duckdb', { ...everyone, groups: ['vip'] }))).toBe('answered')
  })

  test('rows of a masked segment are not told', async () => {
    const segment = (source: string) => ({ measures: [`${source}.count`], segments: [`${source}.vips`] })
    expect(refusalOf(() => compileFor(masked, segment('people'), 'duckdb', some))).toMatch(
      /^You requested hidden member/,
    )
    expect(await ask(segment('people'), both)).toEqual([['1']])
    const throughView = { measures: ['staff.people_count'], segments: ['staff.people_vips'] }
    for (const context of [some, both]) {
      expect(refusalOf(() => compileFor(masked, throughView, 'duckdb', context))).toMatch(
        /^You requested hidden member/,
      )
    }
    expect(JSON.stringify(describeModel(masked, some))).not.toContain('vips')
    expect(await ask(throughView, { ...everyone, groups: ['vip'] })).toEqual([['1']])
  })

  test('who sees some rows sees those alone, in both orders of asking', async () => {
    const query = { dimensions: ['people.pay', 'people.email___link_mail_url'], measures: ['people.earned'] }
    for (const [context, expected] of [
      [
        both,
        [
          [null, null, '-1'],
          ['700', 'mailto:a@x', '-1'],
        ],
      ],
      [some, [[null, null, '-1']]],
      [{ ...everyone, groups: ['vip'] }, [['700', 'mailto:a@x', '700']]],
      [some, [[null, null, '-1']]],
      [
        both,
        [
          [null, null, '-1'],
          ['700', 'mailto:a@x', '-1'],
        ],
      ],
    ] as const) {
      expect(textOf(await ask(query, context))).toEqual(textOf(expected))
    }
  })
})

describe('no rollup is read past a policy', () => {
  const model = modelOf(`cubes:
  - name: customers
    sql_table: customers
    joins: [{ name: orders, sql: "{CUBE}.id = {orders}.customer_id", relationship: one_to_many }]
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: spent, sql: "{orders.revenue}", type: number, sub_query: true }
    measures: [{ name: count, type: count }]
    pre_aggregations:
      - { name: of_sub_query, measures: [count], dimensions: [spent] }
  - name: orders
    sql_table: orders
    joins: [{ name: cities, sql: "{CUBE}.city_id = {cities}.id", relationship: many_to_one }]
    segments: [{ name: far, sql: "{cities}.far" }]
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: city, sql: "{cities.name}", type: string }
      - { name: status, sql: status, type: string }
      - { name: region, sql: region, type: string }
      - { name: at, sql: at, type: time }
    measures: [{ name: count, type: count }, { name: revenue, sql: amount, type: sum }, { name: near, type: count, filters: [{ sql: "NOT {cities}.far" }] }]
    pre_aggregations:
      - { name: by_city, measures: [count], dimensions: [city] }
      - { name: by_far, measures: [count], segments: [far] }
      - { name: of_near, measures: [near] }
      - { name: by_status, measures: [count, revenue], dimensions: [status] }
      - { name: by_region, measures: [revenue], dimensions: [status, region] }
    access_policy:
      - group: region
        row_level: { filters: [{ member: region, operator: equals, values: [EU] }] }
      - group: today
        row_level: { filters: [{ member: at, operator: afterDate, values: ["2024-01-01"] }] }
      - group: masked
        member_level: { includes: [count] }
        member_masking: { includes: "*" }
      - group: cities
  - name: cities
    sql_table: cities
    dimensions: [{ name: id, sql: id, type: number, primary_key: true }, { name: name, sql: name, type: string }]
    access_policy:
      - groups: [region, today, masked]
      - group: cities
        row_level: { filters: [{ member: name, operator: equals, values: [Rome] }] }
  - name: copies
    sql: SELECT status FROM {orders.sql()} AS o
    dimensions: [{ name: status, sql: status, type: string }]
    measures: [{ name: count, type: count }]
    pre_aggregations:
      - { name: of_copy, measures: [count], dimensions: [status] }
`)
  const found = (query: object, group: string) => {
    const context = { ...everyone, groups: [group] }
    const normalized = normalizeQuery(model, query, { ...options, context })
    return matchRollup(model, normalized, context).rollup?.name ?? null
  }
  test.each([
    ['region', { measures: ['customers.count'], dimensions: ['customers.spent'] }],
    ['cities', { measures: ['orders.count'], dimensions: ['orders.city'] }],
    ['cities', { measures: ['orders.count'], segments: ['orders.far'] }],
    ['cities', { measures: ['orders.near'] }],
    ['region', { measures: ['orders.count'], dimensions: ['orders.status'] }],
    ['today', { measures: ['orders.revenue'], dimensions: ['orders.status'] }],
    ['masked', { measures: ['orders.revenue'] }],
    ['masked', { measures: ['orders.count'], dimensions: ['orders.status'] }],
    ['region', { measures: ['copies.count'], dimensions: ['copies.status'] }],
    ['nobody', { measures: ['copies.count'], dimensions: ['copies.status'] }],
  ])('for %s: %j', (group, query) => {
    expect(found(query, group)).toBeNull()
  })

  test('where it has what the policy is about, the policy holds', () => {
    const query = { measures: ['orders.revenue'], dimensions: ['orders.status'] }
    expect(found(query, 'region')).toBe('by_region')
    const read = (group: string) => {
      const context = { ...everyone, groups: [group] }
      const tables = { tables: [{ schema: null, table: 't' }], dataSource: 'default' }
      const normalized = normalizeQuery(model, query, { ...options, context })
      return compileRollupRead(model, normalized, context, { cube: 'orders', name: 'by_region' }, tables, 'duckdb')
    }
    expect(read('region').parameters).toContain('EU')
    expect(read('region').sql).toMatch(/orders__region" = \$1/)
    expect(read('nobody').sql).toContain('1 = 0')
  })
})

describe('a caller can not pretend', () => {
  const guard = (condition: string, value = '1') =>
    modelOf(`cubes:
  - name: t
    sql: SELECT * FROM (VALUES ('1'), ('2'), ('constructor')) AS rows(a)
    dimensions: [{ name: a, sql: a, type: string }]
    measures: [{ name: count, type: count }]
    access_policy:
      - groups: ["", admin]
        conditions: [{ if: "${condition}" }]
        row_level: { filters: [{ member: a, operator: equals, values: ["${value}"] }] }
`)
  const ask = async (model: ReturnType<typeof guard>, given: string, groups: readonly string[] = ['admin']) => {
    const attributes: Record<string, unknown> = JSON.parse(given)
    const context = { ...everyone, groups, userAttributes: attributes, securityContext: attributes }
    return database.query(compileFor(model, { measures: ['t.count'] }, 'duckdb', context))
  }

  test.each([
    ['{ userAttributes.isAdmin == true }', '{"__proto__": {"isAdmin": true}}'],
    ['{ userAttributes.isAdmin == true }', '{"isAdmin": "true"}'],
    ['{ userAttributes.isAdmin == true }', '{"isAdmin": [true]}'],
    ['{ userAttributes.level >= 2 }', '{"level": "3"}'],
    ['{ userAttributes.level >= 2 }', '{"level": [3]}'],
    ['{ userAttributes.level >= 2 }', '{"level": {"valueOf": 3}}'],
    ["{ 'admin' in userAttributes.roles }", '{"roles": [["admin"]]}'],
    ["{ userAttributes.roles.includes('admin') }", '{"roles": {"__proto__": {"admin": 1}}}'],
    ["{ 'constructor' in userAttributes }", '{}'],
    ["{ 'toString' in securityContext }", '{}'],
    ['{ securityContext.constructor != null }', '{}'],
    ["{ securityContext['__proto__'] != null }", '{}'],
    ["{ userAttributes.list.join(',') == 'a,b' }", '{"list": [["a", "b"]]}'],
    ["{ userAttributes.list.join(',') == 'a' }", '{"list": [{"toString": "a"}]}'],
    ["{ userAttributes.name.startsWith('a') }", '{"name": ["a"]}'],
  ])('%s with %s', async (condition, given) => {
    expect(await ask(guard(condition), given)).toEqual([['0']])
  })

  test.each([
    ['{ userAttributes.constructor }', '{}'],
    ['{ userAttributes.constructor.name }', '{}'],
    ['{ securityContext.__proto__ }', '{}'],
    ['{ userAttributes.list[9] }', '{"list": ["1"]}'],
    ['{ userAttributes.a }', '{"a": "1\' OR 1=1 --"}'],
    ['{ userAttributes.a }', '{"a": "1\\\\\' OR 1=1 --"}'],
    ['{ userAttributes.a }', '{"a": 1e308}'],
    ['{ userAttributes.a }', '{"a": ""}'],
  ])('a value %s of %s', async (value, given) => {
    expect(await ask(guard('true', value), given)).toEqual([['0']])
  })

  test('whose groups are called alike', async () => {
    for (const groups of [['Admin'], ['admin '], ['*'], ['adm', 'in'], [' ']]) {
      expect(await ask(guard('true'), '{}', groups)).toEqual([['0']])
    }
    expect(await ask(guard('true'), '{}', [''])).toEqual([['1']])
  })
})

test('a view that extends one has its policies, and the rows of both its own and its cubes', () => {
  const model = modelOf(`cubes:
  - name: orders
    sql_table: orders
    dimensions: [{ name: id, sql: id, type: number, primary_key: true }, { name: region, sql: region, type: string }]
    measures: [{ name: count, type: count }, { name: revenue, sql: amount, type: sum }]
    access_policy: [{ group: "*", row_level: { filters: [{ member: region, operator: set }] } }]
views:
  - name: base
    cubes: [{ join_path: orders, includes: "*" }]
    access_policy:
      - group: some
        member_level: { includes: [count] }
        row_level: { filters: [{ member: region, operator: equals, values: [EU] }] }
  - name: child
    extends: base
    cubes: [{ join_path: orders, includes: [{ name: revenue, alias: income }] }]
  - name: added
    extends: base
    access_policy: [{ group: other, member_level: { includes: [revenue] } }]
`)
  const of = (group: string): QueryContext => ({ ...everyone, groups: [group] })
  const { sql, parameters } = compileFor(model, { measures: ['child.count'] }, 'duckdb', of('some'))
  expect(sql).toContain('region IS NOT NULL')
  expect(parameters).toContain('EU')
  for (const [group, query] of [
    ['some', { measures: ['child.income'] }],
    ['some', { measures: ['child.revenue'] }],
    ['some', { measures: ['added.revenue'] }],
    ['other', { measures: ['added.count'] }],
  ] as const) {
    expect(refusalOf(() => compileFor(model, query, 'duckdb', of(group)))).toMatch(/^You requested hidden member/)
  }
  expect(compileFor(model, { measures: ['child.income'] }, 'duckdb', of('other')).sql).toContain('1 = 0')
  expect(describeModel(model, of('other')).map(({ name }) => name)).toEqual(['orders', 'added'])
})
