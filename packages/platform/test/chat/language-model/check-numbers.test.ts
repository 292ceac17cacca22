import { describe, expect, test } from 'vitest'
import { numbersWithoutSource } from '../../../src/chat/language-model/numbers/check-numbers.ts'

const result = JSON.stringify({
  columns: ['state String', 'n Int64', 'share Double'],
  rows: [
    ['TX', '2987112', 0.12345],
    ['CA', '12987', 0.2],
    ['NY', '-451.256', 1],
  ],
  totalRows: 3,
})
const check = (text: string, more: { results?: string[]; said?: string[] } = {}) =>
  numbersWithoutSource(text, {
    results: [result],
    said: ['top 5 states in 2001'],
    now: new Date('2026-11-22'),
    ...more,
  })

describe('numbers of a language model’s text that results have', () => {
  test.each([
    '2,987,112 flights',
    'about 3 million flights',
    '2.99 million',
    'more than 2.9 million',
    '2.987.112 Flüge und 12,3 % davon',
    '2\u202f987\u202f112 vols',
    '12.3% or 12 %, and 20 percent',
    'about 13,000 and 13k',
    'down by 451.26, so -451.3',
    'in March 2001, on 5 March and on March 5, at 08:30, in Q2',
    '1. The first\n2. The second',
    'the 3 states of the top 5',
    '`SELECT 99999`',
  ])('%s', text => {
    expect(check(text)).toEqual([])
  })
})

describe('numbers that nothing has', () => {
  test.each([
    ['There are 2,987,113 flights.', ['2,987,113']],
    ['4 million flights', ['4 million']],
    ['12.9% of them', ['12.9%']],
    ['It rose by $512.40 (17 %).', ['$512.40', '17 %']],
    ['42 states and 42 more', ['42']],
    ['1999 of them', ['1999']],
  ])('%s', (text, missing) => {
    expect(check(text)).toEqual(missing)
  })

  test('a count of what no result shows', () => {
    expect(check('There are 7 airports.', { results: [] })).toEqual(['7'])
  })
})
