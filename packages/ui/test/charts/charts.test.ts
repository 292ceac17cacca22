import { describe, expect, test } from 'vitest'
import { chartRows } from '../../src/charts/chart-rows.ts'
import { formatText, writeForChart } from '../../src/charts/format-type.ts'
import { type ChartRequest, prepareChart } from '../../src/charts/prepare-chart.ts'
import { colorAt, createSeriesColors } from '../../src/charts/series-colors.ts'
import { summarize } from '../../src/charts/summary.ts'
import { timeNameForChart, timesForChart } from '../../src/charts/time-axis.ts'
import { drillOf, tooltipLines } from '../../src/charts/tooltip-lines.ts'
import { english } from '../../src/messages/locales/en-US.ts'
import { createTranslate } from '../../src/messages/messages.ts'
import type { Cell, Column, Result } from '../../src/results/result.ts'
import { resolveTheme } from '../../src/theme/theme.ts'

const theme = resolveTheme({ scheme: 'light' })
const city: Column = { name: 'o.city', title: 'City', type: 'string' }
const day: Column = { name: 'o.at.day', title: 'Day', type: 'time', granularity: 'day' }
const count: Column = {
  name: 'o.count',
  title: 'Orders',
  type: 'number',
  isMeasure: true,
  format: 'currency',
  currency: 'EUR',
}
const rows: readonly (readonly Cell[])[] = [
  ['Oslo', '2024-01-01T00:00:00.000', '10'],
  ['Bergen', '2024-01-01T00:00:00.000', '500'],
  ['Oslo', '2024-01-02T00:00:00.000', '12'],
  ['Bergen', '2024-01-02T00:00:00.000', null],
]
const result: Result = { columns: [city, day, count], rows }
const prepare = (spec: unknown, more: Partial<ChartRequest> = {}) =>
  prepareChart({ spec, result, theme, locale: 'en-US', colors: createSeriesColors(), width: 600, height: 300, ...more })
const line = {
  mark: 'line',
  encoding: {
    x: { field: 'o\\.at\\.day', type: 'temporal' },
    y: { field: 'o.count', type: 'quantitative' },
    color: { field: 'o.city', type: 'nominal' },
  },
}

