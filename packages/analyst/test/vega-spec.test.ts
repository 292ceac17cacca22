import { expect, test } from 'vitest'
import { type AnswerColumn, vegaSpec } from '../src/index.ts'
import { emptyQuestion } from '../src/shapes/question.ts'

const question = emptyQuestion('orders')
const compared = {
  ...question,
  time: {
    dimension: 'orders.at',
    range: { from: '2025-02-01', to: '2025-03-01' },
    grain: null,
    part: null,
    days: null,
  },
  compare: { from: '2025-01-01', to: '2025-02-01' },
}
const column = (role: AnswerColumn['role'], grain: string | null): AnswerColumn => ({
  name: role,
  title: role,
  role,
  format: { kind: role === 'time' ? 'time' : 'number', currency: null, grain, unit: null },
})
const axisBy = (grain: string) => {
  const spec = vegaSpec(question, [column('time', grain), column('measure', null)], 'Orders')
  return Object(Object(spec?.encoding).x).axis
}

test('where labels name months, quarters or years, there is one for each, at its beginning', () => {
  expect(axisBy('month')).toEqual({ format: '%b %Y', tickCount: 'month' })
  expect(axisBy('quarter')).toEqual({ format: 'Q%q %Y', tickCount: { interval: 'month', step: 3 } })
  expect(axisBy('year')).toEqual({ format: '%Y', tickCount: 'year' })
  expect(axisBy('day')).toEqual({ format: '%d %b %Y' })
})

test('two periods that are compared are both drawn: a pair of bars for each group, the earlier first', () => {
  const spec = vegaSpec(
    compared,
    [column('dimension', null), column('before', null), column('measure', null)],
    'Orders',
  )
  expect(spec?.transform).toEqual([
    { calculate: 'toNumber(datum["before"])', as: 'before' },
    { calculate: 'toNumber(datum["measure"])', as: 'measure' },
    { fold: ['before', 'measure'], as: ['compared_column', 'compared_value'] },
    {
      calculate: 'datum.compared_column === "before" ? "January 2025" : "February 2025"',
      as: 'compared_period',
    },
  ])
  const sort = ['January 2025', 'February 2025']
  expect(spec?.encoding).toMatchObject({
    y: { field: 'dimension' },
    x: { field: 'compared_value', type: 'quantitative', title: 'measure' },
    yOffset: { field: 'compared_period', sort },
    color: { field: 'compared_period', type: 'nominal', sort },
  })
})

test('two periods without groups are two bars', () => {
  const spec = vegaSpec(compared, [column('before', null), column('measure', null)], 'Orders')
  expect(spec?.encoding).toMatchObject({ y: { field: 'compared_period' }, x: { field: 'compared_value' } })
})
