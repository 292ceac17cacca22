import { expect, test, vi } from 'vitest'
import { secureModel } from '../../src/access/secured-index.ts'
import { compileAfresh } from '../../src/compile-query.ts'
import { compileQuery, expandQueries, type Model, type NormalizedQuery, normalizeQuery } from '../../src/index.ts'
import { normalizeInput } from '../../src/query/normalize-query.ts'
import { readQueryInput } from '../../src/query/query-input.ts'
import { KnownQuery } from '../../src/templates/known-query.ts'
import { outlineOf } from '../../src/templates/outline.ts'
import { createDice, type Dice } from '../fuzz/mutate.ts'
import { membersOf, randomQuery } from '../fuzz/random-query.ts'
import { everyone, modelOf, options } from '../support/model.ts'
import { runsOf } from '../support/property-runs.ts'
import { randomCaller } from './random-caller.ts'
import { readTestModels } from './test-models.ts'

const runs = runsOf('queries that are known')
vi.setConfig({ testTimeout: 60_000 + runs * 500 })

/** As it is read when nothing is known. */
const afresh = (model: Model, query: unknown, asked = options): NormalizedQuery =>
  normalizeInput(secureModel(model, { ...asked.context }), readQueryInput(query), asked, 'regularQuery')

function outcome<T>(work: () => T): T | string {
  try {
    return work()
  } catch (error) {
    if (error instanceof Error) return error.message
    throw error
  }
}

const otherValues = [
  'done',
  'open',
  '1',
  '-2.5',
  '',
  null,
  7,
  true,
  0.5,
  '2024-01-31',
  '2024-02-30',
  'yesterday',
  'x',
  {},
  [],
]
const otherRanges = [
  'today',
  'last 3 weeks',
  ['2023-12-31'],
  ['2024-01-01', '2024-02-30'],
  'from 2 days ago to now',
  ' ',
  [],
  'soon',
]
const otherThings = [
  undefined,
  null,
  '',
  0,
  -1,
  1.5,
  'x',
  [],
  {},
  true,
  false,
  ['a.b'],
  [['a.b', 'asc']],
  { and: [] },
  'UTC',
  'Asia/Tokyo',
  'month',
]

/** The same with other values, dates or page; sometimes with something else changed, mostly for the worse. */
function otherInput(query: unknown, dice: Dice): unknown {
  const isWild = dice.roll(6) === 0
  const visit = (value: unknown, key: string, depth: number): unknown => {
    if (isWild && depth > 0 && dice.roll(25) === 0) return dice.pick(otherThings)
    if (key === 'limit' || key === 'offset') return dice.roll(3) === 0 ? dice.pick([0, 1, 7, 60_000]) : value
    if (key === 'dateRange') return dice.pick(otherRanges)
    if (key === 'values' && Array.isArray(value)) {
      const values = value.map(item => (dice.roll(2) === 0 ? dice.pick(otherValues) : item))
      return dice.roll(10) === 0 ? [...values, dice.pick(otherValues)] : values
    }
    if (Array.isArray(value)) return value.map(item => visit(item, '', depth + 1))
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).map(([name, inner]) => [name, visit(inner, name, depth + 1)])
    if (isWild && dice.roll(8) === 0) entries.push([dice.pick(['and', 'extra', 'dimension', 'cache']), 'no-cache'])
    return Object.fromEntries(dice.roll(4) === 0 ? entries.toReversed() : entries)
  }
  return visit(query, '', 0)
}

