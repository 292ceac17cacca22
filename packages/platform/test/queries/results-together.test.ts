import { expect, test } from 'vitest'
import { ResultsTogether } from '../../src/queries/results-together.ts'

const nothingToPutBack = { putBack: () => expect.unreachable('nothing was taken') }

test('a request that has its answer, an error, waits for none of its other results, and is not owed them', () => {
  const asking = new AbortController()
  const together = new ResultsTogether(nothingToPutBack, asking)
  const { signal } = together
  expect(signal.aborted).toBe(false)
  together.leave()
  expect(signal.aborted).toBe(true)
  expect(asking.signal.aborted).toBe(false)
})

test('nobody waits for results either when the one who asked goes away', () => {
  const asking = new AbortController()
  const { signal } = new ResultsTogether(nothingToPutBack, asking)
  asking.abort()
  expect(signal.aborted).toBe(true)
})
