import { expect, test } from 'vitest'
import { ContinueWait } from '../src/continue-wait.ts'
import { settle } from './support/manual-clock.ts'
import { createTestService, requestOf, stateOf } from './support/service.ts'

const slow = requestOf({ cache: 'no-cache' })
const continueWait = expect.any(ContinueWait)

test('many callers of one query cause one run and share its rows', async () => {
  const { service, driver } = createTestService()
  const running = Array.from({ length: 50 }, (_, index) => service.run(requestOf({ requestId: `request-${index}` })))
  await settle()
  expect(driver.runs).toHaveLength(1)
  driver.runs[0]?.answer('shared')
  const results = await Promise.all(running)
  expect(new Set(results.map(({ rows }) => rows)).size).toBe(1)
  expect(service.statistics()).toMatchObject({ requests: 50, joined: 49, executed: 1 })
})

test('what is shared is frozen', async () => {
  const { service, driver } = createTestService()
  driver.immediately = () => ['a']
  const result = await service.run(requestOf())
  const parts = [result, result.rows, result.rows[0], result.columns, result.columns[0]]
  expect(parts.map(part => Object.isFrozen(part))).toEqual([true, true, true, true, true])
})

test.for([
  ['sql', requestOf({ sql: 'SELECT 2' })],
  ['parameters', requestOf({ parameters: ['1'] })],
  ['the type of a parameter', requestOf({ parameters: [1] })],
  ['the number of rows allowed', requestOf({ maximumRows: 5 })],
] as const)('requests that differ in %s are different queries', async ([, other]) => {
  const { service, driver } = createTestService()
  driver.immediately = () => ['a']
  await service.run(requestOf({ parameters: [true] }))
  await service.run(other)
  expect(driver.runs).toHaveLength(2)
})

test('the identical request joins a query that was told to continue', async () => {
  const { service, driver, clock } = createTestService()
  const first = stateOf(service.run(slow).catch(error => error))
  await clock.advance(5_000)
  expect(await first).toBe('pending')
  const again = service.run({ ...slow, requestId: 'request-1-span-2' })
  await clock.advance(1_000)
  driver.runs[0]?.answer('late')
  expect(await again).toMatchObject({ rows: [['late']], cached: false })
  expect(driver.runs).toHaveLength(1)
})

test('a result that arrives between two polls is kept for the next, even with no-cache, and given out once', async () => {
  const { service, driver, clock } = createTestService()
  const first = expect(service.run(slow)).rejects.toEqual(continueWait)
  await clock.advance(5_000)
  await first
  driver.runs[0]?.answer('between')
  await clock.advance(60_000)
  expect(await service.run(slow)).toMatchObject({ rows: [['between']], cached: false })
  const fresh = service.run(slow)
  await settle()
  expect(driver.runs).toHaveLength(2)
  driver.runs[1]?.answer('fresh')
  expect(await fresh).toMatchObject({ rows: [['fresh']] })
})

test('as many as were told to wait get the result that arrived meanwhile', async () => {
  const { service, driver, clock } = createTestService()
  const three = [1, 2, 3].map(() => expect(service.run(slow)).rejects.toEqual(continueWait))
  await clock.advance(5_000)
  await Promise.all(three)
  driver.runs[0]?.answer('once')
  await settle()
  for (const _ of three) expect(await service.run(slow)).toMatchObject({ rows: [['once']] })
  expect(await stateOf(service.run(slow))).toBe('pending')
})

test('an error that arrives between two polls is kept for the next', async () => {
  const { service, driver, clock } = createTestService()
  const first = expect(service.run(slow)).rejects.toEqual(continueWait)
  await clock.advance(5_000)
  await first
  driver.runs[0]?.fail(new Error('out of memory'))
  await settle()
  await expect(service.run(slow)).rejects.toThrow('out of memory')
  expect(await stateOf(service.run(slow))).toBe('pending')
})

test.for([
  ['a request with numbered spans, another id', 'mine-span-1', 'other-span-1', 'ada', 'ada'],
  ['a request without, another owner', 'mine', 'other', 'ada', 'ben'],
] as const)(
  'what was kept for one who was told to wait is not given to others: %s',
  async ([, mine, other, ada, ben]) => {
    const { service, driver, clock } = createTestService()
    const asked = { ...slow, requestId: mine, owner: ada }
    const first = expect(service.run(asked)).rejects.toEqual(continueWait)
    await clock.advance(5_000)
    await first
    driver.runs[0]?.fail(new Error('out of memory'))
    await settle()
    const fresh = service.run({ ...slow, requestId: other, owner: ben })
    await settle()
    expect(driver.runs).toHaveLength(2)
    driver.runs[1]?.answer('fresh')
    expect(await fresh).toMatchObject({ rows: [['fresh']] })
    await expect(service.run({ ...asked, requestId: mine.replace('1', '2') })).rejects.toThrow('out of memory')
  },
)

