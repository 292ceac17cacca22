import { describe, expect, test } from 'vitest'
import { compileFor, everyone, modelOf } from '../support/model.ts'

const key = '{ name: id, sql: id, type: number, primary_key: true, public: true }'
const model = modelOf(`
cubes:
  - name: visits
    sql_table: visits
    joins:
      - { name: shops, sql: "{CUBE}.shop_id = {shops.id}", relationship: many_to_one }
      - { name: far, sql: "{CUBE}.far_id = {far.id}", relationship: many_to_one }
    measures:
      - { name: count, type: count }
  - name: shops
    sql_table: shops
    refresh_key: { sql: "SELECT max(changed) FROM shops;", every: 5 minutes }
    joins:
      - { name: events, sql: "{CUBE}.id = {events}.shop_id", relationship: one_to_many }
    dimensions: [${key}]
    measures:
      - { name: events_seen, type: sum, sql: "{events.size}" }
      - { name: seats_per_visit, type: number, sql: "sum({CUBE}.seats) / {visits.count}" }
  - name: events
    sql_table: events
    refresh_key: { immutable: true }
    dimensions:
      - ${key}
      - { name: size, sql: size, type: number }
    measures: [{ name: count, type: count }]
  - name: far
    sql_table: far
    data_source: other
    dimensions: [${key}]
`)

test.each([
  [
    'a key that is missing on a long way',
    { measures: ['visits.count'], dimensions: ['events.size'] },
    'primary_key_required',
    "primary key for 'visits' is required when join is defined in order to make aggregates work properly",
  ],
  [
    'a sum over rows of another cube',
    { measures: ['shops.events_seen'] },
    'foreign_cubes',
    "Member 'shops.events_seen' references foreign cubes: events. Please split and move this definition to corresponding cubes.",
  ],
  [
    'an aggregate beside the measure of another cube',
    { measures: ['shops.seats_per_visit'] },
    'foreign_cubes',
    "Member 'shops.seats_per_visit' references foreign cubes: visits. Please split and move this definition to corresponding cubes.",
  ],
  [
    'two data sources',
    { measures: ['visits.count'], dimensions: ['far.id'] },
    'data_sources',
    "To join across data sources use rollupJoin with Cube Store. This query needs 'default' and 'other'; query one at a time.",
  ],
])('%s', (_, query, code, message) => {
  expect(() => compileFor(model, query)).toThrow(expect.objectContaining({ code, message, kind: 'user' }))
})

test('two ways to one cube are not chosen between', () => {
  const diamond = modelOf(`
cubes:
  - name: a
    sql_table: a
    joins:
      - { name: b, sql: "{CUBE}.b = {b}.id", relationship: many_to_one }
      - { name: c, sql: "{CUBE}.c = {c}.id", relationship: many_to_one }
    dimensions: [{ name: via_b, sql: "{b.d.x}", type: string }, { name: via_c, sql: "{c.d.x}", type: string }]
  - { name: b, sql_table: b, joins: [{ name: d, sql: "{CUBE}.d = {d}.id", relationship: many_to_one }] }
  - { name: c, sql_table: c, joins: [{ name: d, sql: "{CUBE}.d = {d}.id", relationship: many_to_one }] }
  - { name: d, sql_table: d, dimensions: [{ name: x, sql: x, type: string }] }
`)
  expect(compileFor(diamond, { dimensions: ['a.via_c'] }).sql).toContain('LEFT JOIN d AS "d" ON "c".d = "d".id')
  expect(() => compileFor(diamond, { dimensions: ['a.via_b', 'a.via_c'] })).toThrow(
    "Can not construct joins for the query, potential loop detected: 'd' would be joined from 'b' and 'c'. Query a view whose join_path fixes the way.",
  )
})

test('says which cubes are read and when an answer is old', () => {
  const { cubes, dataSource, refreshKeys } = compileFor(model, { measures: ['events.count'], dimensions: ['shops.id'] })
  expect({ cubes, dataSource, refreshKeys }).toEqual({
    cubes: ['shops', 'events'],
    dataSource: 'default',
    refreshKeys: [
      {
        cube: 'shops',
        kind: 'sql',
        seconds: 300,
        statement: { sql: 'SELECT max(changed) FROM shops', parameters: [] },
      },
      { cube: 'events', kind: 'immutable' },
    ],
  })
})

test('names that would be the same in SQL stay apart', () => {
  const { columns, sql } = compileFor(
    modelOf(`
cubes:
  - name: Orders
    sql_table: one
    joins: [{ name: orders, sql: "{CUBE}.id = {orders}.id", relationship: many_to_one }]
    dimensions: [{ name: a__b, sql: x, type: string }]
  - { name: orders, sql_table: two, dimensions: [{ name: a__b, sql: y, type: string }, { name: ${'long'.repeat(20)}, sql: z, type: string }] }
`),
    { dimensions: ['Orders.a__b', 'orders.a__b', `orders.${'long'.repeat(20)}`] },
  )
  expect(columns.map(({ alias }) => alias)).toEqual([
    'orders__a__b',
    'orders__a__b_2',
    expect.stringMatching(/^orders__(long)+.*_[0-9a-f]{8}$/),
  ])
  expect(columns.every(({ alias }) => alias.length <= 63)).toBe(true)
  expect(sql).toContain('FROM one AS "orders"\nLEFT JOIN two AS "orders_2"')
})

