import { describe, expect, test } from 'vitest'
import type { RowStream } from '../src/shapes/query.ts'
import { createFakeDriver } from './support/fake-driver.ts'
import { settle } from './support/manual-clock.ts'
import { createTestService, requestOf, stateOf } from './support/service.ts'

const columns = [{ name: 'n', type: 'integer', databaseType: 'BIGINT' }] as const
const portion = (...cells: string[]) => cells.map(cell => [cell])

async function readAll(stream: RowStream): Promise<unknown[]> {
  const rows: unknown[] = []
  for await (const part of stream) rows.push(...part)
  return rows
}

/** A stream whose query runs, and the run to feed it by hand. */
async function openStream(limits: Parameters<typeof createTestService>[0] = {}, changes = {}, signal?: AbortSignal) {
  const test = createTestService(limits)
  const opening = test.service.stream(requestOf(changes), signal)
  opening.catch(() => {})
  await settle()
  const [run] = test.driver.runs
  if (!run) throw new Error('the query did not start')
  run.sink.columns(columns)
  return { ...test, run, stream: await opening }
}

describe('reading', () => {
  test('columns are known before the first row, and rows follow in order', async () => {
    const { stream, run, service } = await openStream()
    expect(stream.columns).toEqual(columns)
    const reading = readAll(stream)
    await run.sink.rows(portion('1', '2'))
    await run.sink.rows(portion('3'))
    run.answer('4')
    expect(await reading).toEqual([['1'], ['2'], ['3'], ['4']])
    await settle()
    expect(service.statistics()).toMatchObject({ running: 0, streams: 0, cachedResults: 0, executed: 1 })
  })

  test('no rows are a stream that ends', async () => {
    const { stream, run } = await openStream()
    run.answer()
    expect(await readAll(stream)).toEqual([])
  })

  test('the source waits for its reader: one portion lies ready, and no more', async () => {
    const { stream, run } = await openStream()
    const first = Promise.resolve(run.sink.rows(portion('1')))
    expect(await stateOf(first)).toBe('pending')
    const iterator = stream[Symbol.asyncIterator]()
    expect(await iterator.next()).toEqual({ done: false, value: [['1']] })
    expect(await stateOf(first)).toBeUndefined()
  })

  test('several who ask at once each get a portion, in order', async () => {
    const { stream, run } = await openStream()
    const iterator = stream[Symbol.asyncIterator]()
    const asked = [iterator.next(), iterator.next(), iterator.next()]
    await settle()
    await run.sink.rows(portion('1'))
    await settle()
    run.answer('2')
    expect((await Promise.all(asked)).map(({ value }) => value)).toEqual([[['1']], [['2']], undefined])
  })

  test('one row more than asked for is an error, and without a limit none is', async () => {
    const { stream, run } = await openStream({}, { maximumRows: 1 })
    run.answer('1', '2')
    await expect(readAll(stream)).rejects.toMatchObject({ code: 'too_many_rows' })
    const { maximumRows: _, ...unlimited } = requestOf()
    const other = createTestService()
    const opening = other.service.stream(unlimited)
    await settle()
    other.driver.runs[0]?.answer(...Array.from({ length: 1_000 }, () => 'x'))
    expect(await readAll(await opening)).toHaveLength(1_000)
  })

  test('equal streams run apart, and a result in the cache is not theirs', async () => {
    const { service, driver } = createTestService()
    driver.immediately = () => ['now']
    await service.run(requestOf())
    const streams = await Promise.all([service.stream(requestOf()), service.stream(requestOf())])
    expect(await Promise.all(streams.map(readAll))).toEqual([[['now']], [['now']]])
    expect(driver.runs).toHaveLength(3)
  })
})

describe('failing', () => {
  test('an error before the first row is that of opening, one in the middle that of reading', async () => {
    const { service, driver } = createTestService()
    const opening = service.stream(requestOf())
    await settle()
    driver.runs[0]?.fail(new Error('no such table'))
    await expect(opening).rejects.toThrow('no such table')

    const { stream, run, events } = await openStream()
    const iterator = stream[Symbol.asyncIterator]()
    const first = iterator.next()
    await run.sink.rows(portion('1'))
    expect((await first).value).toEqual([['1']])
    run.fail(new Error('division by zero'))
    await expect(iterator.next()).rejects.toThrow('division by zero')
    expect((await iterator.next()).done).toBe(true)
    expect(events).toMatchObject([{ event: 'query_failed', requestId: 'request-1' }])
  })

  test('what cannot be asked is refused before anything runs', async () => {
    const { service, driver } = createTestService()
    await expect(service.stream(requestOf({ sql: ' ' }))).rejects.toMatchObject({ code: 'request_invalid' })
    await expect(service.stream(requestOf({ timeoutMs: 0 }))).rejects.toMatchObject({ code: 'request_invalid' })
    await service.close()
    await expect(service.stream(requestOf())).rejects.toMatchObject({ code: 'service_closed' })
    expect(driver.runs).toEqual([])
  })
})

