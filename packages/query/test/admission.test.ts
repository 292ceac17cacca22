import { expect, test } from 'vitest'
import { createAdmission, type Place } from '../src/admission.ts'
import { settle } from './support/manual-clock.ts'

const never = new AbortController().signal
const place = (pool: string, changes: Partial<Place> = {}): Place => ({
  pool,
  lane: pool,
  concurrency: 100,
  shared: true,
  ...changes,
})

/** Enters in this order and writes down in which they start; `leave(name)` gives a place back. */
function createLog(sharedPlaces: number, maximumWaiting = 100) {
  const admission = createAdmission(sharedPlaces, maximumWaiting)
  const started: string[] = []
  const leaves = new Map<string, () => void>()
  return {
    admission,
    started,
    enter(name: string, where: Place, signal: AbortSignal = never) {
      return admission.enter(where, signal).then(leave => {
        started.push(name)
        leaves.set(name, leave)
      })
    },
    async leave(name: string) {
      leaves.get(name)?.()
      await settle()
    },
  }
}

test('a lane runs as many as it may, and the rest in the order they came', async () => {
  const { enter, leave, started, admission } = createLog(100)
  const lane = place('a', { concurrency: 2 })
  for (const name of ['1', '2', '3', '4', '5']) enter(name, lane)
  await settle()
  expect(started).toEqual(['1', '2'])
  expect(admission.count()).toEqual({ running: 2, waiting: 3 })
  await leave('2')
  await leave('1')
  await leave('3')
  expect(started).toEqual(['1', '2', '3', '4', '5'])
})

test('giving a place back twice frees it once', async () => {
  const { enter, leave, started } = createLog(100)
  for (const name of ['1', '2', '3']) enter(name, place('a', { concurrency: 1 }))
  await settle()
  await leave('1')
  await leave('1')
  expect(started).toEqual(['1', '2'])
})

test('lanes take turns at the shared places, whatever the length of their queues', async () => {
  const { enter, leave, started } = createLog(1)
  for (const name of ['a1', 'a2', 'a3', 'a4']) enter(name, place('a'))
  for (const name of ['b1', 'b2']) enter(name, place('b'))
  enter('c1', place('c'))
  await settle()
  for (let turn = 0; turn < 7; turn++) await leave(started.at(-1) ?? '')
  expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
})

test('one pool leaves a shared place to others, over all its data sources', async () => {
  const { enter, started } = createLog(3)
  enter('a1', place('a', { lane: 'a/one' }))
  enter('a2', place('a', { lane: 'a/two' }))
  enter('a3', place('a', { lane: 'a/three' }))
  enter('b1', place('b'))
  enter('c1', place('c'))
  await settle()
  expect(started).toEqual(['a1', 'a2', 'b1'])
})

test('what runs elsewhere takes no shared place', async () => {
  const { enter, started } = createLog(1)
  enter('a1', place('a'))
  for (const name of ['b1', 'b2', 'b3']) enter(name, place('b', { shared: false }))
  await settle()
  expect(started).toEqual(['a1', 'b1', 'b2', 'b3'])
})

test('a full queue refuses, and says how many wait', async () => {
  const { enter, admission } = createLog(1, 2)
  enter('1', place('a'))
  await settle()
  enter('2', place('a'))
  enter('3', place('a'))
  await expect(enter('4', place('a'))).rejects.toMatchObject({
    code: 'queue_full',
    message: '2 queries already wait for this data source. Try again in a moment.',
  })
  expect(admission.count()).toEqual({ running: 1, waiting: 2 })
})

test('who gives up leaves the queue', async () => {
  const { enter, leave, started, admission } = createLog(1)
  const impatient = new AbortController()
  enter('1', place('a'))
  const gone = expect(enter('2', place('a'), impatient.signal)).rejects.toThrow('enough')
  enter('3', place('a'))
  await settle()
  impatient.abort(new Error('enough'))
  await gone
  await leave('1')
  expect(started).toEqual(['1', '3'])
  await leave('3')
  expect(admission.count()).toEqual({ running: 0, waiting: 0 })
})
