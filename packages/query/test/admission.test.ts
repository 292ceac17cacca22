import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createAdmission, type Place } from '../src/admission.ts'
import { createManualClock, settle } from './support/manual-clock.ts'

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
  const clock = createManualClock()
  const admission = createAdmission({ sharedPlaces, maximumWaiting, after: clock.after, longMs: 2_000 })
  const started: string[] = []
  const leaves = new Map<string, () => void>()
  return {
    admission,
    started,
    advance: clock.advance,
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

test('one owner leaves a place of a pool to others, and is not kept from what is his when they have gone', async () => {
  const { enter, leave, started } = createLog(4)
  for (const name of ['x1', 'x2', 'x3']) enter(name, place('a', { owner: 'x' }))
  enter('y1', place('a', { owner: 'y' }))
  enter('y2', place('a', { owner: 'y' }))
  enter('b1', place('b', { owner: 'x' }))
  await settle()
  expect(started).toEqual(['x1', 'x2', 'y1', 'b1'])
  await leave('x1')
  expect(started.slice(4)).toEqual(['x3'])
  await leave('y1')
  await leave('b1')
  expect(started.slice(5)).toEqual(['y2'])
})

test('one owner leaves a place of a data source to others where there are three or more', async () => {
  const { enter, started } = createLog(1)
  const source = (lane: string, concurrency: number, owner?: string) =>
    place('a', { lane, concurrency, owner, shared: false })
  for (const name of ['x1', 'x2', 'x3']) enter(name, source('a/three', 3, 'x'))
  enter('y1', source('a/three', 3, 'y'))
  for (const name of ['x4', 'x5']) enter(name, source('a/two', 2, 'x'))
  for (const name of ['n1', 'n2', 'n3']) enter(name, source('a/nobody', 3))
  await settle()
  expect(started).toEqual(['x1', 'x2', 'y1', 'x4', 'x5', 'n1', 'n2', 'n3'])
})

test('a place that is free is for who has the fewest, and of these for who was served longest ago', async () => {
  const { enter, leave, started, admission } = createLog(1)
  const three = (owner: string) => place('a', { concurrency: 3, owner, shared: false })
  for (const name of ['x1', 'x2', 'x3', 'x4']) enter(name, three('x'))
  for (const name of ['y1', 'y2', 'y3']) enter(name, three('y'))
  for (const name of ['z1', 'z2']) enter(name, three('z'))
  await settle()
  expect(started.splice(0)).toEqual(['x1', 'x2', 'y1'])
  await leave('y1')
  expect(started.splice(0), 'who has none, and was not served yet').toEqual(['z1'])
  await leave('x1')
  expect(started.splice(0), 'who has none').toEqual(['y2'])
  await leave('y2')
  expect(started.splice(0), 'who has none, though others came before').toEqual(['y3'])
  await leave('z1')
  expect(started.splice(0)).toEqual(['z2'])
  for (const name of ['y3', 'z2', 'x2']) await leave(name)
  expect(started.splice(0)).toEqual(['x3', 'x4'])
  for (const name of ['x3', 'x4']) await leave(name)
  expect(admission.count()).toEqual({ running: 0, waiting: 0 })
})

test('who asks much waits no longer than others, and who asks one thing not for all of it', async () => {
  const { enter, leave, started } = createLog(1)
  const one = (owner?: string) => place('a', { concurrency: 1, shared: false, ...(owner && { owner }) })
  for (const name of ['x1', 'x2', 'x3', 'x4']) enter(name, one('x'))
  for (const name of ['n1', 'n2']) enter(name, one())
  for (const name of ['y1', 'y2']) enter(name, one('y'))
  await settle()
  for (let turn = 0; turn < 8; turn++) await leave(started.at(-1) ?? '')
  expect(started).toEqual(['x1', 'n1', 'y1', 'x2', 'n2', 'y2', 'x3', 'x4'])
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

test('where all places are held for long, whoever has none gets one, up to as many again', async () => {
  const { enter, leave, advance, started, admission } = createLog(4)
  for (const owner of ['u', 'v', 'w', 'x', 'y', 'z']) enter(owner, place('a', { owner }))
  enter('u2', place('a', { owner: 'u' }))
  enter('nobody', place('a'))
  await settle()
  expect(started.splice(0), 'one is left to other pools').toEqual(['u', 'v', 'w'])
  await advance(1_999)
  expect(started).toEqual([])
  await advance(1)
  expect(started.splice(0)).toEqual(['x', 'y', 'z'])
  await advance(60_000)
  expect(started, 'who has one waits for one that is free').toEqual([])
  enter('b1', place('b', { owner: 'u' }))
  enter('b2', place('b', { owner: 'v' }))
  enter('b3', place('b', { owner: 'w' }))
  await settle()
  expect(started.splice(0), 'twice four are the most').toEqual(['b1', 'b2'])
  for (const name of ['b1', 'b2']) await leave(name)
  expect(started.splice(0)).toEqual(['b3'])
  for (const name of ['u', 'v', 'w', 'x', 'y', 'z', 'b3', 'u2', 'nobody']) await leave(name)
  expect(admission.count()).toEqual({ running: 0, waiting: 0 })
})

test('short queries open no further places, nor do those of databases elsewhere', async () => {
  const { enter, leave, advance, started } = createLog(3)
  for (const owner of ['u', 'v', 'w']) enter(owner, place('a', { owner }))
  await settle()
  await advance(1_500)
  await leave('u')
  expect(started.splice(0)).toEqual(['u', 'v', 'w'])
  await advance(499)
  for (const owner of ['x', 'y']) enter(owner, place('a', { owner }))
  await settle()
  expect(started).toEqual([])
  for (const owner of ['u', 'v', 'w']) enter(`far ${owner}`, place('c', { owner, concurrency: 2, shared: false }))
  await advance(60_000)
  expect(started.filter(name => name.startsWith('far'))).toEqual(['far u', 'far v'])
})

test('whoever comes and goes in whatever order, no more run than may, somebody runs while others wait, and every place returns', async () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('enter' as const), pool: fc.nat(2), owner: fc.nat(5) }),
    fc.record({ do: fc.constant('leave' as const), which: fc.nat(100) }),
    fc.record({ do: fc.constant('give up' as const), which: fc.nat(100) }),
    fc.record({ do: fc.constant('pass' as const), milliseconds: fc.nat(3_000) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 5 }), fc.array(step, { maxLength: 60 }), async (places, steps) => {
      const { enter, leave, advance, started, admission } = createLog(places)
      const waiting = new Map<string, AbortController>()
      const running = () => started.filter(name => !gone.has(name))
      const gone = new Set<string>()
      for (const [number, each] of steps.entries()) {
        if (each.do === 'enter') {
          const stop = new AbortController()
          const name = `${number}`
          waiting.set(name, stop)
          enter(name, place(`pool ${each.pool}`, { owner: `${each.owner}` }), stop.signal).catch(() => gone.add(name))
        } else if (each.do === 'pass') await advance(each.milliseconds)
        else if (each.do === 'leave') {
          const name = running().at(each.which % Math.max(1, running().length))
          if (name !== undefined) gone.add(name)
          await leave(name ?? '')
        } else [...waiting.values()].at(each.which % Math.max(1, waiting.size))?.abort(new Error('enough'))
        await settle()
        expect(admission.count().running).toBeLessThanOrEqual(2 * places)
        expect(admission.count().running).toBe(running().length)
        if (admission.count().waiting > 0) expect(running().length).toBeGreaterThan(0)
      }
      while (running().length > 0) {
        const [name = ''] = running()
        gone.add(name)
        await leave(name)
      }
      expect(admission.count()).toEqual({ running: 0, waiting: 0 })
    }),
    { numRuns: 200 },
  )
})