describe('ending early, each time stopped in the database and with its place free again', () => {
  test('the reader leaves the loop', async () => {
    const { stream, run, service } = await openStream()
    for await (const rows of endlessly(stream, run.sink.rows)) {
      expect(rows).toEqual([['1']])
      break
    }
    await settle()
    expect(run.signal.reason).toMatchObject({ code: 'query_cancelled' })
    expect(service.statistics()).toMatchObject({ running: 0, streams: 0 })
  })

  test('the reader has a stream and closes it without reading', async () => {
    const { stream, run, service } = await openStream()
    stream.close()
    await settle()
    expect(run.signal.aborted).toBe(true)
    expect(service.statistics()).toMatchObject({ running: 0, streams: 0 })
    await expect(readAll(stream)).rejects.toMatchObject({ code: 'query_cancelled' })
  })

  test('the signal aborts: while it waits for its turn, before the first row, and while rows are read', async () => {
    const waiting = createTestService()
    const source = { ...requestOf().source, concurrency: 1 }
    waiting.service.run(requestOf({ source })).catch(() => {})
    const early = new AbortController()
    const opening = waiting.service.stream(requestOf({ source }), early.signal)
    await settle()
    expect(waiting.service.statistics()).toMatchObject({ running: 1, waiting: 1 })
    early.abort()
    await expect(opening).rejects.toMatchObject({ code: 'query_cancelled' })
    expect(waiting.service.statistics()).toMatchObject({ running: 1, waiting: 0 })

    const controller = new AbortController()
    const { stream, run, service } = await openStream({}, {}, controller.signal)
    const reading = readAll(stream)
    await run.sink.rows(portion('1'))
    controller.abort()
    await expect(reading).rejects.toMatchObject({ code: 'query_cancelled' })
    await settle()
    expect(run.signal.aborted).toBe(true)
    expect(service.statistics()).toMatchObject({ running: 0, streams: 0 })
    await expect(service.stream(requestOf(), AbortSignal.abort())).rejects.toMatchObject({ code: 'query_cancelled' })
  })

  test('the request is cancelled by its id, and only in its pool', async () => {
    const { stream, run, service } = await openStream({}, { requestId: 'a-span-1' })
    expect(service.cancel('another', 'a')).toEqual({ found: 0, stopped: 0 })
    expect(service.cancel('production', 'a-span-2')).toEqual({ found: 1, stopped: 1 })
    await expect(readAll(stream)).rejects.toMatchObject({ message: 'The query was cancelled: it was asked to stop.' })
    expect(run.signal.aborted).toBe(true)
  })

  test('the reader lets rows lie for longer than allowed; one that is slow but asks is waited for', async () => {
    const { stream, run, clock } = await openStream({ stallMs: 10_000 })
    const iterator = stream[Symbol.asyncIterator]()
    for (const cell of ['1', '2', '3']) {
      const put = run.sink.rows(portion(cell))
      await clock.advance(9_999)
      expect(await iterator.next()).toEqual({ done: false, value: [[cell]] })
      await put
    }
    const put = Promise.resolve(run.sink.rows(portion('4')))
    put.catch(() => {})
    await clock.advance(10_000)
    await expect(put).rejects.toMatchObject({ code: 'query_cancelled' })
    await expect(iterator.next()).rejects.toMatchObject({
      message: 'The query was cancelled: nobody read its rows for 10 s.',
    })
    expect(run.signal.aborted).toBe(true)
  })

  test('a source that computes for long is no stall, until its own time is over', async () => {
    const { stream, run, clock } = await openStream({ stallMs: 1_000 }, { timeoutMs: 60_000 })
    const reading = readAll(stream)
    reading.catch(() => {})
    await clock.advance(59_999)
    expect(await stateOf(reading)).toBe('pending')
    await clock.advance(1)
    await expect(reading).rejects.toMatchObject({ code: 'query_timeout' })
    expect(run.signal.aborted).toBe(true)
    expect(clock.pending).toBe(1) // The source that is open and idle.
  })

  test.for([
    ['the service closes', 'close', 'service_closed'],
    ['its pool is forgotten', 'forget', 'query_cancelled'],
  ] as const)('%s', async ([, how, code]) => {
    const { stream, run, service, driver } = await openStream()
    const reading = readAll(stream)
    reading.catch(() => {})
    await (how === 'close' ? service.close() : service.forget('production'))
    await expect(reading).rejects.toMatchObject({ code })
    expect([run.signal.aborted, driver.closed]).toEqual([true, 1])
    expect(service.statistics()).toMatchObject({ running: 0, streams: 0, openSources: 0 })
  })

  test('its place stays taken until the database has let go', async () => {
    const driver = createFakeDriver()
    const open = driver.open
    const deaf = Promise.withResolvers<void>()
    driver.open = async source => ({ ...(await open(source)), stream: () => deaf.promise })
    const { service } = createTestService({}, driver)
    const controller = new AbortController()
    const opening = service.stream(requestOf(), controller.signal)
    await settle()
    controller.abort()
    await expect(opening).rejects.toMatchObject({ code: 'query_cancelled' })
    expect(service.statistics()).toMatchObject({ running: 1 })
    deaf.resolve()
    await settle()
    expect(service.statistics()).toMatchObject({ running: 0 })
  })
})

/** Feeds a stream for as long as it takes rows. */
async function* endlessly(stream: RowStream, put: (rows: string[][]) => Promise<void> | undefined) {
  const feeding = (async () => {
    for (;;) await put(portion('1'))
  })()
  feeding.catch(() => {})
  yield* stream
}
