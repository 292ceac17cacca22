import { describe, expect, test } from 'vitest'
import { compileRollupBuild, compileRollupRead, type Model, matchRollup, normalizeQuery } from '../../src/index.ts'
import { everyone, modelOf, options } from '../support/model.ts'

const model = modelOf(`
cubes:
  - name: orders
    sql_table: orders
    joins:
      - { name: customers, sql: "{CUBE}.customer_id = {customers.id}", relationship: many_to_one }
      - { name: line_items, sql: "{CUBE}.id = {line_items}.order_id", relationship: one_to_many }
    segments:
      - { name: large, sql: "{CUBE}.amount > 100" }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: status, sql: status, type: string }
      - { name: channel, sql: channel, type: string }
      - { name: created_at, sql: created_at, type: time, granularities: [{ name: fiscal_year, interval: 1 year, offset: 3 months }] }
    measures:
      - { name: count, type: count }
      - { name: revenue, sql: amount, type: sum }
      - { name: average, sql: "{revenue} / {count}", type: number }
      - { name: buyers, sql: customer_id, type: count_distinct }
      - { name: lately, sql: amount, type: sum, rolling_window: { trailing: 7 day } }
      - { name: buyers_lately, sql: customer_id, type: count_distinct, rolling_window: { trailing: 7 day } }
      - { name: hour_ago, sql: "{revenue}", type: number, multi_stage: true, time_shift: [{ interval: 1 hour, type: prior }] }
    pre_aggregations:
      - name: latest
        type: rollup_lambda
        union_with_source_data: true
        rollups: [by_hour]
        measures: [count]
        dimensions: [channel]
        time_dimension: created_at
        granularity: hour
      - { name: by_hour, measures: [count], dimensions: [channel], time_dimension: created_at, granularity: hour, partition_granularity: day }
      - name: main
        measures: [CUBE.average, CUBE.buyers]
        dimensions: [CUBE.status, customers.city]
        segments: [large]
        time_dimension: CUBE.created_at
        granularity: day
        partition_granularity: month
        refresh_key: { every: 1 hour, incremental: true, update_window: 7 days }
        indexes: [{ name: by_city, columns: [customers.city] }]
      - { name: items, measures: [count], dimensions: [status, line_items.product] }
  - name: customers
    sql_table: customers
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: city, sql: city, type: string }
    measures:
      - { name: count, type: count }
  - name: line_items
    sql_table: line_items
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: product, sql: product, type: string }
  - name: own
    sql: SELECT * FROM orders WHERE {SECURITY_CONTEXT.tenant.filter('tenant')}
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
    measures:
      - { name: count, type: count }
    pre_aggregations:
      - { name: all, measures: [count] }
  - name: pushed
    sql: SELECT * FROM orders WHERE {FILTER_PARAMS.pushed.status.filter('status')}
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: status, sql: status, type: string }
    measures:
      - { name: count, type: count }
    pre_aggregations:
      - { name: all, measures: [count], dimensions: [status] }
views:
  - name: sales
    cubes:
      - { join_path: orders, includes: "*" }
      - { join_path: orders.customers, includes: [city] }
`)

const match = (query: object) => {
  const { rollup, considered, parts, includesSource } = matchRollup(
    model,
    normalizeQuery(model, query, options),
    everyone,
  )
  const misses = considered.flatMap(({ id, miss }) => (miss ? [`${id.name}: ${miss.reason}`] : []))
  return { rollup: rollup?.name ?? null, misses, parts: parts.map(({ id }) => id.name), includesSource }
}

const at = (granularity: string | undefined, ...dateRange: string[]) => [
  {
    dimension: 'orders.created_at',
    ...(granularity ? { granularity } : {}),
    ...(dateRange.length > 0 ? { dateRange } : {}),
  },
]

test.each([
  ['calculations from their leaves', { measures: ['orders.average'], dimensions: ['customers.city'] }],
  ['members of a view', { measures: ['sales.average'], dimensions: ['sales.city'] }],
  ['coarser steps of time', { measures: ['orders.revenue'], timeDimensions: at('month') }],
  ['a year of its own', { measures: ['orders.revenue'], timeDimensions: at('fiscal_year') }],
  ['whole days', { measures: ['orders.revenue'], timeDimensions: at(undefined, '2024-01-03', '2024-01-09') }],
  ['a segment', { measures: ['orders.revenue'], segments: ['orders.large'] }],
  [
    'a distinct count by the same groups',
    {
      measures: ['orders.buyers'],
      dimensions: ['orders.status', 'customers.city'],
      segments: ['orders.large'],
      timeDimensions: at('day'),
    },
  ],
])('a rollup answers %s', (_, query) => {
  expect(match(query).rollup).toBe('main')
})

