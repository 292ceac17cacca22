import { describe, expect, test, vi } from 'vitest'
import { compileAfresh } from '../../src/compile-query.ts'
import {
  type CompiledQuery,
  dialectNames,
  type Model,
  type NormalizedQuery,
  normalizeQuery,
  type QueryContext,
} from '../../src/index.ts'
import type { MemberFilter, QueryFilter } from '../../src/shapes/query.ts'
import { type Asked, createQueryTemplates } from '../../src/templates/query-templates.ts'
import { createDice, type Dice } from '../fuzz/mutate.ts'
import { membersOf, randomQuery } from '../fuzz/random-query.ts'
import { everyone, modelOf, options } from '../support/model.ts'
import { runsOf } from '../support/property-runs.ts'
import { randomCaller } from './random-caller.ts'
import { readTestModels } from './test-models.ts'

const runs = runsOf('templates of queries')
vi.setConfig({ testTimeout: 60_000 + runs * 500 })

/** Compiles with templates, and counts how often it had to plan. */
function counted(limits = { entries: 1_000, bytes: 4_000_000 }) {
  const count = { planned: 0 }
  const compile = createQueryTemplates(limits, (asked, recording) => {
    count.planned += 1
    return compileAfresh(asked, recording)
  })
  return { compile, count }
}

/** What it gives or refuses. */
function outcome(compile: () => CompiledQuery): unknown {
  try {
    return compile()
  } catch (error) {
    if (error instanceof Error) return error.message
    throw error
  }
}

const texts = ['done', 'open', "x' OR 1=1 --", '%_\\', '', '\u0000', '[a]', 'true']
const numbers = ['1', '-2.5', '0.0000000000000000000001', '1e300', '123456789012345678901234', '']
const times = [
  '2024-01-31T00:00:00.000',
  '2024-03-10T02:30:00.000',
  '1999-12-31T23:59:59.999',
  '2024-11-03T01:30:00.000',
]

function otherValue(value: string | null, dice: Dice): string | null {
  if (value === null) return dice.roll(40) === 0 ? 'done' : null
  if (dice.roll(40) === 0) return null
  if (/^\d{4}-\d{2}-\d{2}T/.test(value)) return dice.pick(times)
  return dice.pick(/^-?[\d.]+$/.test(value) && dice.roll(2) === 0 ? numbers : texts)
}

function otherValues(query: NormalizedQuery, dice: Dice): NormalizedQuery {
  const filter = (old: QueryFilter): QueryFilter => {
    if ('and' in old) return { and: old.and.map(filter) }
    if ('or' in old) return { or: old.or.map(filter) }
    return { ...old, values: old.values.map(value => otherValue(value, dice)) } satisfies MemberFilter
  }
  const timeDimensions = query.timeDimensions.map(time =>
    time.dateRange ? { ...time, dateRange: [dice.pick(times), dice.pick(times)] as const } : time,
  )
  return { ...query, filters: query.filters.map(filter), timeDimensions }
}

/** Another order of what is selected, another limit, another offset. */
function otherPage(query: NormalizedQuery, dice: Dice): NormalizedQuery {
  const { offset: _, ...rest } = query
  const order = query.order
    .filter(() => dice.roll(4) > 0)
    .map(({ id }) => ({ id, desc: dice.roll(2) === 0, ...(dice.roll(3) === 0 ? { nullsFirst: true } : {}) }))
  const limit = dice.pick([query.limit, 0, 1, 25, 50_000, Number.POSITIVE_INFINITY])
  return { ...rest, order, limit, rowLimit: limit, ...(dice.roll(2) === 0 ? { offset: dice.roll(100) } : {}) }
}

/** A query that can be answered; null where none of a few was. */
function readable(model: Model, dice: Dice, context: QueryContext): NormalizedQuery | null {
  for (let attempt = 0; attempt < 6; attempt++) {
    try {
      const query = normalizeQuery(model, randomQuery(membersOf(model), dice), { ...options, context })
      compileAfresh({ model, query, context, database: 'duckdb', parametersBefore: 0 })
      return query
    } catch {
      // The next one is another.
    }
  }
  return null
}

