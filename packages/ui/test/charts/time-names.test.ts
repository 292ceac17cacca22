import { describe, expect, test } from 'vitest'
import { timeNames } from '../../src/charts/time-names.ts'
import { locales } from '../../src/messages/pick-locale.ts'

/** Names as `Jan/2025`, of rows a step apart. */
function names(granularity: string, first: string, last: string, width: number, locale = 'en-US'): string[] {
  const [from, to] = [Date.parse(first), Date.parse(last)]
  const half = new Date((from + to) / 2)
  const middle =
    granularity === 'day' || granularity === 'week'
      ? half.getTime()
      : Date.UTC(half.getUTCFullYear(), half.getUTCMonth() + (to > from ? 1 : 0))
  return timeNames({ granularity, first: from, middle, last: to, locale }, width).map(({ lines }) => lines.join('/'))
}

describe('names of a time axis', () => {
  test.each([
    ['month', '2025-01-01', '2025-12-01', 640, 'Jan/2025, Feb, Mar, Apr, May, Jun, Jul, Aug, Sep, Oct, Nov, Dec'],
    ['month', '2025-01-01', '2025-12-01', 300, 'Jan/2025, Mar, May, Jul, Sep, Nov'],
    ['month', '2024-03-01', '2026-02-01', 300, 'Apr/2024, Jul, Oct, Jan/2025, Apr, Jul, Oct, Jan/2026'],
    ['month', '2015-01-01', '2025-12-01', 300, '2016, 2018, 2020, 2022, 2024'],
    ['quarter', '2024-01-01', '2025-10-01', 400, 'Q1/2024, Q2, Q3, Q4, Q1/2025, Q2, Q3, Q4'],
    ['year', '2019-01-01', '2025-01-01', 400, '2019, 2020, 2021, 2022, 2023, 2024, 2025'],
    ['week', '2025-01-06', '2025-03-31', 400, 'Jan 6/2025, Jan 20, Feb 3, Feb 17, Mar 3, Mar 17, Mar 31'],
    ['day', '2025-03-01', '2025-03-07', 500, 'Mar 1/2025, Mar 2, Mar 3, Mar 4, Mar 5, Mar 6, Mar 7'],
    ['day', '2025-02-20', '2025-04-05', 500, 'Feb 24/2025, Mar 3, Mar 10, Mar 17, Mar 24, Mar 31'],
    ['day', '2024-11-15', '2025-11-14', 500, 'Dec/2024, Jan/2025, Feb, Mar, Apr, May, Jun, Jul, Aug, Sep, Oct, Nov'],
  ])('of %ss from %s to %s over %i pixels', (granularity, first, last, width, expected) => {
    expect(names(granularity, first, last, width)).toEqual(expected.split(', '))
  })

  test('are three or more in a box of 200 pixels, in every language (Vietnamese: of 220)', () => {
    const spans = [
      ['month', '2025-01-01', '2025-06-01'],
      ['month', '2024-02-01', '2025-11-01'],
      ['quarter', '2024-01-01', '2025-10-01'],
      ['week', '2025-01-06', '2025-03-31'],
      ['day', '2025-03-03', '2025-03-12'],
      ['day', '2025-01-01', '2025-03-31'],
      ['year', '2011-01-01', '2025-01-01'],
    ] as const
    const few = locales.flatMap(locale =>
      spans
        .map(([granularity, first, last]) => [
          locale,
          ...names(granularity, first, last, locale === 'vi-VN' ? 180 : 160, locale),
        ])
        .filter(({ length }) => length < 4),
    )
    expect(few).toEqual([])
  })

  test('are more where there is more room, and none twice', () => {
    for (const [granularity, length] of [
      ['day', 400],
      ['week', 400],
      ['month', 400],
      ['quarter', 90],
      ['year', 40],
    ] as const) {
      let before = 0
      for (let width = 60; width < 1600; width += 20) {
        const last = new Date(Date.UTC(2020, 0, 6) + length * 86_400_000).toISOString()
        const found = timeNames(
          {
            granularity,
            first: Date.UTC(2020, 0, 6),
            middle: Date.UTC(2020, 0, 6),
            last: Date.parse(last),
            locale: 'en-US',
          },
          width,
        )
        expect(new Set(found.map(({ at }) => at)).size).toBe(found.length)
        expect(found.length).toBeGreaterThanOrEqual(Math.min(before, 3))
        before = found.length
      }
    }
  })

  test('of one row, and of rows in years that nobody lives in', () => {
    expect(names('month', '2025-05-01', '2025-05-01', 300)).toEqual(['May/2025'])
    expect(names('day', '2025-05-04', '2025-05-04', 300)).toEqual(['May 4/2025'])
    expect(names('year', '1000-01-01', '9000-01-01', 300)).toEqual(['2000', '4000', '6000', '8000'])
  })
})
