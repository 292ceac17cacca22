import { describe, expect, test } from 'vitest'
import { chartKinds, leavesFiguresOut } from '../../src/creator/report/chart-spec.ts'
import { emptyForm, formOf, type ReportForm, reportOf } from '../../src/creator/report/report-form.ts'

const snapshot = (form: ReportForm) => {
  const { name, jsonQuery, sqlQuery, meta } = reportOf(form)
  return { id: 1, reportId: 1, versionNumber: 1, name, jsonQuery, sqlQuery, kind: meta.kind, spec: meta.spec }
}
const form: ReportForm = {
  ...emptyForm,
  name: 'Orders',
  measures: ['orders.count', 'orders.revenue'],
  dimensions: ['orders.status'],
  grains: { 'orders.created_at': 'month' },
  filters: [
    { member: 'orders.status', operator: 'startsWith', values: ['p'] },
    { member: 'orders.city', operator: 'notSet', values: [] },
  ],
  order: { member: 'orders.count', direction: 'desc' },
  limit: 10,
}

describe('a report that was made with the form', () => {
  test.each(chartKinds)('is opened in it again as it was: %s', kind => {
    expect(formOf(snapshot({ ...form, kind }))).toEqual({ ...form, kind })
  })

  test.each(chartKinds)('also with a series for each measure: %s', kind => {
    const byStatus: ReportForm = { ...form, grains: {}, kind }
    expect(formOf(snapshot(byStatus))).toEqual(byStatus)
    const spec = JSON.stringify(reportOf(byStatus).meta.spec)
    expect(leavesFiguresOut(kind, 1, 2)).toBe(!spec.includes('orders.revenue') && kind !== 'table' && kind !== 'map')
  })

  test('and one that is written in SQL', () => {
    const written: ReportForm = { ...emptyForm, asks: 'sql', name: 'By SQL', sql: 'SELECT 1', kind: 'table' }
    expect(formOf(snapshot(written))).toEqual(written)
  })

  test('leaves conditions out that are not finished', () => {
    const filters = [{ member: 'orders.status', operator: 'equals', values: [] }]
    expect(JSON.parse(reportOf({ ...form, filters }).jsonQuery ?? '')).not.toHaveProperty('filters')
  })
})

test.each([
  ['groups of conditions', { filters: [{ or: [] }] }],
  ['segments', { segments: ['orders.big'] }],
  ['a range of dates', { timeDimensions: [{ dimension: 'orders.at', granularity: 'day', dateRange: 'today' }] }],
  ['an order by two', { order: { 'orders.a': 'asc', 'orders.b': 'asc' } }],
  ['an offset', { offset: 5 }],
])('%s cannot be said in the form, so the report is not opened in it', (_, part) => {
  const jsonQuery = JSON.stringify({ measures: ['orders.count'], ...part })
  expect(formOf({ id: 1, reportId: 1, versionNumber: 1, kind: 'table', jsonQuery })).toBeNull()
})
