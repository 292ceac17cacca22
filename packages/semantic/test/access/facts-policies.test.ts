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
  membersOf,
  type Policy,
  policiesFor,
  type Row,
  seesRow,
  type Value,
  type ValuesOf,
} from '../support/policy-oracle.ts'
import { runsOf } from '../support/property-runs.ts'

// Each run makes tables and a model; HEDRON_PROPERTY_RUNS=5000 looks longer.
const numRuns = runsOf('policies on several facts')
vi.setConfig({ testTimeout: 60_000 + numRuns * 500 })

let database: Database
beforeAll(async () => {
  database = await openDatabase(
    'create table regions (id integer, x varchar)',
    'create table customers (id integer, region_id integer, x varchar, day timestamp, free varchar)',
    'create table orders (id integer, customer_id integer, status varchar, n integer)',
    'create table visits (id integer, customer_id integer, n integer)',
  )
})
afterAll(() => database.close())

/** What the members of the view are of each cube, and the measures of its facts. */
const shared = ['x', 'region', 'day', 'free'] as const
const facts = {
  orders: ['orders_count', 'spent'],
  visits: ['pages'],
  customers: ['customers_count'],
} as const
type Fact = keyof typeof facts
const factNames: readonly Fact[] = ['orders', 'visits', 'customers']
const measures = Object.values(facts).flat()
const plainMembers = [...measures, 'free', 'is_a']

interface Given {
  readonly orders: readonly Policy[]
  readonly customers: readonly Policy[]
  readonly activity: readonly Policy[]
  /** What x of customers shows in place of its values. */
  readonly xMask: 'nothing' | 'text' | 'column' | 'region'
  /** Whether the view filters the status of orders by default, which holds also for whoever is not told of it. */
  readonly isFilteredByDefault: boolean
}

const leaf = (members: readonly string[]): fc.Arbitrary<FilterTree> =>
  fc.record({
    member: fc.constantFrom(...members),
    operator: fc.constantFrom('equals' as const, 'notEquals' as const),
    values: fc.array(fc.constantFrom<Value>('a', 'b', null), { minLength: 1, maxLength: 2 }),
  })
const policy = (names: readonly string[], others: readonly string[], filtered: readonly string[]) =>
  fc
    .record({
      group: fc.constantFrom('*', '*', '*', '*', '*', 'red'),
      hidden: fc.oneof({ weight: 6, arbitrary: fc.constant<string[]>([]) }, fc.subarray([...names], { maxLength: 1 })),
      masked: fc.oneof(fc.constant<string[]>([]), fc.subarray([...names])),
      filters: fc.option(fc.array(leaf(filtered), { minLength: 1, maxLength: 2 }), { nil: null, freq: 2 }),
    })
    .map(
      ({ group, hidden, masked, filters }): Policy => ({
        group,
        member_level: {
          includes: [...others, ...names.filter(name => !hidden.includes(name) && !masked.includes(name))],
        },
        ...(masked.length > 0 ? { member_masking: { includes: masked } } : {}),
        ...(filters ? { row_level: { filters } } : {}),
      }),
    )
const given: fc.Arbitrary<Given> = fc.record({
  orders: fc.array(policy(['status'], ['id', 'orders_count', 'spent'], ['status', 'buyer']), { maxLength: 2 }),
  customers: fc.array(
    policy(['x', 'day'], ['id', 'region', 'free', 'customers_count', 'is_a'], ['x', 'free', 'region']),
    {
      maxLength: 3,
    },
  ),
  activity: fc.array(
    policy(['x', 'region', 'day', 'status'], plainMembers, ['x', 'region', 'free', 'free', 'status']),
    { maxLength: 2 },
  ),
  xMask: fc.constantFrom('nothing', 'text', 'column', 'region'),
  isFilteredByDefault: fc.constantFrom(false, false, false, true),
})

