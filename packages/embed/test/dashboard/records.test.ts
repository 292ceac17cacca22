import { describe, expect, test } from 'vitest'
import { type AskedQuestion, measureOf, recordsOf } from '../../src/dashboard/model/records.ts'

const asked = (query: object, renamed: [string, string][] = []): AskedQuestion => ({
  kind: 'load',
  query: { ...query },
  renamed: new Map(renamed),
  isLimited: false,
  passedOver: [],
})
const drill = (values: Record<string, string | number | boolean | null>) => ({
  member: 'orders.count',
  value: 3,
  values: { 'orders.count': 3, ...values },
})

describe('the records behind a value', () => {
  test('stand under all filters, segments and ranges of the question, and in the row of the value', () => {
    const behind = asked({
      measures: ['orders.count'],
      dimensions: ['orders.status', 'orders.shelf', 'users.city'],
      segments: ['orders.large'],
      filters: [{ member: 'orders.category', operator: 'equals', values: ['Books'] }],
      timeDimensions: [{ dimension: 'orders.created_at', granularity: 'month', dateRange: 'this year' }],
    })
    const values = { 'orders.status': 'paid', 'orders.shelf': 7, 'users.city': null }
    const records = recordsOf(drill({ ...values, 'orders.created_at.month': '2025-02-01T00:00:00.000' }), behind, [
      'orders.id',
    ])
    expect(records).toMatchObject({
      kind: 'load',
      isLimited: false,
      query: {
        dimensions: ['orders.id'],
        segments: ['orders.large'],
        filters: [
          { member: 'orders.category', operator: 'equals', values: ['Books'] },
          { member: 'orders.status', operator: 'equals', values: ['paid'] },
          { member: 'orders.shelf', operator: 'equals', values: ['7'] },
          { member: 'users.city', operator: 'notSet' },
        ],
        timeDimensions: [
          { dimension: 'orders.created_at', dateRange: 'this year' },
          { dimension: 'orders.created_at', dateRange: ['2025-02-01T00:00:00.000', '2025-02-28T23:59:59.999'] },
        ],
      },
    })
  })

  test.each([
    ['hour', '2025-03-30T02:00:00.000', ['2025-03-30T02:00:00.000', '2025-03-30T02:59:59.999']],
    ['week', '2024-12-30', ['2024-12-30T00:00:00.000', '2025-01-05T23:59:59.999']],
    ['quarter', '2025-10-01T00:00:00.000', ['2025-10-01T00:00:00.000', '2025-12-31T23:59:59.999']],
    ['year', '2024-01-01T00:00:00.000', ['2024-01-01T00:00:00.000', '2024-12-31T23:59:59.999']],
  ])('of a %s are those of all its moments', (granularity, start, dateRange) => {
    const behind = asked({ measures: ['orders.count'], timeDimensions: [{ dimension: 'orders.at', granularity }] })
    const records = recordsOf(drill({ [`orders.at.${granularity}`]: start }), behind, ['orders.id'])
    expect(records).toMatchObject({ query: { timeDimensions: [{ dimension: 'orders.at', dateRange }] } })
  })

  test("of a step of the model's own are not guessed", () => {
    const behind = asked({
      measures: ['orders.count'],
      timeDimensions: [{ dimension: 'orders.at', granularity: 'fiscal_year' }],
    })
    expect(recordsOf(drill({ 'orders.at.fiscal_year': '2025-02-01T00:00:00.000' }), behind).kind).toBe('none')
  })

  test('are of the step and the measure that the viewer has chosen, under whichever name the report shows them', () => {
    const behind = asked(
      { measures: ['orders.revenue'], timeDimensions: [{ dimension: 'orders.at', granularity: 'quarter' }] },
      [
        ['orders.at.quarter', 'orders.at.month'],
        ['orders.revenue', 'orders.count'],
      ],
    )
    const chosen = drill({ 'orders.at.month': '2025-01-01T00:00:00.000' })
    expect(measureOf(chosen, behind)).toBe('orders.revenue')
    const dateRange = ['2025-01-01T00:00:00.000', '2025-03-31T23:59:59.999']
    expect(recordsOf(chosen, behind)).toMatchObject({
      query: {
        measures: ['orders.revenue'],
        dimensions: ['orders.at'],
        timeDimensions: [{ dimension: 'orders.at', dateRange }],
      },
    })
  })
})
