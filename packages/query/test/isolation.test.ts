import { expect, test } from 'vitest'
import { createFakeDriver } from './support/fake-driver.ts'
import { settle } from './support/manual-clock.ts'
import { createTestService, fakeSource, requestOf, stateOf } from './support/service.ts'

test('the same query in two pools never shares a run, a result or a connection', async () => {
  const { service, driver } = createTestService()
  const one = service.run(requestOf({ pool: 'one' }))
  const two = service.run(requestOf({ pool: 'two' }))
  await settle()
  expect(driver.runs).toHaveLength(2)
  expect(driver.opened).toHaveLength(2)
  driver.runs[0]?.answer('of one')
  driver.runs[1]?.answer('of two')
  expect([(await one).rows, (await two).rows]).toEqual([[['of one']], [['of two']]])
  expect((await service.run(requestOf({ pool: 'one' }))).rows).toEqual([['of one']])
  expect((await service.run(requestOf({ pool: 'two' }))).rows).toEqual([['of two']])
})

test('pool names that look like each other stay apart', async () => {
  const { service, driver } = createTestService()
  driver.immediately = () => ['x']
  const source = { ...fakeSource, fingerprint: 'b","c' }
  await service.run(requestOf({ pool: 'a', source }))
  await service.run(requestOf({ pool: 'a","b', source: { ...fakeSource, fingerprint: 'c' } }))
  expect(driver.runs).toHaveLength(2)
})

test('a held result is given to nobody in another pool', async () => {
  const { service, driver, clock } = createTestService()
  const request = requestOf({ cache: 'no-cache' })
  const first = expect(service.run(request)).rejects.toThrow('Continue wait')
  await clock.advance(5_000)
  await first
  driver.runs[0]?.answer('secret')
  await settle()
  expect(await stateOf(service.run({ ...request, pool: 'other' }))).toBe('pending')
})

test('changed variables give a new connection and forget what the old one gave', async () => {
  const { service, driver } = createTestService()
  driver.immediately = () => [String(driver.opened.length)]
  await service.run(requestOf())
  const changed = await service.run(requestOf({ source: { ...fakeSource, fingerprint: 'fake-2' } }))
  expect(changed).toMatchObject({ rows: [['2']], cached: false })
})

test('forget stops the queries of a pool, drops its results, closes its connections, and touches no other', async () => {
  const { service, driver } = createTestService()
  driver.immediately = () => ['stored']
  await service.run(requestOf({ pool: 'deleted' }))
  await service.run(requestOf({ pool: 'kept' }))
  driver.immediately = undefined
  const stopped = expect(service.run(requestOf({ pool: 'deleted', sql: 'SELECT 2' }))).rejects.toMatchObject({
    code: 'query_cancelled',
    message: 'The query was cancelled: its deployment changed or was deleted.',
  })
  const goesOn = service.run(requestOf({ pool: 'kept', sql: 'SELECT 2' }))
  await settle()
  await service.forget('deleted')
  await stopped
  expect(driver.closed).toBe(1)
  expect(await stateOf(service.run(requestOf({ pool: 'deleted' })))).toBe('pending')
  expect(await service.run(requestOf({ pool: 'kept' }))).toMatchObject({ rows: [['stored']], cached: true })
  driver.runs[3]?.answer('went on')
  expect(await goesOn).toMatchObject({ rows: [['went on']] })
})

test('what a forgotten query gives afterwards is not stored', async () => {
  const { service, driver } = createTestService()
  const open = driver.open
  const deaf = Promise.withResolvers<void>()
  driver.open = async source => ({ ...(await open(source)), stream: () => deaf.promise })
  const stopped = expect(service.run(requestOf())).rejects.toMatchObject({ code: 'query_cancelled' })
  await settle()
  const forgotten = service.forget('production')
  await stopped
  expect(driver.closed).toBe(0)
  deaf.resolve()
  await forgotten
  expect(driver.closed).toBe(1)
  expect(service.statistics()).toMatchObject({ cachedResults: 0, flights: 0, running: 0, openSources: 0 })
})

test('a result that arrives in the moment of forgetting is not stored', async () => {
  for (let moment = 0; moment < 20; moment++) {
    const { service, driver } = createTestService()
    const running = service.run(requestOf()).catch(() => {})
    await settle()
    driver.runs[0]?.answer('too late')
    for (let turn = 0; turn < moment; turn++) await Promise.resolve()
    await service.forget('production')
    await running
    await settle()
    expect(service.statistics().cachedResults, `${moment} turns`).toBe(0)
  }
})

test('forget does not wait for ever for a database that does not let go', async () => {
  const { service, driver, clock } = createTestService()
  const open = driver.open
  driver.open = async source => ({ ...(await open(source)), stream: () => new Promise(() => {}) })
  const stopped = expect(service.run(requestOf())).rejects.toMatchObject({ code: 'query_cancelled' })
  await settle()
  const forgotten = service.forget('production')
  await stopped
  expect(await stateOf(forgotten)).toBe('pending')
  await clock.advance(10_000)
  expect(await stateOf(forgotten)).toBeUndefined()
})

