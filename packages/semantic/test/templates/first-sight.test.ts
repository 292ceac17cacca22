import { expect, test } from 'vitest'
import { createFirstSight } from '../../src/templates/first-sight.ts'

test('a key is met the second time, until others take its place', () => {
  const wasMet = createFirstSight(16)
  expect(['a', 'b', 'a', 'b', 'a'].map(wasMet)).toEqual([false, false, true, true, true])
  for (let other = 0; other < 1_000; other++) wasMet(`other ${other}`)
  expect(wasMet('a')).toBe(false)
  expect(wasMet('a')).toBe(true)
})
