import { DataError } from '@hedron/platform'
import { expect, test } from 'vitest'
import { toPgError } from '../../src/postgres/session/to-pg-error.ts'

const codeOf = (error: DataError) => toPgError(error, null, () => {}).code

test.each([
  ['Invalid Input Error: division by zero', '22012'],
  ['Out of Range Error: Overflow in multiplication of INT64 (3 * 4)!', '22003'],
  ['integer out of range', '22003'],
  ["Conversion Error: Could not convert string 'abc' to INT32", '22P02'],
  ['invalid input syntax for type integer: "abc"', '22P02'],
  ['Invalid Input Error: More than one row returned by a subquery used as an expression', '21000'],
  ['Table with name orders does not exist!', '42000'],
])('what a source says of values has the code that PostgreSQL gives it: %s', (message, code) => {
  expect(codeOf(new DataError(400, message, { code: 'query_failed' }))).toBe(code)
})

test('a statement that is refused keeps its own code, and one that was stopped too', () => {
  expect(codeOf(new DataError(400, 'division by zero', { code: '42601' }))).toBe('42601')
  expect(codeOf(new DataError(400, 'value out of range', { code: 'query_timeout' }))).toBe('57014')
})
