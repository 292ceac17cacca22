import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { QueryError } from '../../src/index.ts'
import { type Database, openDatabase } from '../support/database.ts'
import { compileFor, everyone, modelOf } from '../support/model.ts'
import { runsOf } from '../support/property-runs.ts'

const numRuns = runsOf('default filters that are not told')
vi.setConfig({ testTimeout: 60_000 + numRuns * 500 })

let database: Database
beforeAll(async () => {
  database = await openDatabase(
    'create table customers (id integer, city varchar)',
    'create table orders (id integer, customer_id integer, status varchar, placed timestamp, amount integer)',
    'create table visits (id integer, customer_id integer, pages integer)',
  )
})
afterAll(() => database.close())

/** What default filters are about, by how the view calls it. No query names it. */
const untold = ['status', 'placed', 'city', 'spent'] as const
const filters = {
  status: { member: 'status', operator: 'equals', values: ['done'] },
  placed: { member: 'placed', operator: 'inDateRange', values: ['2024-01-01', '2024-01-31'] },
  city: { member: 'city', operator: 'notEquals', values: ['Oslo'] },
  spent: { member: 'spent', operator: 'gt', values: ['5'] },
} as const

/** JSON is YAML. */
const modelText = (filtered: readonly (typeof untold)[number][]) => {
  const id = { name: 'id', sql: 'id', type: 'number', primary_key: true }
  const toCustomers = { name: 'customers', sql: '{CUBE}.customer_id = {customers}.id', relationship: 'many_to_one' }
  const spent = { sql: '{orders.revenue}', type: 'number', sub_query: true }
  return JSON.stringify({
    cubes: [
      {
        name: 'customers',
        sql_table: 'customers',
        joins: [{ name: 'orders', sql: '{CUBE}.id = {orders}.customer_id', relationship: 'one_to_many' }],
        dimensions: [
          id,
          { name: 'city', sql: 'city', type: 'string' },
          { name: 'spent', ...spent },
          { name: 'spent_then', ...spent, propagate_filters_to_sub_query: true },
        ],
        measures: [
          { name: 'customers', type: 'count' },
          { name: 'most_spent', sql: '{spent_then}', type: 'max' },
        ],
      },
      {
        name: 'orders',
        sql_table: 'orders',
        joins: [toCustomers],
        dimensions: [
          id,
          { name: 'status', sql: '{CUBE}.status', type: 'string' },
          { name: 'placed', sql: '{CUBE}.placed', type: 'time' },
          { name: 'big', sql: '{CUBE}.amount > 3', type: 'boolean' },
        ],
        measures: [
          { name: 'revenue', sql: 'amount', type: 'sum' },
          { name: 'orders', type: 'count' },
          {
            name: 'any_status',
            multi_stage: true,
            sql: '{revenue}',
            type: 'number',
            filter: { exclude: ['status'] },
          },
          { name: 'by_status', multi_stage: true, sql: '{revenue}', type: 'max', add_group_by: ['status'] },
        ],
      },
      {
        name: 'visits',
        sql_table: 'visits',
        joins: [toCustomers],
        dimensions: [id],
        measures: [{ name: 'pages', sql: 'pages', type: 'sum' }],
      },
    ],
    views: [
      {
        name: 'shop',
        cubes: [
          {
            join_path: 'orders',
            includes: ['status', 'placed', 'big', 'revenue', 'orders', 'any_status', 'by_status'],
          },
          { join_path: 'visits', includes: ['pages'] },
          { join_path: 'customers', includes: ['id', 'city', 'spent', 'spent_then', 'customers', 'most_spent'] },
        ],
        ...(filtered.length > 0 ? { default_filters: filtered.map(name => filters[name]) } : {}),
        access_policy: [
          { group: 'told' },
          { group: 'masked', member_level: { excludes: untold }, member_masking: { includes: untold } },
          { group: 'untold', member_level: { excludes: untold } },
        ],
      },
    ],
  })
}

const customer = fc.constantFrom(1, 2, 3, null)
const amount = fc.constantFrom(1, 3, 5, 8, null)
const tables = fc.record({
  customers: fc.array(fc.record({ city: fc.constantFrom('Oslo', 'Rome', null) }), { maxLength: 3 }),
  orders: fc.array(
    fc.record({
      customer,
      status: fc.constantFrom('done', 'open', null),
      placed: fc.constantFrom('2024-01-05', '2024-02-10', null),
      amount,
    }),
    { maxLength: 6 },
  ),
  visits: fc.array(fc.record({ customer, amount }), { maxLength: 4 }),
})
const question = fc
  .record({
    measures: fc.shuffledSubarray(
      ['revenue', 'orders', 'any_status', 'by_status', 'pages', 'customers', 'most_spent'],
      { maxLength: 3 },
    ),
    dimensions: fc.shuffledSubarray(['id', 'big', 'spent_then'], { maxLength: 2 }),
    filtered: fc.option(fc.constantFrom('big', 'spent_then')),
    ungrouped: fc.constantFrom(false, false, false, true),
  })
  .filter(({ measures, dimensions }) => measures.length + dimensions.length > 0)
  .map(({ measures, dimensions, filtered, ungrouped }) => ({
    measures: measures.map(name => `shop.${name}`),
    dimensions: dimensions.map(name => `shop.${name}`),
    filters: filtered === null ? [] : [{ member: `shop.${filtered}`, operator: 'set' }],
    ...(ungrouped ? { ungrouped } : {}),
    total: true,
  }))

const literal = (value: string | number | null) => (typeof value === 'string' ? `'${value}'` : String(value))
async function fill(table: string, rows: readonly (readonly (string | number | null)[])[]): Promise<void> {
  await database.run(`delete from ${table}`)
  const values = rows.map((row, position) => `(${[position + 1, ...row].map(literal).join(', ')})`)
  if (values.length > 0) await database.run(`insert into ${table} values ${values.join(', ')}`)
}

test('a default filter holds for whoever is told of it and for whoever is not, wherever its query looks at rows', async () => {
  const seen = { answered: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(tables, fc.subarray([...untold]), question, async (rows, filtered, asked) => {
      const model = modelOf(modelText(filtered))
      const compile = (group: string) =>
        compileFor(model, asked, 'duckdb', { ...everyone, groups: [group], now: new Date('2024-03-01T00:00:00Z') })
      let told: ReturnType<typeof compile>
      try {
        told = compile('told')
      } catch (error) {
        if (!(error instanceof QueryError)) throw error
        for (const group of ['masked', 'untold']) expect(() => compile(group)).toThrow(QueryError)
        seen.refused += 1
        return
      }
      await fill(
        'customers',
        rows.customers.map(({ city }) => [city]),
      )
      await fill(
        'orders',
        rows.orders.map(order => [order.customer, order.status, order.placed, order.amount]),
      )
      await fill(
        'visits',
        rows.visits.map(visit => [visit.customer, visit.amount]),
      )
      const answer = async (compiled: ReturnType<typeof compile>) => [
        (await database.query(compiled)).map(row => JSON.stringify(row)).toSorted(),
        compiled.total && (await database.query(compiled.total)),
      ]
      const expected = await answer(told)
      for (const group of ['masked', 'untold']) expect(await answer(compile(group))).toEqual(expected)
      seen.answered += 1
    }),
    { numRuns },
  )
  expect(seen.answered).toBeGreaterThan(numRuns / 3)
})
