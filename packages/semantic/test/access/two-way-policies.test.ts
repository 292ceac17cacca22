import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { QueryError } from '../../src/index.ts'
import { type Database, openDatabase } from '../support/database.ts'
import { compileFor, everyone, modelOf } from '../support/model.ts'
import {
  isAnyPassing,
  maskOf,
  type Policy,
  policiesFor,
  type Row,
  seesRow,
  type Value,
  type ValuesOf,
} from '../support/policy-oracle.ts'
import { runsOf } from '../support/property-runs.ts'

// Each run makes tables and a model; HEDRON_PROPERTY_RUNS=5000 looks longer.
const numRuns = runsOf('policies where joins lead both ways')
vi.setConfig({ testTimeout: 60_000 + numRuns * 500 })

let database: Database
beforeAll(async () => {
  database = await openDatabase()
})
afterAll(() => database.close())

const columns = {
  orders: ['id', 'customer_id', 'payer_id', 'region_id', 'x', 'y', 'free'],
  customers: ['id', 'region_id', 'x', 'free'],
  regions: ['id', 'x'],
} as const
type Table = keyof typeof columns
type Tables = Readonly<Record<Table, readonly Row[]>>
const tableNames: readonly Table[] = ['orders', 'customers', 'regions']

/** Masked members of orders; what policies filter by refers to other cubes, on the way from orders. */
const maskable = ['x', 'y'] as const
const filterable: Readonly<Record<'orders' | 'customers', readonly string[]>> = {
  orders: ['x', 'city', 'order_region'],
  customers: ['x', 'order_x', 'own_region'],
}

interface Given {
  readonly orders: readonly Policy[]
  readonly customers: readonly Policy[]
  /** Whether x of orders is masked by SQL of two cubes, and not by nothing. */
  readonly isSqlMask: boolean
  /** Whether both joins between orders and customers are about the same column. */
  readonly isMirrored: boolean
  /** Whether orders are joined to customers, too, or customers alone to orders. */
  readonly isTwoWay: boolean
  /** The region that policies of orders filter by: both at once are two ways to one table. */
  readonly region: 'own_region' | 'customer_region'
}

const leaf = (cube: 'orders' | 'customers') =>
  fc.record({
    member: fc.constantFrom(...filterable[cube]),
    operator: fc.constantFrom('equals' as const, 'notEquals' as const),
    values: fc.array(fc.constantFrom<Value>('a', 'b', null), { minLength: 1, maxLength: 2 }),
  })
const orderMembers = ['id', 'free', 'count', 'total']
const policies: fc.Arbitrary<Given> = fc.record({
  orders: fc
    .array(
      fc.record({
        masked: fc.subarray([...maskable]),
        filters: fc.option(fc.array(leaf('orders'), { minLength: 1, maxLength: 2 }), { nil: null }),
      }),
      { maxLength: 3 },
    )
    .map(list =>
      list.map(
        ({ masked, filters }): Policy => ({
          group: '*',
          member_level: { includes: [...orderMembers, ...maskable.filter(name => !masked.includes(name))] },
          member_masking: { includes: masked },
          ...(filters ? { row_level: { filters } } : {}),
        }),
      ),
    ),
  customers: fc.array(
    fc.record({ group: fc.constant('*'), row_level: fc.record({ filters: fc.tuple(leaf('customers')) }) }),
    { maxLength: 1 },
  ),
  isSqlMask: fc.boolean(),
  isMirrored: fc.boolean(),
  isTwoWay: fc.constantFrom(true, true, false),
  region: fc.constantFrom('own_region', 'customer_region'),
})

const text = fc.constantFrom('a', 'b', null)
const reference = fc.constantFrom(1, 2, 3, null)
const tables: fc.Arbitrary<Tables> = fc
  .record({
    orders: fc.array(
      fc.record({
        customer_id: reference,
        payer_id: reference,
        region_id: reference,
        x: text,
        y: reference,
        free: text,
      }),
      { maxLength: 6 },
    ),
    customers: fc.array(fc.record({ region_id: reference, x: text, free: text }), { maxLength: 3 }),
    regions: fc.array(fc.record({ x: text }), { maxLength: 2 }),
  })
  .map(({ orders, customers, regions }) => {
    const numbered = (rows: readonly Row[]) => rows.map((row, index) => ({ id: index + 1, ...row }))
    return { orders: numbered(orders), customers: numbered(customers), regions: numbered(regions) }
  })