const text = fc.constantFrom('a', 'b', null)
const reference = fc.constantFrom(1, 2, 3, null)
const number = fc.constantFrom(1, 2, 3, null)
const tables = fc
  .record({
    regions: fc.array(fc.record({ x: text }), { maxLength: 2 }),
    customers: fc.array(
      fc.record({ region_id: reference, x: text, day: fc.constantFrom('2024-01-05', '2024-02-10', null), free: text }),
      { maxLength: 3 },
    ),
    orders: fc.array(fc.record({ customer_id: reference, status: text, n: number }), { maxLength: 5 }),
    visits: fc.array(fc.record({ customer_id: reference, n: number }), { maxLength: 4 }),
  })
  .map(({ regions, customers, orders, visits }) => {
    const numbered = (rows: readonly Row[]): readonly Row[] =>
      rows.map((row, position) => ({ id: position + 1, ...row }))
    return {
      regions: numbered(regions),
      customers: numbered(customers),
      orders: numbered(orders),
      visits: numbered(visits),
    }
  })
type Tables = typeof tables extends fc.Arbitrary<infer T> ? T : never

const question = fc
  .record({
    measures: fc.shuffledSubarray([...measures], { minLength: 1 }),
    dimensions: fc.shuffledSubarray([...shared], { maxLength: 2 }),
    filtered: fc.constantFrom(null, 'x', 'x', 'region', 'free', 'status'),
    operator: fc.constantFrom('equals', 'notEquals', 'set', 'notSet'),
    value: fc.constantFrom('a', 'b', 'hidden'),
    ranged: fc.boolean(),
    segment: fc.constantFrom(false, false, true),
  })
  .map(asked => {
    // A fact alone that does not know the member would be joined to the one that does.
    const isKnown = asked.filtered !== 'status' || facts.orders.some(name => asked.measures.includes(name))
    return isKnown ? asked : { ...asked, filtered: null }
  })
type Question = typeof question extends fc.Arbitrary<infer Q> ? Q : never

const range = ['2024-01-01', '2024-01-31'] as const

const queryOf = (asked: Question) => ({
  measures: asked.measures.map(name => `activity.${name}`),
  dimensions: asked.dimensions.map(name => `activity.${name}`),
  filters:
    asked.filtered === null
      ? []
      : [
          {
            member: `activity.${asked.filtered}`,
            operator: asked.operator,
            ...(asked.operator.endsWith('quals') ? { values: [asked.value] } : {}),
          },
        ],
  timeDimensions: asked.ranged ? [{ dimension: 'activity.day', dateRange: range }] : [],
  segments: asked.segment ? ['activity.is_a'] : [],
  total: true,
})

/** JSON is YAML. */
function modelText({ orders, customers, activity, xMask, isFilteredByDefault }: Given): string {
  const id = { name: 'id', sql: 'id', type: 'number', primary_key: true, public: true }
  const plain = (name: string) => ({ name, sql: `{CUBE}.${name}`, type: 'string' })
  const guarded = (list: readonly Policy[]) => (list.length > 0 ? { access_policy: list } : {})
  const toCustomers = { name: 'customers', sql: '{CUBE}.customer_id = {customers}.id', relationship: 'many_to_one' }
  const masks = {
    nothing: {},
    text: { mask: 'hidden' },
    column: { mask: { sql: '{CUBE}.free' } },
    region: { mask: { sql: '{regions.x}' } },
  }
  const cubes = [
    { name: 'regions', sql_table: 'regions', dimensions: [id, plain('x')] },
    {
      name: 'customers',
      sql_table: 'customers',
      joins: [{ name: 'regions', sql: '{CUBE}.region_id = {regions}.id', relationship: 'many_to_one' }],
      dimensions: [
        id,
        { ...plain('x'), ...masks[xMask] },
        plain('free'),
        { name: 'day', sql: '{CUBE}.day', type: 'time' },
        { name: 'region', sql: '{regions.x}', type: 'string' },
      ],
      segments: [{ name: 'is_a', sql: "{CUBE}.free = 'a'" }],
      measures: [{ name: 'customers_count', type: 'count' }],
      ...guarded(customers),
    },
    {
      name: 'orders',
      sql_table: 'orders',
      joins: [toCustomers],
      dimensions: [id, plain('status'), { name: 'buyer', sql: '{customers.x}', type: 'string' }],
      measures: [
        { name: 'orders_count', type: 'count' },
        { name: 'spent', sql: '{CUBE}.n', type: 'sum' },
      ],
      ...guarded(orders),
    },
    {
      name: 'visits',
      sql_table: 'visits',
      joins: [toCustomers],
      dimensions: [id],
      measures: [{ name: 'pages', sql: '{CUBE}.n', type: 'sum' }],
    },
  ]
  const views = [
    {
      name: 'activity',
      cubes: [
        { join_path: 'orders', includes: ['orders_count', 'spent', 'status'] },
        { join_path: 'visits', includes: ['pages'] },
        { join_path: 'customers', includes: ['customers_count', 'is_a', ...shared] },
      ],
      ...(isFilteredByDefault ? { default_filters: [{ member: 'status', operator: 'equals', values: ['a'] }] } : {}),
      ...guarded(activity),
    },
  ]
  return JSON.stringify({ cubes, views })
}

