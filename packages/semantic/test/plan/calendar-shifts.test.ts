import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { matchRollup, normalizeQuery } from '../../src/index.ts'
import { type Database, openDatabase } from '../support/database.ts'
import { compileFor, everyone, modelOf, options } from '../support/model.ts'
import { runsOf } from '../support/property-runs.ts'

vi.setConfig({ testTimeout: 120_000 })

let database: Database
beforeAll(async () => {
  database = await openDatabase(
    'create table days (day date, period varchar, before date)',
    'create table sales (id integer, day date, amount integer)',
    'create table parts (id integer, sale integer, pieces integer)',
  )
})
afterAll(() => database.close())

const shop = `cubes:
  - name: days
    sql_table: days
    calendar: true
    dimensions:
      - name: day
        sql: day
        type: time
        primary_key: true
        public: true
        time_shift:
          - { name: before, sql: before }
          - { interval: 1 month, type: next, sql: "{CUBE}.before" }
      - { name: period, sql: period, type: string }
  - name: sales
    sql_table: sales
    joins:
      - { name: days, sql: "{CUBE}.day = {days.day}", relationship: many_to_one }
      - { name: parts, sql: "{CUBE.id} = {parts}.sale", relationship: one_to_many }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: own_period, sql: "{days.period}", type: string }
    measures:
      - { name: count, type: count }
      - { name: trailing, sql: amount, type: sum, rolling_window: { trailing: 2 days } }
      - { name: trailing_before, sql: "{trailing}", type: number, multi_stage: true, time_shift: [{ name: before }] }
      - { name: amount, sql: amount, type: sum }
      - { name: days, sql: "{CUBE}.day", type: count_distinct }
      - { name: mean, sql: amount, type: avg }
      - { name: pieces, sql: "{parts.pieces}", type: number }
${['count', 'amount', 'days', 'mean', 'pieces']
  .map(
    name => `      - { name: ${name}_before, sql: "{${name}}", type: number, multi_stage: true, time_shift: [{ name: before }] }
      - { name: ${name}_next, sql: "{${name}}", type: number, multi_stage: true, time_shift: [{ interval: 1 month, type: next }] }`,
  )
  .join('\n')}
  - name: parts
    sql_table: parts
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
    measures:
      - { name: pieces, sql: pieces, type: sum }
`
const model = modelOf(shop)

interface Day {
  readonly period: string | null
  readonly before: number | null
}
interface Sale {
  readonly day: number
  readonly amount: number | null
  readonly pieces: readonly number[]
}

const data = fc.record({
  days: fc.array(
    fc.record({
      period: fc.constantFrom('a', 'b', 'c', null),
      before: fc.option(fc.integer({ min: 0, max: 9 }), { nil: null }),
    }),
    { maxLength: 8 },
  ),
  sales: fc.array(
    fc.record({
      day: fc.integer({ min: 0, max: 9 }),
      amount: fc.option(fc.integer({ min: 1, max: 9 }), { nil: null }),
      pieces: fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 3 }),
    }),
    { maxLength: 12 },
  ),
})

const dateOf = (day: number) => `2024-02-${String(20 + day).padStart(2, '0')}`

async function fill(days: readonly Day[], sales: readonly Sale[]): Promise<void> {
  const rows: Record<string, readonly string[]> = {
    days: days.map(({ period, before }, day) => {
      const [quoted, date] = [period && `'${period}'`, before === null ? null : `'${dateOf(before)}'`]
      return `('${dateOf(day)}', ${quoted}, ${date})`
    }),
    sales: sales.map(({ day, amount }, id) => `(${id}, '${dateOf(day)}', ${amount})`),
    parts: sales.flatMap(({ pieces }, sale) =>
      pieces.map((piece, place) => `(${sale * 10 + place}, ${sale}, ${piece})`),
    ),
  }
  for (const [table, values] of Object.entries(rows)) {
    await database.run(`delete from ${table}`)
    if (values.length > 0) await database.run(`insert into ${table} values ${values.join(', ')}`)
  }
}

