import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { annotateQuery, compileModel, describeModel, matchRollup, normalizeQuery } from '../../src/index.ts'
import { compileFor, everyone, modelOf, options } from '../support/model.ts'

const yaml = readFileSync(new URL('../golden/calendar.yml', import.meta.url), 'utf8')
const model = modelOf(yaml)
const date = 'fiscal_days.date'
const year = { dateRange: ['2024-01-01', '2024-12-31'] }

test.each([
  [
    'a window over periods of a calendar',
    { measures: ['orders.revenue_60_days'], timeDimensions: [{ dimension: date, granularity: 'month', ...year }] },
    'window_granularity',
    /^'orders.revenue_60_days' has a rolling window, and the calendar's own SQL says when a month of 'fiscal_days.date' begins/,
  ],
])('%s', (_, query, code, message) => {
  const compile = () => compileFor(model, query)
  expect(compile).toThrow(expect.objectContaining({ code }))
  expect(compile).toThrow(message)
})

test('a granularity of a calendar that stands on itself is a circle, one that cuts its own dimension is none', () => {
  const circle = yaml.replace('sql: month_start,', 'sql: "{since_month}",')
  const { problems } = compileModel([{ path: 'model/model.yml', content: circle }])
  expect(problems.map(({ code }) => code)).toEqual(['reference_circle'])
})

test('what extends a calendar is one', () => {
  const child = `${yaml}
  - { name: more_days, extends: fiscal_days }
`
  expect(modelOf(child).cubes.map(({ isCalendar }) => isCalendar)).toEqual([true, false, false, true])
})

test('a mask of a time hides its periods', () => {
  const guarded = yaml
    .replace(
      '    calendar: true\n',
      '    calendar: true\n    access_policy: [{ group: "*", member_level: { includes: [] }, member_masking: { includes: "*" } }]\n',
    )
    .replace('name: date\n        sql: day', 'name: date\n        mask: "2000-01-01"\n        sql: day')
  const query = { dimensions: ['orders.status'], timeDimensions: [{ dimension: date, granularity: 'month' }] }
  expect(compileFor(modelOf(yaml), query).sql).toContain('month_start')
  expect(compileFor(modelOf(guarded), query).sql).not.toContain('month_start')
})

test('clients see a granularity of a calendar without a length, which its periods have not', () => {
  const cube = describeModel(model, everyone).find(({ name }) => name === 'fiscal_days')
  const dimension = cube?.dimensions.find(({ name }) => name === date)
  const month = { name: 'month', title: 'Fiscal month' }
  expect(dimension?.granularities).toContainEqual(month)
  expect(dimension?.granularities).toContainEqual({ name: 'fiscal_week', title: 'Fiscal Week' })
  const query = normalizeQuery(model, { timeDimensions: [{ dimension: date, granularity: 'month' }] }, options)
  expect(annotateQuery(model, query, everyone).timeDimensions[`${date}.month`]?.granularity).toEqual(month)
})

describe('a rollup', () => {
  const rollup = (columns: string) =>
    modelOf(
      yaml.replace(
        '  - name: line_items\n',
        `    pre_aggregations: [{ name: main, measures: [count], ${columns} }]\n\n  - name: line_items\n`,
      ),
    )
  const query = { measures: ['orders.count'], timeDimensions: [{ dimension: date, granularity: 'month' }] }
  const found = (columns: string, granularity = 'month') => {
    const built = rollup(columns)
    const { measures } = query
    const asked = { measures, timeDimensions: [{ dimension: date, granularity }] }
    return matchRollup(built, normalizeQuery(built, asked, options), everyone).rollup !== null
  }

  test('by a period of a calendar answers queries by that period', () => {
    expect(found('time_dimension: fiscal_days.date, granularity: month')).toBe(true)
    expect(found('time_dimension: fiscal_days.date, granularity: fiscal_week', 'fiscal_week')).toBe(true)
  })

  test('by days, by longer periods or of the time itself answers none by a period of a calendar', () => {
    expect(found('time_dimension: fiscal_days.date, granularity: day')).toBe(false)
    expect(found('time_dimension: fiscal_days.date, granularity: year')).toBe(false)
    expect(found('dimensions: [fiscal_days.date]')).toBe(false)
    expect(found('time_dimension: fiscal_days.date, granularity: day', 'fiscal_week')).toBe(false)
    expect(found('time_dimension: fiscal_days.date, granularity: fiscal_week', 'week')).toBe(false)
  })
})