const literal = (value: Value | undefined) =>
  value == null ? 'NULL' : typeof value === 'number' ? String(value) : `'${value}'`

async function writeTables(whole: Tables): Promise<void> {
  const columns = {
    regions: ['id', 'x'],
    customers: ['id', 'region_id', 'x', 'day', 'free'],
    orders: ['id', 'customer_id', 'status', 'n'],
    visits: ['id', 'customer_id', 'n'],
  } as const
  for (const name of ['regions', 'customers', 'orders', 'visits'] as const) {
    await database.run(`delete from ${name}`)
    const values = whole[name].map(row => `(${columns[name].map(column => literal(row[column])).join(', ')})`)
    if (values.length > 0) await database.run(`insert into ${name} values ${values.join(', ')}`)
  }
}

const byId = (rows: readonly Row[], id: Value | undefined): Row => rows.find(row => row.id === id) ?? {}

const namesOf = ({ measures: m, dimensions: d, filtered, ranged, segment }: Question) => [
  ...m,
  ...d,
  ...(filtered === null ? [] : [filtered]),
  ...(ranged ? ['day'] : []),
  ...(segment ? ['is_a'] : []),
]

/** What a query names, of which a default filter is a part where the caller may know of it. */
function askedOf({ activity, orders, isFilteredByDefault }: Given, groups: readonly string[], asked: Question) {
  const who = { groups, userAttributes: {} }
  const ofActivity = policiesFor(activity, who)
  const isPlain =
    !isHidden(ofActivity, 'status') &&
    maskOf(ofActivity, 'status') === null &&
    maskOf(policiesFor(orders, who), 'status') === null
  return isFilteredByDefault && isPlain ? [...namesOf(asked), 'status'] : namesOf(asked)
}

const factsOf = (asked: Question): readonly Fact[] => {
  const isAsked = (fact: Fact) => facts[fact].some(name => asked.measures.includes(name))
  return factNames.filter(isAsked)
}

const literalMasks: Readonly<Record<Given['xMask'], Value>> = {
  nothing: null,
  text: 'hidden',
  column: null,
  region: null,
}

/** Whether a source that the question is about has policies, and none for the caller. */
function isDenied({ orders, customers, activity }: Given, groups: readonly string[], asked: Question): boolean {
  const names = namesOf(asked)
  const isNone = (list: readonly Policy[]) => policiesFor(list, { groups, userAttributes: {} })?.length === 0
  const isOf = (list: readonly string[]) => names.some(name => list.includes(name))
  return (
    isNone(activity) ||
    (isNone(customers) && isOf(['customers_count', 'is_a', ...shared])) ||
    (isNone(orders) && isOf([...facts.orders, 'status']))
  )
}

