import { describe, expect, test } from 'vitest'
import { resultOfLoad } from '../../src/results/from-load.ts'
import { resultOfSql } from '../../src/results/from-sql.ts'
import { toCsv, toTsv } from '../../src/results/text.ts'

describe('an answer of /v1/load', () => {
  const annotation = {
    measures: { 'o.count': { shortTitle: 'Count', type: 'number', format: 'currency', currency: 'EUR' } },
    dimensions: { 'o.city': { title: 'Orders City', shortTitle: 'City', type: 'string' } },
    timeDimensions: {
      'o.at': { shortTitle: 'At', type: 'time' },
      'o.at.month': { shortTitle: 'At', type: 'time', granularity: { name: 'month' } },
    },
  }
  const row = {
    'o.city': 'Oslo',
    'o.at.month': '2024-01-01T00:00:00.000',
    'o.at': '2024-01-01T00:00:00.000',
    'o.count': '12',
  }

  test('has titles and formats, and each time once', () => {
    const result = resultOfLoad({ annotation, data: [row], total: 5 })
    expect(result.columns).toEqual([
      { name: 'o.city', title: 'City', type: 'string' },
      { name: 'o.at.month', title: 'At', type: 'time', granularity: 'month' },
      { name: 'o.count', title: 'Count', type: 'number', isMeasure: true, format: 'currency', currency: 'EUR' },
    ])
    expect(result.rows).toEqual([['Oslo', '2024-01-01T00:00:00.000', '12']])
    expect(result.totalRows).toBe(5)
  })

  test('keeps a time that was asked for by itself too', () => {
    const both = { ...annotation, dimensions: { ...annotation.dimensions, 'o.at': { type: 'time' } } }
    expect(resultOfLoad({ annotation: both, data: [row] }).columns.map(({ name }) => name)).toContain('o.at')
  })

  test('has its columns without rows, and in the compact form', () => {
    expect(resultOfLoad({ annotation, data: [] }).columns.map(({ name }) => name)).toContain('o.count')
    const compact = resultOfLoad({ annotation, data: { members: ['o.count'], dataset: [[1]] } })
    expect(compact).toMatchObject({ columns: [{ name: 'o.count', title: 'Count' }], rows: [[1]] })
  })
})

test('rows of a statement have readable titles and say when some were left out', () => {
  const schema = [
    { name: 'order_count', column_type: 'Int64' },
    { name: 'Net revenue', column_type: 'Double' },
    { name: 'day', column_type: 'Timestamp' },
  ]
  const result = resultOfSql(schema, [[1, 2, '2024-01-01']], 7)
  expect(result.columns.map(({ title, type }) => [title, type])).toEqual([
    ['Order Count', 'number'],
    ['Net revenue', 'number'],
    ['Day', 'time'],
  ])
  expect(result.totalRows).toBe(7)
})

describe('files and clipboard', () => {
  const columns = [
    { name: 'a', title: 'A', type: 'string' as const },
    { name: 'b', title: '=B', type: 'number' as const },
  ]
  const rows = [
    ['=HYPERLINK("https://evil.example","x")', -1.5],
    ['a,"b"\nc', null],
    ['@SUM(1)', '-7'],
    ['+1 555', '+8e3'],
    ['-', 0],
  ]

  test('CSV runs nothing in a spreadsheet and keeps numbers', () => {
    expect(toCsv({ columns, rows })).toBe(
      `\uFEFFA,'=B\r\n"'=HYPERLINK(""https://evil.example"",""x"")",-1.5\r\n"a,""b""\nc",\r\n'@SUM(1),-7\r\n'+1 555,+8e3\r\n'-,0\r\n`,
    )
  })

  test('TSV has a line for each row', () => {
    expect(toTsv({ columns, rows: [['a\tb\nc', 1]] })).toBe("A\t'=B\na b c\t1")
  })
})
