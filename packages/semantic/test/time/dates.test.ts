import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { parseDateRange } from '../../src/time/date-range.ts'
import { normalizeDates } from '../../src/time/filter-dates.ts'
import { instantOf, lastInstantOf, localNow, parseIso, spellTimezone } from '../../src/time/local-time.ts'

const at = (instant: string, timezone = 'UTC') => ({ now: localNow(new Date(instant), timezone), timezone })
const range = (phrase: string, instant: string, timezone?: string) => parseDateRange(phrase, at(instant, timezone))
const local = (text: string) => parseIso(text, 'UTC')?.local ?? Number.NaN
const iso = (instant: number) => new Date(instant).toISOString()

describe('phrases', () => {
  // A Friday.
  const now = '2024-03-15T17:30:45.678Z'
  test.each([
    ['today', '2024-03-15T00:00:00.000', '2024-03-15T23:59:59.999'],
    ['Yesterday', '2024-03-14T00:00:00.000', '2024-03-14T23:59:59.999'],
    ['tomorrow', '2024-03-16T00:00:00.000', '2024-03-16T23:59:59.999'],
    ['this week', '2024-03-11T00:00:00.000', '2024-03-17T23:59:59.999'],
    ['last week', '2024-03-04T00:00:00.000', '2024-03-10T23:59:59.999'],
    ['next week', '2024-03-18T00:00:00.000', '2024-03-24T23:59:59.999'],
    ['this month', '2024-03-01T00:00:00.000', '2024-03-31T23:59:59.999'],
    ['last month', '2024-02-01T00:00:00.000', '2024-02-29T23:59:59.999'],
    ['this quarter', '2024-01-01T00:00:00.000', '2024-03-31T23:59:59.999'],
    ['last year', '2023-01-01T00:00:00.000', '2023-12-31T23:59:59.999'],
    ['this hour', '2024-03-15T17:00:00.000', '2024-03-15T17:59:59.999'],
    ['last 7 days', '2024-03-08T00:00:00.000', '2024-03-14T23:59:59.999'],
    ['last 1 week', '2024-03-04T00:00:00.000', '2024-03-10T23:59:59.999'],
    ['next 2 months', '2024-04-01T00:00:00.000', '2024-05-31T23:59:59.999'],
    ['last 90 minutes', '2024-03-15T16:00:00.000', '2024-03-15T17:29:59.999'],
    ['from 7 days ago to now', '2024-03-08T00:00:00.000', '2024-03-15T23:59:59.999'],
    ['from 3 hours ago to now', '2024-03-15T14:00:00.000', '2024-03-15T17:59:59.999'],
    ['from last month to this month', '2024-02-01T00:00:00.000', '2024-03-31T23:59:59.999'],
    ['from 2024-01-05 to 2024-01-07', '2024-01-05T00:00:00.000', '2024-01-07T23:59:59.999'],
    ['January 5, 2024', '2024-01-05T00:00:00.000', '2024-01-05T23:59:59.999'],
    ['Jan 5 2024 to Jan 9 2024', '2024-01-05T00:00:00.000', '2024-01-09T23:59:59.999'],
    ['2024-02-29', '2024-02-29T00:00:00.000', '2024-02-29T23:59:59.999'],
  ])('%s', (phrase, start, end) => {
    expect(range(phrase, now)).toEqual([start, end])
  })

  test.each([
    ['the day before in Los Angeles', '2024-03-15T05:00:00Z', 'America/Los_Angeles', '2024-03-14'],
    ['the day after in Auckland', '2024-03-15T17:00:00Z', 'Pacific/Auckland', '2024-03-16'],
    ['half an hour off in Kathmandu', '2024-03-15T18:15:00Z', 'Asia/Kathmandu', '2024-03-16'],
  ])('today is %s', (_, instant, timezone, day) => {
    expect(range('today', instant, timezone)).toEqual([`${day}T00:00:00.000`, `${day}T23:59:59.999`])
  })

  test('month ends keep to the month', () => {
    expect(range('last month', '2024-03-31T12:00:00Z')).toEqual(['2024-02-01T00:00:00.000', '2024-02-29T23:59:59.999'])
    expect(range('next 1 month', '2023-01-31T12:00:00Z')).toEqual([
      '2023-02-01T00:00:00.000',
      '2023-02-28T23:59:59.999',
    ])
  })

  test.each(['', 'constructor', 'last 99999 years', 'soonish', `today${' '.repeat(200)}`, 'from x to y'])(
    '%j says nothing',
    phrase => {
      expect(() => range(phrase, now)).toThrow(/^Can't parse date: '/)
    },
  )

  test('the zone of the machine makes no difference', () => {
    const program = `
      import { parseDateRange } from '${new URL('../../src/time/date-range.ts', import.meta.url).pathname}'
      const clock = { now: Date.UTC(2024, 2, 10, 2, 30), timezone: 'UTC' }
      console.log(JSON.stringify(['from 3 hours ago to now', 'from 9 days ago to now', 'March 10, 2024 2:30am'].map(phrase => parseDateRange(phrase, clock))))`
    const answer = (TZ: string) =>
      execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
        env: { ...process.env, TZ },
        encoding: 'utf8',
      })
    expect(answer('America/New_York')).toBe(answer('UTC'))
    expect(answer('Asia/Kolkata')).toBe(answer('UTC'))
  })
})

