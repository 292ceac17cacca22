import { CronExpressionParser } from 'cron-parser'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sinceLastStep } from '../../src/index.ts'
import { compileFor, modelOf } from '../support/model.ts'

const keyOf = (key: string, dialect: 'duckdb' | 'postgres' = 'duckdb') => {
  const model = modelOf(
    `cubes: [{ name: orders, sql_table: orders, measures: [{ name: count, type: count }]${key && `, refresh_key: ${key}`} }]`,
  )
  const [compiled] = compileFor(model, { measures: ['orders.count'] }, dialect).refreshKeys
  if (!compiled) throw new Error('An answer has no refresh key')
  return compiled
}

const scheduleOf = (cron: string, timezone = 'UTC') => {
  const key = keyOf(`{ every: "${cron}", timezone: ${timezone} }`)
  if (key.kind !== 'schedule') throw new Error(`${cron} is no schedule`)
  return key
}

describe.each([
  '* * * * *',
  '*/15 * * * *',
  '7 * * * *',
  '5,35 * * * *',
  '30 */6 * * *',
  '10 3,15 * * *',
  '0 8 * * *',
  '30 0 8 * * *',
  '15 6 * * 1',
  '0 0 * * 0',
  '0 12 * * 7',
  '20 4 * * thu',
  '*/20 * * * * *',
])('%s', cron => {
  test('fired last when cron says so, whatever the moment', () => {
    const schedule = scheduleOf(cron)
    fc.assert(
      fc.property(fc.date({ min: new Date('1971-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }), now => {
        // `prev` leaves out the present moment.
        const before = CronExpressionParser.parse(cron, { tz: 'UTC', currentDate: new Date(now.getTime() + 1) })
        expect(now.getTime() - sinceLastStep(schedule, now)).toBe(before.prev().getTime())
      }),
      { numRuns: 100, seed: 5 },
    )
  })
})

test.each([
  // Clocks of Berlin go back on 2024-10-27 at 01:00 UTC, and ahead on 2024-03-31 at 01:00 UTC.
  ['0 8 * * *', '2024-10-27T06:59:59Z', '2024-10-26T06:00:00Z'],
  ['0 8 * * *', '2024-10-27T07:00:00Z', '2024-10-27T07:00:00Z'],
  ['0 8 * * *', '2024-03-31T06:00:00Z', '2024-03-31T06:00:00Z'],
  ['0 0 * * 1', '2024-11-01T00:00:00Z', '2024-10-27T23:00:00Z'],
])('%s in Berlin, at %s, fired last at %s', (cron, now, expected) => {
  const since = sinceLastStep(scheduleOf(cron, 'Europe/Berlin'), new Date(now))
  expect(new Date(new Date(now).getTime() - since)).toEqual(new Date(expected))
})

test('an answer is never from before its schedule by a negative time, in zones with every kind of change', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu'),
      fc.constantFrom('*/15 * * * *', '0 * * * *', '30 2 * * *', '0 1 * * 0'),
      fc.date({ min: new Date('2024-01-01'), max: new Date('2025-01-01'), noInvalidDate: true }),
      (timezone, cron, now) => {
        const schedule = scheduleOf(cron, timezone)
        const since = sinceLastStep(schedule, now)
        expect(since).toBeGreaterThanOrEqual(0)
        // A change of the clocks makes one step longer.
        expect(since).toBeLessThan((schedule.seconds + 7200) * 1000)
      },
    ),
    { numRuns: 200, seed: 6 },
  )
})

test('without a key, an answer is fresh for as long as is usual for the database', () => {
  const model = modelOf('cubes: [{ name: orders, sql_table: orders, measures: [{ name: count, type: count }] }]')
  const seconds = (dialect: Parameters<typeof compileFor>[2]) =>
    compileFor(model, { measures: ['orders.count'] }, dialect).refreshKeys
  expect(seconds('duckdb')).toEqual([{ cube: 'orders', kind: 'every', seconds: 10 }])
  expect(seconds('snowflake')).toEqual([{ cube: 'orders', kind: 'every', seconds: 120 }])
  expect(keyOf('{ every: 3 weeks }')).toEqual({ cube: 'orders', kind: 'every', seconds: 3 * 7 * 86_400 })
})
