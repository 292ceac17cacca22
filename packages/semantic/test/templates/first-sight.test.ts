import { expect, test } from 'vitest'
import { createFirstSight } from '../../src/templates/first-sight.ts'

test('a key is met the second time', () => {
  const wasMet = createFirstSight()
  expect(['a', 'b', 'a', 'b', 'a', '', '', 'ab'].map(wasMet)).toEqual([
    false,
    false,
    true,
    true,
    true,
    false,
    true,
    false,
  ])
})

test('of some hundred keys in turn, all but few are met the second time, and new ones are not', () => {
  const wasMet = createFirstSight()
  const keys = Array.from({ length: 1_000 }, (_, number) => `${number % 7} orders.count ${'x'.repeat(300)} ${number}`)
  expect(keys.filter(wasMet).length).toBeLessThan(3)
  expect(keys.filter(wasMet).length).toBeGreaterThan(995)
})

test('until enough others were met since', () => {
  const wasMet = createFirstSight(1)
  wasMet('a')
  for (const other of ['b', 'c', 'd']) wasMet(other)
  expect(wasMet('a')).toBe(true)
  wasMet('e')
  expect(wasMet('a')).toBe(false)
})
