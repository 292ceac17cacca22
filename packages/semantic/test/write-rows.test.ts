import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { expandQueries, writeRows } from '../src/index.ts'
import { compileFor, modelOf, options } from './support/model.ts'

const model = modelOf(readFileSync(new URL('golden/shop.yml', import.meta.url), 'utf8'))
const query = {
  measures: ['orders.count'],
  dimensions: ['orders.status'],
  timeDimensions: [
    {
      dimension: 'orders.created_at',
      granularity: 'day',
      compareDateRange: [['2024-01-01', '2024-01-02'], ['2024-02-01']],
    },
  ],
}
const { columns } = compileFor(model, {
  ...query,
  timeDimensions: [{ dimension: 'orders.created_at', granularity: 'day' }],
})
const rows = [
  ['done', '2024-01-01T00:00:00.000', '2'],
  [null, '2024-01-02T00:00:00.000', '1'],
]
/** Halves of characters too: JSON writes them as escapes. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('"', '\\', '\n', '\u0001', '\ud83d', '\ude00', 'é', ' ') }),
)
const cell = fc.oneof(text, fc.constant(null), fc.boolean(), fc.integer())
const members = ['orders.status', 'orders.created_at.day', 'orders.created_at', 'orders.count']

test('default: an object for each row', () => {
  expect(JSON.parse(writeRows(columns, rows, 'default'))).toEqual([
    {
      'orders.status': 'done',
      'orders.created_at.day': '2024-01-01T00:00:00.000',
      'orders.created_at': '2024-01-01T00:00:00.000',
      'orders.count': '2',
    },
    {
      'orders.status': null,
      'orders.created_at.day': '2024-01-02T00:00:00.000',
      'orders.created_at': '2024-01-02T00:00:00.000',
      'orders.count': '1',
    },
  ])
})

test('compact: a list for each row', () => {
  expect(JSON.parse(writeRows(columns, rows, 'compact'))).toEqual({
    members,
    dataset: [
      ['done', '2024-01-01T00:00:00.000', '2024-01-01T00:00:00.000', '2'],
      [null, '2024-01-02T00:00:00.000', '2024-01-02T00:00:00.000', '1'],
    ],
  })
})

test('columnar: a list for each member', () => {
  expect(JSON.parse(writeRows(columns, rows, 'columnar'))).toEqual({
    members,
    columns: [
      ['done', null],
      ['2024-01-01T00:00:00.000', '2024-01-02T00:00:00.000'],
      ['2024-01-01T00:00:00.000', '2024-01-02T00:00:00.000'],
      ['2', '1'],
    ],
  })
})

test('compared ranges are named in every row, blended queries share a time', () => {
  const [compared] = expandQueries(model, query, options).queries
  expect(JSON.parse(writeRows(columns, rows.slice(0, 1), 'default', compared))).toMatchObject([
    { compareDateRange: '2024-01-01T00:00:00.000 - 2024-01-02T23:59:59.999' },
  ])
  const plain = { ...query, timeDimensions: [{ dimension: 'orders.created_at', granularity: 'day' }] }
  const [blended] = expandQueries(model, [plain, plain], options).queries
  expect(JSON.parse(writeRows(columns, rows.slice(0, 1), 'default', blended))).toMatchObject([
    { time: '2024-01-01T00:00:00.000', 'time.day': '2024-01-01T00:00:00.000' },
  ])
})

test('every text comes out as it went in, in each format', () => {
  const [status, day, count] = ['status', 'created_at', 'count'].map(name => `orders.${name}`)
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell, cell), { maxLength: 20 }), table => {
      const answer = (format: 'default' | 'compact' | 'columnar') => JSON.parse(writeRows(columns, table, format))
      const rowsOfAnswer = table.map(([a, b, c]) => ({
        [`${status}`]: a,
        [`${day}.day`]: b,
        [`${day}`]: b,
        [`${count}`]: c,
      }))
      expect(answer('default')).toEqual(rowsOfAnswer)
      expect(answer('compact')).toEqual({ members, dataset: table.map(([a, b, c]) => [a, b, b, c]) })
      const column = (position: 0 | 1 | 2) => table.map(row => row[position])
      expect(answer('columnar')).toEqual({ members, columns: [column(0), column(1), column(1), column(2)] })
    }),
  )
})