describe('the date of a filter', () => {
  const clock = at('2024-03-15T17:30:45.678Z')
  const [start, end] = ['2024-02-01T00:00:00.000', '2024-02-29T23:59:59.999']

  test.each([
    ['onTheDate', [start, end]],
    ['beforeDate', [start]],
    ['afterOrOnDate', [start]],
    ['beforeOrOnDate', [end]],
    ['afterDate', [end]],
  ] as const)('%s a phrase is about its first or last moment', (operator, expected) => {
    expect(normalizeDates(operator, ['last month'], clock)).toEqual(expected)
  })

  test('of long ago is taken as it is', () => {
    expect(normalizeDates('afterDate', ['0001-01-01'], clock)).toEqual(['0001-01-01T23:59:59.999'])
  })
})

test.each([
  ['europe/berlin', 'Europe/Berlin'],
  ['america/port_of_spain', 'America/Port_of_Spain'],
  ['utc', 'UTC'],
  ['Asia/Kolkata', 'Asia/Kolkata'],
  ['GMT', 'GMT'],
  ['Europe/Kyiv', 'Europe/Kyiv'],
])('the zone %s is spelt %s', (written, spelt) => {
  expect(spellTimezone(written)).toBe(spelt)
})

describe('bounds of days where clocks change', () => {
  test.each([
    ['America/New_York', '2024-03-10', '2024-03-10T05:00:00.000Z', '2024-03-11T03:59:59.999Z'],
    ['America/New_York', '2024-11-03', '2024-11-03T04:00:00.000Z', '2024-11-04T04:59:59.999Z'],
    ['Europe/Berlin', '2024-03-31', '2024-03-30T23:00:00.000Z', '2024-03-31T21:59:59.999Z'],
    ['Europe/London', '2024-10-27', '2024-10-26T23:00:00.000Z', '2024-10-27T23:59:59.999Z'],
    ['Australia/Lord_Howe', '2024-04-07', '2024-04-06T13:00:00.000Z', '2024-04-07T13:29:59.999Z'],
    // Midnight does not exist: the day begins at one.
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z', '2018-11-05T01:59:59.999Z'],
    ['Africa/Cairo', '2024-04-26', '2024-04-25T22:00:00.000Z', '2024-04-26T20:59:59.999Z'],
    // Midnight comes twice: the day begins at the first.
    ['America/Havana', '2024-11-03', '2024-11-03T04:00:00.000Z', '2024-11-04T04:59:59.999Z'],
    // The last hour comes twice: the day ends with the second.
    ['America/Asuncion', '2024-03-23', '2024-03-23T03:00:00.000Z', '2024-03-24T03:59:59.999Z'],
    // A day that never was.
    ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z', '2011-12-31T09:59:59.999Z'],
    ['Asia/Kathmandu', '2024-06-01', '2024-05-31T18:15:00.000Z', '2024-06-01T18:14:59.999Z'],
  ])('%s %s', (timezone, day, start, end) => {
    expect(iso(instantOf(local(`${day}T00:00:00`), timezone))).toBe(start)
    expect(iso(lastInstantOf(local(`${day}T23:59:59.999`), timezone))).toBe(end)
  })
})

test.each([
  ['2024-01-01T10:00:00Z', 'America/New_York', '2024-01-01T05:00:00.000Z'],
  ['2024-01-01 10:00', 'America/New_York', '2024-01-01T10:00:00.000Z'],
  ['2024-01-01T10:00:00.123456+05:30', 'UTC', '2024-01-01T04:30:00.123Z'],
])('%s in %s', (text, timezone, expected) => {
  expect(iso(parseIso(text, timezone)?.local ?? 0)).toBe(expected)
})

test.each(['2024-13-01', '2023-02-29', '2024-01-01T24:00', '2024-1-1', '20240101'])('%s is no date', text => {
  expect(parseIso(text, 'UTC')).toBeNull()
})
