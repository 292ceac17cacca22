import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { QueryError } from '../../src/index.ts'
import { type Database, openDatabase } from '../support/database.ts'
import { compileFor, everyone, modelOf } from '../support/model.ts'
import {
  type FilterTree,
  isAnyPassing,
  isHidden,
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
const numRuns = runsOf('policies and measures in stages')
vi.setConfig({ testTimeout: 60_000 + numRuns * 500 })

let database: Database
beforeAll(async () => {
  database = await openDatabase()
})
afterAll(() => database.close())

const columns = {
  orders: [
    'id',
    'customer_id',
    'x',
    'free',
    'n',
    'day',
    'city',
    'own_x',
    'own_day',
    'customers_x',
    'sales_x',
    'sales_day',
    'sales_city',
  ],
  customers: ['id', 'x', 'own_x'],
  items: ['id', 'order_id', 'x', 'n'],
} as const
type Table = keyof typeof columns
type Tables = Readonly<Record<Table, readonly Row[]>>
const tableNames: readonly Table[] = ['orders', 'customers', 'items']
const numbers: readonly string[] = ['id', 'customer_id', 'order_id', 'n']

const maskable = ['x', 'day', 'city'] as const
type Maskable = (typeof maskable)[number]
const xMasks = ['nothing', 'text', 'column', 'customer', 'items'] as const
const plainMembers = [
  'id',
  'free',
  'is_a',
  'count',
  'total',
  'top',
  'by_x',
  'of_a',
  'without_x',
  'of_x',
  'so_far',
  'before',
  'size',
]

interface Given {
  readonly orders: readonly Policy[]
  readonly customers: readonly Policy[]
  readonly sales: readonly Policy[]
  readonly xMask: (typeof xMasks)[number]
}

const leaf = (members: readonly string[]): fc.Arbitrary<FilterTree> =>
  fc.record({
    member: fc.constantFrom(...members),
    operator: fc.constantFrom('equals' as const, 'notEquals' as const),
    values: fc.array(fc.constantFrom<Value>('a', 'b', null), { minLength: 1, maxLength: 2 }),
  })
const policy = (
  names: readonly string[],
  others: readonly string[],
  filtered: readonly string[],
): fc.Arbitrary<Policy> =>
  fc
    .record({
      group: fc.constantFrom('*', '*', '*', 'red', 'blue'),
      hidden: fc.oneof({ weight: 3, arbitrary: fc.constant<string[]>([]) }, fc.subarray([...names], { maxLength: 1 })),
      masked: fc.oneof(fc.subarray([...names]), fc.constant<string[]>(['x'])),
      filters: fc.option(fc.array(leaf(filtered), { minLength: 1, maxLength: 2 }), { nil: null, freq: 1 }),
    })
    .map(({ group, hidden, masked, filters }) => ({
      group,
      member_level: {
        includes: [...others, ...names.filter(name => !hidden.includes(name) && !masked.includes(name))],
      },
      ...(masked.length > 0 ? { member_masking: { includes: masked } } : {}),
      ...(filters ? { row_level: { filters } } : {}),
    }))
const given: fc.Arbitrary<Given> = fc.record({
  orders: fc.array(policy(maskable, plainMembers, ['x', 'city', 'free']), { minLength: 1, maxLength: 3 }),
  customers: fc.array(policy(['x'], ['id', 'count'], ['x']), { maxLength: 2 }),
  sales: fc.array(
    policy(
      [...maskable, 'customers_x'],
      plainMembers.filter(name => name !== 'id'),
      ['x', 'city', 'free', 'customers_x'],
    ),
    {
      maxLength: 2,
    },
  ),
  xMask: fc.constantFrom(...xMasks),
})

const text = fc.constantFrom('a', 'b', null)
const reference = fc.constantFrom(1, 2, 3, null)
const tables: fc.Arbitrary<Tables> = fc
  .record({
    orders: fc.array(
      fc.record({
        customer_id: reference,
        x: text,
        free: text,
        n: fc.constantFrom(1, 2, 3, null),
        day: fc.constantFrom('2024-01-05', '2024-01-20', '2024-02-10', '2024-03-01', null),
      }),
      { minLength: 2, maxLength: 6 },
    ),
    customers: fc.array(fc.record({ x: text }), { maxLength: 3 }),
    items: fc.array(fc.record({ order_id: fc.integer({ min: 1, max: 6 }), x: text, n: reference }), { maxLength: 6 }),
  })
  .map(({ orders, customers, items }) => {
    const numbered = (rows: readonly Row[]) => rows.map((row, index) => ({ id: index + 1, ...row }))
    return { orders: numbered(orders), customers: numbered(customers), items: numbered(items) }
  })

const measureNames = ['count', 'total', 'top', 'by_x', 'of_a', 'without_x', 'of_x', 'so_far', 'before']
const ofCubes = {
  measures: [...measureNames.map(name => `orders.${name}`), 'customers.count', 'items.total'],
  dimensions: ['orders.x', 'orders.city', 'orders.free', 'orders.size', 'customers.x', 'items.x'],
  source: 'orders',
}
const ofView = {
  measures: measureNames.map(name => `sales.${name}`),
  dimensions: ['sales.x', 'sales.city', 'sales.free', 'sales.size', 'sales.customers_x'],
  source: 'sales',
}
const queryOf = ({ measures, dimensions, source }: typeof ofCubes) =>
  fc
    .record({
      measures: fc.shuffledSubarray(measures, { maxLength: 3 }),
      dimensions: fc.shuffledSubarray(dimensions, { maxLength: 2 }),
      // Most of what can go wrong is about a member that is grouped by and referred to at once.
      focus: fc.constantFrom(null, null, 'by_x', 'of_a', 'of_x', 'without_x'),
      time: fc.constantFrom(null, null, 'month', 'quarter'),
      ranged: fc.boolean(),
      filtered: fc.constantFrom(null, null, 'x', 'city', 'free'),
      operator: fc.constantFrom('equals', 'notEquals', 'set', 'notSet'),
      value: fc.constantFrom('a', 'b', 'hidden'),
      segment: fc.constantFrom(false, false, true),
      having: fc.constantFrom(null, null, null, null, 'total', 'by_x', 'count'),
      total: fc.boolean(),
    })
    .filter(({ measures: m, dimensions: d, time }) => m.length + d.length > 0 || time !== null)
    .map(asked => ({
      measures: asked.focus ? [`${source}.${asked.focus}`] : asked.measures,
      dimensions: asked.focus ? [`${source}.x`] : asked.dimensions,
      timeDimensions:
        asked.time === null && !asked.ranged
          ? []
          : [
              {
                dimension: `${source}.day`,
                ...(asked.time === null ? {} : { granularity: asked.time }),
                ...(asked.ranged ? { dateRange: ['2024-01-01', '2024-03-31'] } : {}),
              },
            ],
      filters: [
        ...(asked.filtered === null
          ? []
          : [
              {
                member: `${source}.${asked.filtered}`,
                operator: asked.operator,
                ...(asked.operator.endsWith('quals') ? { values: [asked.value] } : {}),
              },
            ]),
        ...(asked.having === null ? [] : [{ member: `${source}.${asked.having}`, operator: 'gt', values: ['1'] }]),
      ],
      segments: asked.segment ? [`${source}.is_a`] : [],
      ...(asked.total ? { total: true } : {}),
    }))
const query = fc.oneof(queryOf(ofCubes), queryOf(ofView))
type Query = typeof query extends fc.Arbitrary<infer Q> ? Q : never

/** JSON is YAML. Without policies, the model of what is left after them, whose own members read what is under the masks. */
function modelText(policies: Given, isRaw: boolean): string {
  const prefix = isRaw ? 'raw' : 'seen'
  const own = (name: string) => (isRaw ? name : `own_${name}`)
  const guarded = (list: readonly Policy[]) => (isRaw && list.length > 0 ? { access_policy: list } : {})
  const id = { name: 'id', sql: 'id', type: 'number', primary_key: true, public: true }
  const masks = {
    nothing: {},
    text: { mask: 'hidden' },
    column: { mask: { sql: '{CUBE}.free' } },
    customer: { mask: { sql: '{customers.x}' } },
    items: { mask: { sql: '{items.x}' } },
  }
  const stage = { multi_stage: true }
  const cubes = [
    {
      name: 'orders',
      sql_table: `${prefix}_orders`,
      joins: [
        { name: 'customers', sql: '{CUBE}.customer_id = {customers}.id', relationship: 'many_to_one' },
        { name: 'items', sql: '{CUBE}.id = {items}.order_id', relationship: 'one_to_many' },
      ],
      segments: [{ name: 'is_a', sql: `{${own('x')}} = 'a'` }],
      dimensions: [
        id,
        { name: 'x', sql: 'x', type: 'string', ...(isRaw ? masks[policies.xMask] : {}) },
        { name: 'day', sql: 'day', type: 'time' },
        { name: 'free', sql: 'free', type: 'string' },
        { name: 'city', sql: isRaw ? '{customers.x}' : 'city', type: 'string' },
        ...(isRaw
          ? []
          : [
              { name: 'own_x', sql: 'own_x', type: 'string' },
              { name: 'own_day', sql: 'own_day', type: 'time' },
              ...['customers_x', 'sales_x', 'sales_city'].map(name => ({ name, sql: name, type: 'string' })),
              { name: 'sales_day', sql: 'sales_day', type: 'time' },
            ]),
        {
          name: 'size',
          ...stage,
          type: 'string',
          sql: "CASE WHEN {total} > 2 THEN 'large' ELSE 'small' END",
          add_group_by: [own('x')],
        },
      ],
      measures: [
        { name: 'count', type: 'count' },
        { name: 'total', sql: 'n', type: 'sum' },
        { name: 'top', sql: 'n', type: 'max', filters: [{ sql: `{${own('x')}} = 'a'` }] },
        { name: 'by_x', ...stage, type: 'max', sql: '{total}', add_group_by: [own('x')] },
        {
          name: 'of_a',
          ...stage,
          type: 'number',
          sql: '{total}',
          filter: { include: [{ member: own('x'), operator: 'equals', values: ['a'] }] },
        },
        {
          name: 'without_x',
          ...stage,
          type: 'number',
          sql: '{total}',
          filter: { exclude: ['x', ...(isRaw ? [] : ['sales_x'])] },
        },
        {
          name: 'of_x',
          ...stage,
          type: 'sum',
          sql: '{total}',
          grain: { keep_only: ['x', ...(isRaw ? [] : ['sales_x'])] },
        },
        { name: 'so_far', sql: 'n', type: 'sum', rolling_window: { trailing: 'unbounded' } },
        {
          name: 'before',
          ...stage,
          type: 'number',
          sql: '{total}',
          time_shift: [{ interval: '1 month', type: 'prior' }],
        },
      ],
      ...guarded(policies.orders),
    },
    {
      name: 'customers',
      sql_table: `${prefix}_customers`,
      dimensions: [id, { name: 'x', sql: 'x', type: 'string' }],
      measures: [{ name: 'count', type: 'count' }],
      ...guarded(policies.customers),
    },
    {
      name: 'items',
      sql_table: `${prefix}_items`,
      dimensions: [id, { name: 'x', sql: 'x', type: 'string' }],
      measures: [{ name: 'total', sql: 'n', type: 'sum' }],
    },
  ]
  const shown = (name: string) => (isRaw ? name : { name: `sales_${name}`, alias: name })
  const includes = [...plainMembers.filter(name => name !== 'id'), ...maskable.map(shown)]
  const ofOrders = { join_path: 'orders', includes: isRaw ? includes : [...includes, 'customers_x'] }
  const ofCustomers = { join_path: 'orders.customers', prefix: true, includes: ['x'] }
  const views = [{ name: 'sales', cubes: isRaw ? [ofOrders, ofCustomers] : [ofOrders], ...guarded(policies.sales) }]
  return JSON.stringify({ cubes, views })
}

const literal = (value: Value | undefined) =>
  value == null ? 'NULL' : typeof value === 'number' ? String(value) : `'${value}'`
const typeOf = (column: string) =>
  numbers.includes(column) ? 'integer' : column.endsWith('day') ? 'timestamp' : 'varchar'

async function writeTables(prefix: string, rows: Tables): Promise<void> {
  for (const name of tableNames) {
    const types = columns[name].map(column => `${column} ${typeOf(column)}`)
    await database.run(`create or replace table ${prefix}_${name} (${types.join(', ')})`)
    const values = rows[name].map(row => `(${columns[name].map(column => literal(row[column])).join(', ')})`)
    if (values.length > 0) await database.run(`insert into ${prefix}_${name} values ${values.join(', ')}`)
  }
}

const idsOf = ({ measures, dimensions, timeDimensions, filters, segments }: Query) => [
  ...measures,
  ...dimensions,
  ...timeDimensions.map(({ dimension }) => dimension),
  ...filters.map(({ member }) => member),
  ...segments,
]

/** What is left of the tables for a caller of these groups; null where he is refused. */
function seenBy(whole: Tables, policies: Given, groups: readonly string[], asked: Query): Tables | null {
  const who = { groups, userAttributes: {} }
  const ids = idsOf(asked)
  const names = (source: string) =>
    ids.flatMap(id => (id.startsWith(`${source}.`) ? [id.slice(source.length + 1)] : []))
  const mine = {
    orders: policiesFor(policies.orders, who),
    customers: policiesFor(policies.customers, who),
    sales: policiesFor(policies.sales, who),
  }
  const sources = ['orders', 'customers', 'sales'] as const
  if (sources.some(source => names(source).some(name => isHidden(mine[source], name)))) return null
  const isView = names('sales').length > 0
  const touched = [
    ...sources.filter(source => names(source).length > 0),
    ...names('sales').map(name => (name === 'customers_x' ? ('customers' as const) : ('orders' as const))),
  ]
  const isDenied = touched.some(source => mine[source]?.length === 0)
  const values =
    (customers: readonly Row[]): ValuesOf =>
    (row, member) =>
      member === 'city' || member === 'customers_x'
        ? [customers.find(({ id }) => id === row.customer_id)?.x ?? null]
        : [row[member] ?? null]
  const rowsOf = (source: 'orders' | 'customers', rows: readonly Row[], valuesOf: ValuesOf) =>
    isDenied ? [] : rows.filter(row => seesRow(mine[source], names(source), who, row, valuesOf))
  const customers = rowsOf('customers', whole.customers, values([]))
  const seenValues = values(customers)
  const orders = rowsOf('orders', whole.orders, values(whole.customers)).filter(
    row => !isView || seesRow(mine.sales, names('sales'), who, row, seenValues),
  )
  const isMasked = (source: (typeof sources)[number], name: string, row: Row) => {
    const seeing = maskOf(mine[source], name)
    return seeing !== null && !isAnyPassing(seeing, who, row, seenValues)
  }
  const maskFor = (name: Maskable, row: Row): Value => {
    if (name !== 'x') return null
    if (policies.xMask === 'text') return 'hidden'
    if (policies.xMask === 'column') return row.free ?? null
    return policies.xMask === 'customer' ? (seenValues(row, 'city')[0] ?? null) : null
  }
  return {
    items: isDenied ? [] : whole.items,
    customers: customers.map(row => ({
      ...row,
      own_x: row.x ?? null,
      x: isMasked('customers', 'x', row) ? null : (row.x ?? null),
    })),
    orders: orders.map(row => {
      const customer = customers.find(({ id }) => id === row.customer_id) ?? { x: null }
      const shownAs = (name: Maskable, isHere: boolean): Value =>
        isHere ? maskFor(name, row) : (seenValues(row, name)[0] ?? null)
      const pairs = maskable.flatMap(name => {
        const inCube = isMasked('orders', name, row)
        return [
          [name, shownAs(name, inCube)],
          [`sales_${name}`, shownAs(name, inCube || isMasked('sales', name, row))],
        ] as const
      })
      return {
        ...row,
        own_x: row.x ?? null,
        own_day: row.day ?? null,
        ...Object.fromEntries(pairs),
        customers_x:
          isMasked('customers', 'x', customer) || isMasked('sales', 'customers_x', row) ? null : (customer.x ?? null),
      }
    }),
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

test('measures in stages answer as if data had been filtered and masked before, and see themselves what is under the masks', async () => {
  let answered = 0
  await fc.assert(
    fc.asyncProperty(tables, given, fc.subarray(['red', 'blue']), query, async (whole, policies, groups, asked) => {
      const model = modelOf(modelText(policies, true))
      const plain = modelOf(modelText(policies, false))
      const compile = () => compileFor(model, asked, 'duckdb', { ...everyone, groups })
      const left = seenBy(whole, policies, groups, asked)
      if (left === null) {
        expect(codeOf(compile)).toBe('hidden_member')
        return
      }
      const refusal = codeOf(() => compileFor(plain, asked))
      if (refusal !== null) {
        expect(codeOf(compile)).toBe(refusal)
        return
      }
      await writeTables('raw', whole)
      await writeTables('seen', left)
      const found = compile()
      const expected = compileFor(plain, asked)
      expect(sorted(await database.query(found))).toEqual(sorted(await database.query(expected)))
      if (found.total && expected.total)
        expect(await database.query(found.total)).toEqual(await database.query(expected.total))
      answered += 1
    }),
    { numRuns },
  )
  expect(answered).toBeGreaterThan(numRuns / 2)
})