test('single rows without their keys, where those are asked for', () => {
  const strict = { ...everyone, allowUngroupedWithoutPrimaryKey: false }
  const query = { measures: ['events.count'], dimensions: ['shops.id'], ungrouped: true }
  expect(() => compileFor(model, query, 'duckdb', strict)).toThrow(
    "Ungrouped query requires primary keys to be present in dimensions: 'events.id'. Pass allowUngroupedWithoutPrimaryKey option to disable this check.",
  )
  const whole = { ...query, dimensions: ['shops.id', 'events.id'] }
  expect(compileFor(model, whole, 'duckdb', strict).sql).not.toContain('GROUP BY')
  expect(compileFor(model, query).sql).not.toContain('GROUP BY')
})

test('a sub-query over a measure of several stages', () => {
  const windows = modelOf(`
cubes:
  - name: shops
    sql_table: shops
    joins: [{ name: sales, sql: "{CUBE}.id = {sales}.shop_id", relationship: one_to_many }]
    dimensions: [${key}, { name: lately, sql: "{sales.lately}", type: number, sub_query: true }]
  - name: sales
    sql_table: sales
    dimensions: [${key}]
    measures: [{ name: lately, sql: amount, type: sum, rolling_window: { trailing: 7 day } }]
`)
  expect(() => compileFor(windows, { dimensions: ['shops.lately'] })).toThrow(
    "'shops.lately' is a sub-query over 'sales.lately', which is computed in several stages. Refer to a measure that is aggregated from rows.",
  )
})

test('a join that stands on what can only be joined after it', () => {
  const entangled = modelOf(`
cubes:
  - name: a
    sql_table: a
    joins: [{ name: b, sql: "{CUBE}.c = {c.id} AND {b}.id = 1", relationship: many_to_one }]
    dimensions: [{ name: x, sql: x, type: string }]
  - { name: b, sql_table: b, joins: [{ name: c, sql: "{CUBE}.c = {c.id}", relationship: many_to_one }], dimensions: [{ name: x, sql: x, type: string }] }
  - { name: c, sql_table: c, dimensions: [{ name: id, sql: id, type: string }] }
`)
  expect(() => compileFor(entangled, { dimensions: ['a.x', 'b.x'] })).toThrow(
    "Can not construct joins for the query, potential loop detected: the join of 'a' to 'b' refers to 'c', which can't be joined before 'b'. Join 'c' to 'a'.",
  )
})

describe('several facts of one view', () => {
  const key = '{ name: id, sql: id, type: number, primary_key: true }'
  const facts = modelOf(`
cubes:
  - name: orders
    sql_table: orders
    joins:
      - { name: customers, sql: "{CUBE}.customer = {customers.id}", relationship: many_to_one }
      - { name: shops, sql: "{CUBE}.shop = {shops.id}", relationship: many_to_one }
    dimensions: [${key}, { name: status, sql: status, type: string }]
    measures: [{ name: orders, type: count }]
  - name: visits
    sql_table: visits
    joins: [{ name: customers, sql: "{CUBE}.customer = {customers.id}", relationship: many_to_one }]
    dimensions: [${key}, { name: page, sql: page, type: string }]
    measures: [{ name: visits, type: count }]
  - { name: customers, sql_table: customers, dimensions: [${key}, { name: city, sql: city, type: string }] }
  - { name: shops, sql_table: shops, dimensions: [${key}, { name: street, sql: street, type: string }] }
views:
  - name: all
    cubes:
      - { join_path: orders, includes: [orders, status] }
      - { join_path: visits, includes: [visits, page] }
      - { join_path: customers, includes: [city] }
      - { join_path: shops, includes: [street] }
`)
  const measures = ['all.orders', 'all.visits']
  const filter = (member: string) => ({ member: `all.${member}`, operator: 'set' })
  const both = "measures of 'orders' and 'visits'"

  test.each([
    [
      'one fact’s own dimension',
      { measures, dimensions: ['all.status'] },
      `'all.status' can't be grouped by together with ${both}, because it is not shared by 'visits'. Group by dimensions that the view includes with a 'join_path' of one cube that every fact joins, or query one fact at a time.`,
    ],
    [
      'a dimension that only some facts share',
      { measures, dimensions: ['all.street'] },
      `'all.street' can't be grouped by together with ${both}, because it is not shared by 'visits'. Group by dimensions that the view includes with a 'join_path' of one cube that every fact joins, or query one fact at a time.`,
    ],
    [
      'a filter that only some facts share',
      { measures, filters: [filter('street')] },
      `The filter on 'all.street' can't be applied to ${both} together. Filter dimensions that all of them share, or each fact's own in a filter of its own.`,
    ],
    [
      'a filter on either of two facts',
      { measures, filters: [{ or: [filter('status'), filter('page')] }] },
      `The filter on 'all.status', 'all.page' can't be applied to ${both} together. Filter dimensions that all of them share, or each fact's own in a filter of its own.`,
    ],
    [
      'single rows',
      { measures, ungrouped: true },
      `Ungrouped query can't have ${both} together, because each row is of one of them. Query one at a time.`,
    ],
  ])('%s', (_, query, message) => {
    expect(() => compileFor(facts, query)).toThrow(expect.objectContaining({ message, kind: 'user' }))
  })

  test('one fact alone is a query like any other', () => {
    const { sql } = compileFor(facts, {
      measures: ['all.orders'],
      dimensions: ['all.city', 'all.status', 'all.street'],
    })
    expect(sql).toMatch(/^SELECT/)
    expect(sql).toContain('FROM orders AS "orders"\n')
  })
})
