import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { compileFor, modelOf } from '../support/model.ts'

const model = modelOf(readFileSync(new URL('../golden/stages.yml', import.meta.url), 'utf8'))
const month = { dimension: 'orders.created_at', granularity: 'month' }
const range = { dateRange: ['2024-01-01', '2024-03-31'] }

test.each([
  [
    'a window without a range',
    { measures: ['orders.revenue_60_days'], timeDimensions: [month] },
    'window_range',
    "Time series queries without dateRange aren't supported: 'orders.revenue_60_days' has a rolling window. Give 'orders.created_at' a dateRange.",
  ],
  [
    'a window over two ranges',
    {
      measures: ['orders.revenue_60_days'],
      timeDimensions: [
        { ...month, ...range },
        { ...month, granularity: 'day', dateRange: ['2024-01-01', '2024-01-31'] },
      ],
    },
    'window_dimension',
    "Rolling window requires one time dimension and equal date ranges. 'orders.revenue_60_days' is asked for over 2024-01-01T00:00:00.000 to 2024-03-31T23:59:59.999 and 2024-01-01T00:00:00.000 to 2024-01-31T23:59:59.999.",
  ],
  [
    'a window over weeks and months',
    {
      measures: ['orders.revenue_60_days'],
      timeDimensions: [
        { ...month, ...range },
        { ...month, ...range, granularity: 'week' },
      ],
    },
    'window_granularity',
    "'orders.revenue_60_days' has a rolling window, and the periods of week and month overlap, so that a group would have several windows. Ask for one of them.",
  ],
  [
    'more periods than an answer can have rows',
    { measures: ['orders.revenue_60_days'], timeDimensions: [{ ...month, granularity: 'second', ...range }] },
    'series_too_long',
    'The time series of this query would have 7862400 periods, at most 50000 are allowed. Ask for a shorter dateRange or a coarser granularity.',
  ],
  [
    'rows of what is computed from groups',
    { measures: ['orders.city_revenue'], ungrouped: true },
    'ungrouped_stage',
    "'orders.city_revenue' is computed from groups, so it has no value for a single row. Leave it out of the ungrouped query.",
  ],
  [
    'a measure of a switch that nothing decides',
    { measures: ['orders.revenue_in'] },
    'switch_undecided',
    "'orders.revenue_in' depends on 'orders.currency', and the query doesn't say which of its values is meant. Add 'orders.currency' to the dimensions, or filter it to one value.",
  ],
  [
    'a measure of a switch that a filter leaves several values',
    {
      measures: ['orders.revenue_in'],
      filters: [{ member: 'orders.currency', operator: 'equals', values: ['EUR', 'USD'] }],
    },
    'switch_undecided',
    "'orders.revenue_in' depends on 'orders.currency', and the query doesn't say which of its values is meant. Add 'orders.currency' to the dimensions, or filter it to one value.",
  ],
  [
    'a switch that is filtered together with a column',
    {
      measures: ['orders.revenue'],
      filters: [
        {
          or: [
            { member: 'orders.currency', operator: 'equals', values: ['EUR'] },
            { member: 'orders.status', operator: 'set' },
          ],
        },
      ],
    },
    'switch_filter',
    "'orders.currency' is of type switch, and is filtered together with other members by 'or', or by an operator that is not for text. Filter it by itself.",
  ],
  [
    'a switch of rows',
    { dimensions: ['orders.id', 'orders.currency'], ungrouped: true },
    'switch_ungrouped',
    'Dimensions of type switch are no columns of rows. Leave them out of the ungrouped query.',
  ],
])('%s', (_, query, code, message) => {
  expect(() => compileFor(model, query)).toThrow(expect.objectContaining({ code, message, kind: 'user' }))
})

test('a multi-stage measure of dimensions that it is not grouped by, and a rank of finer groups', () => {
  const strange = modelOf(`cubes:
  - name: orders
    sql_table: orders
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: status, sql: status, type: string }
    measures:
      - { name: count, type: count }
      - { name: labelled, multi_stage: true, type: string, sql: "{status} || {count}" }
      - { name: place, multi_stage: true, type: rank, order_by: [{ sql: "{count}" }], grain: { include: [status] } }
`)
  expect(() => compileFor(strange, { measures: ['orders.labelled'] })).toThrow(
    "'orders.labelled' is calculated from 'orders.status', which it is not grouped by. Add it to the query, or to 'grain.include' of the measure.",
  )
  expect(() => compileFor(strange, { measures: ['orders.place'] })).toThrow(
    "'orders.place' is of type rank and has a value for each orders.status, which this query doesn't group by. Add that to the query, or give the measure a type that aggregates, such as sum or number_agg.",
  )
})
