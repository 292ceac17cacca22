import { expect, test } from 'vitest'
import { createFirstSight, numberOf } from '../../src/templates/first-sight.ts'

const firstSight = (lines?: number) => {
  const wasMet = createFirstSight(lines)
  return (key: string) => wasMet(numberOf(key))
}

test('a key is met the second time', () => {
  const wasMet = firstSight()
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
  const wasMet = firstSight()
  const keys = Array.from({ length: 1_000 }, (_, number) => `${number % 7} orders.count ${'x'.repeat(300)} ${number}`)
  expect(keys.filter(wasMet).length).toBeLessThan(3)
  expect(keys.filter(wasMet).length).toBeGreaterThan(995)
})

test('until enough others were met since', () => {
  const wasMet = firstSight(1)
  wasMet('a')
  for (const other of ['b', 'c', 'd']) wasMet(other)
  expect(wasMet('a')).toBe(true)
  wasMet('e')
  expect(wasMet('a')).toBe(false)
})

test('parts of a key are told apart by where one ends', () => {
  const parts = (...texts: readonly string[]) => texts.reduce((before, text) => numberOf(text, before), numberOf(''))
  expect(parts('ab', 'c')).not.toBe(parts('a', 'bc'))
  expect(parts('a', '')).not.toBe(parts('a'))
})