/** The answer row by row, each fact by itself; null where the caller is refused. */
function evaluate(whole: Tables, policies: Given, groups: readonly string[], asked: Question): string[] | null {
  const who = { groups, userAttributes: {} }
  const names = askedOf(policies, groups, asked)
  const ofActivity = policiesFor(policies.activity, who)
  if (names.some(name => isHidden(ofActivity, name))) return null
  const ofCustomers = policiesFor(policies.customers, who)
  const ofOrders = policiesFor(policies.orders, who)
  const used = factsOf(asked)
  const customerValues: ValuesOf = (row, member) =>
    member === 'region' ? [byId(whole.regions, row.region_id).x ?? null] : [row[member] ?? null]
  const customers = whole.customers.filter(row => seesRow(ofCustomers, [], who, row, customerValues))
  const orderValues: ValuesOf = (row, member) =>
    member === 'buyer' ? [byId(whole.customers, row.customer_id).x ?? null] : [row[member] ?? null]
  const orders = whole.orders.filter(row => seesRow(ofOrders, [], who, row, orderValues))

  /** A row of a fact with what the view's policies know of it. */
  const rowsOf = (fact: Fact): readonly { readonly row: Row; readonly customer: Row }[] => {
    if (isDenied(policies, groups, asked)) return []
    if (fact === 'customers') return customers.map(row => ({ row: {}, customer: row }))
    const rows = fact === 'orders' ? orders : whole.visits
    return rows.map(row => ({ row, customer: byId(customers, row.customer_id) }))
  }
  const viewRow = ({ row, customer }: { readonly row: Row; readonly customer: Row }): Row => ({
    x: customer.x ?? null,
    free: customer.free ?? null,
    region: customerValues(customer, 'region')[0] ?? null,
    status: row.status ?? null,
  })
  const plain: ValuesOf = (row, member) => [row[member] ?? null]
  const isOpen = (seeing: readonly Policy[] | null, row: Row, valuesOf: ValuesOf, isSeen: boolean) =>
    seeing === null || (isSeen && isAnyPassing(seeing, who, row, valuesOf))
  const ruledBy = (seeing: readonly Policy[] | null) =>
    seeing?.flatMap(({ row_level: rows }) => rows?.filters.flatMap(membersOf) ?? []) ?? []

  const shown = (name: string, at: { readonly row: Row; readonly customer: Row }): Value => {
    const inner = name === 'status' ? maskOf(ofOrders, 'status') : name === 'region' ? null : maskOf(ofCustomers, name)
    const outer = maskOf(ofActivity, name)
    // The joins of what all facts share lead to none of them, so that what depends on one is masked.
    const isKnown = name === 'status' || !ruledBy(outer).includes('status')
    const isShown =
      (name === 'status'
        ? isOpen(inner, { ...at.row }, orderSeen(at.customer), true)
        : isOpen(inner, at.customer, customerValues, true)) && isOpen(outer, viewRow(at), plain, isKnown)
    if (isShown)
      return name === 'status'
        ? (at.row.status ?? null)
        : name === 'region'
          ? (customerValues(at.customer, 'region')[0] ?? null)
          : (at.customer[name] ?? null)
    if (name !== 'x') return null
    if (policies.xMask === 'column') return at.customer.free ?? null
    if (policies.xMask === 'region') return customerValues(at.customer, 'region')[0] ?? null
    return literalMasks[policies.xMask]
  }
  const orderSeen =
    (customer: Row): ValuesOf =>
    (row, member) =>
      member === 'buyer' ? [customer.x ?? null] : [row[member] ?? null]

  const isKept = (fact: Fact, at: { readonly row: Row; readonly customer: Row }): boolean => {
    if (!seesRow(ofActivity, names, who, viewRow(at), plain)) return false
    if (policies.isFilteredByDefault && fact === 'orders' && at.row.status !== 'a') return false
    if (asked.segment && at.customer.free !== 'a') return false
    if (asked.ranged && shown('day', at) !== '2024-01-05') return false
    if (asked.filtered === null || (asked.filtered === 'status' && fact !== 'orders')) return true
    const value = shown(asked.filtered, at)
    if (asked.operator === 'set') return value !== null
    if (asked.operator === 'notSet') return value === null
    return asked.operator === 'equals' ? value === asked.value : value !== asked.value
  }
  const kept = used.map(fact => {
    const rows = rowsOf(fact).filter(at => isKept(fact, at))
    return {
      fact,
      rows: rows.map(at => ({ ...at, key: JSON.stringify(asked.dimensions.map(name => shown(name, at))) })),
    }
  })
  const keys =
    asked.dimensions.length === 0 ? ['[]'] : [...new Set(kept.flatMap(({ rows }) => rows.map(({ key }) => key)))]
  return keys.map(key => {
    const group: Value[] = JSON.parse(key)
    const values = asked.measures.map(name => {
      const of = kept.find(({ fact }) => facts[fact].some(own => own === name))
      const rows = of?.rows.filter(row => row.key === key) ?? []
      if (rows.length === 0 && asked.dimensions.length > 0) return null
      if (name.endsWith('count')) return rows.length
      const numbers = rows.flatMap(({ row }) => (typeof row.n === 'number' ? [row.n] : []))
      return numbers.length === 0 ? null : numbers.reduce((total, value) => total + value, 0)
    })
    return JSON.stringify([...group, ...values].map(textOf))
  })
}

