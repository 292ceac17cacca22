import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { QueryError } from '../../src/index.ts'
import { type Database, openDatabase } from '../support/database.ts'
import { compileFor, modelOf } from '../support/model.ts'
import {
  type Caller,
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
const numRuns = runsOf('policies')
vi.setConfig({ testTimeout: 60_000 + numRuns * 500 })

let database: Database
beforeAll(async () => {
  database = await openDatabase()
})
afterAll(() => database.close())

type Name = 'orders' | 'customers' | 'items' | 'sales'
const sourceNames: readonly Name[] = ['orders', 'customers', 'items', 'sales']
type Tables = Readonly<Record<'orders' | 'customers' | 'items', readonly Row[]>>
type Policies = Readonly<Record<Name, readonly Policy[]>>

/** Members that policies are about; `free` is filtered by queries alone, so that no query implies a policy. */
const dimensions: Readonly<Record<Name, readonly string[]>> = {
  orders: ['x', 'y', 'free', 'city'],
  customers: ['x', 'free'],
  items: ['x', 'y'],
  sales: ['x', 'y', 'city', 'customers_x'],
}
const measures: Readonly<Record<Name, readonly string[]>> = {
  orders: ['count', 'total'],
  customers: ['count', 'total'],
  items: ['count', 'total'],
  sales: ['count', 'total'],
}
const masks: Readonly<Record<string, Value>> = {
  x: 'hidden',
  y: -7,
  total: -1,
  city: null,
  free: null,
  count: null,
  customers_x: 'hidden',
}

/** A view doesn't have the keys of its cubes. */
const namesOf = (source: Name) => [...dimensions[source], ...(source === 'sales' ? [] : ['id'])]

const policy = (source: Name, filterable: readonly string[]): fc.Arbitrary<Policy> => {
  const names = namesOf(source)
  const text = fc.constantFrom<Value | '{ userAttributes.list }' | '{ userAttributes.one }'>(
    'a',
    'b',
    null,
    '{ userAttributes.list }',
    '{ userAttributes.one }',
  )
  const leaf: fc.Arbitrary<FilterTree> = fc.oneof(
    fc.record({
      member: fc.constantFrom(...filterable.filter(name => name !== 'y')),
      operator: fc.constantFrom('equals' as const, 'notEquals' as const),
      values: fc.array(text, { minLength: 1, maxLength: 2 }),
    }),
    fc.record({ member: fc.constantFrom(...filterable), operator: fc.constant('set' as const) }),
    ...(filterable.includes('y')
      ? [
          fc.record({
            member: fc.constant('y'),
            operator: fc.constant('gt' as const),
            values: fc.tuple(fc.constantFrom(1, 2)),
          }),
        ]
      : []),
  )
  const filter: fc.Arbitrary<FilterTree> = fc.oneof(
    { weight: 3, arbitrary: leaf },
    fc.record({ or: fc.array(leaf, { minLength: 1, maxLength: 2 }) }),
    fc.record({ and: fc.array(leaf, { minLength: 1, maxLength: 2 }) }),
  )
  return fc
    .record({
      group: fc.constantFrom('*', 'red', 'blue'),
      level: fc.constantFrom(undefined, undefined, 2),
      included: fc.option(fc.subarray(names), { nil: undefined }),
      // Keys are how the rows of the two are told apart, so they are as they are or hidden.
      masked: fc.option(fc.subarray(names.filter(name => name !== 'id')), { nil: undefined }),
      filters: fc.option(fc.array(filter, { minLength: 1, maxLength: 2 }), { nil: undefined }),
    })
    .map(({ group, level, included, masked, filters }) => ({
      group,
      ...(level === undefined
        ? {}
        : { leastLevel: level, conditions: [{ if: `{ userAttributes.level >= ${level} }` }] }),
      ...(included ? { member_level: { includes: [...included, ...measures[source]] } } : {}),
      ...(included && masked ? { member_masking: { includes: masked } } : {}),
      ...(filters ? { row_level: { filters } } : {}),
    }))
}
/** For everybody: some members are masked, and shown on some rows. */
const partlyMasked = (source: Name, filterable: readonly string[]): fc.Arbitrary<readonly Policy[]> =>
  fc
    .record({
      masked: fc.subarray([...dimensions[source]], { minLength: 1 }),
      masking: policy(source, filterable),
      showing: policy(source, filterable).filter(({ row_level: rows }) => rows !== undefined),
    })
    .map(({ masked, masking, showing }) => [
      {
        group: '*',
        member_level: {
          includes: [...namesOf(source).filter(name => !masked.includes(name)), ...measures[source]],
        },
        member_masking: { includes: masked },
        ...(masking.row_level ? { row_level: masking.row_level } : {}),
      },
      { group: '*', ...(showing.row_level ? { row_level: showing.row_level } : {}) },
    ])
const policiesOf = (source: Name, filterable: readonly string[], maxLength: number): fc.Arbitrary<readonly Policy[]> =>
  fc.oneof(fc.array(policy(source, filterable), { maxLength }), partlyMasked(source, filterable))
const policies = fc.record({
  orders: policiesOf('orders', ['x', 'y', 'city', 'item_x'], 3),
  customers: policiesOf('customers', ['x'], 2),
  items: policiesOf('items', ['x', 'y'], 2),
  sales: policiesOf('sales', ['x', 'y', 'customers_x'], 2),
})

const text = fc.constantFrom('a', 'b', null)
const number = fc.constantFrom(1, 2, 3, null)
const tables: fc.Arbitrary<Tables> = fc
  .record({
    orders: fc.array(fc.record({ customer_id: fc.constantFrom(1, 2, 3, null), x: text, y: number, free: text }), {
      maxLength: 6,
    }),
    customers: fc.array(fc.record({ x: text, y: number, free: text }), { maxLength: 3 }),
    items: fc.array(fc.record({ order_id: fc.integer({ min: 1, max: 6 }), x: text, y: number }), { maxLength: 8 }),
  })
  .map(({ orders, customers, items }) => {
    const numbered = (rows: readonly Row[]) => rows.map((row, index) => ({ id: index + 1, ...row }))
    return { orders: numbered(orders), customers: numbered(customers), items: numbered(items) }
  })

const caller: fc.Arbitrary<Caller> = fc.record({
  groups: fc.subarray(['red', 'blue']),
  userAttributes: fc.record(
    { level: fc.constantFrom(1, 2), one: fc.constantFrom('a', 'b'), list: fc.subarray(['a', 'b']) },
    { requiredKeys: [] },
  ),
})

interface Query {
  readonly measures: readonly string[]
  readonly dimensions: readonly string[]
  readonly filters: readonly { member: string; operator: string; values?: readonly string[] }[]
  readonly joinHints?: readonly (readonly string[])[]
  readonly ungrouped?: boolean
  readonly total: true
}

const idsOf = (sources: readonly Name[], of: Readonly<Record<Name, readonly string[]>>) =>
  sources.flatMap(source => of[source].map(name => `${source}.${name}`))
/** Of values as they are shown, masks too. */
const filtersOf = (sources: readonly Name[]) => {
  const member = fc.constantFrom(...idsOf(sources, dimensions))
  const filter = fc.oneof(
    fc.record({
      member: member.filter(id => !id.endsWith('.y')),
      operator: fc.constantFrom('equals', 'notEquals'),
      values: fc.tuple(fc.constantFrom('a', 'b', 'hidden')),
    }),
    fc.record({ member, operator: fc.constantFrom('set', 'notSet') }),
  )
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant<Query['filters']>([]) },
    filter.map((one): Query['filters'] => [one]),
  )
}
const query = (sources: readonly Name[], joinHints: readonly (readonly string[])[]): fc.Arbitrary<Query> =>
  fc
    .record({
      measures: fc.subarray(idsOf(sources, measures)),
      dimensions: fc.subarray(idsOf(sources, dimensions)),
      filters: filtersOf(sources),
    })
    .filter(({ measures: m, dimensions: d }) => m.length + d.length > 0)
    .map(asked => ({ ...asked, joinHints, total: true }))
