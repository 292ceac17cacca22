import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { QueryError } from '../../src/index.ts'
import { type Database, openDatabase } from '../support/database.ts'
import { compileFor, everyone, modelOf } from '../support/model.ts'
import {
  type Filter,
  type FilterTree,
  membersOf,
  type Policy,
  policiesFor,
  type Row,
  seesRow,
} from '../support/policy-oracle.ts'
import { runsOf } from '../support/property-runs.ts'

vi.setConfig({ testTimeout: 120_000 })
const numRuns = runsOf('policies on switches')

let database: Database
beforeAll(async () => {
  database = await openDatabase('create table orders (id integer, city varchar, eur integer, usd integer)')
})
afterAll(() => database.close())

const currencies = ['EUR', 'USD', 'GBP'] as const
type Currency = (typeof currencies)[number]

const modelText = (policies: readonly Policy[], inView: readonly Policy[]) => {
  const guarded = (given: readonly Policy[]) => (given.length > 0 ? { access_policy: given } : {})
  return JSON.stringify({
    cubes: [
      {
        name: 'orders',
        sql_table: 'orders',
        dimensions: [
          { name: 'id', sql: 'id', type: 'number', primary_key: true },
          { name: 'city', sql: 'city', type: 'string' },
          { name: 'currency', type: 'switch', values: currencies },
          {
            name: 'price',
            type: 'number',
            case: {
              switch: '{currency}',
              when: [
                { value: 'EUR', sql: '{CUBE}.eur' },
                { value: 'USD', sql: '{CUBE}.usd' },
              ],
            },
          },
        ],
        measures: [
          { name: 'count', type: 'count' },
          { name: 'euros', sql: 'eur', type: 'sum' },
          {
            name: 'amount',
            multi_stage: true,
            type: 'number',
            case: { switch: '{currency}', when: [{ value: 'EUR', sql: '{euros}' }], else: { sql: '{count}' } },
          },
        ],
        ...guarded(policies),
      },
    ],
    views: [{ name: 'sales', cubes: [{ join_path: 'orders', includes: '*' }], ...guarded(inView) }],
  })
}

const leaf: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({
    member: fc.constant('currency'),
    operator: fc.constantFrom('equals' as const, 'notEquals' as const),
    values: fc.subarray([...currencies], { minLength: 1, maxLength: 2 }),
  }),
  fc.record({
    member: fc.constant('city'),
    operator: fc.constantFrom('equals' as const, 'notEquals' as const),
    values: fc.tuple(fc.constantFrom('Oslo', 'Rome')),
  }),
  fc.constant({ member: 'currency', operator: 'set' } as const),
)
const filter: fc.Arbitrary<FilterTree> = fc.oneof(
  leaf,
  fc.record({ or: fc.array(leaf, { minLength: 1, maxLength: 2 }) }),
  fc.record({ and: fc.array(leaf, { minLength: 1, maxLength: 2 }) }),
)
const policies: fc.Arbitrary<readonly Policy[]> = fc.array(
  fc
    .record({
      group: fc.constantFrom('*', 'red'),
      filters: fc.option(fc.array(filter, { minLength: 1, maxLength: 2 }), { nil: undefined }),
    })
    .map(({ group, filters }) => ({ group, ...(filters ? { row_level: { filters } } : {}) })),
  { maxLength: 2 },
)
const orders = fc.array(
  fc.record({
    city: fc.constantFrom('Oslo', 'Rome', null),
    eur: fc.constantFrom(1, 2, null),
    usd: fc.constantFrom(3, 4, null),
  }),
  { maxLength: 6 },
)
const asked = fc.record({
  dimensions: fc.subarray(['currency', 'city', 'price']),
  measures: fc.subarray(['count', 'euros', 'amount']),
  chosen: fc.option(fc.subarray([...currencies], { minLength: 1 }), { nil: null }),
  source: fc.constantFrom('orders' as const, 'sales' as const),
  groups: fc.subarray(['red']),
})

interface Order {
  readonly city: string | null
  readonly eur: number | null
  readonly usd: number | null
}

const literal = (value: string | number | null) => (typeof value === 'string' ? `'${value}'` : String(value))
const sorted = (rows: readonly unknown[][]) => rows.map(row => JSON.stringify(row)).toSorted()

