import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compileQuery, matchRollup, normalizeQuery, type QueryContext } from '../../src/index.ts'
import { withAdHocMembers } from '../../src/query/ad-hoc-members.ts'
import { type Database, openDatabase } from '../support/database.ts'
import { compileFor, everyone, modelOf, options } from '../support/model.ts'

let database: Database
beforeAll(async () => {
  database = await openDatabase(
    'create table orders(id integer, customer_id integer, status varchar, amount integer)',
    'create table customers(id integer, region varchar)',
    'create table items(id integer, order_id integer, product varchar)',
    "insert into customers values (1, 'EU'), (2, 'US')",
    "insert into items values (1, 1, 'pen'), (2, 1, 'ink'), (3, 2, 'pen'), (4, 3, 'pen')",
    "insert into orders values (1, 1, 'done', 10), (2, 1, 'done', 20), (3, 2, 'open', 30), (4, 2, 'open', 40)",
  )
})
afterAll(() => database.close())

const model = modelOf(`cubes:
  - name: orders
    sql_table: orders
    joins:
      - { name: customers, sql: "{CUBE}.customer_id = {customers.id}", relationship: many_to_one }
      - { name: items, sql: "{CUBE}.id = {items}.order_id", relationship: one_to_many }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: status, sql: status, type: string, mask: hidden }
      - { name: product, sql: "{items.product}", type: string }
      - { name: region, sql: "{customers.region}", type: string }
      - { name: amount, sql: amount, type: number }
    measures: [{ name: count, type: count }]
    pre_aggregations: [{ name: by_product, measures: [count], dimensions: [product, region] }]
    access_policy:
      - groups: [product]
        row_level: { filters: [{ member: product, operator: equals, values: [pen] }] }
      - groups: [region]
        row_level: { filters: [{ member: region, operator: equals, values: [EU] }] }
      - group: masked
        member_level: { excludes: [status, amount] }
        member_masking: { includes: [status, amount] }
  - name: items
    sql_table: items
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: product, sql: product, type: string }
  - name: customers
    sql_table: customers
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: region, sql: region, type: string }
`)
const of = (...groups: string[]): QueryContext => ({ ...everyone, groups })
const textOf = (answer: readonly (readonly unknown[])[]) => answer.map(row => JSON.stringify(row)).toSorted()

describe('a rule about what a row has several of', () => {
  const query = { measures: ['orders.count'], dimensions: ['orders.product', 'orders.region'] }
  const normalize = (context: QueryContext) => normalizeQuery(model, query, { ...options, context })

  test('lets the row pass with all of them', async () => {
    const context = of('product')
    const rows = await database.query(compileQuery(model, normalize(context), context, 'duckdb'))
    expect(textOf(rows)).toEqual(
      textOf([
        ['ink', 'EU', '1'],
        ['pen', 'EU', '2'],
        ['pen', 'US', '1'],
      ]),
    )
  })

  test('is kept by no rollup, of which each group has one', () => {
    expect(matchRollup(model, normalize(of('product')), of('product')).rollup).toBeNull()
    expect(matchRollup(model, normalize(of('region')), of('region')).rollup?.name).toBe('by_product')
  })
})

describe('a rule about what joins the cube, and is not joined by it', () => {
  // A customer has orders; an order knows nothing of customers, and has a column that is called like one of theirs.
  const backwards = (rule: string) =>
    modelOf(`cubes:
  - name: orders
    sql: SELECT * FROM (VALUES (1, 1, 'EU'), (2, 2, 'EU'), (3, 3, 'EU'), (4, NULL, 'US')) AS rows(id, buyer, region)
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: market, sql: "{customers.region}", type: string }
    measures: [{ name: count, type: count }]
    pre_aggregations: [{ name: by_market, measures: [count], dimensions: [market] }]
    access_policy: [{ group: "*", row_level: { filters: ${rule} } }]
  - name: customers
    sql: SELECT * FROM (VALUES (1, 'EU'), (2, 'US'), (3, NULL)) AS rows(id, region)
    joins: [{ name: orders, sql: "{CUBE}.id = {orders}.buyer", relationship: one_to_many }]
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: region, sql: region, type: string }
`)
  const query = { dimensions: ['orders.id'], order: { 'orders.id': 'asc' } }
  const isEu = '{ member: market, operator: equals, values: [EU] }'
  test.each([
    [isEu, ['1']],
    ['{ member: market, operator: notEquals, values: [EU] }', ['2', '3', '4']],
    [`{ or: [${isEu}, { member: id, operator: equals, values: [4] }] }`, ['1', '4']],
  ])('lets those rows pass of which it is true: %s', async (rule, expected) => {
    const rows = await database.query(compileFor(backwards(`[${rule}]`), query))
    expect(rows.flat()).toEqual(expected)
  })

  test('is kept by no rollup, which has rows of customers alone', () => {
    const model = backwards(`[${isEu}]`)
    const normalized = normalizeQuery(model, { measures: ['orders.count'] }, options)
    expect(matchRollup(model, normalized, everyone).rollup).toBeNull()
  })
})

describe('a measure that a query calculates itself of masked members', () => {
  const context = of('masked', 'region')
  const own = withAdHocMembers(model, context, [
    { id: 'orders.sum', kind: 'measure', type: 'sum', sql: [{ member: 'orders.amount' }], filters: [] },
    {
      id: 'orders.done',
      kind: 'measure',
      type: 'sum',
      sql: [{ member: 'orders.amount' }],
      filters: [[{ member: 'orders.status' }, " <> 'hidden'"]],
    },
  ])
  test.each([
    [[], [['30', '30']]],
    [
      ['items.product'],
      [
        ['ink', '10', '10'],
        ['pen', '30', '30'],
      ],
    ],
  ])('sees them on the rows on which he does, also where joins repeat rows: %j', async (dimensions, expected) => {
    const query = normalizeQuery(own, { measures: ['orders.sum', 'orders.done'], dimensions }, { ...options, context })
    const mentioned = ['orders.amount', 'orders.status'].map(dimension => ({ dimension }))
    const compiled = compileQuery(own, { ...query, timeDimensions: mentioned }, context, 'duckdb')
    const rows = await database.query(compiled)
    expect(textOf(rows.filter(row => row[0] !== null))).toEqual(textOf(expected))
  })
})
