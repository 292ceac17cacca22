import { expect, test } from 'vitest'
import { displayValue, fieldOf, formatDocument, rowsOf } from '../../src/framework/json.ts'
import { column, tableLines } from '../../src/framework/table.ts'

test('a document has its keys in order, at every depth, and keeps text as it is', () => {
  expect(formatDocument({ b: [{ d: 1, c: 'ä' }], a: null })).toBe(
    '{\n  "a": null,\n  "b": [\n    {\n      "c": "ä",\n      "d": 1\n    }\n  ]\n}',
  )
  expect(formatDocument(undefined)).toBe('null')
})

test('rows come from items, then data, then the array, then the value', () => {
  expect(rowsOf({ items: [1], data: [2] })).toEqual([1])
  expect(rowsOf({ items: 'x', data: [2] })).toEqual([2])
  expect(rowsOf([3])).toEqual([3])
  expect(rowsOf(null)).toEqual([])
  expect(rowsOf({ a: 1 })).toEqual([{ a: 1 }])
  expect(rowsOf(7)).toEqual([7])
})

test('a field is found through objects alone', () => {
  expect(fieldOf({ a: { b: 'x' } }, 'a.b')).toBe('x')
  for (const path of ['a.length', 'a.0', 'toString', 'a.b.c']) expect(fieldOf({ a: ['x'] }, path)).toBeUndefined()
})

test('a cell shows what the value is', () => {
  expect([null, 'a', 1, true, [1], { b: 1, a: 2 }].map(displayValue)).toEqual([
    '',
    'a',
    '1',
    'true',
    '[1]',
    '{"a":2,"b":1}',
  ])
})

test('columns are as wide as their widest cell, counted in characters', () => {
  const columns = [column('ID', 'id'), { ...column('COUNT', 'n'), align: 'right' as const }, column('NAME', 'name')]
  const rows = [
    { id: 1, n: 12, name: 'plain' },
    { id: 'ééé', n: 123456, name: 'a\u001b[2J\nb' },
    { id: 2, n: null, name: '' },
  ]
  const { header, body } = tableLines(columns, rows)
  expect(header).toBe('ID    COUNT  NAME  ')
  expect(body).toEqual(['1        12  plain', 'ééé  123456  a[2J b', '2'])
})
