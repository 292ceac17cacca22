import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Database, openDatabase } from './support/database.ts'
import { compileFor, modelOf } from './support/model.ts'
import { runsOf } from './support/property-runs.ts'

vi.setConfig({ testTimeout: 120_000 })

const runs = runsOf('facts and sub-queries')
const model = modelOf(`
cubes:
  - name: customers
    sql_table: customers
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: city, sql: city, type: string }
      - { name: spent, sql: "{orders.revenue}", type: number, sub_query: true }
      - { name: orders_made, sql: "coalesce({orders.count}, 0)", type: number, sub_query: true }
      - { name: biggest_basket, sql: "{orders.biggest_basket}", type: number, sub_query: true }
    measures:
      - { name: customers, type: count }
      - { name: average_spent, sql: "{spent}", type: avg }
  - name: orders
    sql_table: orders
    joins:
      - { name: customers, sql: "{CUBE}.customer_id = {customers.id}", relationship: many_to_one }
      - { name: items, sql: "{CUBE}.id = {items}.order_id", relationship: one_to_many }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: status, sql: status, type: string }
      - { name: basket, sql: "{items.pieces}", type: number, sub_query: true }
    measures:
      - { name: count, type: count }
      - { name: revenue, sql: amount, type: sum }
      - { name: biggest_basket, sql: "{basket}", type: max }
      - { name: baskets, type: count, filters: [{ sql: "{basket} > 2" }] }
  - name: items
    sql_table: items
    dimensions:
      - { name: order_id, sql: order_id, type: number, primary_key: true }
      - { name: line, sql: line, type: number, primary_key: true }
    measures:
      - { name: pieces, sql: pieces, type: sum }
  - name: visits
    sql_table: visits
    joins:
      - { name: customers, sql: "{CUBE}.customer_id = {customers.id}", relationship: many_to_one }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
    measures:
      - { name: pages, sql: pages, type: sum }
views:
  - name: activity
    cubes:
      - { join_path: orders, includes: [count, revenue, baskets, status] }
      - { join_path: orders.items, includes: [pieces] }
      - { join_path: visits, includes: [pages] }
      - { join_path: customers, includes: [city, spent, orders_made, biggest_basket, customers, average_spent] }
`)

interface Customer {
  readonly id: number
  readonly city: string | null
}
interface Order {
  readonly id: number
  readonly customer: number | null
  readonly status: string | null
  readonly amount: number | null
}
interface Item {
  readonly order: number
  readonly line: number
  readonly pieces: number | null
}
interface Visit {
  readonly id: number
  readonly customer: number | null
  readonly pages: number | null
}

const amount = fc.option(fc.integer({ min: -3, max: 9 }))
const customer = fc.option(fc.integer({ min: 1, max: 5 }))
const numbered = <T>(rows: fc.Arbitrary<T[]>) =>
  rows.map(list => list.map((row, index): T & { readonly id: number } => ({ ...row, id: index + 1 })))
const data = fc.record({
  customers: numbered(fc.array(fc.record({ city: fc.constantFrom('Oslo', 'Rome', null) }), { maxLength: 4 })),
  orders: numbered(
    fc.array(fc.record({ customer, status: fc.constantFrom('done', 'open', null), amount }), { maxLength: 6 }),
  ),
  items: fc
    .array(fc.record({ order: fc.integer({ min: 1, max: 7 }), pieces: amount }), { maxLength: 8 })
    .map(list => list.map((item, line) => ({ ...item, line }))),
  visits: numbered(fc.array(fc.record({ customer, pages: amount }), { maxLength: 5 })),
})
type Data = typeof data extends fc.Arbitrary<infer T> ? T : never

const measures = ['count', 'revenue', 'baskets', 'pieces', 'pages', 'customers', 'average_spent'] as const
const question = fc.record({
  measures: fc.uniqueArray(fc.constantFrom(...measures), { minLength: 1 }),
  dimensions: fc.uniqueArray(fc.constantFrom('city', 'orders_made', 'biggest_basket'), { maxLength: 2 }),
  status: fc.boolean(),
  city: fc.boolean(),
  spent: fc.boolean(),
})

let database: Database
beforeAll(async () => {
  database = await openDatabase(
    'create table customers (id integer, city varchar)',
    'create table orders (id integer, customer_id integer, status varchar, amount integer)',
    'create table items (order_id integer, line integer, pieces integer)',
    'create table visits (id integer, customer_id integer, pages integer)',
  )
})
afterAll(() => database.close())

const literal = (value: string | number | null) =>
  value === null ? 'NULL' : typeof value === 'number' ? String(value) : `'${value}'`

async function fill(table: string, rows: readonly (readonly (string | number | null)[])[]): Promise<void> {
  await database.run(`delete from ${table}`)
  if (rows.length === 0) return
  await database.run(`insert into ${table} values ${rows.map(row => `(${row.map(literal).join()})`).join()}`)
}

const present = (values: readonly (number | null)[]) => values.filter(value => value !== null)
const sum = (values: readonly (number | null)[]) =>
  present(values).length > 0 ? present(values).reduce((total, value) => total + value, 0) : null
const largest = (values: readonly (number | null)[]) =>
  present(values).length > 0 ? Math.max(...present(values)) : null

