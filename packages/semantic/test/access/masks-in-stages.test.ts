import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../support/database.ts'
import { compileFor, everyone, modelOf } from '../support/model.ts'

let database: Database
beforeAll(async () => {
  database = await openDatabase(
    'create table orders(id integer, customer_id integer, status varchar, amount integer, created_at timestamp)',
    'create table customers(id integer, region integer)',
    'insert into customers values (1, 3), (2, 4)',
    `insert into orders values (1, 1, 'done', 10, '2024-01-05'), (2, 1, 'done', 20, '2024-02-05'),
      (3, 2, 'open', 30, '2024-02-07'), (4, 2, 'open', 40, '2024-02-09')`,
  )
})
afterAll(() => database.close())

const model = modelOf(`cubes:
  - name: orders
    sql_table: orders
    joins:
      - { name: customers, sql: "{CUBE}.customer_id = {customers.id}", relationship: many_to_one }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: status, sql: status, type: string }
      - { name: created_at, sql: created_at, type: time }
    measures:
      - { name: count, type: count }
      - { name: revenue, sql: amount, type: sum, mask: { sql: "-count(*)" } }
      - { name: week, sql: amount, type: sum, rolling_window: { trailing: 7 days }, mask: { sql: "max({customers.region})" } }
      - { name: total, multi_stage: true, sql: "{revenue}", type: sum, grain: { keep_only: [] }, mask: { sql: "{count} * 100" } }
      - { name: share, multi_stage: true, sql: "1.0 * {revenue} / {total}", type: number }
    access_policy:
      - group: "*"
        member_level: { excludes: [revenue, week, total] }
        member_masking: { includes: [revenue, week, total] }
      - group: done
        row_level: { filters: [{ member: status, operator: equals, values: [done] }] }
  - name: customers
    sql_table: customers
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: region, sql: region, type: number }
`)
const ask = (query: object, groups: readonly string[] = []) =>
  database.query(compileFor(model, query, 'duckdb', { ...everyone, groups }))

describe('SQL of a mask aggregates the rows of each group', () => {
  const byStatus = { dimensions: ['orders.status'], order: { 'orders.status': 'asc' } }
  test.each([[[]], [['done']]])('also beside measures of several stages, for callers of %j', async groups => {
    const alone = await ask({ measures: ['orders.revenue'], dimensions: ['orders.id'], order: { 'orders.id': 'asc' } })
    expect(alone).toEqual(['1', '2', '3', '4'].map(id => [id, '-1']))
    expect(await ask({ ...byStatus, measures: ['orders.revenue', 'orders.share'] }, groups)).toEqual([
      ['done', '-2', '0.3'],
      ['open', '-2', '0.7'],
    ])
  })

  test('in place of the windows and stages of the measure itself', async () => {
    expect(await ask({ ...byStatus, measures: ['orders.week', 'orders.total'] })).toEqual([
      ['done', '3', '200'],
      ['open', '4', '200'],
    ])
    const range = ['2024-01-01', '2024-02-29']
    const timeDimensions = [{ dimension: 'orders.created_at', granularity: 'month', dateRange: range }]
    expect(await ask({ measures: ['orders.week', 'orders.count'], timeDimensions })).toEqual([
      ['2024-01-01T00:00:00.000', '3', '1'],
      ['2024-02-01T00:00:00.000', '4', '3'],
    ])
  })

  test('for all groups that the measure itself has, periods without rows too', async () => {
    const range = ['2024-01-01', '2024-04-30']
    const timeDimensions = [{ dimension: 'orders.created_at', granularity: 'month', dateRange: range }]
    expect(await ask({ measures: ['orders.week'], timeDimensions })).toEqual([
      ['2024-01-01T00:00:00.000', '3'],
      ['2024-02-01T00:00:00.000', '4'],
      ['2024-03-01T00:00:00.000', null],
      ['2024-04-01T00:00:00.000', null],
    ])
  })

  test('and is what filters on measures see', async () => {
    const filters = [{ member: 'orders.week', operator: 'gt', values: ['3'] }]
    expect(await ask({ ...byStatus, measures: ['orders.count', 'orders.share'], filters })).toEqual([
      ['open', '2', '0.7'],
    ])
  })
})
