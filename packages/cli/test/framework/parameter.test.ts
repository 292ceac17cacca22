import { describe, expect, test } from 'vitest'
import { branchName, duration, integer, keyValue, optional, repeated, some } from '../../src/framework/parameter.ts'

const read = <T>(kind: { name: string; parse: (text: string, label: string) => T }, text: string) =>
  kind.parse(text, '--value')

describe('durations', () => {
  test.each([
    ['90', 90_000],
    ['30s', 30_000],
    ['15m', 900_000],
    ['1h', 3_600_000],
    ['1H', 3_600_000],
    [' 5m ', 300_000],
  ])('%j is %d ms', (text, milliseconds) => expect(read(duration, text)).toBe(milliseconds))

  test.each([
    ['', 'is not a duration (try 30s, 15m, or 1h)'],
    ['soon', 'is not a duration'],
    ['-5s', 'is not a duration'],
    ['5d', 'is not a duration'],
    ['1.5h', 'is not a duration'],
    ['0', 'must be greater than zero'],
    ['597h', 'is longer than this can represent'],
    ['99999999999999h', 'is longer than this can represent'],
  ])('%j is refused', (text, reason) => expect(() => read(duration, text)).toThrow(`--value: '${text}' ${reason}`))
})

describe('other values', () => {
  test('a pair splits at the first equals sign', () => {
    expect(read(keyValue, 'A=b=c')).toEqual(['A', 'b=c'])
    expect(read(keyValue, 'A=')).toEqual(['A', ''])
    for (const text of ['=x', 'A', '']) expect(() => read(keyValue, text)).toThrow('is not in KEY=VALUE format')
  })

  test('a whole number is exact', () => {
    expect(read(integer('n'), '9007199254740991')).toBe(9007199254740991)
    for (const text of ['9007199254740992', '-1', '1.5', '', '0x10', ' 1', '١']) {
      expect(() => read(integer('n'), text)).toThrow('is not a whole number')
    }
    expect(() => read(integer('n', 1), '0')).toThrow('from 1')
  })

  test('a branch that must be named keeps its padding and is never blank', () => {
    expect(read(branchName, ' main ')).toBe(' main ')
    for (const text of ['', '  ', '\t']) expect(() => read(branchName, text)).toThrow('an empty value names no branch')
  })
})

test('an option that takes one value refuses two; a repeated one keeps their order', () => {
  expect(() => optional(integer('n'), '').read(['1', '2'], '--first')).toThrow('--first is given 2 times')
  expect(repeated(integer('n'), '').read(['2', '1'], '--x')).toEqual([2, 1])
  expect(some(integer('n'), '').presence).toBe('some')
})