test('an error is not kept for a request that lost its connection: it may never come back, and who asks instead asks anew', async () => {
  const { service, driver, clock } = createTestService()
  const connection = new AbortController()
  const lost = expect(service.run(slow, connection.signal)).rejects.toMatchObject({ code: 'query_cancelled' })
  await clock.advance(1_000)
  connection.abort()
  await lost
  driver.runs[0]?.fail(new Error('the source restarts'))
  await settle()
  const next = service.run(slow)
  await settle()
  driver.runs[1]?.answer('fresh')
  expect(await next).toMatchObject({ rows: [['fresh']] })
})

test('a result slower than its refresh time ends the waiting of who must revalidate', async () => {
  const { service, driver, clock } = createTestService()
  const request = requestOf({ cache: 'must-revalidate', refresh: { everyMs: 0 } })
  const first = expect(service.run(request)).rejects.toEqual(continueWait)
  await clock.advance(5_000)
  await first
  driver.runs[0]?.answer('old by now')
  await clock.advance(3_000)
  expect(await service.run(request)).toMatchObject({ rows: [['old by now']] })
})

test('what was kept is dropped when nobody came for it in time', async () => {
  const { service, driver, clock } = createTestService()
  const first = expect(service.run(slow)).rejects.toEqual(continueWait)
  await clock.advance(5_000)
  await first
  driver.runs[0]?.answer('unclaimed')
  await clock.advance(119_999)
  expect(service.statistics().held).toBe(1)
  await clock.advance(1)
  expect(service.statistics().held).toBe(0)
  expect(await stateOf(service.run(slow))).toBe('pending')
})

test('what was kept leaves no timer when it is taken', async () => {
  const { service, driver, clock } = createTestService()
  const first = expect(service.run(slow)).rejects.toEqual(continueWait)
  await clock.advance(5_000)
  await first
  driver.runs[0]?.answer('between')
  await settle()
  const { pending } = clock
  await service.run(slow)
  expect(clock.pending).toBe(pending - 1)
})

test('a query that nobody asks for again is stopped after the orphan time', async () => {
  const { service, driver, clock } = createTestService()
  const first = expect(service.run(slow)).rejects.toEqual(continueWait)
  await clock.advance(5_000)
  await first
  await clock.advance(119_999)
  expect(driver.runs[0]?.signal.aborted).toBe(false)
  await clock.advance(1)
  expect(driver.runs[0]?.signal.reason).toMatchObject({ code: 'query_cancelled' })
  expect(service.statistics()).toMatchObject({ flights: 0, running: 0, held: 0 })
})

test('a query whose only caller waits as long as it takes is stopped when he goes; one that another may come back for is not', async () => {
  const { service, driver, clock } = createTestService()
  const patient = { ...slow, waitMs: Number.POSITIVE_INFINITY }
  const leaving = new AbortController()
  const left = expect(service.run(patient, leaving.signal)).rejects.toMatchObject({ code: 'query_cancelled' })
  await settle()
  leaving.abort()
  await left
  expect(driver.runs[0]?.signal.aborted).toBe(true)
  expect(service.statistics()).toMatchObject({ flights: 0, held: 0 })

  const polling = expect(service.run(slow)).rejects.toEqual(continueWait)
  await clock.advance(5_000)
  await polling
  const goes = new AbortController()
  const gone = expect(service.run(patient, goes.signal)).rejects.toMatchObject({ code: 'query_cancelled' })
  await settle()
  goes.abort()
  await gone
  expect(driver.runs[1]?.signal.aborted).toBe(false)
})

test('every poll begins the orphan time anew', async () => {
  const { service, driver, clock } = createTestService()
  for (const _ of [1, 2, 3, 4]) {
    const poll = expect(service.run(slow)).rejects.toEqual(continueWait)
    await clock.advance(5_000)
    await poll
    await clock.advance(100_000)
  }
  expect(driver.runs).toHaveLength(1)
  expect(driver.runs[0]?.signal.aborted).toBe(false)
})

test('a lost connection takes the request off its query, which goes on and is there for the next', async () => {
  const { service, driver, clock } = createTestService()
  const connection = new AbortController()
  const lost = expect(service.run(slow, connection.signal)).rejects.toMatchObject({ code: 'query_cancelled' })
  await clock.advance(1_000)
  connection.abort()
  await lost
  expect(driver.runs[0]?.signal.aborted).toBe(false)
  driver.runs[0]?.answer('kept')
  await clock.advance(50_000)
  expect(await service.run(slow)).toMatchObject({ rows: [['kept']] })
})

test('a request whose connection is lost already starts nothing', async () => {
  const { service, driver } = createTestService()
  await expect(service.run(slow, AbortSignal.abort())).rejects.toMatchObject({ code: 'query_cancelled' })
  await settle()
  expect(driver.runs).toHaveLength(0)
  expect(service.statistics().flights).toBe(0)
})

test('cancel stops a query for which nobody else waits', async () => {
  const { service, driver } = createTestService()
  const running = expect(service.run(slow)).rejects.toMatchObject({ code: 'query_cancelled' })
  await settle()
  expect(service.cancel('production', 'request-1')).toEqual({ found: 1, stopped: 1 })
  await running
  expect(driver.runs[0]?.signal.aborted).toBe(true)
})

