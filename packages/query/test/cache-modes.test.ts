import { expect, test } from 'vitest'
import { ContinueWait } from '../src/continue-wait.ts'
import type { CacheMode, QueryRequest } from '../src/shapes/query.ts'
import { settle } from './support/manual-clock.ts'
import { createTestService, requestOf, type TestService } from './support/service.ts'

const modes: readonly CacheMode[] = ['stale-if-slow', 'stale-while-revalidate', 'must-revalidate', 'no-cache']

/** A service that has answered the request once with "old", at the start of its clock. */
async function primed(request: QueryRequest): Promise<TestService> {
  const test = createTestService()
  const first = test.service.run(request)
  await settle()
  test.driver.runs.at(-1)?.answer('old')
  await first
  return test
}

test.for(modes)('%s: without a stored result the source is asked, and slow means Continue wait', async cache => {
  const { service, driver, clock } = createTestService()
  const running = service.run(requestOf({ cache }))
  const rejected = expect(running).rejects.toBeInstanceOf(ContinueWait)
  await clock.advance(4_999)
  expect(driver.runs).toHaveLength(1)
  await clock.advance(1)
  await rejected
})

test.for(modes.slice(0, 3))('%s: a current result comes from the cache', async cache => {
  const { service, driver, clock } = await primed(requestOf({ cache }))
  const storedAt = clock.now()
  await clock.advance(9_999)
  const result = await service.run(requestOf({ cache }))
  expect(result).toMatchObject({ rows: [['old']], cached: true, slow: false, lastRefreshTime: new Date(storedAt) })
  expect(driver.runs).toHaveLength(1)
})

test('no-cache: the source is asked although a current result is stored, and what it gives is stored', async () => {
  const { service, driver, clock } = await primed(requestOf())
  const running = service.run(requestOf({ cache: 'no-cache' }))
  await settle()
  driver.runs.at(-1)?.answer('new')
  expect(await running).toMatchObject({ rows: [['new']], cached: false, lastRefreshTime: new Date(clock.now()) })
  expect(await service.run(requestOf())).toMatchObject({ rows: [['new']], cached: true })
})

test('stale-if-slow: an expired result is fetched again', async () => {
  const { service, driver, clock } = await primed(requestOf())
  await clock.advance(10_000)
  const running = service.run(requestOf())
  await clock.advance(4_000)
  driver.runs.at(-1)?.answer('new')
  expect(await running).toMatchObject({ rows: [['new']], cached: false, slow: false })
})

test('stale-if-slow: an expired result is served when the source is slow, and the source goes on', async () => {
  const { service, driver, clock } = await primed(requestOf())
  await clock.advance(10_000)
  const running = service.run(requestOf())
  await clock.advance(5_000)
  expect(await running).toMatchObject({ rows: [['old']], cached: true, slow: true })
  driver.runs.at(-1)?.answer('new')
  await settle()
  expect(await service.run(requestOf())).toMatchObject({ rows: [['new']], cached: true, slow: false })
  expect(driver.runs).toHaveLength(2)
})

test('stale-if-slow: a source that fails is reported, not papered over with an expired result', async () => {
  const { service, driver, clock } = await primed(requestOf())
  await clock.advance(10_000)
  const running = service.run(requestOf())
  const rejected = expect(running).rejects.toThrow('disk full')
  await settle()
  driver.runs.at(-1)?.fail(new Error('disk full'))
  await rejected
})

test('stale-while-revalidate: an expired result is served at once and refreshed behind', async () => {
  const request = requestOf({ cache: 'stale-while-revalidate' })
  const { service, driver, clock } = await primed(request)
  await clock.advance(10_000)
  expect(await service.run(request)).toMatchObject({ rows: [['old']], cached: true, slow: false })
  await settle()
  expect(driver.runs).toHaveLength(2)
  expect(await service.run(request)).toMatchObject({ rows: [['old']] })
  expect(driver.runs).toHaveLength(2)
  driver.runs.at(-1)?.answer('new')
  await settle()
  expect(await service.run(request)).toMatchObject({ rows: [['new']], cached: true })
})

test('must-revalidate: an expired result is never served', async () => {
  const request = requestOf({ cache: 'must-revalidate' })
  const { service, driver, clock } = await primed(request)
  await clock.advance(10_000)
  const slow = expect(service.run(request)).rejects.toBeInstanceOf(ContinueWait)
  await clock.advance(5_000)
  await slow
  const again = service.run(request)
  driver.runs.at(-1)?.answer('new')
  expect(await again).toMatchObject({ rows: [['new']], cached: false })
})

test('a result that expired a day ago is not served as stale', async () => {
  const request = requestOf({ cache: 'stale-while-revalidate' })
  const { service, driver, clock } = await primed(request)
  await clock.advance(24 * 3_600_000 + 10_000)
  const running = service.run(request)
  await settle()
  driver.runs.at(-1)?.answer('new')
  expect(await running).toMatchObject({ rows: [['new']], cached: false })
})

test('a result that holds for ever is never asked for again', async () => {
  const request = requestOf({ refresh: { everyMs: Number.POSITIVE_INFINITY } })
  const { service, clock } = await primed(request)
  await clock.advance(365 * 24 * 3_600_000)
  expect(await service.run(request)).toMatchObject({ rows: [['old']], cached: true })
})