const ways = [
  [],
  [['orders', 'customers']],
  [['customers', 'orders']],
  [['orders', 'customers', 'regions']],
  [['customers', 'orders', 'regions']],
  [
    ['orders', 'customers'],
    ['orders', 'regions'],
  ],
  [
    ['customers', 'orders'],
    ['customers', 'regions'],
  ],
]
const query = fc
  .record({
    measures: fc.shuffledSubarray(['orders.count', 'orders.total', 'customers.count', 'sales.count']),
    dimensions: fc.shuffledSubarray(['orders.x', 'orders.y', 'sales.x', 'sales.y', 'customers.x', 'regions.x']),
    filtered: fc.constantFrom(null, 'orders.free', 'customers.free', 'orders.x'),
    hints: fc.constantFrom(...ways),
  })
  .filter(({ measures, dimensions }) => measures.length + dimensions.length > 0)
  .map(({ measures, dimensions, filtered, hints }) => ({
    measures,
    dimensions,
    filters: filtered === null ? [] : [{ member: filtered, operator: 'set' }],
    joinHints: hints,
  }))

/** JSON is YAML. Without policies, the model of what is left after them. */
function modelText(given: Given, prefix: 'raw' | 'seen'): string {
  const isRaw = prefix === 'raw'
  const id = { name: 'id', sql: 'id', type: 'number', primary_key: true, public: true }
  const plain = (name: string) => ({ name, sql: name, type: name === 'y' ? 'number' : 'string' })
  const mask = given.isSqlMask ? { mask: { sql: "{CUBE}.free || '-' || {customers.x}" } } : {}
  const guarded = (list: readonly Policy[]) => (isRaw && list.length > 0 ? { access_policy: list } : {})
  const of = (name: string, sql: string) => ({ name, sql, type: 'string' })
  const cubes = [
    {
      name: 'orders',
      sql_table: `${prefix}_orders`,
      joins: [
        ...(given.isTwoWay
          ? [{ name: 'customers', sql: '{CUBE}.customer_id = {customers.id}', relationship: 'many_to_one' }]
          : []),
        { name: 'regions', sql: '{CUBE}.region_id = {regions}.id', relationship: 'many_to_one' },
      ],
      dimensions: [
        id,
        { ...plain('x'), ...(isRaw ? mask : {}) },
        plain('y'),
        plain('free'),
        of('city', '{customers.x}'),
        of('order_region', given.region === 'own_region' ? '{regions.x}' : '{customers.regions.x}'),
      ],
      measures: [
        { name: 'count', type: 'count' },
        { name: 'total', sql: 'id', type: 'sum' },
      ],
      ...guarded(given.orders),
    },
    {
      name: 'customers',
      sql_table: `${prefix}_customers`,
      joins: [
        {
          name: 'orders',
          sql: given.isMirrored ? '{orders}.customer_id = {CUBE}.id' : '{CUBE}.id = {orders}.payer_id',
          relationship: 'one_to_many',
        },
        { name: 'regions', sql: '{CUBE}.region_id = {regions}.id', relationship: 'many_to_one' },
      ],
      dimensions: [id, plain('x'), plain('free'), of('order_x', '{orders.x}'), of('own_region', '{regions.x}')],
      measures: [{ name: 'count', type: 'count' }],
      ...guarded(given.customers),
    },
    { name: 'regions', sql_table: `${prefix}_regions`, dimensions: [id, plain('x')] },
  ]
  const views = [{ name: 'sales', cubes: [{ join_path: 'orders', includes: ['count', 'x', 'y', 'city'] }] }]
  return JSON.stringify({ cubes, views })
}

const literal = (value: Value | undefined) =>
  value == null ? 'NULL' : typeof value === 'number' ? String(value) : `'${value}'`

async function writeTables(prefix: string, rows: Tables): Promise<void> {
  for (const name of tableNames) {
    const types = columns[name].map(
      column => `${column} ${column === 'x' || column === 'free' ? 'varchar' : 'integer'}`,
    )
    await database.run(`create or replace table ${prefix}_${name} (${types.join(', ')})`)
    const values = rows[name].map(row => `(${columns[name].map(column => literal(row[column])).join(', ')})`)
    if (values.length > 0) await database.run(`insert into ${prefix}_${name} values ${values.join(', ')}`)
  }
}

/** Masked members that are hidden on all rows, and whether SQL of a mask is, too. */
const hiding = [['x'], ['y'], ['x', 'y'], ['sql'], ['x', 'sql'], ['y', 'sql'], ['x', 'y', 'sql']]

