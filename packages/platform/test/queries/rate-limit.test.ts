import { expect, test } from 'vitest'
import { createRateLimit } from '../../src/queries/rate-limit.ts'

function bench(perSecond: number) {
  let at = 1_000_000
  const admit = createRateLimit(perSecond, { now: () => new Date(at) })
  const passes = (deployment = 1) => {
    try {
      admit(deployment)
      return true
    } catch (error) {
      expect(error).toMatchObject({ status: 429, retryAfter: 1, body: { code: 'rate_limited' } })
      return false
    }
  }
  const ask = (count: number, deployment = 1) =>
    Array.from({ length: count }, () => passes(deployment)).filter(Boolean).length
  return { ask, pass: (milliseconds: number) => (at += milliseconds) }
}

test('as many as the limit pass at once, and more as time goes by', () => {
  const { ask, pass } = bench(100)
  expect(ask(150)).toBe(100)
  pass(10)
  expect(ask(5)).toBe(1)
  pass(500)
  expect(ask(100)).toBe(50)
  pass(60_000)
  expect(ask(150), 'what was not asked for is not saved up').toBe(100)
})

test('one deployment takes nothing from another', () => {
  const { ask } = bench(3)
  expect([ask(5, 1), ask(5, 2)]).toEqual([3, 3])
})

test('a clock that is set back neither opens nor shuts', () => {
  const { ask, pass } = bench(2)
  expect(ask(2)).toBe(2)
  pass(-60_000)
  expect(ask(1)).toBe(0)
  pass(500)
  expect(ask(2)).toBe(1)
})

test('0 is no limit', () => {
  expect(bench(0).ask(100_000)).toBe(100_000)
})
