import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createSlots } from '../../src/data-socket/slots.ts'

test('lets as many run as there are slots, in the order in which they came, failures included', async () => {
  const slots = createSlots(2)
  let running = 0
  let most = 0
  const order: number[] = []
  const run = (index: number) =>
    slots.use(async () => {
      order.push(index)
      most = Math.max(most, ++running)
      await delay(1)
      running -= 1
      if (index % 3 === 0) throw new Error('it failed')
    })
  const results = await Promise.allSettled(Array.from({ length: 20 }, (_, index) => run(index)))
  expect(most).toBe(2)
  expect(order).toEqual(Array.from({ length: 20 }, (_, index) => index))
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(7)
})