/** The answer for one value of the switch, of the rows that the caller may see with it. */
function answerFor(
  rows: readonly (Order & { readonly currency: Currency })[],
  dimensions: readonly string[],
  measures: readonly string[],
  currency: Currency,
): unknown[][] {
  const price = (row: Order) => (currency === 'EUR' ? row.eur : currency === 'USD' ? row.usd : null)
  const groups = new Map<string, Order[]>()
  const grain = dimensions.filter(name => name !== 'currency')
  if (grain.length === 0 && measures.length > 0) groups.set('[]', [])
  for (const row of rows) {
    const key = JSON.stringify(grain.map(name => (name === 'city' ? row.city : price(row))))
    groups.set(key, [...(groups.get(key) ?? []), row])
  }
  // Nothing but a switch is asked for: its values are there, whatever rows there are.
  if (grain.length === 0 && measures.length === 0) return [[currency]]
  return [...groups].map(([key, group]) => {
    const values: unknown[] = JSON.parse(key)
    const euros = group.flatMap(({ eur }) => eur ?? [])
    const sum = euros.length > 0 ? euros.reduce((total, value) => total + value, 0) : null
    const measured = { count: group.length, euros: sum, amount: currency === 'EUR' ? sum : group.length }
    return [
      ...dimensions.map(name => (name === 'currency' ? currency : values[grain.indexOf(name)])),
      ...measures.map(name => Object.entries(measured).find(([known]) => known === name)?.[1]),
    ]
  })
}

test('policies on a switch show, for each value, the rows that they let pass with it', async () => {
  await fc.assert(
    fc.asyncProperty(orders, policies, policies, asked, async (rows, ofCube, ofView, query) => {
      const { dimensions, measures, chosen, source, groups } = query
      fc.pre(dimensions.length + measures.length > 0)
      await database.run('delete from orders')
      const values = rows.map(({ city, eur, usd }, id) => `(${[id, city, eur, usd].map(literal).join(', ')})`)
      if (values.length > 0) await database.run(`insert into orders values ${values.join(', ')}`)

      const caller = { groups, userAttributes: {} }
      const guarding = [ofCube, ...(source === 'sales' ? [ofView] : [])].map(given => policiesFor(given, caller))
      const named = (name: string) => `${source}.${name}`
      const asking = {
        measures: measures.map(named),
        dimensions: dimensions.map(named),
        filters: chosen ? [{ member: named('currency'), operator: 'equals', values: chosen }] : [],
      }
      const compile = () => compileFor(modelOf(modelText(ofCube, ofView)), asking, 'duckdb', { ...everyone, groups })

      // Several values that nothing groups by are none: rows for each of them could not be told apart.
      const isDecided = chosen?.length === 1 || dimensions.includes('currency')
      const isDenied = guarding.some(given => given?.length === 0)
      if (!isDecided) {
        const depends = measures.includes('amount') || dimensions.includes('price')
        const isRuled = guarding.some(given => given?.some(({ row_level: rule }) => rule?.filters.some(ofCurrency)))
        if (depends || isRuled) {
          // Policies of no effect, such as beside one without a filter, need no choice.
          const codes = ['switch_undecided', 'switch_policy']
          try {
            compile()
            expect(depends && !isDenied).toBe(false)
          } catch (error) {
            expect(error).toBeInstanceOf(QueryError)
            expect(codes).toContain(error instanceof QueryError ? error.code : '')
          }
          return
        }
      }
      const compiled = compile()
      const cells = (await database.query(compiled)).map(row =>
        row.map(cell => (typeof cell === 'string' && /^\d+$/.test(cell) ? Number(cell) : cell)),
      )
      const currencyOf = isDecided ? (chosen ?? currencies) : (['GBP'] as const)
      const valuesOf = (row: Row, member: string) => [row[member] ?? null]
      const expected = currencyOf.flatMap(currency => {
        const seen = rows
          .map(row => ({ ...row, currency }))
          .filter(row => guarding.every(given => seesRow(given, [], caller, { ...row }, valuesOf)))
        return answerFor(seen, dimensions, measures, currency)
      })
      expect(sorted(cells)).toEqual(sorted(expected))
    }),
    { numRuns },
  )
})

const ofCurrency = (tree: FilterTree) => membersOf(tree).includes('currency')