test('close stops everything, releases everything and refuses what comes after', async () => {
  const { service, driver, clock } = createTestService()
  driver.immediately = () => ['stored']
  await service.run(requestOf({ pool: 'one' }))
  await service.run(requestOf({ pool: 'two' }))
  driver.immediately = undefined
  const stopped = expect(service.run(requestOf({ sql: 'SELECT 2' }))).rejects.toMatchObject({ code: 'service_closed' })
  await settle()
  await service.close()
  await stopped
  expect(driver.closed).toBe(3)
  expect(service.statistics()).toMatchObject({ flights: 0, held: 0, running: 0, openSources: 0, cachedResults: 0 })
  expect(clock.pending).toBe(0)
  await expect(service.run(requestOf())).rejects.toMatchObject({ code: 'service_closed' })
  await expect(service.testConnection('one', fakeSource)).rejects.toMatchObject({ code: 'service_closed' })
})

test('embedded databases share places, and one pool leaves some to the others', async () => {
  const { service, driver } = createTestService({ embeddedRunning: 2 }, createFakeDriver({ embedded: true }))
  const asked = ['one', 'one', 'two', 'three'].map((pool, index) =>
    service.run(requestOf({ pool, sql: `SELECT ${index}` })),
  )
  await settle()
  expect(driver.runs.map(({ statement }) => statement.sql)).toEqual(['SELECT 0', 'SELECT 2'])
  driver.immediately = () => ['x']
  driver.runs[0]?.answer('x')
  await settle()
  driver.runs[1]?.answer('x')
  expect(await Promise.all(asked)).toHaveLength(4)
})

test('a full queue of one pool does not refuse another', async () => {
  const { service, driver } = createTestService({ queued: 1 })
  const source = { ...fakeSource, concurrency: 1 }
  const ask = (pool: string, sql: string) => service.run(requestOf({ pool, sql, source }))
  const accepted = [ask('one', 'a'), ask('one', 'b')]
  await expect(ask('one', 'c')).rejects.toMatchObject({ code: 'queue_full' })
  accepted.push(ask('two', 'c'))
  await settle()
  driver.immediately = () => ['x']
  for (const run of driver.runs) run.answer('x')
  expect(await Promise.all(accepted)).toHaveLength(3)
})

test('a data source is opened once, however many ask at once, and closed when it was not used for a while', async () => {
  const { service, driver, clock } = createTestService()
  driver.immediately = () => ['x']
  await Promise.all(['a', 'b', 'c'].map(sql => service.run(requestOf({ sql }))))
  expect(driver.opened).toHaveLength(1)
  await clock.advance(299_999)
  expect(driver.closed).toBe(0)
  await service.run(requestOf({ sql: 'd' }))
  await clock.advance(299_999)
  expect(driver.closed).toBe(0)
  await clock.advance(1)
  expect(driver.closed).toBe(1)
  await service.run(requestOf({ sql: 'e' }))
  expect(driver.opened).toHaveLength(2)
})

test('a data source that could not be opened is tried again', async () => {
  const { service, driver } = createTestService()
  driver.immediately = () => ['x']
  driver.openFails = new Error('refused')
  await expect(service.run(requestOf())).rejects.toThrow('refused')
  expect(service.statistics().openSources).toBe(0)
  driver.openFails = undefined
  expect(await service.run(requestOf())).toMatchObject({ rows: [['x']] })
})

test('a type without a driver is refused with its name and the types there are', async () => {
  const { service } = createTestService()
  const source = { ...fakeSource, name: 'sales', type: 'snowflake' }
  const refused = {
    code: 'source_unsupported',
    message:
      'Data source "sales" is of type "snowflake", which this server cannot query yet. Supported: fake. ' +
      'Set CUBEJS_DB_TYPE to one of these.',
  }
  await expect(service.run(requestOf({ source }))).rejects.toMatchObject(refused)
  await expect(service.testConnection('production', source)).rejects.toMatchObject(refused)
})

test('testConnection passes the queue, and tells when the source does not answer', async () => {
  const { service, driver, clock } = createTestService()
  const source = { ...fakeSource, concurrency: 1 }
  const running = expect(service.run(requestOf({ source }))).rejects.toThrow('Continue wait')
  await settle()
  await service.testConnection('production', source)
  await clock.advance(5_000)
  await running
  driver.openFails = new Error('connection refused')
  await expect(service.testConnection('other', source)).rejects.toThrow('connection refused')
  driver.open = () => new Promise(() => {})
  const late = expect(service.testConnection('third', source)).rejects.toMatchObject({
    code: 'source_unavailable',
    message: 'Data source "default" does not answer: no answer within 5 s.',
  })
  await clock.advance(5_000)
  await late
})
