import { expect, test } from 'vitest'
import { beginPlanning } from '../../src/queries/planning-deadline.ts'

test('a request may take three seconds to plan, and not more', () => {
  let at = 1_000
  const check = beginPlanning({ now: () => new Date(at) })
  check()
  at += 3_000
  check()
  at += 1
  expect(check).toThrow(
    expect.objectContaining({
      status: 400,
      message: 'The request takes more than 3 s to plan. Ask for less in one request, or in several.',
    }),
  )
})
