import { readDataSources } from '@hedron/query'
import { compileModel } from '@hedron/semantic'
import { expect, test } from 'vitest'
import { createBuildTurn } from '../../src/rollups/build-turn.ts'
import { defineRollup } from '../../src/rollups/definition.ts'
import { newState } from '../../src/rollups/rollup-state.ts'

const source = readDataSources({}, { dataDirectory: '/nowhere' }).get('default')
const { model, problems } = compileModel([
  {
    path: 'model/sales.yml',
    content: `cubes:
  - name: sales
    sql_table: sales
    measures: [{ name: count, type: count }]
    pre_aggregations: [{ name: all, measures: [count] }]
`,
  },
])
if (!model) throw new Error(JSON.stringify(problems))
const place = { accountId: 1, deploymentId: 7, sourceOf: () => source }
const definition = defineRollup(model, { cube: 'sales', name: 'all' }, 'UTC', place)

/** A turn whose builds end as the test says, and a clock that it moves. */
function bench() {
  let at = 1_000_000
  const stop = new AbortController()
  const reported: unknown[] = []
  const signals: AbortSignal[] = []
  let ending: (() => Promise<boolean>) | undefined
  const turn = createBuildTurn({
    sourceOf: async () => source,
    refresh: (_state, _definition, signal) => {
      signals.push(signal)
      if (ending) return ending()
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    },
    distrust: () => {},
    report: error => reported.push(error),
    signal: stop.signal,
    now: () => at,
  })
  return {
    turn,
    stop,
    reported,
    state: newState(definition, at),
    until: (end: () => Promise<boolean>) => {
      ending = end
    },
    pass: (milliseconds: number) => {
      at += milliseconds
    },
    begun: () => expect.poll(() => signals.length, { timeout: 20_000 }).toBe(1),
    now: () => at,
  }
}

test('what is cancelled while it runs ends, is no fault, and is left alone for ten minutes', async () => {
  const { turn, state, begun, reported, now } = bench()
  state.forced.set('', now())
  const taking = turn.take(state)
  await begun()
  turn.cancel(state)
  await taking
  expect(state).toMatchObject({
    dueAt: now() + 600_000,
    failure: { message: 'Its build was cancelled. Build it again.' },
  })
  expect(state.forced.size).toBe(0)
  expect(reported).toEqual([])
})

test('what is cancelled while it waits is left alone as well', () => {
  const { turn, state, now } = bench()
  state.forced.set('', now())
  turn.cancel(state)
  expect(state).toMatchObject({ dueAt: now() + 600_000, failure: { message: expect.stringContaining('cancelled') } })
  expect(state.forced.size).toBe(0)
})

test('what fails is told, and tried again later each time, at most after ten minutes', async () => {
  const { turn, state, reported, until, now } = bench()
  until(() => Promise.reject(new Error('no such table')))
  const waits: number[] = []
  for (let attempt = 0; attempt < 9; attempt++) {
    await turn.take(state)
    waits.push(state.dueAt - now())
  }
  expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 600, 600].map(seconds => seconds * 1000))
  expect([reported.length, state.failure?.message]).toEqual([9, 'no such table'])
  until(async () => true)
  await turn.take(state)
  expect(state.failure).toBeNull()
})

test('what the shutdown ends is no failure', async () => {
  const { turn, state, begun, stop, reported } = bench()
  const taking = turn.take(state)
  await begun()
  stop.abort(new Error('shutting down'))
  await taking
  expect([state.failure, reported]).toEqual([null, []])
})
