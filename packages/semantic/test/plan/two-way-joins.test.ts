import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Database, openDatabase } from '../support/database.ts'
import { compileFor, modelOf } from '../support/model.ts'
import { runsOf } from '../support/property-runs.ts'

const numRuns = runsOf('stages where joins lead both ways')
vi.setConfig({ testTimeout: 60_000 + numRuns * 500 })

let database: Database
beforeAll(async () => {
  database = await openDatabase(
    'create table customers (id integer, city varchar)',
    'create table orders (id integer, customer_id integer, payer_id integer, status varchar, amount integer)',
  )
})
afterAll(() => database.close())

/** The two joins are not each other's mirror: a customer's orders are those that it placed, an order's customer is who pays it. */
const model = modelOf(`cubes:
  - name: customers
    sql_table: customers
    joins:
      - { name: orders, sql: "{CUBE}.id = {orders}.customer_id", relationship: one_to_many }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: city, sql: city, type: string }
    measures:
      - { name: count, type: count }
      - { name: plain, sql: "1.0 * {orders.total} / NULLIF({count}, 0)", type: number }
      - { name: each, sql: "1.0 * {orders.total} / NULLIF({count}, 0)", type: number, multi_stage: true }
      - { name: nested, sql: "{each} + {orders.total}", type: number, multi_stage: true }
      - { name: summed, sql: "{orders.total}", type: sum, multi_stage: true }
      - { name: of_all, sql: "{orders.total}", type: sum, multi_stage: true, group_by: [] }
      - { name: each_of_all, sql: "{each}", type: number, multi_stage: true, group_by: [] }
      - { name: each_of_city, sql: "1.0 * {orders.total} / NULLIF({count}, 0)", type: number, multi_stage: true, group_by: [city] }
      - { name: each_of_status, sql: "1.0 * {orders.total} / NULLIF({count}, 0)", type: number, multi_stage: true, reduce_by: [city, orders.payer] }
      - { name: most_of_status, sql: "{orders.total}", type: max, multi_stage: true, add_group_by: [orders.status] }
  - name: orders
    sql_table: orders
    joins:
      - { name: customers, sql: "{CUBE}.payer_id = {customers.id}", relationship: many_to_one }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: status, sql: status, type: string }
      - { name: payer, multi_stage: true, type: string, sql: "CASE WHEN {total} > 10 THEN 'big' ELSE 'small' END", add_group_by: [customers.id] }
    measures:
      - { name: count, type: count }
      - { name: total, sql: amount, type: sum }
      - { name: most_of_city, sql: "{total}", type: max, multi_stage: true, add_group_by: [customers.city] }
`)

type Root = 'customers' | 'orders'
interface Customer {
  readonly id: number
  readonly city: string | null
}
interface Order {
  readonly id: number
  readonly customer_id: number | null
  readonly payer_id: number | null
  readonly status: string | null
  readonly amount: number
}
interface Joined {
  readonly customer: Customer | null
  readonly order: Order | null
}

/** The rows of a join, by hand: from every row of `root` to what it leads to, or to nothing. */
function join(root: Root, customers: readonly Customer[], orders: readonly Order[]): Joined[] {
  if (root === 'orders') {
    return orders.map(order => ({ order, customer: customers.find(({ id }) => id === order.payer_id) ?? null }))
  }
  return customers.flatMap((customer): Joined[] => {
    const own = orders.filter(order => order.customer_id === customer.id)
    return own.length > 0 ? own.map(order => ({ customer, order })) : [{ customer, order: null }]
  })
}

type Key = (row: Joined) => unknown

function groups(rows: readonly Joined[], key: Key): Joined[][] {
  const found = new Map<string, Joined[]>()
  for (const row of rows) {
    const name = JSON.stringify(key(row))
    found.set(name, [...(found.get(name) ?? []), row])
  }
  return [...found.values()]
}

const distinct = <T>(values: readonly (T | null)[]): T[] => [...new Set(values.flatMap(value => value ?? []))]
const ordersOf = (rows: readonly Joined[]) => distinct(rows.map(({ order }) => order))
const countCustomers = (rows: readonly Joined[]) => distinct(rows.map(({ customer }) => customer)).length
const total = (rows: readonly Joined[]): number | null => {
  const orders = ordersOf(rows)
  return orders.length === 0 ? null : orders.reduce((sum, { amount }) => sum + amount, 0)
}
const each = (rows: readonly Joined[]): number | null => {
  const sum = total(rows)
  return sum === null || countCustomers(rows) === 0 ? null : sum / countCustomers(rows)
}
const most = (rows: readonly Joined[], key: Key): number | null => {
  const totals = groups(rows, key).flatMap(group => total(group) ?? [])
  return totals.length === 0 ? null : Math.max(...totals)
}

const city: Key = ({ customer }) => customer?.city ?? null
const status: Key = ({ order }) => order?.status ?? null

/** A measure of a group, by hand; `kept` are the rows of all groups that are the same in those of the query's dimensions. */
type ByHand = (rows: readonly Joined[], kept: (names: readonly string[]) => readonly Joined[]) => number | null

const measures: Readonly<Record<string, ByHand>> = {
  'customers.count': countCustomers,
  'customers.plain': each,
  'customers.each': each,
  'customers.nested': rows => {
    const sum = total(rows)
    const mean = each(rows)
    return sum === null || mean === null ? null : mean + sum
  },
  'customers.summed': total,
  'customers.of_all': (_, kept) => total(kept([])),
  'customers.each_of_all': (_, kept) => each(kept([])),
  'customers.each_of_city': (_, kept) => each(kept(['customers.city'])),
  'customers.each_of_status': (_, kept) => each(kept(['orders.status'])),
  'customers.most_of_status': rows => most(rows, status),
  'orders.count': rows => ordersOf(rows).length,
  'orders.total': total,
  'orders.most_of_city': rows => most(rows, city),
}
const dimensions: Readonly<Record<string, Key>> = { 'customers.city': city, 'orders.status': status }
const payer = 'orders.payer'

