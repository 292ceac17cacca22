import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createQueryService } from '../../src/query-service.ts'
import type { QueryRequest } from '../../src/shapes/query.ts'
import { openRedisResults, type RedisResultsOptions } from '../../src/shared-results/redis-results.ts'
import { createFakeDriver } from '../support/fake-driver.ts'
import { hasRedis, startRedis, type TestRedis } from '../support/redis.ts'
import { requestOf } from '../support/service.ts'

const secretKey = randomBytes(32)
/** A busy machine takes its time. */
const patience = { timeout: 20_000 }
const hour = 3_600_000
const request = requestOf({ refresh: { everyMs: hour } })
const refreshed = requestOf({ refresh: { sql: 'SELECT max(id)', parameters: [], everyMs: 0 } })

describe.skipIf(!hasRedis)('results that nodes share by Redis', () => {
  let redis: TestRedis
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(async () => redis.close())
  beforeEach(async () => redis.clear())

  /** A node whose data source answers every query at once, those about keys with `refreshKey` and others with `answer`. */
  async function startNode(answer: string, changes: Partial<RedisResultsOptions> = {}) {
    const clock = { ahead: 0 }
    const now = () => Date.now() + clock.ahead
    const warnings: string[] = []
    const warn = (message: string) => void warnings.push(message)
    const options = { url: redis.url, secretKey, installation: 'one', randomBytes, now, warn, ...changes }
    const sharedResults = await openRedisResults(options)
    const driver = createFakeDriver()
    const source = { answer, refreshKey: '1' }
    driver.immediately = ({ sql }) => [sql === 'SELECT max(id)' ? source.refreshKey : source.answer]
    const service = createQueryService({ now, drivers: [driver], sharedResults })
    onTestFinished(() => service.close())
    const isConnected = () => expect.poll(sharedResults.isUsable, patience).toBe(true)
    const run = async (asked: QueryRequest) => {
      const { rows, cached } = await service.run(asked)
      return { answer: rows[0]?.[0], cached }
    }
    return { service, clock, warnings, source, run, sharedResults, isConnected }
  }

  async function startNodes() {
    const nodes = [await startNode('of the first'), await startNode('of the second')] as const
    await Promise.all(nodes.map(({ isConnected }) => isConnected()))
    return nodes
  }

  /** Results are written in their own time. */
  const kept = (count: number) => expect.poll(redis.names, patience).toHaveLength(count)

  test('what one node computed another answers without asking its source, frozen like its own', async () => {
    const [first, second] = await startNodes()
    expect(await first.run(request)).toEqual({ answer: 'of the first', cached: false })
    await kept(1)
    const { rows, columns, cached, lastRefreshTime } = await second.service.run(request)
    expect({ rows, columns, cached }).toEqual({
      rows: [['of the first']],
      columns: [{ name: 'value', type: 'string', databaseType: 'TEXT' }],
      cached: true,
    })
    expect([rows, rows[0], columns, columns[0]].every(part => Object.isFrozen(part))).toBe(true)
    expect(lastRefreshTime.getTime()).toBeLessThanOrEqual(Date.now())
    expect(second.service.statistics()).toMatchObject({ executed: 0, sharedHits: 1, sharesResults: true })
    await second.run(request)
    expect(second.service.statistics()).toMatchObject({ sharedHits: 1, cacheHits: 2 })
  })

  test('one that expired is not taken', async () => {
    const [first, second] = await startNodes()
    await first.run(request)
    await kept(1)
    second.clock.ahead = hour
    expect(await second.run(request)).toEqual({ answer: 'of the second', cached: false })
  })

  test('one that was computed by a clock ahead is not from the future', async () => {
    const [first, second] = await startNodes()
    first.clock.ahead = 10 * hour
    await first.run(request)
    await kept(1)
    const { rows, lastRefreshTime } = await second.service.run(request)
    expect(rows).toEqual([['of the first']])
    expect(lastRefreshTime.getTime()).toBeLessThanOrEqual(Date.now())
  })

  test('with a refresh query it holds while that gives the same, as each node asks', async () => {
    const [first, second] = await startNodes()
    await first.run(refreshed)
    await kept(1)
    expect(await second.run(refreshed)).toEqual({ answer: 'of the first', cached: true })
    second.source.refreshKey = '2'
    expect(await second.run(refreshed)).toEqual({ answer: 'of the second', cached: false })
  })

  test('no-cache takes nothing, and gives what it computed to others', async () => {
    const [first, second] = await startNodes()
    await first.run(request)
    await kept(1)
    const [name = ''] = await redis.names()
    const before = await redis.get(name)
    second.source.answer = 'newer'
    expect(await second.run({ ...request, cache: 'no-cache' })).toEqual({ answer: 'newer', cached: false })
    await expect.poll(async () => (await redis.get(name)).equals(before), patience).toBe(false)
    const third = await startNode('of the third')
    await third.isConnected()
    expect(await third.run({ ...request, cache: 'must-revalidate' })).toEqual({ answer: 'newer', cached: true })
  })

  test.for([
    ['pool', { pool: 'staging' }],
    ['source', { source: { ...request.source, fingerprint: 'fake-2' } }],
    ['statement', { sql: 'SELECT 2' }],
    ['parameters', { parameters: ['1'] }],
    ['number of rows', { maximumRows: 5 }],
  ] as const)('a request of another %s gets nothing of it', async ([, changes]) => {
    const [first, second] = await startNodes()
    await first.run(request)
    await kept(1)
    expect(await second.run({ ...request, ...changes })).toEqual({ answer: 'of the second', cached: false })
  })

  test('a pool that is forgotten by one is forgotten for all, and no other is', async () => {
    const [first, second] = await startNodes()
    await first.run(request)
    await first.run({ ...request, pool: 'staging' })
    await kept(2)
    await first.service.forget('production')
    expect(await redis.names()).toHaveLength(1)
    expect(await second.run(request)).toEqual({ answer: 'of the second', cached: false })
    expect(await second.run({ ...request, pool: 'staging' })).toEqual({ answer: 'of the first', cached: true })
  })

  test('it goes by itself when it has expired', async () => {
    const [first] = await startNodes()
    await first.run(requestOf({ refresh: { everyMs: 300 } }))
    await kept(0)
    expect(first.service.statistics()).toMatchObject({ executed: 1 })
  })

  test('names and contents tell nothing of questions and rows, also to who has the questions', async () => {
    const [first] = await startNodes()
    first.source.answer = 'a secret answer '.repeat(100)
    await first.run(requestOf({ sql: 'SELECT secret', refresh: { everyMs: hour } }))
    await kept(1)
    const [name = ''] = await redis.names()
    const sealed = (await redis.get(name)).toString('latin1')
    expect(`${name}${sealed}`).not.toMatch(/secret|answer|production|value/)
    expect(name).toMatch(/^hedron:result:1:[\w-]{16}:[\w-]{43}$/)
  })

  test.for([
    ['changed', (sealed: Buffer) => sealed.fill(sealed.at(-1) === 0 ? 1 : 0, sealed.length - 1)],
    ['cut', (sealed: Buffer) => sealed.subarray(0, 20)],
    ['empty', () => Buffer.alloc(0)],
    ['of another version', (sealed: Buffer) => sealed.fill(9, 0, 1)],
  ] as const)('what is %s in Redis is no answer', async ([, change]) => {
    const [first, second] = await startNodes()
    await first.run(request)
    await kept(1)
    const [name = ''] = await redis.names()
    await redis.set(name, change(await redis.get(name)))
    expect(await second.run(request)).toEqual({ answer: 'of the second', cached: false })
    expect(second.warnings).toEqual([])
  })

  test('an answer under the name of another question is none', async () => {
    const [first, second] = await startNodes()
    await first.run(request)
    await kept(1)
    const [mine = ''] = await redis.names()
    await first.run({ ...request, sql: 'SELECT 2' })
    await kept(2)
    const other = (await redis.names()).find(name => name !== mine) ?? ''
    await redis.set(other, await redis.get(mine))
    expect(await second.run({ ...request, sql: 'SELECT 2' })).toEqual({ answer: 'of the second', cached: false })
  })

  test.for([
    ['another secret key', { secretKey: randomBytes(32) }],
    ['another database of metadata', { installation: 'two' }],
  ] as const)('an installation with %s has its own', async ([, changes]) => {
    const [first] = await startNodes()
    const stranger = await startNode('of a stranger', changes)
    await stranger.isConnected()
    await first.run(request)
    await kept(1)
    expect(await stranger.run(request)).toEqual({ answer: 'of a stranger', cached: false })
    await kept(2)
  })

  test('large results are not shared', async () => {
    const [first] = await startNodes()
    first.source.answer = 'x'.repeat(3 * 2 ** 20)
    await first.run(request)
    first.source.answer = 'small'
    await first.run({ ...request, sql: 'SELECT 2' })
    await kept(1)
  })

  test('while Redis is away sources are asked, and it is used again when it is back; each is said once', async () => {
    const [first, second] = await startNodes()
    await redis.kill()
    expect(await first.run(request)).toEqual({ answer: 'of the first', cached: false })
    expect(await second.run(request)).toEqual({ answer: 'of the second', cached: false })
    await expect
      .poll(() => first.warnings, patience)
      .toEqual([expect.stringMatching(/^Redis cannot be used \(.+\): results are not shared/)])
    await redis.restart()
    await expect.poll(() => first.warnings.length, patience).toBe(2)
    expect(first.warnings[1]).toBe('Redis can be used again: results are shared.')
    await Promise.all([first, second].map(({ isConnected }) => isConnected()))
    await first.run({ ...request, sql: 'SELECT 3' })
    await kept(1)
    expect(await second.run({ ...request, sql: 'SELECT 3' })).toEqual({ answer: 'of the first', cached: true })
  })

  test('one that says nothing holds up no query for long, and is not asked for a while', async () => {
    const [first] = await startNodes()
    redis.suspend()
    try {
      expect(await first.run(request)).toEqual({ answer: 'of the first', cached: false })
      expect(first.sharedResults.isUsable()).toBe(false)
      expect(first.warnings).toHaveLength(1)
    } finally {
      redis.resume()
    }
    first.clock.ahead = 60_000
    expect(first.sharedResults.isUsable()).toBe(true)
  })

  test('a node starts and answers where there is no Redis at all', async () => {
    const lonely = await startNode('alone', { url: 'redis://127.0.0.1:1' })
    expect(await lonely.run(request)).toEqual({ answer: 'alone', cached: false })
    await expect.poll(() => lonely.warnings, patience).toHaveLength(1)
    await lonely.service.forget('production')
  })
})
