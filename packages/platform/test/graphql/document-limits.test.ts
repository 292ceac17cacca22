import { getIntrospectionQuery } from 'graphql'
import { expect, test } from 'vitest'
import { documentLimits } from '../../src/graphql/document-limits.ts'
import { prepare, refusalOf } from './shop-schema.ts'

const cube = (fields: string) => `{ cube { orders { ${fields} } } }`
const times = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => text(i)).join(' ')

test.for(
  Object.entries({
    characters: `# ${'x'.repeat(documentLimits.characters)}\n${cube('count')}`,
    tokens: cube(`count @include(if: ${'true '.repeat(10_000)})`),
    'brackets inside each other': `{ cube(where: ${'{ AND: '.repeat(5000)}`,
    '1000 fields': cube(times(1000, index => `f${index}: count`)),
    '1000 fields of one name': cube('count '.repeat(1001)),
    'fields inside each other': `${'{ cube '.repeat(30)}${'}'.repeat(30)}`,
    fragments: `${cube('count')} ${times(101, index => `fragment f${index} on OrdersMembers { count }`)}`,
    operations: times(51, index => `query q${index} { cube { orders { count } } }`),
    'fields with its fragments filled in': `${cube('...f0')} ${times(20, index => `fragment f${index} on OrdersMembers { ...f${index + 1} ... { ...f${index + 1} } }`)} fragment f20 on OrdersMembers { count total }`,
    '`cube` fields': `{ ${times(11, index => `c${index}: cube { orders { count } }`)} }`,
  }),
)('a document with too many %s is refused at once', ([what, document]) => {
  const start = performance.now()
  const [error] = refusalOf(document)
  expect(error?.message).toContain('The document is too large')
  expect(error?.message).toContain(what.replace(' of one name', '').replace('1000 ', ''))
  expect(performance.now() - start).toBeLessThan(10_000)
})

test('so are variables of more objects than any query has conditions', () => {
  const document = 'query ($where: OrdersWhereInput) { cube { orders(where: $where) { count } } }'
  const where = { OR: Array.from({ length: 100_000 }, () => ({ status: { equals: 'paid' } })) }
  const start = performance.now()
  expect(refusalOf(document, { where })[0]?.message).toContain('objects in its variables')
  expect(performance.now() - start).toBeLessThan(10_000)
})

test('fragments that name themselves are refused', () => {
  const document = `${cube('...a')} fragment a on OrdersMembers { ...b } fragment b on OrdersMembers { ...a }`
  expect(refusalOf(document)[0]?.message).toContain('Cannot spread fragment')
})

test('the questions that tools ask about a schema are within the limits, and those that multiply it are not', () => {
  expect(
    prepare(getIntrospectionQuery({ typeDepth: 9, inputValueDeprecation: true, specifiedByUrl: true })),
  ).toHaveLength(1)
  for (const document of [
    '{ __schema { a: types { name } b: types { name } } }',
    '{ a: __schema { types { name } } b: __schema { types { name } } }',
    '{ __schema { types { ...f } } } fragment f on __Type { again: name }',
    `{ ${times(21, index => `t${index}: __type(name: "Query") { name }`)} }`,
    '{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }',
  ]) {
    expect(refusalOf(document)).not.toHaveLength(0)
  }
})

test.for([
  '',
  '{',
  '{ cube }',
  'mutation { cube }',
  'subscription { cube { orders { count } } }',
  '{ nope }',
  'query a { __typename } query b { __typename }',
  '\u0000',
  '{ cube { orders { count @defer } } }',
])('%j is refused', document => {
  expect(refusalOf(document)[0]?.message).toMatch(/\S/)
})