describe('a chart as it is drawn', () => {
  test('has the rows for its data, and no options of its own for the page', () => {
    const { spec } = prepare({
      ...line,
      data: { url: 'https://evil.example' },
      usermeta: { embedOptions: { loader: {} } },
      $schema: 'x',
    })
    expect(spec.data).toEqual({ name: 'rows' })
    expect(JSON.stringify(spec)).not.toMatch(/evil|usermeta|\$schema/)
  })

  test('has the titles and formats of the model where it says none itself', () => {
    const { spec } = prepare({ ...line, encoding: { ...line.encoding, x: { ...line.encoding.x, title: 'When' } } })
    expect(spec).toMatchObject({
      encoding: { x: { title: 'When' }, y: { title: 'Orders', axis: { formatType: 'modelFormat' } } },
      width: 600,
      autosize: { type: 'fit' },
    })
    expect(writeForChart(1_500_000, formatText(count, 'de-DE', true))).toBe('1,5\u00a0Mio.\u00a0€')
  })

  test('names round times below it by the width that it has, unless it says itself how', () => {
    const axisOf = (x: object, spec: object = {}) =>
      Object(prepare({ mark: 'bar', ...spec, encoding: { ...line.encoding, x } }).spec.encoding).x.axis
    const { values, labelExpr } = axisOf(line.encoding.x)
    expect(values.expr).toMatch(/^namedTimes\(".*", width\)$/)
    expect(labelExpr).toMatch(/^nameOfTime\(".*", width, datum\.value\)$/)
    const text = JSON.parse(/^namedTimes\((.*), width\)$/.exec(values.expr)?.[1] ?? '')
    expect(timesForChart(text, 500)).toEqual([new Date(2024, 0, 1), new Date(2024, 0, 2)])
    expect(timeNameForChart(text, 500, new Date(2024, 0, 1))).toEqual(['Jan 1', '2024'])
    expect(timeNameForChart(text, 500, new Date(2024, 0, 2))).toEqual(['Jan 2'])
    expect(axisOf({ ...line.encoding.x, axis: { format: '%d' } })).toEqual({ format: '%d' })
    expect(axisOf({ ...line.encoding.x, axis: { grid: true } })).toMatchObject({ grid: true, labelExpr })
  })

  test('that puts columns below each other has their titles, their format, and opens the one that is hit', () => {
    const other: Column = { ...count, name: 'o.late', title: 'Late' }
    const both: Result = { columns: [day, count, other], rows: [['2024-01-01', '10', '3']] }
    const spec = {
      mark: 'bar',
      transform: [{ fold: ['o.count', 'o.late'], as: ['measure', 'value'] }],
      encoding: {
        x: { field: 'o.at.day', type: 'ordinal' },
        xOffset: { field: 'measure' },
        y: { field: 'value', type: 'quantitative' },
        color: { field: 'measure', type: 'nominal' },
      },
    }
    const { encoding } = Object(prepare(spec, { result: both }).spec)
    expect(encoding.color).toMatchObject({ title: null })
    expect(encoding.color.legend.labelExpr).toBe('{"o.count":"Orders","o.late":"Late"}[datum.value]')
    expect(writeForChart(1_500_000, encoding.y.axis.format)).toBe('€1.5M')
    const own = { ...spec.encoding, y: { ...spec.encoding.y, axis: { format: ',.2~f' } } }
    const { y } = Object(prepare({ ...spec, encoding: own }, { result: both }).spec.encoding)
    expect(y.axis, 'a format of its own is not one of ours').toEqual({ format: ',.2~f' })
    const [row = {}] = chartRows(both)
    expect(drillOf({ ...row, measure: 'o.late', value: 3 }, spec, both)).toMatchObject({ member: 'o.late', value: '3' })
    expect(summarize(spec, both, createTranslate(english, 'en-US'), 'en-US')).toContain('Orders and Late by Day')
  })

  test('names lines at their ends where there is room, and has a legend where there is none', () => {
    expect(prepare(line).spec).toMatchObject({
      encoding: { color: { legend: null } },
      layer: [{ mark: 'line' }, { mark: { type: 'text' } }],
    })
    const close = rows.map(([name, at]) => [name ?? null, at ?? null, '10'])
    expect(prepare(line, { result: { columns: result.columns, rows: close } }).spec.layer).toBeUndefined()
    const many = Array.from({ length: 6 }, (_, at) => [`c${at}`, '2024-01-01', at * 100])
    expect(prepare(line, { result: { columns: result.columns, rows: many } }).spec.layer).toBeUndefined()
  })

  test('gives a series its colour again when a filter brought others', () => {
    const colors = createSeriesColors()
    const scaleOf = (some: typeof rows) => {
      const { encoding } = Object(
        prepare({ ...line, mark: 'bar' }, { colors, result: { columns: result.columns, rows: some } }).spec,
      )
      return encoding.color.scale
    }
    const [first, second] = theme.series
    expect(scaleOf(rows)).toEqual({ domain: ['Oslo', 'Bergen'], range: [first, second] })
    expect(scaleOf(rows.slice(1, 2))).toEqual({ domain: ['Bergen'], range: [second] })
    expect(scaleOf([['Voss', '2024-01-01', 1], ...rows])).toMatchObject({
      domain: ['Voss', 'Oslo', 'Bergen'],
      range: [theme.series[2], first, second],
    })
  })

  test('says when colours repeat, and keeps its own', () => {
    const many = Array.from({ length: 11 }, (_, at) => [`c${at}`, '2024-01-01', at])
    expect(prepare(line, { result: { columns: result.columns, rows: many } }).colorsRepeat).toBe(true)
    expect(colorAt(10, theme.series)).not.toBe(theme.series[0])
    const own = { ...line, encoding: { ...line.encoding, color: { field: 'o.city', scale: { scheme: 'dark2' } } } }
    expect(prepare(own).spec).toMatchObject({ encoding: { color: { scale: { scheme: 'dark2' } } } })
  })

  test.each<[string, unknown, RegExp]>([
    ['no JSON', '{', /not JSON/],
    ['nothing', null, /no specification/],
    ['a list', [], /no specification/],
    ['a sequence without measure', { mark: 'bar', data: { sequence: { start: 0, stop: 1e9 } } }, /sequence/],
    [
      'one that an expression ends',
      { mark: 'bar', layer: [{ data: { sequence: { start: 0, stop: { expr: '1e9' } } } }] },
      /sequence/,
    ],
    ['nested beyond reason', JSON.parse(`${'{"layer":['.repeat(80)}{}${']}'.repeat(80)}`), /60 levels/],
  ])('refuses %s', (_, spec, message) => {
    expect(() => prepare(spec)).toThrow(message)
  })

  describe('of more names than have room', () => {
    const many = Array.from({ length: 100 }, (_, at): readonly Cell[] => [
      at === 99 ? null : `Airport ${at}`,
      String(at),
    ])
    const crowd: Result = { columns: [city, count], rows: many }
    const bars = (sort: unknown, more: object = {}) => ({
      mark: 'bar',
      encoding: {
        y: { field: 'o\\.city', type: 'nominal', sort },
        x: { field: 'o\\.count', type: 'quantitative' },
      },
      ...more,
    })
    const cutOf = (spec: object, height = 300) => prepare(spec, { result: crowd, height }).ranking?.cut

    test('a ranking has the first that are read without lying on each other, and says how many', () => {
      const cut = cutOf(bars(null))
      expect(cut?.rows).toBe(18)
      expect(cut?.transform).toEqual({
        filter: { field: 'o\\.city', oneOf: many.slice(0, 18).map(([name]) => name) },
      })
      expect(cutOf(bars(null), 200)?.rows).toBe(11)
      expect(cutOf(bars(null), 20)?.rows).toBe(3)
      expect(cutOf(bars(null), 2_000)).toBeNull()
      expect(prepare(bars(null), { result: crowd, height: 300 }).spec.transform).toEqual([cut?.transform])
    })

    test('a ranking by its figures has the largest, a name that is missing among them', () => {
      const { filter } = Object(cutOf(bars('-x'))?.transform)
      expect(filter.oneOf).toEqual(
        many
          .slice(-18)
          .toReversed()
          .map(([name]) => name),
      )
    })

    test.each([
      ['in the order of names', bars('ascending')],
      ['of rows that a step of its own changes', bars(null, { transform: [{ aggregate: [], groupby: ['o\\.city'] }] })],
    ])('bars %s are all drawn, and only names that do not touch are written', (_, spec) => {
      const prepared = prepare(spec, { result: crowd, height: 300 })
      expect(prepared.ranking).toBeNull()
      expect(prepared.spec).toMatchObject({ encoding: { y: { axis: { labelOverlap: 'greedy' } } } })
    })

    test('names below columns lean, and stand on end where there are too many to lean', () => {
      const columns = {
        mark: 'bar',
        encoding: { x: { field: 'o\\.city', type: 'nominal' }, y: { field: 'o\\.count' } },
      }
      const axisOf = (rows: number, width: number) =>
        Object(prepare(columns, { result: { ...crowd, rows: many.slice(0, rows) }, width }).spec.encoding).x.axis
      expect(axisOf(4, 600)).toMatchObject({ labelAngle: 0 })
      expect(axisOf(20, 600)).toMatchObject({ labelAngle: -40 })
      expect(axisOf(90, 600)).toMatchObject({ labelAngle: -90, labelOverlap: 'greedy' })
    })
  })

  test('refuses plots by the hundred', () => {
    const many = Array.from({ length: 101 }, (_, at) => [`c${at}`, '2024-01-01', at])
    const spec = { mark: 'bar', encoding: { row: { field: 'o.city' } } }
    expect(() => prepare(spec, { result: { columns: result.columns, rows: many } })).toThrow(/101 plots/)
  })
})

