import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Database, openDatabase } from '../support/database.ts'
import { compileFor, everyone, modelOf } from '../support/model.ts'
import { runsOf } from '../support/property-runs.ts'

vi.setConfig({ testTimeout: 120_000 })

let database: Database
beforeAll(async () => {
  database = await openDatabase(
    'create table orders (id integer, customer_id integer, status varchar, amount integer, created timestamp)',
    'create table customers (id integer, city varchar)',
  )
})
afterAll(() => database.close())

const model = modelOf(`cubes:
  - name: customers
    sql_table: customers
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: city, sql: city, type: string }
      - name: tier
        multi_stage: true
        type: string
        add_group_by: [id]
        case: { when: [{ sql: "{orders.revenue} > 10", label: big }], else: { label: small } }
      - { name: tier_of_all, multi_stage: true, type: string, sql: "{tier_or_none}", add_group_by: [id], filter: { exclude: [orders.status] } }
      - name: tier_or_none
        multi_stage: true
        type: string
        add_group_by: [id]
        filter: { exclude: [orders.status] }
        sql: "CASE WHEN {orders.revenue} > 10 THEN 'big' WHEN {orders.revenue} IS NOT NULL THEN 'small' ELSE 'none' END"
    measures: [{ name: count, type: count }]
  - name: orders
    sql_table: orders
    joins: [{ name: customers, sql: "{CUBE}.customer_id = {customers.id}", relationship: many_to_one }]
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: status, sql: status, type: string }
      - { name: created, sql: created, type: time }
    measures:
      - { name: count, type: count }
      - { name: revenue, sql: amount, type: sum }
      - { name: total, multi_stage: true, type: sum, sql: "{revenue}", grain: { exclude: [customers.tier] } }
      - { name: best_tier, multi_stage: true, type: max, sql: "{count}", grain: { include: [customers.tier] } }
    access_policy:
      - { group: "*", row_level: { filters: [{ member: status, operator: notEquals, values: ["{ userAttributes.hidden }"] }] } }
`)

interface Order {
  readonly customer: number | null
  readonly status: string | null
  readonly amount: number | null
  readonly month: number
}
const data = fc.record({
  orders: fc.array(
    fc.record({
      customer: fc.constantFrom(1, 2, 3, 9, null),
      status: fc.constantFrom('done', 'open', null),
      amount: fc.constantFrom(1, 4, 7, 12, null),
      month: fc.constantFrom(1, 2),
    }),
    { maxLength: 12 },
  ),
  cities: fc.tuple(...Array.from({ length: 3 }, () => fc.constantFrom('Oslo', 'Rome', null))),
})
const tiers = ['tier', 'tier_of_all'] as const
const asked = fc.record({
  tier: fc.constantFrom(...tiers),
  isGrouped: fc.boolean(),
  hasCity: fc.boolean(),
  hasMonth: fc.boolean(),
  tierFilter: fc.constantFrom(null, 'big', 'small'),
  statusFilter: fc.constantFrom(null, 'done'),
  hidden: fc.constantFrom('open', 'nothing'),
})
type Asked = typeof asked extends fc.Arbitrary<infer A> ? A : never

const literal = (value: string | number | null) =>
  value === null ? 'null' : typeof value === 'number' ? String(value) : `'${value}'`

async function fill(orders: readonly Order[], cities: readonly (string | null)[]): Promise<void> {
  await database.run('delete from orders')
  await database.run('delete from customers')
  const customers = cities.map((city, place) => `(${place + 1}, ${literal(city)})`)
  await database.run(`insert into customers values ${customers.join(', ')}`)
  const values = orders.map(
    ({ customer, status, amount, month }, place) =>
      `(${place}, ${literal(customer)}, ${literal(status)}, ${literal(amount)}, '2024-0${month}-10')`,
  )
  if (values.length > 0) await database.run(`insert into orders values ${values.join(', ')}`)
}

const sum = (rows: readonly Order[]) => {
  const amounts = rows.flatMap(({ amount }) => amount ?? [])
  return amounts.length > 0 ? amounts.reduce((total, amount) => total + amount, 0) : null
}
const groupBy = <T>(rows: readonly T[], key: (row: T) => readonly unknown[]): Map<string, T[]> => {
  const groups = new Map<string, T[]>()
  for (const row of rows) {
    const id = JSON.stringify(key(row))
    groups.set(id, [...(groups.get(id) ?? []), row])
  }
  return groups
}

