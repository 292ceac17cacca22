import type { ReportSnapshot } from '@hedron/contract'
import { describe, expect, test } from 'vitest'
import { changesSince } from '../../src/creator/changes.ts'
import { type ShownReport, snapshotOf } from '../../src/creator/draft.ts'

const position = { x: 0, y: 0, w: 6, h: 4 }
const chart = { id: 'chart', type: 'CHART' as const, position, config: { reportId: 7 } }
const text = { id: 'text', type: 'TEXT' as const, position: { ...position, x: 6 }, config: { content: 'Words' } }
const report: ShownReport = {
  id: 7,
  name: 'Orders',
  title: null,
  description: null,
  version: 3,
  jsonQuery: '{"measures":["orders.count"]}',
  sqlQuery: null,
  meta: { kind: 'kpi' },
}
// A stored snapshot says more, and in another order.
const stored: ReportSnapshot = { ...snapshotOf(report), id: 99, pivotItems: null, isSourceReport: null }
const published = { title: 'Sales', config: { title: 'Sales', widgets: [chart, text] }, reportSnapshots: [stored] }
const draft = { title: 'Sales', settings: null, widgets: [text, chart] }

describe('what a draft has otherwise than what is published', () => {
  test('is nothing where it says the same in another order', () => {
    expect(changesSince(published, draft, [report])).toEqual([])
  })

  test('is a report that was edited since, though its widget was not', () => {
    const edited = { ...report, meta: { kind: 'table' as const } }
    expect(changesSince(published, draft, [edited])).toEqual([{ what: 'changed', type: 'CHART', title: 'Orders' }])
  })

  test('is each widget that came, went, was moved or says something else, once', () => {
    const widgets = [
      { ...text, position: { ...position, x: 5 } },
      { ...chart, id: 'second', config: { reportId: 7, title: 'Again' } },
    ]
    expect(changesSince(published, { title: 'Sales', widgets }, [report])).toEqual([
      { what: 'added', type: 'CHART', title: 'Again' },
      { what: 'moved', type: 'TEXT', title: null },
      { what: 'removed', type: 'CHART', title: 'Orders' },
    ])
    const other = { ...draft, widgets: [chart, { ...text, config: { content: 'Other words' } }] }
    expect(changesSince(published, other, [report])).toEqual([{ what: 'changed', type: 'TEXT', title: null }])
  })

  test('is its title and its settings', () => {
    const changed = { ...draft, title: 'Revenue', settings: { refreshInterval: 30 } }
    expect(changesSince(published, changed, [report])).toEqual([{ what: 'title' }, { what: 'settings' }])
  })
})