const total = (values: readonly (number | null)[]) => {
  const known = values.filter(value => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
}

const measures: Readonly<Record<string, (sales: readonly Sale[]) => number | null>> = {
  count: sales => (sales.length === 0 ? null : sales.length),
  amount: sales => total(sales.map(({ amount }) => amount)),
  days: sales => (sales.length === 0 ? null : new Set(sales.map(({ day }) => day)).size),
  mean: sales => {
    const known = sales.filter(({ amount }) => amount !== null)
    const sum = total(known.map(({ amount }) => amount))
    return sum === null ? null : sum / known.length
  },
  pieces: sales => total(sales.flatMap(({ pieces }) => pieces)),
}

/**
 * The sales of a group are those of the days that its days stand for, each once; sales of days that none stands for, and sales
 * of days without a period, are a group of their own where no range leaves them out.
 */
function naive(
  { days, sales }: { readonly days: readonly Day[]; readonly sales: readonly Sale[] },
  hasRange: boolean,
  keyOf: (day: Day, place: number) => number | null,
): Map<string | null, Sale[]> {
  const groups = new Map<string | null, Sale[]>()
  for (const sale of sales) {
    const found = days.filter((day, place) => keyOf(day, place) === sale.day)
    const periods = found.length > 0 || hasRange ? found.map(({ period }) => period) : [null]
    for (const period of new Set(periods)) groups.set(period, [...(groups.get(period) ?? []), sale])
  }
  return groups
}

const rounded = (value: number | null) => (value === null ? null : Number(value.toPrecision(10)))

test('measures shifted by a calendar are those of the days that its days stand for, each row once in a group', async () => {
  const asked = fc.record({
    measure: fc.constantFrom(...Object.keys(measures)),
    shift: fc.constantFrom('before', 'next'),
    hasRange: fc.boolean(),
    isBeside: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(data, asked, async (given, { measure, shift, hasRange, isBeside }) => {
      await fill(given.days, given.sales)
      const query = {
        measures: [`sales.${measure}_${shift}`, ...(isBeside ? [`sales.${measure}`] : [])],
        dimensions: ['days.period'],
        // A filter looks at the calendar's time as a granularity does.
        ...(hasRange
          ? { timeDimensions: [{ dimension: 'days.day', dateRange: ['2024-02-01', '2024-03-31'] }] }
          : {
              filters: [
                {
                  or: [
                    { member: 'days.day', operator: 'set' },
                    { member: 'days.day', operator: 'notSet' },
                  ],
                },
              ],
            }),
      }
      const rows = await database.query(compileFor(model, query))
      const found = rows.map(([period = null, ...cells]) =>
        JSON.stringify([period, ...cells.map(cell => (cell === null ? null : rounded(Number(cell))))]),
      )
      const shifted = naive(given, hasRange, ({ before }) => before)
      const own = isBeside ? naive(given, hasRange, (_, place) => place) : new Map<string | null, Sale[]>()
      const value = (sales: readonly Sale[] | undefined) => rounded(sales ? (measures[measure]?.(sales) ?? null) : null)
      const expected = [...new Set([...shifted.keys(), ...own.keys()])].map(period =>
        JSON.stringify([period, value(shifted.get(period)), ...(isBeside ? [value(own.get(period))] : [])]),
      )
      expect(found.toSorted()).toEqual(expected.toSorted())
    }),
    { numRuns: runsOf('shifts by a calendar') },
  )
})

const yaml = readFileSync(new URL('../golden/calendar.yml', import.meta.url), 'utf8')
const range = ['2024-01-01', '2025-12-31']
const byMonth = [{ dimension: 'fiscal_days.date', granularity: 'month', dateRange: range }]
const added = (measure: string, text = yaml) =>
  text.replace('      - { name: growth,', `      - ${measure}\n      - { name: growth,`)
const shifted = (name: string, of: string, shift: string) =>
  `{ name: ${name}, sql: "{${of}}", type: number, multi_stage: true, time_shift: [${shift}] }`

test('windows over what a calendar shifts hold each row once', async () => {
  await fc.assert(
    fc.asyncProperty(data, async given => {
      await fill(given.days, given.sales)
      const timeDimensions = [{ dimension: 'days.day', granularity: 'day', dateRange: [dateOf(0), dateOf(7)] }]
      const rows = await database.query(compileFor(model, { measures: ['sales.trailing_before'], timeDimensions }))
      const expected = Array.from({ length: 8 }, (_, day) => {
        const within = given.days.filter((_day, place) => place > day - 2 && place <= day)
        const found = given.sales.filter(sale => within.some(({ before }) => before === sale.day))
        return [dateOf(day), total(found.map(({ amount }) => amount))]
      })
      expect(rows.map(([day, sum]) => [String(day).slice(0, 10), sum === null ? null : Number(sum)])).toEqual(expected)
    }),
    { numRuns: runsOf('windows of shifts by a calendar') },
  )
})

test('a policy of the cube that is shifted hides the rows of its own days', async () => {
  const open = [
    { period: 'old', before: null },
    { period: 'new', before: 0 },
  ]
  await fill(
    [...open, { period: 'new', before: 2 }],
    [
      { day: 0, amount: 5, pieces: [] },
      { day: 2, amount: 7, pieces: [] },
    ],
  )
  const rows = (text: string) =>
    database.query(
      compileFor(modelOf(text), {
        measures: ['sales.amount_before'],
        timeDimensions: [{ dimension: 'days.day', dateRange: ['2024-02-01', '2024-03-31'] }],
      }),
    )
  expect(await rows(shop)).toEqual([['12']])
  const guarded = shop.replace(
    '    sql_table: sales\n',
    `    sql_table: sales
    access_policy: [{ group: "*", row_level: { filters: [{ member: own_period, operator: equals, values: [new] }] } }]
`,
  )
  expect(await rows(guarded)).toEqual([['7']])
})

test('of several keys only the time is moved', () => {
  const ofShops = modelOf(`cubes:
  - name: days
    sql_table: days
    calendar: true
    dimensions:
      - { name: shop, sql: shop, type: number, primary_key: true }
      - { name: day, sql: day, type: time, primary_key: true, public: true, time_shift: [{ name: before, sql: before }] }
  - name: sales
    sql_table: sales
    joins:
      - { name: days, sql: "{CUBE}.day = {days.day} AND {CUBE}.shop = {days.shop}", relationship: many_to_one }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
    measures:
      - { name: amount, sql: amount, type: sum }
      - ${shifted('amount_before', 'amount', '{ name: before }')}
`)
  const timeDimensions = [{ dimension: 'days.day', granularity: 'day' }]
  const { sql } = compileFor(ofShops, { measures: ['sales.amount_before'], timeDimensions })
  expect(sql).toContain('ON "sales".day = "days".before AND "sales".shop = "days".shop')
})

test('a rollup knows its rows by their own days, so it answers nothing that a calendar shifts by SQL', () => {
  const rollup =
    '    pre_aggregations: [{ name: main, measures: [revenue], time_dimension: fiscal_days.date, granularity: day }]\n'
  const built = modelOf(yaml.replace('\n  - name: line_items\n', `${rollup}\n  - name: line_items\n`))
  const isAnswered = (measure: string) => {
    const timeDimensions = [{ dimension: 'fiscal_days.date', granularity: 'day', dateRange: range }]
    return matchRollup(built, normalizeQuery(built, { measures: [measure], timeDimensions }, options), everyone).rollup
  }
  expect(isAnswered('orders.revenue')).not.toBeNull()
  expect(isAnswered('orders.revenue_fiscal_year_ago')).toBeNull()
  expect(isAnswered('orders.revenue_year_ago')).toBeNull()
})

describe('refused is', () => {
  test.each([
    [
      'a name that no time dimension of the query has',
      { text: yaml, query: { measures: ['orders.revenue_fiscal_year_ago'] }, code: 'time_shift_name' },
      "'orders.revenue_fiscal_year_ago' is shifted by 'fiscal_year_ago', which no time dimension of this query defines.",
    ],
    [
      'a name that one of the time dimensions of the query has not',
      {
        text: yaml,
        query: {
          measures: ['orders.revenue_fiscal_year_ago'],
          timeDimensions: [...byMonth, { dimension: 'orders.created_at', dateRange: range }],
        },
        code: 'time_shift_name',
      },
      "'orders.revenue_fiscal_year_ago' is shifted by 'fiscal_year_ago', which 'orders.created_at' does not define.",
    ],
    [
      'a shift of what is shifted by SQL',
      {
        text: added(shifted('twice', 'revenue_fiscal_year_ago', '{ interval: 1 year, type: prior }')),
        query: { measures: ['orders.twice'], timeDimensions: byMonth },
        code: 'calendar_shifts',
      },
      "'orders.revenue_fiscal_year_ago' is shifted by SQL of the calendar 'fiscal_days' and shifted on it once more.",
    ],
    [
      'a join that does not name the key',
      {
        text: yaml.replace('= {fiscal_days.day}"', '= {fiscal_days}.day"'),
        query: { measures: ['orders.revenue_fiscal_year_ago'], timeDimensions: byMonth },
        code: 'calendar_join',
      },
      "'fiscal_days' is shifted by SQL, but the join of 'orders' and 'fiscal_days' does not refer to its key. Write '{fiscal_days.day}' in the join.",
    ],
    [
      'a measure of rows of the calendar',
      {
        text: added(
          `${shifted('days_ago', 'days', '{ name: fiscal_year_ago }')}\n      - { name: days, sql: "{fiscal_days.day}", type: count_distinct }`,
        ),
        query: { measures: ['orders.days_ago'], timeDimensions: byMonth },
        code: 'calendar_rows',
      },
      "'orders.days' is aggregated from rows of the calendar 'fiscal_days' itself, which its shifts do not move.",
    ],
    [
      'what a policy of a view decides by days of the calendar',
      {
        text: `${yaml}
views:
  - name: recent
    cubes:
      - { join_path: orders, includes: [revenue, revenue_fiscal_year_ago] }
      - { join_path: orders.fiscal_days, includes: [date] }
    access_policy:
      - { group: "*", row_level: { filters: [{ member: date, operator: afterOrOnDate, values: ["2025-01-01"] }] } }
`,
        query: {
          measures: ['recent.revenue_fiscal_year_ago'],
          timeDimensions: [{ dimension: 'recent.date', granularity: 'month', dateRange: range }],
        },
        code: 'calendar_policy',
      },
      "What you may see depends on days of the calendar 'fiscal_days', and under its shift by SQL rows count on other days",
    ],
    [
      'a period that SQL of the calendar gives, shifted by an interval',
      {
        text: yaml,
        query: { measures: ['orders.revenue_two_weeks'], timeDimensions: byMonth },
        code: 'calendar_shift',
      },
      "'fiscal_days.date' is shifted by an interval, and the calendar's own SQL says when a month of it begins",
    ],
  ])('%s', (_, { text, query, code }, message) => {
    const compile = () => compileFor(modelOf(text), query)
    expect(compile).toThrow(expect.objectContaining({ code }))
    expect(compile).toThrow(message)
  })
})
