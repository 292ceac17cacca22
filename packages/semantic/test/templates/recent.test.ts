import { expect, test } from 'vitest'
import { createRecent } from '../../src/templates/recent.ts'

test('what was used last is kept, within a number of entries', () => {
  const recent = createRecent<number>({ entries: 2, bytes: 10_000 })
  recent.set('a', 1, 1)
  recent.set('b', 2, 1)
  expect(recent.get('a')).toBe(1)
  recent.set('c', 3, 1)
  expect(['a', 'b', 'c'].map(key => recent.get(key))).toEqual([1, undefined, 3])
})

test('and of bytes, of which a replaced value takes none', () => {
  const recent = createRecent<number>({ entries: 100, bytes: 2_000 })
  for (let time = 0; time < 50; time++) recent.set('a', time, 600)
  recent.set('b', 1, 600)
  expect(['a', 'b'].map(key => recent.get(key))).toEqual([49, 1])
  recent.set('c', 2, 600)
  expect(['a', 'b', 'c'].map(key => recent.get(key))).toEqual([undefined, 1, 2])
  recent.set('b', 3, 3_000)
  expect(['b', 'c'].map(key => recent.get(key))).toEqual([undefined, 2])
})