test('the age of a result counts from its end, its refresh time from its start', async () => {
  const { service, driver, clock } = createTestService()
  const startedAt = clock.now()
  const running = service.run(requestOf({ waitMs: 60_000 }))
  await clock.advance(20_000)
  driver.runs.at(-1)?.answer('slowly')
  expect(await running).toMatchObject({ lastRefreshTime: new Date(startedAt) })
  await clock.advance(9_999)
  expect(await service.run(requestOf())).toMatchObject({ cached: true, lastRefreshTime: new Date(startedAt) })
})

const bySql = requestOf({ refresh: { sql: 'SELECT max(id)', parameters: [7], everyMs: 1_000 } })
const isRefresh = (sql: string) => sql === 'SELECT max(id)'

/** A service whose source answers at once: the refresh query with `version`, anything else with a running number. */
function versioned() {
  const test = createTestService()
  const state = { version: 'v1', asked: 0, refreshed: 0 }
  test.driver.immediately = ({ sql }) => {
    if (!isRefresh(sql)) return [String(++state.asked)]
    state.refreshed += 1
    return [state.version]
  }
  return { ...test, state }
}

test('refresh by SQL: a result holds as long as the answer of the refresh query', async () => {
  const { service, clock, state, driver } = versioned()
  expect(await service.run(bySql)).toMatchObject({ rows: [['1']], cached: false })
  expect(driver.runs.map(({ statement }) => [statement.sql, statement.parameters])).toEqual([
    ['SELECT max(id)', [7]],
    ['SELECT 1', []],
  ])
  await clock.advance(999)
  expect(await service.run(bySql)).toMatchObject({ rows: [['1']], cached: true })
  expect(state.refreshed).toBe(1)
  await clock.advance(3_600_000)
  expect(await service.run(bySql)).toMatchObject({ rows: [['1']], cached: true })
  expect(state).toEqual({ version: 'v1', asked: 1, refreshed: 2 })
  state.version = 'v2'
  await clock.advance(1_000)
  expect(await service.run(bySql)).toMatchObject({ rows: [['2']], cached: false })
})

test('refresh by SQL: no-cache does not ask the refresh query', async () => {
  const { service, state } = versioned()
  expect(await service.run({ ...bySql, cache: 'no-cache' })).toMatchObject({ rows: [['1']], cached: false })
  expect(await service.run({ ...bySql, cache: 'no-cache' })).toMatchObject({ rows: [['2']], cached: false })
  expect(state).toEqual({ version: 'v1', asked: 2, refreshed: 0 })
})

test('refresh by SQL: queries with the same refresh query ask it once', async () => {
  const { service, state } = versioned()
  const texts = Array.from({ length: 10 }, (_, index) => `SELECT ${index} + 100`)
  await Promise.all(texts.map(sql => service.run({ ...bySql, sql })))
  expect(state).toEqual({ version: 'v1', asked: 10, refreshed: 1 })
})

test('refresh by SQL: equal answers of different refresh queries are not the same', async () => {
  const { service, driver } = createTestService()
  driver.immediately = () => ['same']
  const refreshedBy = (sql: string) => service.run({ ...bySql, refresh: { sql, parameters: [], everyMs: 60_000 } })
  expect(await refreshedBy('SELECT a')).toMatchObject({ cached: false })
  expect(await refreshedBy('SELECT b')).toMatchObject({ cached: false })
  expect(await refreshedBy('SELECT b')).toMatchObject({ cached: true })
})

test('refresh by SQL: a refresh query that fails fails the query', async () => {
  const { service, driver } = createTestService()
  const rejected = expect(service.run(bySql)).rejects.toThrow('no such table')
  await settle()
  driver.runs[0]?.fail(new Error('no such table'))
  await rejected
})

test('refresh by SQL: while the refresh query is slow the stale result is served', async () => {
  const { service, driver, clock } = versioned()
  await service.run(bySql)
  driver.immediately = undefined
  await clock.advance(1_000)
  const running = service.run(bySql)
  await clock.advance(5_000)
  expect(await running).toMatchObject({ rows: [['1']], slow: true })
})

test('results beyond the memory of the cache push out the least recently asked', async () => {
  const { service, driver } = createTestService({ cacheBytes: 40_000, resultBytes: 20_000 })
  driver.immediately = ({ sql }) => [sql.padEnd(10_000, '.')]
  const ask = (sql: string) => service.run(requestOf({ sql, refresh: { everyMs: 60_000 } }))
  for (const sql of ['a', 'b', 'c', 'a', 'd']) await ask(sql)
  expect(service.statistics().cachedBytes).toBeLessThanOrEqual(40_000)
  expect(await ask('a')).toMatchObject({ cached: true })
  expect(await ask('b')).toMatchObject({ cached: false })
})

test('a result that takes more memory than one may is an error with its size', async () => {
  const { service, driver } = createTestService({ resultBytes: 2 ** 20 })
  driver.immediately = () => ['x'.repeat(3 * 2 ** 20)]
  await expect(service.run(requestOf())).rejects.toMatchObject({
    code: 'result_too_large',
    message: 'The result takes more than 1 MB of memory. Ask for fewer rows or columns.',
  })
})

test('what is in the cache and holds is given at once, anything else not', async () => {
  expect(createTestService().service.current(requestOf())).toBeUndefined()
  const { service, clock } = await primed(requestOf())
  expect(service.current(requestOf())).toMatchObject({ rows: [['old']], cached: true, slow: false })
  expect(service.current(requestOf({ cache: 'no-cache' }))).toBeUndefined()
  expect(service.current(requestOf({ pool: 'another' }))).toBeUndefined()
  await clock.advance(10_000)
  expect(service.current(requestOf())).toBeUndefined()
})
