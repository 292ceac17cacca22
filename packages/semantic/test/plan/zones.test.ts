import { DateTime } from 'luxon'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../support/database.ts'
import { compileFor, modelOf } from '../support/model.ts'

/** Every half hour of 2024 and some days around it; clocks of all zones change on the half hour. */
const start = Date.UTC(2023, 11, 30)
const step = 1_800_000
const steps = 2 * 24 * 370
let database: Database
beforeAll(async () => {
  database = await openDatabase(
    `create table ticks as select timestamp '2023-12-30' + to_minutes(30 * i::int) as at from range(${steps}) t(i)`,
  )
})
afterAll(() => database.close())

const model = modelOf(`
cubes:
  - name: ticks
    sql_table: ticks
    measures: [{ name: count, type: count }]
    dimensions: [{ name: at, sql: at, type: time }]
`)

const count = async (time: object, timezone: string) => {
  const timeDimensions = [{ dimension: 'ticks.at', ...time }]
  return database.query(compileFor(model, { measures: ['ticks.count'], timeDimensions, timezone, limit: 50_000 }))
}

describe.each([
  'UTC',
  'America/New_York',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'America/Havana',
  'Africa/Cairo',
  'Pacific/Apia',
  'Africa/Casablanca',
  'America/Santiago',
  'Antarctica/Troll',
  'Asia/Beirut',
])('%s', timezone => {
  const hours = new Map<number, number>()
  for (let index = 0; index < steps; index++) {
    const instant = start + index * step
    const wall = instant + DateTime.fromMillis(instant, { zone: timezone }).offset * 60_000
    const hour = wall - (wall % 3_600_000)
    hours.set(hour, (hours.get(hour) ?? 0) + 1)
  }

  test.each(['hour', 'day', 'week', 'month', 'quarter', 'year'] as const)('by %s', async unit => {
    const expected = new Map<string, number>()
    for (const [hour, ticks] of hours) {
      const key = DateTime.fromMillis(hour, { zone: 'utc' }).startOf(unit).toISO({ includeOffset: false }) ?? ''
      expected.set(key, (expected.get(key) ?? 0) + ticks)
    }
    const rows = await count({ granularity: unit }, timezone)
    expect(rows).toEqual([...expected].sort().map(([at, ticks]) => [at, String(ticks)]))
  })

  test('days next to each other leave nothing out and count nothing twice', async () => {
    let sum = 0
    for (let week = 0; week < 53; week++) {
      const first = DateTime.utc(2024, 1, 1).plus({ weeks: week })
      const last = DateTime.min(first.plus({ days: 6 }), DateTime.utc(2024, 12, 31))
      const [row] = await count({ dateRange: [first.toISODate(), last.toISODate()] }, timezone)
      sum += Number(row?.[0])
    }
    const year = [2024, 2025].map(number => DateTime.fromObject({ year: number }, { zone: timezone }).toMillis())
    expect(sum).toBe(((year[1] ?? 0) - (year[0] ?? 0)) / step)
  })
})