/** The answer row by row: labels of groups first, then what is grouped by them. */
function naive(orders: readonly Order[], cities: readonly (string | null)[], query: Asked): unknown[][] {
  const keyOf = ({ customer }: Order) => (customer !== null && customer <= cities.length ? customer : null)
  const cityOf = (row: Order) => cities[(keyOf(row) ?? 0) - 1] ?? null
  const seen = orders.filter(({ status }) => status !== query.hidden)
  const filtered = seen.filter(({ status }) => query.statusFilter === null || status === query.statusFilter)
  const shown = (row: Order) => [...(query.hasCity ? [cityOf(row)] : []), ...(query.hasMonth ? [row.month] : [])]
  const groupOf = (row: Order) => [...shown(row), keyOf(row)]
  const label = (rows: readonly Order[]) => {
    const revenue = sum(rows)
    if (revenue !== null && revenue > 10) return 'big'
    return query.tier === 'tier_of_all' && revenue === null ? 'none' : 'small'
  }
  const labels = new Map(
    [...groupBy(query.tier === 'tier' ? filtered : seen, groupOf)].map(([key, rows]) => [key, label(rows)]),
  )
  const labelled = filtered
    .map(row => ({
      ...row,
      label: labels.get(JSON.stringify(groupOf(row))) ?? null,
      shown: shown(row),
      key: keyOf(row),
    }))
    .filter(row => query.tierFilter === null || row.label === query.tierFilter)
  const groups = groupBy(labelled, row => [...(query.isGrouped ? [row.label] : []), ...row.shown])
  if (groups.size === 0 && !query.isGrouped && !query.hasCity && !query.hasMonth) return [[0, null, 0]]
  return [...groups].map(([key, rows]) => [
    ...JSON.parse(key),
    rows.length,
    sum(rows),
    new Set(rows.flatMap(row => row.key ?? [])).size,
  ])
}

const ask = async (measures: readonly string[], query: Asked) => {
  const filters = [
    ...(query.tierFilter
      ? [{ member: `customers.${query.tier}`, operator: 'equals', values: [query.tierFilter] }]
      : []),
    ...(query.statusFilter ? [{ member: 'orders.status', operator: 'equals', values: [query.statusFilter] }] : []),
  ]
  const dimensions = [
    ...(query.isGrouped ? [`customers.${query.tier}`] : []),
    ...(query.hasCity ? ['customers.city'] : []),
  ]
  const timeDimensions = query.hasMonth ? [{ dimension: 'orders.created', granularity: 'month' }] : []
  const caller = { ...everyone, userAttributes: { hidden: query.hidden } }
  const rows = await database.query(
    compileFor(model, { measures, dimensions, timeDimensions, filters }, 'duckdb', caller),
  )
  return rows.map(row =>
    row.map(cell => {
      const month = typeof cell === 'string' && /^2024-0(\d)-01T/.exec(cell)
      if (month) return Number(month[1])
      return typeof cell === 'string' && /^\d+$/.test(cell) ? Number(cell) : cell
    }),
  )
}
const sorted = (rows: readonly unknown[][]) => rows.map(row => JSON.stringify(row)).toSorted()

test('a multi-stage dimension has the value of each group, in groups and filters, under policies', async () => {
  await fc.assert(
    fc.asyncProperty(data, asked, async ({ orders, cities }, query) => {
      await fill(orders, cities)
      const rows = await ask(['orders.count', 'orders.revenue', 'customers.count'], query)
      expect(sorted(rows)).toEqual(sorted(naive(orders, cities, query)))
    }),
    { numRuns: runsOf('multi-stage dimensions') },
  )
})

test('grains of multi-stage measures name multi-stage dimensions', async () => {
  await fc.assert(
    fc.asyncProperty(data, asked, async ({ orders, cities }, anyQuery) => {
      const query: Asked = { ...anyQuery, tier: 'tier', isGrouped: true }
      await fill(orders, cities)
      const whole = naive(orders, cities, query)
      const totals = new Map(
        [...groupBy(whole, row => row.slice(1, -3))].map(([key, rows]) => {
          const known = rows.flatMap(row => (typeof row.at(-2) === 'number' ? [Number(row.at(-2))] : []))
          return [key, known.length > 0 ? known.reduce((total, value) => total + value, 0) : null]
        }),
      )
      const rows = await ask(['orders.count', 'orders.total'], query)
      const expected = whole.map(row => [...row.slice(0, -2), totals.get(JSON.stringify(row.slice(1, -3))) ?? null])
      expect(sorted(rows)).toEqual(sorted(expected))

      const best = await ask(['orders.best_tier'], { ...query, isGrouped: false })
      const most = [...groupBy(whole, row => row.slice(1, -3))].map(([key, group]) => [
        ...JSON.parse(key),
        Math.max(...group.map(row => Number(row.at(-3)))),
      ])
      const nothing = query.hasCity || query.hasMonth ? [] : [[null]]
      expect(sorted(best)).toEqual(sorted(most.length > 0 ? most : nothing))
    }),
    { numRuns: runsOf('grains with multi-stage dimensions') },
  )
})