test('a query that is like one which was asked is read as if nothing were known, whoever asks and whatever changes', () => {
  const models = readTestModels()
  const count = { asked: 0, known: 0, refused: 0 }
  for (let seed = 1; seed <= runs; seed++) {
    const dice = createDice(seed)
    const model = dice.pick(models)
    const members = membersOf(model)
    const callers = [everyone, ...Array.from({ length: 2 }, () => randomCaller(model, dice))]
    const queries = Array.from({ length: 2 }, () => {
      for (let attempt = 0; attempt < 6; attempt++) {
        const query = randomQuery(members, dice)
        const read = outcome(() => afresh(model, query, { ...options, context: dice.pick(callers) }))
        if (typeof read !== 'string')
          return { ...Object(query), limit: 5, ...(dice.roll(2) === 0 ? { offset: 3 } : {}) }
      }
      return { measures: ['nope.nothing'] }
    })
    for (let round = 0; round < 16; round++) {
      const query = otherInput(dice.pick(queries), dice)
      const context = { ...dice.pick(callers) }
      const asked = {
        ...options,
        context,
        now: new Date(options.now.getTime() + dice.roll(400) * 86_400_000),
        defaultTimezone: dice.pick(['UTC', 'UTC', 'America/New_York']),
      }
      const fresh = outcome(() => afresh(model, query, asked))
      const warm = outcome(() =>
        dice.roll(2) === 0 ? normalizeQuery(model, query, asked) : expandQueries(model, [query], asked).queries[0],
      )
      const at = `seed ${seed}, round ${round}: ${JSON.stringify(query)}`
      expect(JSON.stringify(warm), at).toBe(JSON.stringify(fresh))
      count.asked += 1
      if (typeof fresh === 'string' || typeof warm === 'string' || !warm) {
        count.refused += 1
        continue
      }
      if (warm instanceof KnownQuery) count.known += 1
      const compiled = outcome(() => compileQuery(model, warm, context, 'duckdb'))
      const compiledAfresh = outcome(
        () =>
          compileAfresh({ model, query: fresh, context: { ...context }, database: 'duckdb', parametersBefore: 0 })
            .compiled,
      )
      expect(compiled, at).toEqual(compiledAfresh)
    }
  }
  // A store that knew nothing would pass, and a generator of refusals too.
  if (runs < 100) return
  expect(count.known / count.asked).toBeGreaterThan(0.15)
  expect(count.refused / count.asked).toBeLessThan(0.5)
})

const shop = modelOf(`
cubes:
  - name: orders
    sql_table: orders
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: city, sql: city, type: string }
      - { name: at, sql: at, type: time }
    measures: [{ name: count, type: count }]
  - name: guarded
    sql_table: orders
    dimensions: [{ name: city, sql: city, type: string }]
    measures: [{ name: count, type: count }]
    access_policy:
      - { group: staff, member_level: { includes: "*" } }
      - { group: guests, member_level: { includes: [city] } }
views:
  - name: lately
    cubes: [{ join_path: orders, includes: "*" }]
    default_filters: [{ member: at, operator: inDateRange, values: [last 7 days], unless: [at] }]
`)

/** Whether it was known the third time, and what it then was. */
function third(query: object, asked = options) {
  normalizeQuery(shop, query, asked)
  normalizeQuery(shop, query, asked)
  const read = normalizeQuery(shop, query, asked)
  return { read, isKnown: read instanceof KnownQuery }
}

test('is known from the third time on', () => {
  const query = { measures: ['orders.count'], filters: [{ member: 'orders.city', operator: 'equals', values: ['a'] }] }
  const { read, isKnown } = third(query)
  expect(isKnown).toBe(true)
  expect({ ...read }).toEqual(afresh(shop, query))
})

test('a copy with something changed is like no other', () => {
  const { read } = third({ measures: ['orders.count'], dimensions: ['orders.city'] })
  expect(KnownQuery.likenessOf(read)).not.toBeNull()
  expect(KnownQuery.likenessOf({ ...read, measures: [] })).toBeNull()
  expect(KnownQuery.likenessOf(structuredClone(read))).toBeNull()
})

test('with another number of values, or a null among them, it is like no other that is known', () => {
  const filter = (...values: (string | null)[]) => ({
    dimensions: ['orders.city'],
    filters: [{ member: 'orders.city', operator: 'equals', values }],
  })
  third(filter('a'))
  for (const values of [['a', 'b'], [null], [null, 'a'], ['a', null]]) {
    expect(normalizeQuery(shop, filter(...values), options)).not.toBeInstanceOf(KnownQuery)
  }
  // Dates that are left out make two moments one.
  const dates = (...values: string[]) => ({
    dimensions: ['orders.city'],
    filters: [{ member: 'orders.at', operator: 'inDateRange', values }],
  })
  third(dates('2024-01-01', '2024-02-01'))
  const none = normalizeQuery(shop, dates('', ''), options)
  expect(none.filters).toEqual([{ member: 'orders.at', operator: 'inDateRange', values: [] }])
  expect(KnownQuery.likenessOf(none)).toBeNull()
})

test('of members with policies it is known for a caller who is the same in everything, and for nobody else', () => {
  const as = (groups: readonly string[], userAttributes = {}) => ({
    ...options,
    context: { ...everyone, groups, userAttributes },
  })
  const query = { measures: ['guarded.count'] }
  // The first of them find out that it depends on who asks.
  third(query, as(['staff']))
  expect(third(query, as(['staff'])).isKnown).toBe(true)
  expect(normalizeQuery(shop, query, as(['staff'], { city: 'Rome' }))).not.toBeInstanceOf(KnownQuery)
  expect(third(query, as(['staff', 'guests'])).isKnown).toBe(true)
  for (const attempt of [1, 2, 3, 4]) {
    expect(() => normalizeQuery(shop, query, as(['guests'], { attempt }))).toThrow('guarded.count')
    expect(() => normalizeQuery(shop, query, as(['guests']))).toThrow('guarded.count')
  }
  // Of such a caller, JSON does not tell all.
  expect(third(query, as(['staff'], { city: Number.NaN })).isKnown).toBe(false)
})

