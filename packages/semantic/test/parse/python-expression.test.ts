import { expect, test } from 'vitest'
import { readPythonExpression } from '../../src/parse/python-expression.ts'

const path = (written: string, start: number) => ({ kind: 'path', names: written.split('.'), start })

test.each([
  ['a', path('a', 0)],
  [' a . b ', path('a.b', 1)],
  ['a.b()', { kind: 'call', names: ['a', 'b'], values: [], start: 0 }],
  [
    "a('x', b,)",
    { kind: 'call', names: ['a'], values: [{ kind: 'text', value: 'x', start: 2 }, path('b', 7)], start: 0 },
  ],
  [`"it's \\"x\\" \\{"`, { kind: 'text', value: `it's "x" {`, start: 0 }],
  ["f'{a} {{b}} \\{c\\}'", { kind: 'format', parts: [path('a', 3), ' {b} {c}'], start: 0 }],
  ["lambda: 'x'", { kind: 'lambda', parameters: [], body: { kind: 'text', value: 'x', start: 8 }, start: 0 }],
  ['lambda x , y:y', { kind: 'lambda', parameters: ['x', 'y'], body: path('y', 13), start: 0 }],
])('%s', (text, expected) => {
  const read = readPythonExpression(text, 0)
  expect(read?.expression).toEqual(expected)
  expect(text.slice(read?.end).trim()).toBe('')
})

test.each([
  '',
  '1',
  '.a',
  'a.',
  'a(',
  'a(b',
  "'x",
  "f'{a'",
  "f'{a",
  'lambda x',
  'lambda x,: y',
  'lambda 1: x',
  '-a',
  "f'{}'",
])('%j is none', text => {
  expect(readPythonExpression(text, 0)).toBeNull()
})

test('what follows an expression is left to the caller', () => {
  expect(readPythonExpression('x{a} b', 2)?.end).toBe(3)
  expect(readPythonExpression('a + b', 0)?.end).toBe(2)
  expect(readPythonExpression('a().b', 0)?.end).toBe(3)
})

test('depth is bounded', () => {
  expect(readPythonExpression(`${'a('.repeat(20)}b${')'.repeat(20)}`, 0)).not.toBeNull()
  expect(readPythonExpression('a('.repeat(100_000), 0)).toBeNull()
  expect(readPythonExpression(`a${'.b'.repeat(300_000)}`, 0)).not.toBeNull()
})