const textOf = (cell: unknown): string | null =>
  cell === null || cell === undefined ? null : String(cell).replace(/T00:00:00\.000$/, '')

/** Whether the view's policies ask something of rows that only orders know. */
function isAboutOrders(policies: Given, groups: readonly string[], asked: Question): boolean {
  const mine = policiesFor(policies.activity, { groups, userAttributes: {} }) ?? []
  return askedOf(policies, groups, asked).some(name => {
    const granting = mine.filter(policy => !isHidden([policy], name))
    const filters = granting.flatMap(({ row_level: rows }) => (rows ? [rows.filters] : []))
    return filters.length === granting.length && filters.flat().flatMap(membersOf).includes('status')
  })
}

test('a query of several facts answers as if data had been filtered and masked before, with filters that see what is shown', async () => {
  const seen = { answered: 0, several: 0 }
  await fc.assert(
    fc.asyncProperty(tables, given, fc.subarray(['red']), question, async (whole, policies, groups, asked) => {
      const compile = () => compileFor(modelOf(modelText(policies)), queryOf(asked), 'duckdb', { ...everyone, groups })
      const expected = evaluate(whole, policies, groups, asked)
      if (expected === null) {
        expect(compile).toThrow('You requested hidden member')
        return
      }
      const used = factsOf(asked)
      if (policies.isFilteredByDefault && !used.includes('orders')) {
        // The same as of any filter on a member of orders.
        if (used.length > 1 && !isDenied(policies, groups, asked)) expect(compile).toThrow(QueryError)
        return
      }
      if (isAboutOrders(policies, groups, asked) && used.some(fact => fact !== 'orders')) {
        // One fact alone is joined to orders; several are refused where one of them can't be, unless there are no rows for him.
        if (used.length > 1 && !isDenied(policies, groups, asked)) expect(compile).toThrow("Can't find join path")
        return
      }
      const compiled = compile()
      await writeTables(whole)
      const found = await database.query(compiled)
      expect(found.map(row => JSON.stringify(row.map(textOf))).toSorted()).toEqual(expected.toSorted())
      if (compiled.total) expect(await database.query(compiled.total)).toEqual([[String(expected.length)]])
      seen.answered += 1
      if (used.length > 1) seen.several += 1
    }),
    { numRuns },
  )
  expect(seen.answered).toBeGreaterThan(numRuns / 2)
  expect(seen.several).toBeGreaterThan(numRuns / 4)
})
