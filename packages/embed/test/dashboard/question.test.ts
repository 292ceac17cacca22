import { describe, expect, test } from 'vitest'
import { type Control, initialValues, readParameter, writeParameter } from '../../src/dashboard/model/controls.ts'
import { questionOf } from '../../src/dashboard/model/question.ts'

const filter = (member: string, options: string[] = []): Control => ({
  kind: 'filter',
  parameter: `f_${member}`,
  member,
  title: null,
  operator: 'equals',
  isMultiple: true,
  options,
  initial: null,
})
const choice = (kind: 'grain' | 'field', member: string, options: string[]): Control => ({
  kind,
  parameter: `${kind === 'grain' ? 'tg' : 'ms'}_${member}`,
  member,
  title: null,
  options,
  initial: null,
})
const controls = new Map(
  [
    filter('orders.status'),
    filter('orders.created_at'),
    filter('users.name'),
    choice('grain', 'orders.created_at', ['week', 'month']),
    choice('field', 'orders.count', ['orders.revenue']),
  ].map(control => [control.parameter, control]),
)
const query = {
  measures: ['orders.count'],
  timeDimensions: [{ dimension: 'orders.created_at', granularity: 'month', dateRange: 'this year' }],
  order: { 'orders.count': 'desc' },
}
const report = { id: 1, reportId: 1, versionNumber: 1, jsonQuery: JSON.stringify(query) }
const ask = (set: Record<string, string>) =>
  questionOf(report, controls, initialValues(controls, new Map(Object.entries(set))), 'Asia/Tokyo')

describe('the question of a report', () => {
  test('is its own query in the zone of the viewer where nothing is chosen', () => {
    expect(ask({})).toMatchObject({ kind: 'load', query: { ...query, timezone: 'Asia/Tokyo' }, passedOver: [] })
  })

  test('holds what is chosen in a filter of its view, and says which filters do not reach it', () => {
    const asked = ask({ 'f_orders.status': '{"value":["paid","open"]}', 'f_users.name': '{"value":"Ann"}' })
    expect(asked).toMatchObject({
      query: { filters: [{ member: 'orders.status', operator: 'equals', values: ['paid', 'open'] }] },
      passedOver: ['users.name'],
    })
  })

  test('keeps a range of its own beside one that is chosen', () => {
    const asked = ask({ 'f_orders.created_at': '{"value":"last 7 days","operator":"inDateRange"}' })
    expect(asked).toMatchObject({
      query: {
        timeDimensions: [query.timeDimensions[0], { dimension: 'orders.created_at', dateRange: 'last 7 days' }],
      },
    })
  })

  test('has another granularity and another member, under the names that its chart knows', () => {
    const asked = ask({ 'tg_orders.created_at': 'week', 'ms_orders.count': 'orders.revenue' })
    expect(asked).toMatchObject({
      query: {
        measures: ['orders.revenue'],
        timeDimensions: [{ granularity: 'week' }],
        order: { 'orders.revenue': 'desc' },
      },
    })
    expect(asked.kind === 'load' && [...asked.renamed]).toEqual([
      ['orders.created_at.week', 'orders.created_at.month'],
      ['orders.revenue', 'orders.count'],
    ])
  })

  test('in SQL stays as it is, with what is chosen beside it', () => {
    const sql = { ...report, jsonQuery: null, sqlQuery: 'SELECT status FROM orders' }
    const values = initialValues(controls, new Map([['f_orders.status', '{"value":"paid"}']]))
    expect(questionOf(sql, controls, values, undefined)).toEqual({
      kind: 'sql',
      query: 'SELECT status FROM orders',
      filters: [
        { member: 'orders.status', operator: 'equals', values: ['paid'], title: 'orders.status', concerns: true },
      ],
    })
  })
})

describe('parameters of controls', () => {
  test.each([
    ['{"value":"paid"}', { operator: 'equals', values: ['paid'] }, '{"value":"paid"}'],
    ['{"value":[1,true]}', { operator: 'equals', values: ['1', 'true'] }, '{"value":["1","true"]}'],
    ['{"value":5,"operator":"gt"}', { operator: 'gt', values: ['5'] }, '{"value":"5","operator":"gt"}'],
    ['{"value":null,"operator":"set"}', { operator: 'set', values: [] }, '{"value":null,"operator":"set"}'],
  ])('%s is read, and written as it is read', (text, value, written) => {
    expect(readParameter(filter('a.b'), text)).toEqual(value)
    expect(writeParameter(value)).toBe(written)
  })

  test.each(['paid', '{}', '[]', '{"value":{}}', '{"value":[{}]}', '{"value":"x","operator":"drop"}', 'null', ''])(
    '%s is passed over',
    text => {
      expect(readParameter(filter('a.b'), text)).toBeNull()
    },
  )

  test('what a control does not offer is passed over', () => {
    expect(readParameter(filter('a.b', ['x']), '{"value":"y"}')).toBeNull()
    expect(readParameter(choice('grain', 'a.t', ['day']), 'DAY')).toBeNull()
    expect(readParameter(choice('field', 'a.b', ['a.c']), 'a.d')).toBeNull()
  })
})
