import fc from 'fast-check'
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

test('whatever is used and set, it stays within both limits and gives what was set last', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.array(
        fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'), size: fc.nat(900), isGet: fc.boolean() }),
      ),
      (entries, steps) => {
        const bytes = 2_000
        const recent = createRecent<number>({ entries, bytes })
        const sizes = new Map<string, readonly [value: number, size: number]>()
        for (const [step, { key, size, isGet }] of steps.entries()) {
          if (isGet) expect([undefined, sizes.get(key)?.[0]]).toContain(recent.get(key))
          else {
            recent.set(key, step, size)
            sizes.set(key, [step, size])
            expect(recent.get(key)).toBe(step)
          }
        }
        const left = [...sizes].filter(([key]) => recent.get(key) !== undefined)
        expect(left.length).toBeLessThanOrEqual(entries)
        expect(left.reduce((sum, [, [, size]]) => sum + size, 0)).toBeLessThanOrEqual(bytes)
      },
    ),
  )
})