/** Rows as they are. */
const rows = (sources: readonly Name[], keys: readonly string[], joinHints: readonly (readonly string[])[]) =>
  fc
    .record({
      measures: fc.subarray(idsOf(sources, measures)),
      dimensions: fc.subarray(idsOf(sources, dimensions)),
      filters: filtersOf(sources),
    })
    .filter(({ measures: m, dimensions: d }) => m.length + d.length + keys.length > 0)
    .map(
      (asked): Query => ({
        ...asked,
        dimensions: [...keys, ...asked.dimensions],
        joinHints,
        ungrouped: true,
        total: true,
      }),
    )
const queries: fc.Arbitrary<Query> = fc.oneof(
  query(
    ['orders', 'customers', 'items'],
    [
      ['orders', 'customers'],
      ['orders', 'items'],
    ],
  ),
  query(['orders', 'customers'], [['orders', 'customers']]),
  query(['orders', 'items'], [['orders', 'items']]),
  query(['sales'], []),
  rows(['orders'], ['orders.id'], []),
  rows(['orders', 'customers'], ['orders.id'], [['orders', 'customers']]),
  rows(['orders', 'items'], ['orders.id', 'items.id'], [['orders', 'items']]),
  rows(['sales'], [], []),
)

/** What a masked member of an optional table shows where there is no row. */
type Absent = Readonly<Record<string, Value>>

