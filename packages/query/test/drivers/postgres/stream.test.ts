import { startTestServer } from '@hedron/store/testing'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createQueryService } from '../../../src/query-service.ts'
import { streamMillion } from '../../support/large-stream.ts'
import { createPostgres, sourceOf, variablesOf } from '../../support/postgres.ts'
import { requestOf } from '../../support/service.ts'

let postgres: Awaited<ReturnType<typeof createPostgres>>
beforeAll(async () => {
  postgres = await createPostgres()
})
afterAll(() => postgres.close())

/** In the list of columns, where the server computes it as it is read. */
const endless = 'SELECT generate_series(1, 1000000000000) AS a'
const busy = async () => {
  const [row] = await postgres.administer(
    "SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'hedron' AND state <> 'idle' AND datname = current_database()",
  )
  return row?.n
}

function createService() {
  const service = createQueryService({ now: Date.now, limits: { stallMs: 200 } })
  onTestFinished(() => service.close())
  return service
}

test('a million rows are streamed in a memory that stays flat', async () => {
  const sql = "SELECT a, 'a text that is a little longer ' || a FROM generate_series(1, 1000000) a"
  expect(await streamMillion(sourceOf(postgres.variables), sql)).toBeLessThan(30 * 2 ** 20)
})

test('an error in the middle comes after the rows before it, and the connection is as good as before', async () => {
  const service = createService()
  const source = sourceOf({ ...postgres.variables, CUBEJS_CONCURRENCY: '1' })
  const sql = 'SELECT 1 / (500000 - a) FROM generate_series(1, 1000000) a'
  const ask = async () =>
    (await service.run(requestOf({ source, sql: 'SELECT pg_backend_pid()', cache: 'no-cache' }))).rows
  const connection = await ask()
  let count = 0
  const reading = (async () => {
    for await (const rows of await service.stream(requestOf({ source, sql, maximumRows: 1e6 }))) count += rows.length
  })()
  await expect(reading).rejects.toMatchObject({ code: 'query_failed', message: 'division by zero' })
  expect(count).toBeGreaterThan(400_000)
  expect(await ask()).toEqual(connection)
})

test('after the server was restarted, open pools go on, and only what ran then failed', async () => {
  const server = await startTestServer()
  const service = createQueryService({ now: Date.now })
  onTestFinished(async () => {
    await service.close()
    await server.stop()
  })
  const source = sourceOf(variablesOf(server.url))
  const ask = (sql: string) => service.run(requestOf({ source, sql, cache: 'no-cache' }))
  await Promise.all([ask('SELECT 1, pg_sleep(0.1)'), ask('SELECT 2, pg_sleep(0.1)'), ask('SELECT 3, pg_sleep(0.1)')])
  const stream = await service.stream(requestOf({ source, sql: endless, maximumRows: 1e12 }))
  const reading = (async () => {
    for await (const _ of stream);
  })()
  const failed = expect(reading).rejects.toMatchObject({ code: 'source_unavailable' })
  await server.restart()
  await failed
  for (let time = 0; time < 5; time++) expect((await ask(`SELECT ${time}`)).rows).toEqual([[String(time)]])
  expect(service.statistics()).toMatchObject({ running: 0, streams: 0 })
})

test('a connection that breaks while its reader reads nothing is told of at once when he reads on', async () => {
  const service = createQueryService({ now: Date.now })
  onTestFinished(() => service.close())
  const request = requestOf({ source: sourceOf(postgres.variables), sql: endless, maximumRows: 1e12 })
  const rows = (await service.stream(request))[Symbol.asyncIterator]()
  await rows.next()
  await postgres.administer(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'hedron' AND datname = current_database()",
  )
  await expect.poll(busy).toBe(0)
  const began = performance.now()
  const readOn = async () => {
    for (let part = await rows.next(); !part.done; part = await rows.next());
  }
  await expect(readOn()).rejects.toMatchObject({ code: 'source_unavailable' })
  expect(performance.now() - began).toBeLessThan(3_000)
  await expect.poll(() => service.statistics().running).toBe(0)
})

test('a reader who leaves, aborts, or reads no further stops the query in the database', async () => {
  const service = createService()
  const request = requestOf({ source: sourceOf(postgres.variables), sql: endless, maximumRows: 1e12 })
  for await (const rows of await service.stream(request)) {
    expect(rows[0]).toEqual(['1'])
    break
  }
  const controller = new AbortController()
  await service.stream(request, controller.signal)
  controller.abort()
  await service.stream(request)
  await expect.poll(busy, { timeout: 10_000 }).toBe(0)
  expect(service.statistics()).toMatchObject({ running: 0, streams: 0 })
})

test('a stream holds a connection until it is read, and other queries have theirs', async () => {
  const service = createService()
  const source = sourceOf({ ...postgres.variables, CUBEJS_CONCURRENCY: '2' })
  const stream = await service.stream(requestOf({ source, sql: endless, maximumRows: 1e12 }))
  expect(await service.run(requestOf({ source, sql: 'SELECT 2' }))).toMatchObject({ rows: [['2']] })
  expect(service.statistics()).toMatchObject({ running: 1, streams: 1 })
  stream.close()
})

test('rows of a megabyte come one or two at a time, and narrow ones after them many', async () => {
  const service = createService()
  // As a table with a few large documents is.
  const sql = "SELECT n, CASE WHEN n <= 100 THEN repeat('x', 1048576) ELSE 'y' END FROM generate_series(1, 20000) n"
  const { maximumRows: _, ...request } = requestOf({ source: sourceOf(postgres.variables), sql })
  const wide: number[] = []
  const narrow: number[] = []
  let count = 0
  for await (const rows of await service.stream(request)) {
    count += rows.length
    const characters = rows.reduce((sum, [, text]) => sum + String(text).length, 0)
    if (characters > 1_000_000) wide.push(characters)
    else narrow.push(rows.length)
  }
  expect(count).toBe(20_000)
  // The first portion was asked for when nothing was known; one after a wide one holds what a portion may.
  expect(Math.max(...wide.slice(1))).toBeLessThanOrEqual(2 * 2 ** 20 + 4_000)
  expect(Math.max(...narrow)).toBe(2_000)
})
