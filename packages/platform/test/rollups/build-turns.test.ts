import { expect, test } from 'vitest'
import { createBuildTurns } from '../../src/rollups/build-turns.ts'
import { type RollupState, storedState } from '../../src/rollups/rollup-state.ts'

const at = new Date('2026-01-01T00:00:00Z')
const state = (deploymentId: number, name: string): RollupState =>
  storedState(
    {
      accountId: 1,
      deploymentId,
      definition: name,
      node: 'a',
      name,
      timezone: 'UTC',
      layout: null,
      surveyedAt: null,
      usedAt: at,
    },
    [],
  )

/** Turns that end when the test says so. */
function bench() {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  let stopped = false
  const turns = createBuildTurns(
    ({ name }) => {
      begun.push(name)
      return new Promise(resolve => ends.set(name, resolve))
    },
    () => stopped,
  )
  const end = async (name: string) => {
    ends.get(name)?.()
    await new Promise(resolve => setImmediate(resolve))
  }
  return { begun, turns, end, stop: () => (stopped = true) }
}

test('two rollups are built at once, of one deployment one', async () => {
  const { begun, turns, end } = bench()
  for (const each of [state(1, 'a'), state(1, 'b'), state(2, 'c'), state(3, 'd')]) turns.enqueue(each)
  expect(begun).toEqual(['a', 'c'])
  await end('c')
  expect(begun).toEqual(['a', 'c', 'd'])
  await end('a')
  expect(begun).toEqual(['a', 'c', 'd', 'b'])
})

test('one whose tables were given up while it is built is built once more, however often that was said', async () => {
  const { begun, turns, end } = bench()
  const one = state(1, 'a')
  turns.enqueue(one)
  turns.enqueue(one)
  turns.enqueue(one)
  expect(begun).toEqual(['a'])
  await end('a')
  expect(begun).toEqual(['a', 'a'])
  await end('a')
  expect(begun).toEqual(['a', 'a'])
  expect(turns.running()).toEqual([])
})

test('one that is dropped, or whose node stops, has no turn any more', async () => {
  const { begun, turns, end, stop } = bench()
  const [running, waiting] = [state(1, 'a'), state(1, 'b')]
  turns.enqueue(running)
  turns.enqueue(running)
  turns.enqueue(waiting)
  turns.withdraw(running)
  turns.withdraw(waiting)
  await end('a')
  expect(begun).toEqual(['a'])
  stop()
  turns.enqueue(state(2, 'c'))
  expect(begun).toEqual(['a'])
})
