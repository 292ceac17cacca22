import { expect, test } from 'vitest'
import { createFirstSight } from '../../src/templates/first-sight.ts'

test('a key is met the second time', () => {
  const wasMet = createFirstSight({ keys: 10, characters: 100 })
  expect(['a', 'b', 'a', 'b', 'a'].map(wasMet)).toEqual([false, false, true, true, true])
})

test('until enough others were met since, or longer ones', () => {
  const wasMet = createFirstSight({ keys: 10, characters: 100 })
  wasMet('a')
  for (let other = 0; other < 10; other++) wasMet(`${other}`)
  expect(wasMet('a')).toBe(true)
  for (let other = 10; other < 30; other++) wasMet(`${other}`)
  expect(wasMet('a')).toBe(false)
  for (const long of ['s', 't', 'u', 'v', 'w', 'x']) wasMet(long.repeat(60))
  expect(wasMet('a')).toBe(false)
})
