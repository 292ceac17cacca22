import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Database, openDatabase } from './support/database.ts'
import { compileFor, modelOf } from './support/model.ts'
import { runsOf } from './support/property-runs.ts'

// Hundreds of queries take seconds where other work shares the machine.
vi.setConfig({ testTimeout: 60_000 })

const read = (name: string) => readFileSync(new URL(`golden/${name}`, import.meta.url), 'utf8')
const model = modelOf(read('shop.yml'))
let database: Database
beforeAll(async () => {
  database = await openDatabase(read('data.sql'))
})
afterAll(() => database.close())

/** Customers reach nothing by themselves, so every question is asked of orders. */
const joinHints = [['orders', 'customers']]
const ask = (query: unknown) => database.query(compileFor(model, query))

const filter = fc.oneof(
  fc.record({
    member: fc.constant('orders.status'),
    operator: fc.constantFrom('equals', 'notEquals', 'contains', 'notStartsWith'),
    values: fc.array(fc.constantFrom('done', 'open', 'cancelled', 'e', null), { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    member: fc.constantFrom('orders.amount', 'line_items.price'),
    operator: fc.constantFrom('gt', 'lte', 'equals', 'notEquals'),
    values: fc.array(fc.constantFrom(1, 5.25, 7, 20), { minLength: 1, maxLength: 2 }),
  }),
  fc.record({ member: fc.constantFrom('customers.city', 'orders.amount'), operator: fc.constantFrom('set', 'notSet') }),
)
const groups = fc.array(fc.oneof(filter, fc.record({ or: fc.array(filter, { minLength: 1, maxLength: 3 }) })), {
  maxLength: 4,
})
const measures = fc.uniqueArray(
  fc.constantFrom(
    'orders.revenue',
    'orders.count',
    'line_items.quantity',
    'customers.count',
    'orders.items_per_order',
    'orders.buyers',
  ),
  { minLength: 1, maxLength: 4 },
)
const dimensions = fc.uniqueArray(fc.constantFrom('customers.city', 'orders.status', 'products.category'), {
  maxLength: 2,
})

test('filters in another order find the same', async () => {
  await fc.assert(
    fc.asyncProperty(measures, dimensions, groups, async (measures_, dimensions_, filters) => {
      const query = { measures: measures_, dimensions: dimensions_, joinHints }
      const forward = await ask({ ...query, filters })
      expect(await ask({ ...query, filters: filters.toReversed() })).toEqual(forward)
      expect(await ask({ ...query, filters: filters.length > 0 ? [{ and: filters }] : [] })).toEqual(forward)
    }),
    { numRuns: runsOf('filters in another order') },
  )
})

test('pages together are the whole', async () => {
  await fc.assert(
    fc.asyncProperty(measures, dimensions, fc.integer({ min: 1, max: 4 }), async (measures_, dimensions_, limit) => {
      const query = { measures: measures_, dimensions: dimensions_, joinHints }
      const pages = await Promise.all(
        Array.from({ length: 16 }, (_, page) => ask({ ...query, limit, offset: page * limit })),
      )
      expect(pages.flat()).toEqual(await ask(query))
    }),
    { numRuns: runsOf('pages') },
  )
})

test('the parts of a date range add up to it', async () => {
  const day = fc
    .date({ min: new Date('2023-12-01'), max: new Date('2025-01-31'), noInvalidDate: true })
    .map(date => date.toISOString().slice(0, 10))
  const zone = fc.constantFrom('UTC', 'America/New_York', 'Pacific/Auckland', 'Asia/Kathmandu')
  await fc.assert(
    fc.asyncProperty(fc.tuple(day, day, day), zone, async (days, timezone) => {
      const [first = '', middle = '', last = ''] = days.toSorted()
      const before = new Date(Date.parse(middle) - 86_400_000).toISOString().slice(0, 10)
      const count = async (from: string, to: string) => {
        const timeDimensions = [{ dimension: 'orders.created_at', dateRange: [from, to] }]
        const [row] = await ask({ measures: ['orders.count'], timeDimensions, timezone })
        return Number(row?.[0])
      }
      const parts = (first < middle ? await count(first, before) : 0) + (await count(middle, last))
      expect(parts).toBe(await count(first, last))
    }),
    { numRuns: runsOf('parts of a date range') },
  )
})

/** Joined rows in memory, and every measure from the distinct rows of its own table. */
test('totals are those of a naive evaluator, whatever is joined', async () => {
  const rows = await database.query({
    sql: `select o.id, o.customer_id, o.status, o.amount, c.id, c.city, l.order_id, l.line, l.quantity, p.id, p.category
      from orders o left join customers c on c.id = o.customer_id
      left join line_items l on l.order_id = o.id left join products p on p.id = l.product_id`,
    parameters: [],
  })
  const columns: Record<string, number> = { 'orders.status': 2, 'customers.city': 5, 'products.category': 10 }
  type Rows = typeof rows
  const distinct = (group: Rows, ...keys: number[]) => [
    ...new Map(
      group.filter(row => keys.every(key => row[key] !== null)).map(row => [keys.map(key => row[key]).join(), row]),
    ).values(),
  ]
  const sum = (group: Rows, column: number) => {
    const present = group.map(row => row[column]).filter(cell => cell !== null)
    return present.length > 0
      ? present.reduce<number>((total, cell) => total + Math.round(Number(cell) * 100), 0) / 100
      : null
  }
  const evaluators: Record<string, (group: Rows) => number | null> = {
    'orders.count': group => distinct(group, 0).length,
    'orders.revenue': group => sum(distinct(group, 0), 3),
    'orders.buyers': group => distinct(group, 1).length,
    'customers.count': group => distinct(group, 4).length,
    'line_items.quantity': group => sum(distinct(group, 6, 7), 8),
    'products.count': group => distinct(group, 9).length,
  }
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.constantFrom(...Object.keys(evaluators)), { minLength: 1 }),
      fc.subarray(Object.keys(columns)),
      async (measures_, dimensions_) => {
        // Orders and line items are always joined, so that the rows are those above.
        const filters = [
          {
            or: ['orders.id', 'products.id'].flatMap(member =>
              ['set', 'notSet'].map(operator => ({ member, operator })),
            ),
          },
        ]
        const answer = await ask({
          measures: measures_,
          dimensions: dimensions_,
          filters,
          joinHints: [['orders', 'line_items', 'products']],
        })
        const expected = new Map<string, Rows>()
        for (const row of rows) {
          const key = JSON.stringify(dimensions_.map(name => row[columns[name] ?? 0]))
          expected.set(key, [...(expected.get(key) ?? []), row])
        }
        const found = answer.map(row => [
          JSON.stringify(row.slice(0, dimensions_.length)),
          row.slice(dimensions_.length).map(cell => (cell === null ? null : Number(cell))),
        ])
        const wanted = [...expected].map(([key, group]) => [key, measures_.map(name => evaluators[name]?.(group))])
        const sorted = (list: unknown[][]) => list.map(item => JSON.stringify(item)).toSorted()
        expect(sorted(found)).toEqual(sorted(wanted))
      },
    ),
    { numRuns: runsOf('totals') },
  )
})

