import fc from 'fast-check'
import { DateTime } from 'luxon'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { annotateQuery, matchRollup, normalizeQuery } from '../../src/index.ts'
import { type Database, openDatabase } from '../support/database.ts'
import { compileFor, everyone, modelOf, options } from '../support/model.ts'
import { runsOf } from '../support/property-runs.ts'

vi.setConfig({ testTimeout: 120_000 })

let database: Database
beforeAll(async () => {
  database = await openDatabase('create table ticks (happened timestamp)')
})
afterAll(() => database.close())

interface Span {
  readonly years: number
  readonly months: number
  readonly days: number
  readonly hours: number
  readonly origin: string
}

const modelWith = ({ years, months, days, hours, origin }: Span, more = '') => {
  const parts = [`${years} years`, `${months} months`, `${days} days`, `${hours} hours`]
  const interval = parts.filter(part => !part.startsWith('0 ')).join(' ')
  return modelOf(`cubes:
  - name: ticks
    sql_table: ticks
    dimensions:
      - { name: at, sql: happened, type: time, granularities: [{ name: span, interval: ${interval}, origin: "${origin}" }] }
    measures:
      - { name: count, type: count }
      - { name: trailing, type: count, rolling_window: { trailing: 20 days } }
      - { name: so_far, type: count, rolling_window: { type: to_date, granularity: span } }
${more}`)
}

/** Days that not every month has, midnights that a zone skips, and any other. */
const moment = fc.oneof(
  fc.constantFrom('2024-01-31T00:00', '2024-02-29T12:30', '2023-12-30T23:59', '2024-03-31T02:30', '2000-02-29T00:00'),
  fc
    .integer({ min: Date.UTC(2019, 0, 1), max: Date.UTC(2029, 0, 1) })
    .map(time => new Date(time).toISOString().slice(0, 16)),
)
const span: fc.Arbitrary<Span> = fc
  .record({
    years: fc.constantFrom(0, 0, 1, 2),
    months: fc.integer({ min: 0, max: 14 }),
    days: fc.constantFrom(0, 0, 1, 2, 13, 45),
    hours: fc.constantFrom(0, 0, 5, 36),
    origin: moment,
  })
  .filter(({ years, months }) => years + months > 0)

const zone = fc.constantFrom('UTC', 'America/New_York', 'Europe/Berlin', 'Asia/Kathmandu')

const written = (time: DateTime) => time.toFormat("yyyy-MM-dd'T'HH:mm:ss.SSS")
const localOf = (at: string, timezone: string) =>
  DateTime.fromISO(at, { zone: 'utc' }).setZone(timezone).setZone('utc', { keepLocalTime: true })

/** The steps around a time, found by going from the origin one by one. */
function stepsAround({ origin, years, months, days, hours }: Span, from: DateTime, to: DateTime): DateTime[] {
  const first = DateTime.fromISO(origin, { zone: 'utc' })
  const start = (number: number) =>
    first.plus({ months: (years * 12 + months) * number }).plus({ hours: (days * 24 + hours) * number })
  let number = 0
  while (start(number) > from) number--
  while (start(number + 1) <= from) number++
  const found = [start(number)]
  while (start(number + 1) <= to) found.push(start(++number))
  return found
}

const startOf = (given: Span, time: DateTime) => written(stepsAround(given, time, time)[0] ?? time)

async function fill(ticks: readonly string[]): Promise<void> {
  await database.run('delete from ticks')
  if (ticks.length > 0) await database.run(`insert into ticks values ${ticks.map(at => `('${at}')`).join(', ')}`)
}

test('steps of months and days hold the times between their starts, at ends of months and where clocks change', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(moment, { minLength: 1, maxLength: 40 }), span, zone, async (ticks, given, timezone) => {
      await fill(ticks)
      const timeDimensions = [{ dimension: 'ticks.at', granularity: 'span' }]
      const rows = await database.query(
        compileFor(modelWith(given), { measures: ['ticks.count'], timeDimensions, timezone }),
      )
      const expected = new Map<string, number>()
      for (const tick of ticks) {
        const start = startOf(given, localOf(tick, timezone))
        expected.set(start, (expected.get(start) ?? 0) + 1)
      }
      expect(rows).toEqual([...expected].toSorted().map(([start, count]) => [start, String(count)]))
    }),
    { numRuns: runsOf('steps of months and days') },
  )
})

test('windows move along them, from each start to the next', async () => {
  const days = fc
    .integer({ min: 0, max: 900 })
    .map(day => new Date(Date.UTC(2023, 0, 1 + day)).toISOString().slice(0, 10))
  const range = fc.tuple(days, fc.integer({ min: 0, max: 200 }))
  await fc.assert(
    fc.asyncProperty(
      fc.array(moment, { maxLength: 40 }),
      span,
      zone,
      range,
      async (ticks, given, timezone, [from, length]) => {
        await fill(ticks)
        const start = DateTime.fromISO(from, { zone: 'utc' })
        const end = start.plus({ days: length })
        const dateRange = [from, end.toISODate()]
        const rows = await database.query(
          compileFor(modelWith(given), {
            measures: ['ticks.trailing', 'ticks.so_far'],
            timeDimensions: [{ dimension: 'ticks.at', granularity: 'span', dateRange }],
            timezone,
          }),
        )
        const local = ticks.map(tick => localOf(tick, timezone))
        const last = end.plus({ days: 1, milliseconds: -1 })
        const expected = stepsAround(given, start, last).map(period => {
          const next = stepsAround(given, period, period.plus({ years: 6 }))[1] ?? period
          const count = (since: DateTime) => {
            const within = local.filter(time => time >= since && time < next).length
            return within === 0 ? null : String(within)
          }
          return [written(period), count(next.minus({ days: 20 })), count(period)]
        })
        expect(rows).toEqual(expected)
      },
    ),
    { numRuns: runsOf('windows of months and days') },
  )
})

const plain: Span = { years: 0, months: 1, days: 2, hours: 0, origin: '2024-01-31' }

test('clients are told interval and origin', () => {
  const model = modelWith(plain)
  const query = normalizeQuery(model, { timeDimensions: [{ dimension: 'ticks.at', granularity: 'span' }] }, options)
  expect(annotateQuery(model, query, everyone).timeDimensions['ticks.at.span']?.granularity).toEqual({
    name: 'span',
    title: 'Span',
    interval: '1 months 2 days',
    origin: '2024-01-31',
  })
})

test.each([
  ['span', plain, true],
  ['hour', plain, true],
  ['day', plain, true],
  ['day', { ...plain, origin: '2024-01-31T06:00' }, false],
  ['day', { ...plain, hours: 5 }, false],
  ['week', plain, false],
  ['month', plain, false],
])('a rollup by %s of %o answers: %s', (granularity, given, isAnswered) => {
  const rollup = `    pre_aggregations: [{ name: main, measures: [count], time_dimension: at, granularity: ${granularity} }]\n`
  const model = modelWith(given, rollup)
  const asked = { measures: ['ticks.count'], timeDimensions: [{ dimension: 'ticks.at', granularity: 'span' }] }
  expect(matchRollup(model, normalizeQuery(model, asked, options), everyone).rollup !== null).toBe(isAnswered)
})
