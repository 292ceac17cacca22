import { describe, expect, test } from 'vitest'
import { createModelSearch } from '../../../src/chat/tools/search-model.ts'
import { isSlip, stem } from '../../../src/chat/tools/words.ts'
import type { VisibleCube, VisibleMember, VisibleModel } from '../../../src/chat/visible-model.ts'

const member = (name: string, more: Partial<VisibleMember> = {}): VisibleMember => {
  const shortTitle = name.slice(name.indexOf('.') + 1).replaceAll('_', ' ')
  return {
    name,
    title: shortTitle,
    shortTitle,
    description: null,
    aiContext: null,
    synonyms: [],
    kind: 'dimension',
    type: 'string',
    aggType: null,
    format: null,
    currency: null,
    primaryKey: false,
    granularities: [],
    values: null,
    ...more,
  }
}

const cube = (name: string, members: readonly VisibleMember[], more: Partial<VisibleCube> = {}): VisibleCube => ({
  name,
  type: 'cube',
  title: name,
  description: null,
  aiContext: null,
  joins: [],
  members,
  ...more,
})

const airline: VisibleModel = {
  cubes: [
    cube('flights', [
      member('flights.count', { kind: 'measure', type: 'number', aggType: 'count' }),
      member('flights.average_delay', { kind: 'measure', type: 'number', aggType: 'avg', synonyms: ['lateness'] }),
      member('flights.cancelled', { type: 'boolean' }),
      member('flights.departed_at', { type: 'time' }),
    ]),
    cube('airports', [
      member('airports.city'),
      member('airports.state', { aiContext: 'Two letters, such as TX for Texas.' }),
    ]),
    cube(
      'performance',
      [
        member('performance.average_delay', { kind: 'measure', type: 'number', aggType: 'avg' }),
        member('performance.carrier', { description: 'The airline that operates it.' }),
      ],
      { type: 'view', title: 'Flight performance' },
    ),
    cube('payroll', [member('payroll.salary', { kind: 'measure', type: 'number', aggType: 'sum' })]),
  ],
}
const search = createModelSearch(airline)
const found = (text: string) => search(text).map(({ cube: { name }, members: [first] }) => [name, first?.name])

describe('a search over the model', () => {
  test.for<[what: string, text: string, first: [string, string]]>([
    ['by name', 'average delay', ['performance', 'performance.average_delay']],
    ['by synonym', 'lateness', ['flights', 'flights.average_delay']],
    ['by description', 'which airlines operate', ['performance', 'performance.carrier']],
    ['by what the author tells agents', 'customers in Texas', ['airports', 'airports.state']],
    ['in another form of the word', 'cancellations', ['flights', 'flights.cancelled']],
    ['with a slip', 'salery', ['payroll', 'payroll.salary']],
    ['by the beginning of a word', 'perf', ['performance', 'performance.average_delay']],
  ])('finds %s', ([, text, first]) => {
    expect(found(text)[0]).toEqual(first)
  })

  test('gives views before cubes', () => {
    expect(search('delay').map(({ cube: { type } }) => type)).toEqual(['view', 'cube'])
  })

  test('gives nothing for words that nothing has', () => {
    expect(search('quarterly zebra')).toEqual([])
  })

  test('gives an overview for words that say nothing', () => {
    expect(search('what can you tell me about?').map(({ cube: { name } }) => name)).toEqual([
      'performance',
      'flights',
      'airports',
      'payroll',
    ])
  })

  test('adds what most questions need to what was found', () => {
    const [first] = search('cancelled')
    expect(first?.members.map(({ name }) => name)).toEqual([
      'flights.cancelled',
      'flights.count',
      'flights.average_delay',
      'flights.departed_at',
    ])
  })

  test('stays small over a model of 900 tables', () => {
    const members = (name: string) => Array.from({ length: 60 }, (_, index) => member(`${name}.order_amount_${index}`))
    const large = createModelSearch({
      cubes: Array.from({ length: 900 }, (_, index) => cube(`orders_${index}`, members(`orders_${index}`))),
    })
    const begun = performance.now()
    const result = large('order amounts and everything there is of orders')
    expect(result.length).toBeLessThanOrEqual(5)
    expect(result.flatMap(({ members: shown }) => shown).length).toBeLessThanOrEqual(48)
    expect(performance.now() - begun).toBeLessThan(30_000)
  })
})

test.for([
  ['cities', 'city'],
  ['creation', 'created'],
  ['orders', 'ordering'],
  ['shipped', 'shipping'],
  ['delays', 'delayed'],
  ['boxes', 'box'],
  ['countries', 'country'],
])('%s and %s are one word', ([left = '', right = '']) => {
  expect(stem(left)).toBe(stem(right))
})

test.for([
  ['status', 'state'],
  ['pass', 'past'],
  ['news', 'new1'],
])('%s and %s are two words', ([left = '', right = '']) => {
  expect(stem(left)).not.toBe(stem(right))
})

test('a slip is near, begins the same and is of a long enough word', () => {
  expect(isSlip('custmer', 'customer')).toBe(true)
  expect(isSlip('rveenue', 'revenue')).toBe(true)
  expect(isSlip('tax', 'tag')).toBe(false)
  expect(isSlip('revenue', 'venue')).toBe(false)
})