test.each([
  ['from the first moment of a day', 'afterOrOnDate', '2024-01-03', ['2024-01-03T00:00:00.000', null]],
  ['after a whole day', 'afterDate', '2024-01-03', ['2024-01-03T23:59:59.999', null]],
  ['before the first moment of a day', 'beforeDate', '2024-01-03', [null, '2024-01-02T23:59:59.999']],
  ['until the last moment of a day', 'beforeOrOnDate', '2024-01-03', [null, '2024-01-03T23:59:59.999']],
])('a rollup answers what is %s, and of its partitions those that hold it are read', (_, operator, value, range) => {
  const filtered = (text: string) => ({
    measures: ['orders.revenue'],
    filters: [{ member: 'orders.created_at', operator, values: [text] }],
  })
  const found = matchRollup(model, normalizeQuery(model, filtered(value), options), everyone)
  expect([found.rollup?.name, found.parts[0]?.range]).toEqual(['main', range])
  const between = match(filtered('2024-01-03T10:30:00.000'))
  expect(between.misses).toContain(
    "main: the date range of 'orders.created_at' does not begin and end with a whole day",
  )
})

test('what windows and shifts are made of is in a rollup, and its time is in steps that they keep whole', () => {
  const days = at('day', '2024-01-01', '2024-01-31')
  expect(match({ measures: ['orders.lately'], timeDimensions: days }).rollup).toBe('main')
  const hours = match({ measures: ['orders.hour_ago'], timeDimensions: days })
  expect(hours.rollup).toBeNull()
  expect(hours.misses).toContain(
    "main: the query counts rows by 'orders.created_at' at another time than their own, which the steps of the rollup can't be moved to",
  )
})

test('the first in the order of the file answers', () => {
  expect(match({ measures: ['orders.count'], dimensions: ['orders.channel'] })).toMatchObject({
    rollup: 'latest',
    parts: ['by_hour'],
    includesSource: true,
  })
})

const others = [
  "latest: it does not have the dimension 'orders.status'",
  "by_hour: it does not have the dimension 'orders.status'",
]

test.each([
  [
    'a distinct count over other groups',
    { measures: ['orders.buyers'], dimensions: ['orders.status'] },
    [
      ...others,
      "main: 'orders.buyers' (count_distinct) can't be added up, and the query's groups are not those of the rollup",
      "items: it does not have the measure 'orders.buyers'",
    ],
  ],
  [
    'times between steps',
    { measures: ['orders.revenue'], timeDimensions: at(undefined, '2024-01-03T10:30:00.000', '2024-01-09') },
    [
      "latest: the date range of 'orders.created_at' does not begin and end with a whole hour",
      "by_hour: the date range of 'orders.created_at' does not begin and end with a whole hour",
      "main: the date range of 'orders.created_at' does not begin and end with a whole day",
      "items: the query filters 'orders.created_at', which it does not have",
    ],
  ],
  [
    'rows that its joins repeat',
    { measures: ['orders.count'], dimensions: ['orders.status'], filters: [{ member: 'orders.id', operator: 'set' }] },
    [
      ...others,
      "main: the query filters 'orders.id', which it does not have",
      "items: the query filters 'orders.id', which it does not have",
    ],
  ],
  [
    'single rows',
    { measures: ['orders.revenue'], ungrouped: true },
    ['latest', 'by_hour', 'main', 'items'].map(name => `${name}: ungrouped queries are answered from source rows`),
  ],
  [
    'rows of one caller',
    { measures: ['own.count'] },
    ["all: 'own' reads other rows for other callers or filters, and a rollup is built without either"],
  ],
  [
    'filters pushed into a cube',
    { measures: ['pushed.count'], filters: [{ member: 'pushed.status', operator: 'equals', values: ['done'] }] },
    ["all: 'pushed' reads other rows for other callers or filters, and a rollup is built without either"],
  ],
  [
    'windows that gather rows',
    { measures: ['orders.buyers_lately'], timeDimensions: at('day', '2024-01-01', '2024-01-31') },
    ['latest', 'by_hour', 'main', 'items'].map(
      name =>
        `${name}: 'orders.buyers_lately' gathers single rows around each period, because values of shorter periods can't be added up`,
    ),
  ],
  // All customers, not only those who bought something.
  ['rows that other joins lead to', { dimensions: ['customers.city'] }, []],
])('no rollup answers %s', (_, query, misses) => {
  expect(match(query)).toMatchObject({ rollup: null, misses })
})

test('a count is not what joins of the rollup repeat', () => {
  const { rollup, misses } = match({ measures: ['orders.count'], dimensions: ['orders.status'] })
  expect(rollup).toBe('main')
  expect(misses).toEqual(others)
  expect(match({ measures: ['orders.count'], dimensions: ['line_items.product'] }).misses).toContain(
    "items: joins of the rollup repeat the rows of 'orders.count', and the query's groups are not those of the rollup",
  )
})

test('pushed filters make no difference where nothing is filtered', () => {
  expect(match({ measures: ['pushed.count'], dimensions: ['pushed.status'] }).rollup).toBe('all')
})