test('cancel finds a request between two polls, by any of its spans', async () => {
  const { service, driver, clock } = createTestService()
  const first = expect(service.run({ ...slow, requestId: 'abc-span-1' })).rejects.toEqual(continueWait)
  await clock.advance(5_000)
  await first
  expect(service.cancel('production', 'abc-span-7')).toEqual({ found: 1, stopped: 1 })
  expect(driver.runs[0]?.signal.aborted).toBe(true)
})

test('cancel leaves a query alone for which another request waits', async () => {
  const { service, driver } = createTestService()
  const mine = expect(service.run({ ...slow, requestId: 'mine' })).rejects.toMatchObject({ code: 'query_cancelled' })
  const other = service.run({ ...slow, requestId: 'other' })
  await settle()
  expect(service.cancel('production', 'mine')).toEqual({ found: 1, stopped: 0 })
  await mine
  driver.runs[0]?.answer('for the other')
  expect(await other).toMatchObject({ rows: [['for the other']] })
})

test('cancel knows nothing of another pool', async () => {
  const { service, driver } = createTestService()
  const running = service.run(slow)
  await settle()
  expect(service.cancel('staging', 'request-1')).toEqual({ found: 0, stopped: 0 })
  driver.runs[0]?.answer('safe')
  await running
})

test('cancel takes a waiting query out of the queue', async () => {
  const { service, driver } = createTestService()
  const source = { ...slow.source, concurrency: 1 }
  const first = service.run({ ...slow, source })
  const second = expect(service.run({ ...slow, source, sql: 'SELECT 2', requestId: 'second' })).rejects.toMatchObject({
    code: 'query_cancelled',
  })
  await settle()
  expect(service.statistics()).toMatchObject({ running: 1, waiting: 1 })
  service.cancel('production', 'second')
  await second
  expect(service.statistics()).toMatchObject({ running: 1, waiting: 0 })
  driver.runs[0]?.answer('first')
  await first
  expect(driver.runs).toHaveLength(1)
})

test('a query is stopped at its time limit, counted from when it runs, and says so', async () => {
  const { service, driver, clock, events } = createTestService()
  const source = { ...slow.source, concurrency: 1 }
  const waitMs = Number.POSITIVE_INFINITY
  const first = service.run({ ...slow, source, waitMs })
  const second = service.run({ ...slow, source, waitMs, sql: 'SELECT 2', timeoutMs: 30_000 })
  const rejected = expect(second).rejects.toMatchObject({
    code: 'query_timeout',
    message: 'The query was stopped after 30 s. Ask for less, or raise CUBEJS_DB_QUERY_TIMEOUT.',
  })
  await clock.advance(100_000)
  driver.runs[0]?.answer('first')
  await first
  await clock.advance(29_999)
  expect(driver.runs[1]?.signal.aborted).toBe(false)
  await clock.advance(1)
  await rejected
  expect(driver.runs[1]?.signal.aborted).toBe(true)
  expect(events.map(({ event }) => event)).toEqual(['query_finished', 'query_failed'])
})

test('the time limit of the data source holds when the request asks for more', async () => {
  const { service, clock } = createTestService()
  const request = { ...slow, source: { ...slow.source, timeoutMs: 60_000 }, timeoutMs: 3_600_000, waitMs: 1e9 }
  const rejected = expect(service.run(request)).rejects.toMatchObject({ code: 'query_timeout' })
  await clock.advance(60_000)
  await rejected
})

test('a place is given back only when the database has let go of the query', async () => {
  const { service, driver, clock } = createTestService()
  const stubborn = Promise.withResolvers<never>()
  const open = driver.open
  driver.open = async source => ({ ...(await open(source)), stream: () => stubborn.promise })
  const rejected = expect(service.run({ ...slow, timeoutMs: 1_000 })).rejects.toMatchObject({ code: 'query_timeout' })
  await clock.advance(1_000)
  await rejected
  expect(service.statistics().running).toBe(1)
  stubborn.reject(new Error('interrupted'))
  await settle()
  expect(service.statistics().running).toBe(0)
})

test.for([
  [{ pool: '' }, 'it names no pool.'],
  [{ sql: '  ' }, 'it has no SQL.'],
  [{ maximumRows: 1.5 }, 'maximumRows is 1.5 and must be a whole number from 0.'],
  [{ waitMs: -1 }, 'waitMs is -1 and must be 0 or more.'],
  [{ timeoutMs: 0 }, 'timeoutMs is 0 and must be more than 0.'],
  [{ parameters: [1, Number.NaN] }, 'parameter $2 is NaN, which is no number.'],
  [{ refresh: { everyMs: Number.NaN } }, 'refresh.everyMs is NaN and must be 0 or more.'],
] as const)('a request that makes no sense is refused: %j', async ([changes, reason]) => {
  const { service } = createTestService()
  await expect(service.run(requestOf(changes))).rejects.toMatchObject({
    code: 'request_invalid',
    message: `The query cannot be run: ${reason}`,
  })
})