const label = fc.constantFrom('a', 'b', null)
const rowsOfBoth = {
  customers: fc
    .array(label, { maxLength: 4 })
    .map(cities => cities.map((name, place): Customer => ({ id: place + 1, city: name }))),
  orders: fc
    .array(
      fc.record({
        customer_id: fc.constantFrom(1, 2, 3, 4, 9, null),
        payer_id: fc.constantFrom(1, 2, 3, 4, 9, null),
        status: label,
        amount: fc.integer({ min: 1, max: 9 }),
      }),
      { maxLength: 8 },
    )
    .map(rows => rows.map((row, place): Order => ({ id: place + 1, ...row }))),
}
const filters = fc.constantFrom(null, 'customers.city', 'orders.status')
const hinted = fc.record({
  ...rowsOfBoth,
  isHinted: fc.constant(true),
  root: fc.constantFrom<Root>('customers', 'orders'),
  asked: fc.shuffledSubarray(Object.keys(measures), { minLength: 1 }),
  by: fc.shuffledSubarray([...Object.keys(dimensions), payer]),
  filter: filters,
})
/** Without hints, joins begin at the cube of the measure, and a dimension in stages reads what its own measure needs. */
const unhinted = fc
  .record({
    ...rowsOfBoth,
    isHinted: fc.constant(false),
    asked: fc.constantFrom(...Object.keys(measures)).map(name => [name]),
    by: fc.shuffledSubarray(Object.keys(dimensions)),
    filter: filters,
  })
  .map(given => ({
    ...given,
    root: given.asked[0]?.startsWith('orders.') ? ('orders' as const) : ('customers' as const),
  }))

test('stages are computed of the rows that are joined without them, whichever cube refers to the other', async () => {
  let differing = 0
  await fc.assert(
    fc.asyncProperty(fc.oneof(hinted, unhinted), async ({ customers, orders, root, isHinted, asked, by, filter }) => {
      const isChosen = (row: Joined) => filter === null || dimensions[filter]?.(row) === 'a'
      const rowsFrom = (cube: Root) => join(cube, customers, orders).filter(isChosen)
      const rows = rowsFrom(root)
      // The total of each payer's orders, in each group of the other dimensions.
      const apart = (row: Joined) => [...by.map(name => dimensions[name]?.(row) ?? null), row.customer?.id ?? null]
      const payers = new Map(
        groups(rows, apart).flatMap(group =>
          group.map(row => [row, (total(group) ?? 0) > 10 ? 'big' : 'small'] as const),
        ),
      )
      const shownOf = (row: Joined, name: string) =>
        (name === payer ? payers.get(row) : dimensions[name]?.(row)) ?? null
      const keyOf = (row: Joined) => by.map(name => shownOf(row, name))
      const grouped = by.length === 0 ? [rows] : groups(rows, keyOf)
      const expected = grouped.map(group => {
        const [first] = group
        const kept = (names: readonly string[]) =>
          rows.filter(row =>
            by.every(name => !names.includes(name) || (first && shownOf(row, name) === shownOf(first, name))),
          )
        return [
          ...(first && by.length > 0 ? keyOf(first) : []),
          ...asked.map(name => measures[name]?.(group, kept) ?? null),
        ]
      })
      await fill(customers, orders)
      const statement = compileFor(model, {
        measures: asked,
        dimensions: by,
        filters: filter === null ? [] : [{ member: filter, operator: 'equals', values: ['a'] }],
        ...(isHinted ? { joinHints: [root === 'orders' ? ['orders', 'customers'] : ['customers', 'orders']] } : {}),
      })
      const places = statement.columns.map(({ member }) => [...by, ...asked].indexOf(member))
      const found = await database.query(statement)
      expect(canonical(found)).toEqual(canonical(expected.map(row => places.map(place => row[place] ?? null))))
      const other = rowsFrom(root === 'orders' ? 'customers' : 'orders')
      if (total(rows) !== total(other)) differing += 1
    }),
    { numRuns },
  )
  // The two ways to join give different numbers, so that a plan of the other one would be seen.
  expect(differing).toBeGreaterThan(numRuns / 5)
})

async function fill(customers: readonly Customer[], orders: readonly Order[]): Promise<void> {
  const text = (value: string | number | null) =>
    value === null ? 'null' : typeof value === 'number' ? String(value) : `'${value}'`
  await database.run('delete from customers')
  await database.run('delete from orders')
  const tuples = (rows: readonly (readonly (string | number | null)[])[]) =>
    rows.map(row => `(${row.map(text).join(', ')})`).join(', ')
  if (customers.length > 0) {
    await database.run(`insert into customers values ${tuples(customers.map(({ id, city: name }) => [id, name]))}`)
  }
  if (orders.length > 0) {
    const rows = orders.map(order => [order.id, order.customer_id, order.payer_id, order.status, order.amount])
    await database.run(`insert into orders values ${tuples(rows)}`)
  }
}

const canonical = (rows: readonly (readonly unknown[])[]) =>
  rows.map(row => JSON.stringify(row.map(cell => (isNumeric(cell) ? Number(cell).toFixed(6) : cell)))).toSorted()
const isNumeric = (cell: unknown) =>
  typeof cell === 'number' || (typeof cell === 'string' && /^-?[\d.]+(e-?\d+)?$/.test(cell))
