import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeModel, type QueryContext } from '../../src/index.ts'
import { type Database, openDatabase } from '../support/database.ts'
import { goldenData } from '../support/golden.ts'
import { compileFor, everyone, modelOf } from '../support/model.ts'

let database: Database
beforeAll(async () => {
  database = await openDatabase(goldenData)
})
afterAll(() => database.close())

const model = modelOf(`cubes:
  - name: customers
    sql_table: customers
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: city, sql: city, type: string, mask: hidden }
      - { name: shout, sql: "upper({city})", type: string }
      - { name: tier, multi_stage: true, type: string, sql: "CASE WHEN {orders.revenue} > 20 THEN 'big' ELSE 'small' END", add_group_by: [id], mask: secret }
    hierarchies:
      - { name: place, levels: [tier, city] }
    measures:
      - { name: count, type: count }
  - name: orders
    sql_table: orders
    joins:
      - { name: customers, sql: "{CUBE}.customer_id = {customers}.id", relationship: many_to_one }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: created_at, sql: created_at, type: time }
    measures:
      - { name: count, type: count }
      - { name: revenue, sql: amount, type: sum, mask: -1 }
      - { name: so_far, sql: amount, type: sum, rolling_window: { trailing: unbounded } }
views:
  - name: sales
    cubes:
      - { join_path: orders, includes: "*" }
      - { join_path: orders.customers, includes: [tier, city] }
    default_filters:
      - { member: tier, operator: equals, values: [big], unless: [city] }
`)
const guarded = modelOf(
  `cubes:
  - name: customers
    sql_table: customers
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: city, sql: city, type: string, mask: hidden }
      - { name: shout, sql: "upper({city})", type: string }
      - { name: tier, multi_stage: true, type: string, sql: "CASE WHEN {orders.revenue} > 20 THEN 'big' ELSE 'small' END", add_group_by: [id], mask: secret }
    measures: [{ name: count, type: count }]
    access_policy:
      - { group: tellers, member_level: { includes: [id, shout, count, tier] }, member_masking: { includes: [city] } }
      - { group: clerks, member_level: { includes: [id, shout, count] }, member_masking: { includes: [city, tier] } }
  - name: orders
    sql_table: orders
    joins:
      - { name: customers, sql: "{CUBE}.customer_id = {customers}.id", relationship: many_to_one }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
    measures:
      - { name: count, type: count }
      - { name: revenue, sql: amount, type: sum, mask: -1 }
    access_policy:
      - { group: "*", member_level: { includes: [count] }, member_masking: { includes: [revenue] } }
`,
)

const rows = async (query: object, of = model, context: QueryContext = everyone) =>
  (await database.query(compileFor(of, query, 'duckdb', context))).map(row => JSON.stringify(row))
const as = (...groups: string[]): QueryContext => ({ ...everyone, groups })

test('views show them, and their default filters hold', async () => {
  const query = { measures: ['sales.count'], dimensions: ['sales.tier'] }
  expect(await rows(query)).toEqual(['["big","6"]'])
  expect(await rows({ ...query, filters: [{ member: 'sales.city', operator: 'set' }] })).toEqual([
    '["big","4"]',
    '["small","2"]',
  ])
})

test('clients are told of them as of other dimensions', () => {
  const [cube] = describeModel(model, everyone, {}).filter(({ name }) => name === 'customers')
  expect(cube?.dimensions.find(({ name }) => name === 'customers.tier')).toMatchObject({
    type: 'string',
    isVisible: true,
    suggestFilterValues: true,
  })
})

test('a member that refers to masked ones shows its own definition, alone and beside them', async () => {
  const order = { order: { 'customers.shout': 'asc' } }
  expect(await rows({ dimensions: ['customers.shout'], ...order }, guarded, as('tellers'))).toEqual([
    '["BERLIN"]',
    '["OSLO"]',
    '["PARIS"]',
    '[null]',
  ])
  expect(await rows({ dimensions: ['customers.shout', 'customers.city'], ...order }, guarded, as('tellers'))).toEqual([
    '["BERLIN","hidden"]',
    '["OSLO","hidden"]',
    '["PARIS","hidden"]',
    '[null,"hidden"]',
  ])
  const tiers = { measures: ['orders.count', 'orders.revenue'], dimensions: ['customers.tier'] }
  expect(await rows(tiers, guarded, as('tellers'))).toEqual(['["big","6","-1"]', '["small","4","-1"]'])
})

test('a masked one shows its mask and takes no part in filters', async () => {
  const query = { measures: ['orders.count'], dimensions: ['customers.tier'] }
  expect(await rows(query, guarded, as('clerks'))).toEqual(['["secret","10"]'])
  const filters = [{ member: 'customers.tier', operator: 'equals', values: ['big'] }]
  expect(await rows({ ...query, filters }, guarded, as('clerks'))).toEqual([])
})

test('a caller of no policy gets no groups', async () => {
  const query = { measures: ['orders.count'], dimensions: ['customers.tier'] }
  expect(await rows(query, guarded, as('strangers'))).toEqual([])
})

test.each([
  [
    'rows',
    { dimensions: ['customers.id', 'customers.tier'], ungrouped: true },
    "'customers.tier' is computed from groups, so it has no value for a single row. Leave it out of the ungrouped query.",
  ],
  [
    'windows of periods',
    {
      measures: ['orders.so_far'],
      dimensions: ['customers.tier'],
      timeDimensions: [
        { dimension: 'orders.created_at', granularity: 'month', dateRange: ['2024-01-01', '2024-03-31'] },
      ],
    },
    "'orders.so_far' gathers rows of other periods, and 'customers.tier' is computed for the periods of the query alone. Ask for them in a query without a granularity.",
  ],
])('%s refuse them', (_, query, message) => {
  expect(() => compileFor(model, query)).toThrow(message)
})