/** JSON is YAML. Without policies, the model of what is left after them. */
function modelText(given: Policies | null, absent: Absent = {}): string {
  const prefix = given ? 'raw' : 'seen'
  const dimension = (cube: string, name: string) => {
    const shown = absent[`${cube}.${name}`] ?? null
    const mask = masks[name] ?? null
    return {
      name,
      sql: shown === null ? name : `CASE WHEN {CUBE}.id IS NULL THEN ${literal(shown)} ELSE {CUBE}.${name} END`,
      type: name === 'y' ? 'number' : 'string',
      ...(mask === null ? {} : { mask }),
    }
  }
  const id = { name: 'id', sql: 'id', type: 'number', primary_key: true, public: true }
  const own = [
    { name: 'count', type: 'count' },
    { name: 'total', sql: given ? 'y' : 'amount', type: 'sum' },
  ]
  const guarded = (name: Name) => {
    const written = given?.[name].map(({ leastLevel: _, ...rest }) => rest)
    return written && written.length > 0 ? { access_policy: written } : {}
  }
  const cubes = [
    {
      name: 'orders',
      sql_table: `${prefix}_orders`,
      joins: [
        { name: 'customers', sql: '{CUBE}.customer_id = {customers}.id', relationship: 'many_to_one' },
        { name: 'items', sql: '{CUBE}.id = {items}.order_id', relationship: 'one_to_many' },
      ],
      dimensions: [
        id,
        ...['x', 'y', 'free'].map(name => dimension('orders', name)),
        { name: 'city', sql: given ? '{customers}.x' : 'city', type: 'string' },
        { name: 'item_x', sql: given ? '{items}.x' : 'x', type: 'string' },
        { name: 'customers_x', sql: 'customers_x', type: 'string' },
      ],
      measures: own,
      ...guarded('orders'),
    },
    {
      name: 'customers',
      sql_table: `${prefix}_customers`,
      dimensions: [id, ...['x', 'free'].map(name => dimension('customers', name))],
      measures: own,
      ...guarded('customers'),
    },
    {
      name: 'items',
      sql_table: `${prefix}_items`,
      dimensions: [id, ...['x', 'y'].map(name => dimension('items', name))],
      measures: own,
      ...guarded('items'),
    },
  ]
  const ofOrders = {
    join_path: 'orders',
    includes: ['count', 'total', 'x', 'y', 'city', ...(given ? [] : ['customers_x'])],
  }
  const ofCustomers = { join_path: 'orders.customers', prefix: true, includes: ['x'] }
  return JSON.stringify({
    cubes,
    views: [{ name: 'sales', cubes: given ? [ofOrders, ofCustomers] : [ofOrders], ...guarded('sales') }],
  })
}

