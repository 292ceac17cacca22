import { expect, test } from 'vitest'
import { readQueryInput } from '../../src/query/query-input.ts'
import { createSizeMeter } from '../../src/query/size-meter.ts'

const measures = ['orders.count']
const equals = (values: readonly string[]) => ({ member: 'orders.status', operator: 'equals', values })
const many = (count: number) => Array.from({ length: count }, (_, index) => String(index))
const tooMany = /^Invalid query format: "filters" must hold no more than /

test('as many values as a request may hold, and not one more', () => {
  readQueryInput({ measures, filters: [equals(many(25_000)), equals(many(25_000))] })
  expect(() => readQueryInput({ measures, filters: [equals(many(50_000)), equals(['one'])] })).toThrow(
    /no more than 50000 values/,
  )
})

test('as many conditions, groups counted too, however they are nested', () => {
  const or = Array.from({ length: 1_999 }, () => equals(['x']))
  readQueryInput({ measures, filters: [{ or }] })
  expect(() => readQueryInput({ measures, filters: [{ or }, equals(['x'])] })).toThrow(/no more than 2000 conditions/)
  const nest = (depth: number): object => (depth === 0 ? equals(['x']) : { and: [nest(depth - 1), nest(depth - 1)] })
  expect(() => readQueryInput({ measures, filters: [nest(12)] })).toThrow(tooMany)
})

test('over all queries of a request together', () => {
  const size = createSizeMeter()
  const query = { measures, filters: [equals(many(30_000))] }
  readQueryInput(query, size)
  expect(() => readQueryInput(query, size)).toThrow(tooMany)
})

test.for([
  ['order', { order: many(1_001).map(() => ['orders.count', 'asc']) }],
  ['compareDateRange', { timeDimensions: [{ dimension: 'orders.at', compareDateRange: many(101) }] }],
  ['joinHints', { joinHints: [many(101)] }],
  ['measures', { measures: many(1_001) }],
] as const)('%s without end is refused', ([name, query]) => {
  expect(() => readQueryInput({ measures, ...query })).toThrow(new RegExp(`^Invalid query format: ".*${name}`))
})
