import { expect, test } from 'vitest'
import { type AnswerColumn, vegaSpec } from '../src/index.ts'
import { emptyQuestion } from '../src/shapes/question.ts'

const question = emptyQuestion('orders')
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