/** What every row of a customer is told of him, and of nobody where there is none. */
function known({ orders, items }: Data, who: Customer | undefined) {
  const own = who ? orders.filter(order => order.customer === who.id) : []
  return {
    city: who?.city ?? null,
    spent: sum(own.map(order => order.amount)),
    orders_made: who ? own.length : 0,
    biggest_basket: largest(own.map(order => basket(items, order))),
  }
}

const basket = (items: readonly Item[], { id }: Order) =>
  sum(items.filter(item => item.order === id).map(item => item.pieces))

type Asked = typeof question extends fc.Arbitrary<infer T> ? T : never

/** Each fact by itself, row by row; then the groups of all. */
function evaluate(all: Data, asked: Asked): Map<string, (number | null)[]> {
  const { customers, orders, items, visits } = all
  const who = (id: number | null) => customers.find(candidate => candidate.id === id)
  const isKept = (owner: Customer | undefined) => {
    const { city, spent } = known(all, owner)
    return (!asked.city || city === 'Oslo') && (!asked.spent || (spent !== null && spent > 1))
  }
  const keyOf = (owner: Customer | undefined) => {
    const { city, orders_made, biggest_basket } = known(all, owner)
    const values = { city, orders_made, biggest_basket }
    return JSON.stringify(asked.dimensions.map(name => values[name]))
  }
  const facts: {
    of: readonly string[]
    rows: readonly { readonly key: string; readonly row: Order | Visit | Customer }[]
  }[] = [
    {
      of: ['count', 'revenue', 'baskets', 'pieces'],
      rows: orders
        .filter(order => isKept(who(order.customer)) && (!isByStatus(asked) || order.status === 'done'))
        .map(row => ({ key: keyOf(who(row.customer)), row })),
    },
    {
      of: ['pages'],
      rows: visits.filter(visit => isKept(who(visit.customer))).map(row => ({ key: keyOf(who(row.customer)), row })),
    },
    { of: ['customers', 'average_spent'], rows: customers.filter(isKept).map(row => ({ key: keyOf(row), row })) },
  ]
  const value = (name: string, rows: readonly (Order | Visit | Customer)[]): number | null => {
    const ofOrders = rows.filter((row): row is Order => 'amount' in row)
    const spent = present(rows.map(row => known(all, 'city' in row ? row : undefined).spent))
    switch (name) {
      case 'revenue':
        return sum(ofOrders.map(row => row.amount))
      case 'baskets':
        return ofOrders.filter(row => (basket(items, row) ?? 0) > 2).length
      case 'pieces':
        return sum(ofOrders.map(row => basket(items, row)))
      case 'pages':
        return sum(rows.flatMap(row => ('pages' in row ? [row.pages] : [])))
      case 'average_spent':
        return spent.length > 0 ? (sum(spent) ?? 0) / spent.length : null
      default:
        return rows.length
    }
  }
  const used = facts.filter(({ of }) => asked.measures.some(name => of.includes(name)))
  const keys = asked.dimensions.length === 0 ? ['[]'] : used.flatMap(({ rows }) => rows.map(({ key }) => key))
  return new Map(
    keys.map(key => [
      key,
      asked.measures.map(name => {
        const fact = used.find(({ of }) => of.includes(name))
        const rows = fact?.rows.filter(row => row.key === key).map(({ row }) => row) ?? []
        return rows.length === 0 && asked.dimensions.length > 0 ? null : value(name, rows)
      }),
    ]),
  )
}

/** A filter of orders needs orders. */
const isByStatus = ({ status, measures: names }: Asked) =>
  status && names.some(name => ['count', 'revenue', 'baskets', 'pieces'].includes(name))

test('facts and sub-queries are those of a naive evaluator', async () => {
  await fc.assert(
    fc.asyncProperty(data, question, async (all, asked) => {
      await fill(
        'customers',
        all.customers.map(({ id, city }) => [id, city]),
      )
      await fill(
        'orders',
        all.orders.map(row => [row.id, row.customer, row.status, row.amount]),
      )
      await fill(
        'items',
        all.items.map(row => [row.order, row.line, row.pieces]),
      )
      await fill(
        'visits',
        all.visits.map(row => [row.id, row.customer, row.pages]),
      )
      const filters = [
        ...(isByStatus(asked) ? [{ member: 'activity.status', operator: 'equals', values: ['done'] }] : []),
        ...(asked.city ? [{ member: 'activity.city', operator: 'equals', values: ['Oslo'] }] : []),
        ...(asked.spent ? [{ member: 'activity.spent', operator: 'gt', values: [1] }] : []),
      ]
      const compiled = compileFor(model, {
        measures: asked.measures.map(name => `activity.${name}`),
        dimensions: asked.dimensions.map(name => `activity.${name}`),
        filters,
        total: true,
      })
      const count = asked.dimensions.length
      const number = (cell: unknown) =>
        cell === null || cell === undefined ? null : Number(Number(cell).toPrecision(9))
      const rows = await database.query(compiled)
      const found = rows.map(row => [
        JSON.stringify(
          row.slice(0, count).map((cell, index) => (asked.dimensions[index] === 'city' ? cell : number(cell))),
        ),
        row.slice(count).map(number),
      ])
      const expected = [...evaluate(all, asked)].map(([key, values]) => [key, values.map(number)])
      const sorted = (list: readonly unknown[]) => list.map(item => JSON.stringify(item)).toSorted()
      expect(sorted(found)).toEqual(sorted(expected))
      if (compiled.total) expect(await database.query(compiled.total)).toEqual([[String(rows.length)]])
    }),
    { numRuns: runs },
  )
})