describe('rows for a chart', () => {
  test('have numbers, moments as the clock shows them, and members with dots both ways', () => {
    const [first, , , last] = chartRows(result)
    expect(first).toMatchObject({ 'o.city': 'Oslo', 'o.count': 10, o: { city: 'Oslo', count: 10 } })
    const at = first?.['o.at.day']
    expect(at instanceof Date && [at.getFullYear(), at.getMonth(), at.getDate(), at.getHours()]).toEqual([
      2024, 0, 1, 0,
    ])
    expect(last).toMatchObject({ 'o.count': null })
  })

  test('names of columns reach no prototype', () => {
    const hostile: Result = {
      columns: [
        { ...city, name: '__proto__.polluted' },
        { ...city, name: 'constructor.prototype.x' },
      ],
      rows: [['a', 'b']],
    }
    chartRows(hostile)
    expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('polluted')
    expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('x')
  })
})

describe('a mark', () => {
  test('tells all members of its row, and opens it', () => {
    const [values = {}] = chartRows(result)
    expect(tooltipLines(values, result, 'en-US')).toEqual([
      { title: 'City', text: 'Oslo' },
      { title: 'Day', text: 'Jan 1, 2024' },
      { title: 'Orders', text: '€10.00' },
    ])
    expect(drillOf(values, line, result)).toEqual({
      member: 'o.count',
      value: '10',
      values: { 'o.city': 'Oslo', 'o.at.day': '2024-01-01T00:00:00.000', 'o.count': '10' },
    })
  })

  test('of several rows tells what the chart made of them', () => {
    const values = { 'o.city': 'Oslo', sum_o_count: 22, sum_o_count_start: 0, sum_o_count_end: 22, __count: 2 }
    expect(tooltipLines(values, result, 'en-US')).toEqual([
      { title: 'City', text: 'Oslo' },
      { title: 'Orders', text: '€22.00' },
    ])
    expect(drillOf(values, line, result)).toEqual({ member: 'o.count', value: 22, values: { 'o.city': 'Oslo' } })
  })
})