test('what is compiled from a template is what is compiled from nothing, after other callers, other values and other pages', () => {
  const models = readTestModels()
  // One of them forgets often.
  const stores = [counted(), counted({ entries: 12, bytes: 60_000 })]
  let asked = 0
  let refused = 0
  for (let seed = 1; seed <= runs; seed++) {
    const dice = createDice(seed)
    const model = dice.pick(models)
    const callers = [everyone, ...Array.from({ length: 2 }, () => randomCaller(model, dice))]
    const queries = Array.from({ length: 2 }, () => readable(model, dice, dice.pick(callers)))
    const dialects = [dice.pick(dialectNames), dice.pick(dialectNames)]
    const store = stores[dice.roll(4) === 0 ? 1 : 0]
    for (let round = 0; round < 24; round++) {
      const query = dice.pick(queries)
      if (!query) continue
      const one: Asked = {
        model,
        query: otherValues(dice.roll(3) === 0 ? otherPage(query, dice) : query, dice),
        context: { ...dice.pick(callers) },
        database: dice.roll(20) === 0 ? dice.pick(dialects) : () => dialects[0] ?? 'duckdb',
        parametersBefore: dice.roll(20) === 0 ? 2 : 0,
      }
      const warm = outcome(() => store?.compile(one) ?? expect.fail('there is a store'))
      const fresh = outcome(() => compileAfresh({ ...one, context: { ...one.context } }).compiled)
      expect(warm, `seed ${seed}, round ${round}: ${JSON.stringify(one.query)}`).toEqual(fresh)
      asked += 1
      if (typeof fresh === 'string') refused += 1
    }
  }
  const planned = stores.reduce((sum, { count }) => sum + count.planned, 0)
  // A store that planned everything anew would pass, and a generator of refusals too.
  if (runs < 100) return
  expect(planned / asked).toBeLessThan(0.7)
  expect(refused / asked).toBeLessThan(0.3)
})

const shop = modelOf(`
cubes:
  - name: orders
    sql_table: orders
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: city, sql: city, type: string }
      - { name: amount, sql: amount, type: number }
      - { name: at, sql: at, type: time }
    measures:
      - { name: count, type: count }
      - { name: lately, type: count, rolling_window: { trailing: 7 day } }
  - name: narrow
    sql: "SELECT * FROM orders WHERE {FILTER_PARAMS.narrow.city.filter('city')}"
    dimensions: [{ name: city, sql: city, type: string }]
    measures: [{ name: count, type: count }]
  - name: guarded
    sql_table: orders
    dimensions:
      - { name: city, sql: city, type: string }
      - { name: at, sql: at, type: time }
    measures: [{ name: count, type: count }]
    access_policy:
      - group: "*"
        member_level: { includes: "*" }
        row_level: { filters: [{ member: city, operator: equals, values: ["{ userAttributes.city }"] }] }
  - name: recent
    sql_table: orders
    dimensions: [{ name: at, sql: at, type: time }]
    measures: [{ name: count, type: count }]
    access_policy:
      - group: "*"
        member_level: { includes: "*" }
        row_level: { filters: [{ member: at, operator: inDateRange, values: ["last 7 days"] }] }
`)

/** Asks as often as there are filters or callers, of a model that nobody asked before, and tells how often it was planned. */
function ask(queries: readonly { query: unknown; context?: QueryContext }[]) {
  const { compile, count } = counted()
  const model = structuredClone(shop)
  return queries.map(({ query, context = everyone }) => {
    const normalized = normalizeQuery(model, query, { ...options, context })
    const asked = { model, query: normalized, context, database: 'duckdb', parametersBefore: 0 } as const
    const before = count.planned
    const compiled = compile(asked)
    expect(compiled).toEqual(compileAfresh(asked).compiled)
    return { parameters: compiled.parameters, isPlanned: count.planned > before }
  })
}