const columns: Readonly<Record<keyof Tables, readonly string[]>> = {
  orders: ['id', 'customer_id', 'x', 'y', 'free', 'city', 'customers_x', 'amount'],
  customers: ['id', 'x', 'y', 'free', 'amount'],
  items: ['id', 'order_id', 'x', 'y', 'amount'],
}
const texts = ['x', 'free', 'city', 'customers_x']
const literal = (value: Value | undefined) =>
  value == null ? 'NULL' : typeof value === 'number' ? String(value) : `'${value}'`

async function writeTables(prefix: string, rows: Tables): Promise<void> {
  for (const name of ['orders', 'customers', 'items'] as const) {
    const types = columns[name].map(column => `${column} ${texts.includes(column) ? 'varchar' : 'integer'}`)
    await database.run(`create or replace table ${prefix}_${name} (${types.join(', ')})`)
    const values = rows[name].map(row => `(${columns[name].map(column => literal(row[column])).join(', ')})`)
    if (values.length > 0) await database.run(`insert into ${prefix}_${name} values ${values.join(', ')}`)
  }
}

const plain: ValuesOf = (row, member) => [row[member] ?? null]

/** What is left of the tables for a caller who asks a query; null where it is refused. */
function seenBy(whole: Tables, given: Policies, who: Caller, asked: Query): { tables: Tables; absent: Absent } | null {
  const ids = [...asked.measures, ...asked.dimensions, ...asked.filters.map(({ member }) => member)]
  const names = (source: Name) => ids.flatMap(id => (id.startsWith(`${source}.`) ? [id.slice(source.length + 1)] : []))
  const mine = (source: Name) => policiesFor(given[source], who)
  if (sourceNames.some(source => names(source).some(name => isHidden(mine(source), name)))) return null
  const isView = names('sales').length > 0
  const isCustomers = (name: string) => name === 'customers_x'
  const touched: readonly Name[] = [
    ...sourceNames.filter(source => names(source).length > 0),
    ...names('sales').map((name): Name => (isCustomers(name) ? 'customers' : 'orders')),
  ]
  const isDenied = touched.some(source => mine(source)?.length === 0)
  const rowsOf = (source: keyof Tables, valuesOf: ValuesOf) =>
    isDenied ? [] : whole[source].filter(row => seesRow(mine(source), names(source), who, row, valuesOf))
  const orderValues =
    (customers: readonly Row[]): ValuesOf =>
    (row, member) => {
      if (member === 'city' || member === 'customers_x') {
        return [customers.find(({ id }) => id === row.customer_id)?.x ?? null]
      }
      if (member !== 'item_x') return [row[member] ?? null]
      const values = whole.items.flatMap(item => (item.order_id === row.id ? [item.x ?? null] : []))
      return values.length > 0 ? values : [null]
    }
  const customers = rowsOf('customers', plain)
  const items = rowsOf('items', plain)
  // A cube's policies know all customers; the view's, and what an order shows, only those that the caller sees.
  const seenValues = orderValues(customers)
  const orders = rowsOf('orders', orderValues(whole.customers)).filter(
    row => !isView || seesRow(mine('sales'), names('sales'), who, row, seenValues),
  )
  const isMasked = (source: Name, name: string, row: Row, valuesOf: ValuesOf) => {
    const seeing = maskOf(mine(source), name)
    return seeing !== null && !isAnyPassing(seeing, who, row, valuesOf)
  }
  const shown = (source: Name, name: string, row: Row, valuesOf: ValuesOf): Value =>
    isMasked(source, name, row, valuesOf) ? (masks[name] ?? null) : (valuesOf(row, name)[0] ?? null)
  const shownOfOrder = (name: string, row: Row): Value => {
    if (!isView) return isCustomers(name) ? null : shown('orders', name, row, seenValues)
    const customer = customers.find(({ id }) => id === row.customer_id) ?? {}
    const isInner = isCustomers(name)
      ? isMasked('customers', 'x', customer, plain)
      : isMasked('orders', name, row, seenValues)
    return isInner ? (masks[name] ?? null) : shown('sales', name, row, seenValues)
  }
  const showing = (source: Name, members: readonly string[], rows: readonly Row[]) =>
    rows.map(row => ({
      ...row,
      amount: row.y ?? null,
      ...Object.fromEntries(members.map(name => [name, shown(source, name, row, plain)])),
    }))
  return {
    tables: {
      orders: orders.map(row => ({
        ...row,
        amount: row.y ?? null,
        ...Object.fromEntries(['x', 'y', 'free', 'city', 'customers_x'].map(name => [name, shownOfOrder(name, row)])),
      })),
      customers: showing('customers', ['x', 'free'], customers),
      items: showing('items', ['x', 'y'], items),
    },
    absent: {
      'customers.x': shown('customers', 'x', {}, plain),
      'items.x': shown('items', 'x', {}, plain),
      'items.y': shown('items', 'y', {}, plain),
    },
  }
}

