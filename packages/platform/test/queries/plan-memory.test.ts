import { compileModel, type Model } from '@hedron/semantic'
import { expect, test } from 'vitest'
import { createLastPlan, createPlanMemory } from '../../src/queries/plan-memory.ts'

function modelOf(table: string): Model {
  const content = `cubes: [{ name: orders, sql_table: ${table}, measures: [{ name: count, type: count }] }]`
  const { model } = compileModel([{ path: 'model/orders.yml', content }])
  if (model === null) throw new Error('the model does not compile')
  return model
}

test('makes once for a model and key, and again for another of either', () => {
  const remember = createPlanMemory<{ readonly made: string }>()
  const [first, second] = [modelOf('first'), modelOf('second')]
  const plan = remember(first, 1, 'a', () => ({ made: 'first a' }))
  expect(remember(first, 1, 'a', () => ({ made: 'again' }))).toBe(plan)
  expect(remember(first, 1, 'b', () => ({ made: 'first b' })).made).toBe('first b')
  expect(remember(second, 1, 'a', () => ({ made: 'second a' })).made).toBe('second a')
})

test('lets go of what was made in another second, so that it keeps no model alive that was replaced', () => {
  const remember = createPlanMemory<{ readonly made: number }>()
  const model = modelOf('orders')
  let made = 0
  const ask = (second: number) => remember(model, second, 'a', () => ({ made: ++made })).made
  expect([ask(1), ask(1), ask(2), ask(2), ask(1)]).toEqual([1, 1, 2, 2, 3])
})

test('does not keep a failure', () => {
  const remember = createPlanMemory<{ readonly made: string }>()
  const model = modelOf('orders')
  const fail = () => {
    throw new Error('no such member')
  }
  expect(() => remember(model, 1, 'a', fail)).toThrow('no such member')
  expect(remember(model, 1, 'a', () => ({ made: 'now' })).made).toBe('now')
})

test('lets go of the oldest when it is full, and never holds one that is larger than all of it', () => {
  const remember = createPlanMemory<{ readonly made: number }>(3_000)
  const model = modelOf('orders')
  let made = 0
  const ask = (key: string) => remember(model, 1, key, () => ({ made: ++made })).made
  expect([ask('a'), ask('b'), ask('c'), ask('a')]).toEqual([1, 2, 3, 4])
  const large = 'x'.repeat(5_000)
  expect([ask(large), ask(large)]).toEqual([5, 6])
})

test('the last plan is given for the very same caller, question and inputs, and for no other', () => {
  const lastPlan = createLastPlan<object>()
  const [ann, bob, question, model] = [{}, {}, {}, {}]
  const plan = (caller: object, asked: object, ...inputs: unknown[]) => lastPlan(caller, asked, inputs, () => ({}))

  const first = plan(ann, question, model, 1)
  expect(plan(ann, question, model, 1)).toBe(first)
  expect(plan(bob, question, model, 1)).not.toBe(first)
  expect(plan(ann, {}, model, 1)).not.toBe(first)
  expect(plan(ann, question, {}, 1)).not.toBe(first)
  const next = plan(ann, question, model, 2)
  expect(next).not.toBe(first)
  expect(plan(ann, question, model, 2)).toBe(next)
})
