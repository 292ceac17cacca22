import { DataError } from '@hedron/platform'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { socketLimits } from '../../src/data-socket/socket-limits.ts'
import type { SocketQuery } from '../../src/data-socket/socket-query.ts'
import { createSubscriptions, type Outcome, type Subscriptions } from '../../src/data-socket/subscriptions.ts'

let result: string | Error = ''
let runs = 0
let hold: Promise<void> | undefined
let subscriptions: Subscriptions

beforeEach(() => {
  vi.useFakeTimers()
  result = '{"data":[1],"lastRefreshTime":"1","slowQuery":false}'
  runs = 0
  hold = undefined
  subscriptions = createSubscriptions(run)
})
afterEach(() => {
  subscriptions.close()
  vi.useRealTimers()
})

async function run(): Promise<string> {
  runs += 1
  await hold
  if (result instanceof Error) throw result
  return result
}

const query = (token: string, parameters: object = { query: 1 }): SocketQuery => ({
  address: { deploymentId: 1, branchName: null },
  token,
  parameters,
  requestId: 'r',
})

function subscribe(asked: SocketQuery, isBusy = () => false) {
  const told: Outcome[] = []
  const end = subscriptions.add({ query: asked, isBusy, tell: outcome => told.push(outcome) }, { text: String(result) })
  if (end === null) throw new Error('there were too many')
  return { told, end }
}

const round = () => vi.advanceTimersByTimeAsync(socketLimits.refreshMs)

test('one query of one token runs once for all who subscribed, and one that nobody subscribes to not at all', async () => {
  const same = [subscribe(query('a')), subscribe(query('a'))]
  const other = subscribe(query('b'))
  await round()
  expect(runs).toBe(2)
  for (const { end } of [...same, other]) end()
  await round()
  expect(runs).toBe(2)
})

test('a result that is only younger is not told, another one is, once', async () => {
  const { told } = subscribe(query('a'))
  result = '{"data":[1],"lastRefreshTime":"2","slowQuery":false}'
  await round()
  result = '{"data":[1],"lastRefreshTime":"2","slowQuery":true}'
  await round()
  expect(told).toEqual([])
  result = '{"data":[2],"lastRefreshTime":"3"}'
  await round()
  await round()
  expect(told).toEqual([{ text: result }])
})

test('what a branch says of how a result was found is no news, what a rollup would hold is', async () => {
  const ofBranch = (at: string, needs = 'a') =>
    `{"data":[1],"usedPreAggregations":{"a.b":{"lastUpdatedAt":${at}}},"refreshKeyValues":[[{"a]":"${at}"}]],"transformedQuery":"${needs}"}`
  result = ofBranch('1')
  await round()
  const { told } = subscribe(query('a'))
  await round()
  told.length = 0
  result = ofBranch('2')
  await round()
  expect(told).toEqual([])
  result = ofBranch('2', 'b')
  await round()
  expect(told).toEqual([{ text: result }])
})

test('an error is told once, and so is the result after it; to wait is no news', async () => {
  const { told } = subscribe(query('a'))
  const before = result
  result = new DataError(200, 'Continue wait')
  await round()
  expect(told).toEqual([])
  const failure = new DataError(400, 'the source is down')
  result = failure
  await round()
  await round()
  result = before
  await round()
  expect(told).toEqual([{ error: failure }, { text: before }])
})

test('who is busy is told what is newest once he is not', async () => {
  let busy = true
  const { told } = subscribe(query('a'), () => busy)
  result = 'second'
  await round()
  result = 'third'
  busy = false
  await round()
  expect(told).toEqual([{ text: 'third' }])
})

test('a slow query is not run twice at a time, and holds up no other', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  hold = promise
  const slow = subscribe(query('a'))
  await round()
  hold = undefined
  const quick = subscribe(query('b'))
  result = 'new'
  await round()
  expect([runs, slow.told.length, quick.told.length]).toEqual([2, 0, 1])
  resolve()
  await vi.advanceTimersByTimeAsync(0)
  expect(slow.told).toHaveLength(1)
})

test('a deployment has a bounded number, and each that ends makes room', () => {
  const ends = Array.from({ length: socketLimits.subscriptionsOfDeployment }, (_, index) =>
    subscribe(query('a', { query: index })),
  )
  expect(() => subscribe(query('b'))).toThrow('too many')
  ends[0]?.end()
  ends[0]?.end()
  subscribe(query('b'))
  expect(() => subscribe(query('c'))).toThrow('too many')
})
