import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareResults, type ResultRows } from '../../../src/chat/evals/compare-results.ts'
import { valueKey } from '../../../src/chat/evals/value-key.ts'

const result = (columns: string, ...rows: readonly (readonly unknown[])[]): ResultRows => ({
  columns: columns.split(' '),
  rows,
})
const truth = result('city orders', ['Oslo', 12], ['Rome', 7], [null, 1])

describe('comparing results (contract/behaviour/chat.md section 7, "Evals")', () => {
  test.each([
    ['the same', truth],
    ['another order of rows', result('city orders', [null, 1], ['Rome', 7], ['Oslo', 12])],
    [
      'other names, another order of columns, numbers as text',
      result('n place', ['12', 'Oslo'], ['7', 'Rome'], ['1', null]),
    ],
    ['more columns', result('a b c', ['Oslo', 'x', 12], ['Rome', 'y', 7], [null, 'z', 1])],
    ['a column that is there twice', result('a b c', ['Oslo', 12, 12], ['Rome', 7, 7], [null, 1, 1])],
  ])('passes: %s', (_, answer) => {
    expect(compareResults(truth, answer)).toBeNull()
  })

  test.each([
    ['Row count mismatch', result('city orders', ['Oslo', 12], ['Rome', 7])],
    ['Row count mismatch', result('city orders', ['Oslo', 12], ['Rome', 8], [null, 1], ['Bonn', 1])],
    ['Unexpected rows', result('city orders', ['Oslo', 12], ['Rome', 7], [null, 1], ['Bonn', 1])],
    ['Missing columns', result('orders', [12], [7], [1])],
    ['Value mismatch', result('city orders', ['Oslo', 12], ['Rome', 8], [null, 1])],
    ['Value mismatch', result('city orders', ['Oslo', 7], ['Rome', 12], [null, 1])],
  ])('%s', (difference, answer) => {
    expect(compareResults(truth, answer)).toBe(difference)
  })

  test('columns that hold the same values are told apart by their rows', () => {
    const wanted = result('a b', [1, 2], [2, 1], [3, 3])
    expect(compareResults(wanted, result('x y', [2, 1], [1, 2], [3, 3]))).toBeNull()
    expect(compareResults(wanted, result('x y', [1, 1], [2, 2], [3, 3]))).toBe('Value mismatch')
    expect(compareResults(wanted, result('x y z', [1, 1, 2], [2, 2, 1], [3, 3, 3]))).toBeNull()
  })

  test('no rows are right where none were wanted', () => {
    expect(compareResults(result('a b'), result('c'))).toBeNull()
    expect(compareResults(result('a'), result('a', [1]))).toBe('Unexpected rows')
  })

  test('many columns that hold the same in other orders come to an end', () => {
    const width = 14
    const columns = Array.from({ length: width }, (_, index) => `c${index}`).join(' ')
    const row = (value: number, odd: number) =>
      Array.from({ length: width }, (_, index) => (index === odd ? 3 - value : value))
    const wanted = result(columns, row(1, -1), row(2, -1))
    expect(compareResults(wanted, result(columns, row(1, 13), row(2, 13)))).toBe('undecided')
    expect(compareResults(wanted, result(columns, row(1, -1), row(2, -1)))).toBeNull()
  })

  test('whatever is done to order, names and further columns, what is right stays right', () => {
    const cell = fc.oneof(fc.integer({ min: -9, max: 9 }), fc.constantFrom('x', 'y', null, true))
    const table = fc
      .integer({ min: 1, max: 3 })
      .chain(width => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }))
    fc.assert(
      fc.property(table, fc.array(fc.nat(), { minLength: 9, maxLength: 9 }), cell, (rows, keys, more) => {
        const shuffled = rows.map((row, index) => ({ row, key: keys[index] ?? 0 })).sort((a, b) => a.key - b.key)
        const wanted = { columns: (rows[0] ?? []).map((_, index) => `c${index}`), rows }
        const given = {
          columns: ['more', ...wanted.columns.toReversed()],
          rows: shuffled.map(({ row }) => [more, ...row.toReversed()]),
        }
        expect(compareResults(wanted, given)).toBeNull()
      }),
    )
  })
})

test.each([
  [1234.4, '1234.2', true],
  [1234, 1236, false],
  [123_456, 123_512, true],
  [0.1 + 0.2, 0.3, true],
  [1.0005, 1.0005000000000002, true],
  ['0', -0, true],
  ['02134', '2134', false],
  ['2024-01-01T00:00:00.000', '2024-01-01', true],
  ['2024-01-01T00:00:00.000Z', '2024-01-01 00:00', true],
  ['2024-01-01T10:00:00.5', '2024-01-01 10:00:00.500', true],
  ['2024-01-01', '2024-01-02', false],
  [true, 'true', true],
  [null, 'null', false],
  [1, '1.0', true],
  ['1e3', 1000, true],
  ['x', 'X', false],
  ['', null, false],
])('%j and %j are the same value: %j', (left, right, isSame) => {
  expect(valueKey(left) === valueKey(right)).toBe(isSame)
})