test.each(['duckdb', 'postgres'] as const)('what is built and read: %s', async dialect => {
  const id = { cube: 'orders', name: 'main' }
  const partition = { range: ['2024-01-01T00:00:00.000', '2024-02-01T00:00:00.000'] as const, withUndated: false }
  const build = compileRollupBuild(model, id, { timezone: 'Europe/Berlin', partition }, dialect)
  const query = normalizeQuery(
    model,
    {
      measures: ['sales.average'],
      dimensions: ['sales.city'],
      segments: ['sales.large'],
      filters: [
        { member: 'sales.status', operator: 'equals', values: ['done'] },
        { member: 'sales.revenue', operator: 'gt', values: [100] },
      ],
      timeDimensions: [{ dimension: 'sales.created_at', granularity: 'week', dateRange: ['2024-01-01', '2024-02-29'] }],
      timezone: 'Europe/Berlin',
    },
    options,
  )
  expect(matchRollup(model, query, everyone)).toMatchObject({ rollup: id, timezone: 'Europe/Berlin' })
  const tables = ['january', 'february'].map(name => ({ schema: 'pre_aggregations', table: `orders_main_${name}` }))
  const read = compileRollupRead(model, query, everyone, id, { tables, dataSource: 'rollups' }, dialect)
  const written = [build, read].map(({ sql, parameters }) => `${sql}\n-- ${JSON.stringify(parameters)}\n`)
  await expect(written.join('\n')).toMatchFileSnapshot(`main.${dialect}.sql`)
  expect(build.columns.map(({ alias }) => alias)).toEqual([
    'orders__status',
    'customers__city',
    'orders__created_at_day',
    'orders__large',
    'orders__revenue',
    'orders__count',
    'orders__buyers',
  ])
})

describe('callers who see some rows only', () => {
  const policy = (filter: string) => `    access_policy:
      - { group: "*", member_level: { includes: "*", excludes: [] }, row_level: { filters: [${filter}] } }
`
  const restricted = (orders: string, customers: string) =>
    modelOf(`
cubes:
  - name: orders
    sql_table: orders
${orders}    joins:
      - { name: customers, sql: "{CUBE}.customer_id = {customers.id}", relationship: many_to_one }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: tenant, sql: tenant, type: string }
      - { name: status, sql: status, type: string }
    measures:
      - { name: count, type: count }
    pre_aggregations:
      - { name: main, measures: [count], dimensions: [status, tenant, customers.city] }
  - name: customers
    sql_table: customers
${customers}    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: city, sql: city, type: string }
`)
  const query = { measures: ['orders.count'], dimensions: ['orders.status'] }
  const caller = { ...everyone, securityContext: { tenant: 'acme' } }
  const find = (restrictedModel: Model) =>
    matchRollup(restrictedModel, normalizeQuery(restrictedModel, query, { ...options, context: caller }), caller)

  test('are shown the groups of their rows', () => {
    const model = restricted(policy('{ member: tenant, operator: equals, values: ["{ securityContext.tenant }"] }'), '')
    const { rollup } = find(model)
    expect(rollup).toEqual({ cube: 'orders', name: 'main' })
    const normalized = normalizeQuery(model, query, { ...options, context: caller })
    const tables = [{ schema: null, table: 'kept' }]
    const read = compileRollupRead(
      model,
      normalized,
      caller,
      { cube: 'orders', name: 'main' },
      { tables, dataSource: 'x' },
      'duckdb',
    )
    expect(read.sql).toContain('WHERE "rollup"."orders__tenant" = $1')
    expect(read.parameters[0]).toBe('acme')
  })

  test.each([
    ['rows that the rollup can’t tell apart', policy('{ member: id, operator: equals, values: [1] }'), ''],
    ['rows of a joined cube', '', policy('{ member: city, operator: equals, values: [Oslo] }')],
  ])('are not answered from %s', (_, orders, customers) => {
    expect(find(restricted(orders, customers))).toMatchObject({
      rollup: null,
      considered: [{ miss: { code: 'policy' } }],
    })
  })

  test('are shown nothing where they may see nothing', () => {
    const model = restricted(policy('{ member: tenant, operator: equals, values: ["{ securityContext.tenant }"] }'), '')
    const nobody = { ...everyone, securityContext: {} }
    const normalized = normalizeQuery(model, query, { ...options, context: nobody })
    expect(matchRollup(model, normalized, nobody).rollup).not.toBeNull()
    const tables = [{ schema: null, table: 'kept' }]
    const read = compileRollupRead(
      model,
      normalized,
      nobody,
      { cube: 'orders', name: 'main' },
      { tables, dataSource: 'x' },
      'duckdb',
    )
    expect(read.sql).toContain('WHERE 1 = 0')
  })
})

test.each([
  [
    '{ every: 0 8 * * *, timezone: Europe/Berlin }',
    { every: { seconds: 86_400, offset: 28_800, timezone: 'Europe/Berlin' } },
  ],
  ['{ every: 2 hours }', { every: 7200 }],
  ['{ sql: SELECT 1 }', { every: 10 }],
  ['', { every: 3600 }],
])('a rollup with refresh_key %s is built again', (written, expected) => {
  const { cubes } = modelOf(`
cubes:
  - name: orders
    sql_table: orders
    measures: [{ name: count, type: count }]
    pre_aggregations: [{ name: main, measures: [count], refresh_key: ${written} }]
`)
  expect(cubes[0]?.preAggregations[0]?.refreshKey).toMatchObject(expected)
})
