import { expect, test } from 'vitest'
import { rememberBodies } from '../../src/http/remember-bodies.ts'

const counting = () => {
  let parsed = 0
  const parse = rememberBodies(text => {
    parsed += 1
    return JSON.parse(text)
  })
  return { parse, parsed: () => parsed }
}

test('the same text is parsed once and gives the same value', () => {
  const { parse, parsed } = counting()
  const first = parse('{"query":{"measures":["orders.count"]}}')
  expect(parse('{"query":{"measures":["orders.count"]}}')).toBe(first)
  expect(parse('{"query":{"measures":["orders.total"]}}')).not.toEqual(first)
  expect(parsed()).toBe(2)
})

test('what is remembered cannot be changed by whoever gets it, however deep', () => {
  const { parse } = counting()
  const body = parse('{"query":{"filters":[{"values":["a"]}]}}') as { query: { filters: { values: string[] }[] } }
  expect(() => body.query.filters[0]?.values.push('b')).toThrow(TypeError)
  expect(() => Object.assign(body.query, { limit: 1 })).toThrow(TypeError)
})

test('a long text is parsed each time, and what cannot be parsed is refused each time', () => {
  const { parse, parsed } = counting()
  const long = JSON.stringify({ text: 'x'.repeat(20_000) })
  expect(parse(long)).not.toBe(parse(long))
  expect(() => parse('{')).toThrow(SyntaxError)
  expect(() => parse('{')).toThrow(SyntaxError)
  expect(parsed()).toBe(4)
})
