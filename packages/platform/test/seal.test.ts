import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seal, unseal } from '../src/seal.ts'

const effects = { now: () => new Date(0), randomBytes: (count: number) => randomBytes(count) }
const key = randomBytes(32)

describe('sealed values', () => {
  test('open to what was sealed, whatever it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), text => {
        expect(unseal(key, 'variable 1 A', seal(key, 'variable 1 A', text, effects))).toBe(text)
      }),
    )
  })

  test('never look the same twice and do not hold the value', () => {
    const [first, second] = [seal(key, 'p', 'secret', effects), seal(key, 'p', 'secret', effects)]
    expect(first.equals(second)).toBe(false)
    expect(first.includes('secret')).toBe(false)
  })

  test('open neither in another row, nor under another key, nor when a bit was changed', () => {
    const sealed = seal(key, 'variable 1 A', 'secret', effects)
    expect(() => unseal(key, 'variable 2 A', sealed)).toThrow('does not open')
    expect(() => unseal(randomBytes(32), 'variable 1 A', sealed)).toThrow('HEDRON_SECRET_KEY')
    for (const index of sealed.keys()) {
      const changed = Buffer.from(sealed)
      changed[index] = (changed[index] ?? 0) ^ 1
      expect(() => unseal(key, 'variable 1 A', changed)).toThrow()
    }
  })
})