/** Whether the caller asks for what he is shown on some rows only. */
const isPartlyMasked = (given: Policies, who: Caller, { dimensions: asked, filters }: Query): boolean =>
  sourceNames.some(source =>
    [...asked, ...filters.map(({ member }) => member)]
      .filter(id => id.startsWith(`${source}.`))
      .some(id => (maskOf(policiesFor(given[source], who), id.slice(source.length + 1)) ?? []).length > 0),
  )

const sorted = (rows: readonly (readonly unknown[])[]) =>
  rows.map(row => JSON.stringify(row.map(cell => (cell === null ? null : String(cell))))).toSorted()

test('an answer is that of the same question without policies, asked of data that was filtered and masked before', async () => {
  let answered = 0
  let restricted = 0
  let partly = 0
  await fc.assert(
    fc.asyncProperty(tables, policies, caller, queries, async (whole, given, who, asked) => {
      // Where one order would be shown once for each of its items, it is masked: a rule for plans, not for data.
      const isAboutItems = given.orders.some(({ row_level: rows }) =>
        rows?.filters.flatMap(membersOf).includes('item_x'),
      )
      fc.pre(!isAboutItems || given.orders.every(({ member_masking: masking }) => masking === undefined))
      const model = modelOf(modelText(given))
      const compile = () => compileFor(model, asked, 'duckdb', { securityContext: {}, ...who })
      const seen = seenBy(whole, given, who, asked)
      if (seen === null) {
        expect(compile).toThrow(QueryError)
        return
      }
      await writeTables('raw', whole)
      await writeTables('seen', seen.tables)
      const compiled = compile()
      const plain = compileFor(modelOf(modelText(null, seen.absent)), asked)
      expect(sorted(await database.query(compiled))).toEqual(sorted(await database.query(plain)))
      if (!compiled.total || !plain.total) throw new Error('A total was asked for')
      expect(await database.query(compiled.total)).toEqual(await database.query(plain.total))
      answered += 1
      if (seen.tables.orders.length < whole.orders.length) restricted += 1
      if (isPartlyMasked(given, who, asked)) partly += 1
    }),
    { numRuns },
  )
  expect(answered).toBeGreaterThan(numRuns / 5)
  expect(restricted).toBeGreaterThan(numRuns / 20)
  expect(partly).toBeGreaterThan(numRuns / 10)
})
