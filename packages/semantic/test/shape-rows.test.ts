import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { expandQueries, shapeRows } from '../src/index.ts'
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
const members = ['orders.status', 'orders.created_at.day', 'orders.created_at', 'orders.count']

test('default: an object for each row', () => {
  expect(shapeRows(columns, rows, 'default')).toEqual([
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
  expect(shapeRows(columns, rows, 'compact')).toEqual({
    members,
    dataset: [
      ['done', '2024-01-01T00:00:00.000', '2024-01-01T00:00:00.000', '2'],
      [null, '2024-01-02T00:00:00.000', '2024-01-02T00:00:00.000', '1'],
    ],
  })
})

test('columnar: a list for each member', () => {
  expect(shapeRows(columns, rows, 'columnar')).toEqual({
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
  expect(shapeRows(columns, rows.slice(0, 1), 'default', compared)).toMatchObject([
    { compareDateRange: '2024-01-01T00:00:00.000 - 2024-01-02T23:59:59.999' },
  ])
  const plain = { ...query, timeDimensions: [{ dimension: 'orders.created_at', granularity: 'day' }] }
  const [blended] = expandQueries(model, [plain, plain], options).queries
  expect(shapeRows(columns, rows.slice(0, 1), 'default', blended)).toMatchObject([
    { time: '2024-01-01T00:00:00.000', 'time.day': '2024-01-01T00:00:00.000' },
  ])
})