const filtered = (member: string, ...values: (string | null)[]) => ({
  query: {
    measures: [`${member.split('.')[0]}.count`],
    filters: [{ member, operator: 'equals', values }],
    total: true,
  },
})
const from = (city: string | undefined) => ({
  query: { measures: ['guarded.count'] },
  context: { ...everyone, userAttributes: city === undefined ? {} : { city } },
})

describe('a shape is planned twice', () => {
  test('and then filled with the values that are asked for', () => {
    const asked = ask(['a', 'b', 'c', 'd'].map(city => filtered('orders.city', city)))
    expect(asked.map(({ isPlanned }) => isPlanned)).toEqual([true, true, false, false])
    expect(asked.at(-1)?.parameters[0]).toBe('d')
  })

  test('and other pages of it are not planned, whatever values they have', () => {
    const pages = [
      { limit: 10 },
      { limit: 10 },
      { limit: 20 },
      { offset: 20 },
      { order: [['orders.count', 'asc']] },
      { limit: 10 },
    ]
    const asked = ask(
      pages.map((page, position) => {
        const { query } = filtered('orders.city', `city ${position}`)
        return { query: { ...query, dimensions: ['orders.city'], ...page } }
      }),
    )
    expect(asked.map(({ isPlanned }) => isPlanned)).toEqual([true, true, false, false, false, false])
    expect(asked.map(({ parameters }) => parameters[0])).toEqual(pages.map((_, position) => `city ${position}`))
  })

  test('and again where the number of values, a null among them or the type that a number is written in is another', () => {
    const lists = [['a'], ['a'], ['b'], ['a', 'b'], ['a', null]]
    expect(ask(lists.map(list => filtered('orders.city', ...list))).map(({ isPlanned }) => isPlanned)).toEqual([
      ...[true, true, false],
      ...[true, true],
    ])
    const digits = ['1', '2', '3', '4.25', '5.75']
    expect(ask(digits.map(digit => filtered('orders.amount', digit))).map(({ isPlanned }) => isPlanned)).toEqual([
      ...[true, true, false],
      ...[true, false],
    ])
  })

  test('and always where the plan depends on values: windows over a range of dates, filters handed to the SQL of a model', () => {
    const ranges = [1, 2, 3, 4].map(day => ({
      query: {
        measures: ['orders.lately'],
        timeDimensions: [{ dimension: 'orders.at', granularity: 'day', dateRange: [`2024-01-0${day}`, '2024-01-09'] }],
      },
    }))
    expect(ask(ranges).map(({ isPlanned }) => isPlanned)).not.toContain(false)
    const nulls = [null, null, null].map(value => filtered('narrow.city', value))
    expect(ask(nulls).map(({ parameters }) => parameters)).toHaveLength(3)
  })

  test('by each caller on whose rights it depends, and nobody is given what was planned for another', () => {
    const cities = ['Paris', 'Rome', 'Paris', 'Rome', 'Paris', 'Rome', 'Paris', undefined, 'Oslo']
    const asked = ask(cities.map(from))
    expect(asked.map(({ parameters }) => parameters[0])).toEqual([...cities.slice(0, 7), 10_000, 'Oslo'])
    expect(asked.map(({ isPlanned }) => isPlanned)).toEqual([
      ...[true, true, true, true],
      ...[true, true, false, true, true],
    ])
  })

  test('and always where its rows depend on the clock', () => {
    const days = [1, 2, 3, 4].map(day => ({
      query: { measures: ['recent.count'] },
      context: { ...everyone, now: new Date(Date.UTC(2024, 0, day + 10)) },
    }))
    const asked = ask(days)
    expect(asked.map(({ isPlanned }) => isPlanned)).not.toContain(false)
    expect(new Set(asked.map(({ parameters }) => parameters[0])).size).toBe(4)
  })

  test('and always for a caller of whom JSON does not tell all', () => {
    const callers = [Number.NaN, Number.NaN, undefined, -0, new Date(0)].map(city => ({
      query: { measures: ['guarded.count'], timezone: 'Asia/Tokyo' },
      context: { ...everyone, userAttributes: { other: city } },
    }))
    expect(ask(callers).map(({ isPlanned }) => isPlanned)).not.toContain(false)
  })
})