test('nothing is known of views with default filters, which hold for the dates of today', () => {
  const { read, isKnown } = third({ measures: ['lately.count'] })
  expect(isKnown).toBe(false)
  expect(read.filters).toHaveLength(1)
})

test('a wrong value is refused as it is in a query that was never asked', () => {
  const ranged = (dateRange: unknown) => ({
    measures: ['orders.count'],
    timeDimensions: [{ dimension: 'orders.at', dateRange }],
  })
  third(ranged('today'))
  for (const wrong of ['2024-02-30', ['2024-01-01', 'x'], [], ' ', 7, null]) {
    const refusal = outcome(() => afresh(shop, ranged(wrong)))
    expect(refusal).toBeTypeOf('string')
    expect(outcome(() => normalizeQuery(shop, ranged(wrong), options))).toBe(refusal)
  }
  expect(() => normalizeQuery(shop, { ...ranged('today'), limit: 50_001 }, options)).toThrow('50001')
})

test('outlines of queries that ask for something else differ', () => {
  const queries = [
    {},
    { measures: ['a.b'] },
    { dimensions: ['a.b'] },
    { segments: ['a.b'] },
    { measures: ['a.b', 'c.d'] },
    { measures: ['c.d', 'a.b'] },
    { measures: ['a.b3:c.d'] },
    { measures: ['a.b'], dimensions: ['c.d'] },
    { order: [] },
    { order: [['a.b', 'asc']] },
    { order: { 'a.b': 'desc' } },
    { order: { 'a.b': 'asc', 'c.d': 'asc' } },
    { order: { 'c.d': 'asc', 'a.b': 'asc' } },
    { timeDimensions: [{ dimension: 'a.b' }] },
    { timeDimensions: [{ dimension: 'a.b', granularity: 'day' }] },
    { timeDimensions: [{ dimension: 'a.b', granularity: 'day', dateRange: 'today' }] },
    { timeDimensions: [{ dimension: 'a.b', dateRange: 'today' }] },
    ...['equals', 'set'].flatMap(operator =>
      [['x'], ['x', 'y'], [null], [null, 'x'], ['x', null], [], undefined].map(values => ({
        filters: [{ member: 'a.b', operator, ...(values ? { values } : {}) }],
      })),
    ),
    { filters: [{ and: [{ member: 'a.b', operator: 'set' }] }] },
    { filters: [{ or: [{ member: 'a.b', operator: 'set' }] }] },
    {
      filters: [
        {
          or: [
            { member: 'a.b', operator: 'set' },
            { member: 'a.b', operator: 'set' },
          ],
        },
      ],
    },
    { filters: [{ or: [{ member: 'a.b', operator: 'set' }] }, { member: 'a.b', operator: 'set' }] },
    { total: true },
    { total: false },
    { ungrouped: true },
    { renewQuery: true },
    { cache: 'no-cache' },
    { cacheMode: 'no-cache' },
    { responseFormat: 'compact' },
  ]
  const outlines = queries.map(query => outlineOf(query)?.text)
  expect(outlines).not.toContain(undefined)
  expect(new Set(outlines).size).toBe(queries.length)
})

test('what reads a query as a whole refuses, or what is more than one query, has no outline', () => {
  const inherited: object = Object.create({ measures: ['a.b'] })
  const refused = [
    null,
    [],
    'x',
    inherited,
    { extra: 1 },
    { joinHints: [['a', 'b']] },
    { maskedMembers: [] },
    { measures: 'a.b' },
    { measures: [7] },
    { measures: Array.from({ length: 2_000 }, () => 'a.long_name') },
    { limit: -1 },
    { offset: 1.5 },
    { timezone: '' },
    { total: 'yes' },
    { timeDimensions: [{ dimension: 'a.b', compareDateRange: ['today'] }] },
    { timeDimensions: [{ dimension: 'a.b', dateRange: ['x', 'y', 'z'] }] },
    { filters: [{ member: 'a.b', dimension: 'a.b', operator: 'set' }] },
    { filters: [{ and: [] }] },
    { filters: [{ and: [{ member: 'a.b', operator: 'set' }], or: [] }] },
    { filters: [{ member: 'a.b', operator: 'equals', values: [{}] }] },
    { filters: [{ member: 'a.b', operator: 'equals', values: Array.from({ length: 101 }, String) }] },
  ]
  expect(refused.map(outlineOf)).toEqual(refused.map(() => null))
})
