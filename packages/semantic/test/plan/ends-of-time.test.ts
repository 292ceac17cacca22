import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formatLocal } from '../../src/time/local-time.ts'
import { type Database, openDatabase } from '../support/database.ts'
import { compileFor, modelOf } from '../support/model.ts'

let database: Database
beforeAll(async () => {
  database = await openDatabase(
    'create table orders(id integer, created_at timestamp)',
    `insert into orders values (1, '2024-01-05 12:00:00'), (2, '2024-02-05 12:00:00'), (3, '9999-06-30 12:00:00')`,
  )
})
afterAll(() => database.close())

const model = modelOf(`cubes:
  - name: orders
    sql_table: orders
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: created_at, sql: created_at, type: time, granularities: [{ name: lifetime, interval: 30000 days, origin: "2024-01-01" }] }
    measures:
      - { name: count, type: count }
      - { name: around, type: count, rolling_window: { trailing: unbounded, leading: 30 days } }
      - { name: year_later, sql: "{count}", type: number, multi_stage: true, time_shift: [{ interval: 1 year, type: next }] }
      - { name: ages_ago, sql: "{count}", type: number, multi_stage: true, time_shift: [{ interval: 9000 years, type: prior }] }
      - { name: ages_later, sql: "{count}", type: number, multi_stage: true, time_shift: [{ interval: 9000 years, type: next }] }
`)
const ask = (measure: string, dateRange: readonly string[], timezone: string, granularity?: string) =>
  database.query(
    compileFor(model, {
      measures: [measure],
      timeDimensions: [{ dimension: 'orders.created_at', dateRange, ...(granularity ? { granularity } : {}) }],
      timezone,
    }),
  )

describe.each(['UTC', 'America/New_York', 'Pacific/Auckland'])(
  'a date range to the last day there is, in %s',
  timezone => {
    test.each([
      ['orders.count', '3'],
      ['orders.around', '3'],
      ['orders.year_later', '1'],
      ['orders.ages_ago', '0'],
      ['orders.ages_later', '0'],
    ])('of %s', async (measure, count) => {
      expect(await ask(measure, ['2024-01-01', '9999-12-31'], timezone)).toEqual([[count]])
    })
  },
)

test('times before and after those with years of four digits are written as the first and the last of these', () => {
  const last = Date.parse('9999-12-31T23:59:59.999Z')
  expect(formatLocal(last)).toBe('9999-12-31T23:59:59.999')
  expect(formatLocal(last + 1)).toBe('9999-12-31T23:59:59.999')
  expect(formatLocal(Date.parse('0001-01-01') - 1)).toBe('0001-01-01T00:00:00.000')
  expect(formatLocal(1e18)).toBe('9999-12-31T23:59:59.999')
})

test('a granularity may be longer than 32 bits hold seconds', async () => {
  expect(await ask('orders.count', ['2024-01-01', '2024-12-31'], 'UTC', 'lifetime')).toEqual([
    ['2024-01-01T00:00:00.000', '2'],
  ])
})
