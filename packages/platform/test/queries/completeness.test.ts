import { expect, test } from 'vitest'
import { completenessOf, withinLimit } from '../../src/queries/completeness.ts'

test.for([
  { found: 0, limit: 3, wanted: { complete: true } },
  { found: 2, limit: 3, wanted: { complete: true } },
  { found: 3, limit: 3, wanted: { complete: true } },
  { found: 4, limit: 3, wanted: { complete: false, nextOffset: 3 } },
  { found: 4, limit: 3, offset: 6, wanted: { complete: false, nextOffset: 9 } },
  { found: 1, limit: 0, wanted: { complete: false } },
  { found: 0, limit: 0, wanted: { complete: true } },
])('$found rows found with a limit of $limit', ({ found, wanted, ...page }) => {
  expect(completenessOf(found, page)).toEqual(wanted)
})

test('the row beyond the limit is not shown, and shared rows stay as they are', () => {
  const rows = Object.freeze([1, 2, 3])
  expect(withinLimit(rows, { limit: 2 })).toEqual([1, 2])
  expect(withinLimit(rows, { limit: 3 })).toBe(rows)
})