const who = { groups: [], userAttributes: {} }

/** What is left of the tables, with these members of orders masked everywhere. */
function seenBy(whole: Tables, given: Given, asked: readonly string[], closed: readonly string[]): Tables {
  const names = (cube: string) => asked.flatMap(id => (id.startsWith(`${cube}.`) ? [id.slice(cube.length + 1)] : []))
  const byId = (rows: readonly Row[], id: Value | undefined) => rows.find(row => row.id === id) ?? {}
  const key = given.isMirrored ? 'customer_id' : 'payer_id'
  const buyerOf = (row: Row, customers: readonly Row[]) => byId(customers, row[given.isTwoWay ? 'customer_id' : key])
  const valuesOf =
    (customers: readonly Row[]): ValuesOf =>
    (row, member) => {
      if (member === 'own_region') return [byId(whole.regions, row.region_id).x ?? null]
      if (member === 'city' || (member === 'order_region' && given.region === 'customer_region')) {
        const buyer = buyerOf(row, customers)
        return [(member === 'city' ? buyer : byId(whole.regions, buyer.region_id)).x ?? null]
      }
      if (member === 'order_region') return [byId(whole.regions, row.region_id).x ?? null]
      if (member !== 'order_x') return [row[member] ?? null]
      const values = whole.orders.flatMap(order => (order[key] === row.id ? [order.x ?? null] : []))
      return values.length > 0 ? values : [null]
    }
  const ofOrders = policiesFor(given.orders, who)
  const ofCustomers = policiesFor(given.customers, who)
  const customers = whole.customers.filter(row =>
    seesRow(ofCustomers, names('customers'), who, row, valuesOf(whole.customers)),
  )
  const shown = (row: Row, name: string): Value => {
    const seeing = maskOf(ofOrders, name)
    const isShown = seeing === null || (!closed.includes(name) && isAnyPassing(seeing, who, row, valuesOf(customers)))
    if (isShown) return row[name] ?? null
    const city = buyerOf(row, customers).x ?? null
    return name === 'x' && given.isSqlMask && !closed.includes('sql') && row.free != null && city !== null
      ? `${row.free}-${city}`
      : null
  }
  return {
    regions: whole.regions,
    customers,
    orders: whole.orders
      .filter(row => seesRow(ofOrders, names('orders'), who, row, valuesOf(whole.customers)))
      .map(row => ({ ...row, ...Object.fromEntries(maskable.map(name => [name, shown(row, name)])) })),
  }
}

const sorted = (rows: readonly (readonly unknown[])[]) =>
  rows.map(row => JSON.stringify(row.map(cell => (cell === null ? null : String(cell))))).toSorted()

function codeOf(run: () => unknown): string | null {
  try {
    run()
    return null
  } catch (error) {
    if (error instanceof QueryError) return error.code
    throw error
  }
}

test('policies hold and masks hide whichever way cubes are joined, and no policy changes the way', async () => {
  const seen = { exact: 0, closed: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(tables, policies, query, async (whole, given, asked) => {
      const ids = [...asked.measures, ...asked.dimensions, ...asked.filters.map(({ member }) => member)].map(id =>
        id.replace('sales.', 'orders.'),
      )
      const model = modelOf(modelText(given, 'raw'))
      const plain = modelOf(modelText(given, 'seen'))
      const refusal = codeOf(() => compileFor(plain, asked))
      const compile = () => compileFor(model, asked, 'duckdb', { ...everyone, ...who })
      if (refusal !== null) {
        expect(codeOf(compile)).toBe(refusal)
        seen.refused += 1
        return
      }
      await writeTables('raw', whole)
      const found = sorted(await database.query(compile()))
      const answer = async (closed: readonly string[]) => {
        await writeTables('seen', seenBy(whole, given, ids, closed))
        return sorted(await database.query(compileFor(plain, asked)))
      }
      const exact = await answer([])
      if (JSON.stringify(found) === JSON.stringify(exact)) {
        seen.exact += 1
        return
      }
      // Where the query's joins are not those by which a policy knows orders, what it would show is hidden.
      const hidden: (readonly string[])[] = []
      for (const closed of hiding) hidden.push(await answer(closed))
      expect([exact, ...hidden]).toContainEqual(found)
      seen.closed += 1
    }),
    { numRuns },
  )
  expect(seen.exact).toBeGreaterThan(numRuns / 2)
  expect(seen.closed).toBeLessThan(numRuns / 5)
})