test('whatever a client sends, it is answered or refused, never a bug', () => {
  const name = fc.constantFrom(
    'orders.count',
    'orders.status',
    'orders.created_at',
    'sales.pieces',
    'nope.x',
    '__proto__.x',
    'orders.constructor',
  )
  const anything = fc.oneof(name, fc.anything({ maxDepth: 2 }))
  const query = fc.record(
    {
      measures: fc.oneof(fc.array(anything), anything),
      dimensions: fc.array(anything),
      filters: fc.array(
        fc.oneof(
          fc.record({
            member: name,
            operator: fc.constantFrom('equals', 'gt', 'inDateRange', 'x'),
            values: fc.array(fc.anything({ maxDepth: 1 })),
          }),
          fc.anything(),
        ),
      ),
      timeDimensions: fc.array(
        fc.record(
          { dimension: name, granularity: anything, dateRange: fc.oneof(fc.string(), fc.array(fc.string())) },
          { requiredKeys: [] },
        ),
      ),
      order: fc.oneof(fc.array(fc.tuple(name, fc.constantFrom('asc', 'desc', 'x'))), fc.anything()),
      limit: fc.oneof(fc.integer(), fc.anything()),
      timezone: fc.oneof(fc.string(), fc.constantFrom('UTC', 'Europe/Paris', '+02:00')),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(query, input => {
      try {
        compileFor(model, input)
      } catch (error) {
        expect(error).toHaveProperty('name', 'QueryError')
      }
    }),
    { numRuns: 500 },
  )
})
