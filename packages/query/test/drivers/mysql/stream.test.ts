import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readDataSources } from '../../../src/data-sources.ts'
import { createQueryService } from '../../../src/query-service.ts'
import { streamMillion } from '../../support/large-stream.ts'
import { hasMariaDb, startMariaDb, type TestMariaDb } from '../../support/mariadb.ts'
import { requestOf } from '../../support/service.ts'

describe.skipIf(!hasMariaDb)('streams of MariaDB', () => {
  let database: TestMariaDb
  beforeAll(async () => {
    database = await startMariaDb()
  })
  afterAll(() => database?.close())

  const sourceOf = () => readDataSources(database.variables, { dataDirectory: '/nowhere' }).get('default')
  const endless = 'SELECT seq FROM seq_1_to_1000000000000'
  const busy = async () => {
    const rows = await database.administer(
      "SELECT id FROM information_schema.processlist WHERE info LIKE '%seq_1_to_1000000000000%' AND id <> connection_id()",
    )
    return rows.length
  }

  test('a million rows are streamed in a memory that stays flat', async () => {
    const sql = "SELECT seq, concat('a text that is a little longer ', seq) FROM seq_1_to_1000000"
    expect(await streamMillion(sourceOf(), sql)).toBeLessThan(30 * 2 ** 20)
  })

  test('after the server was killed and started again, open pools go on, and only what ran then failed', async () => {
    const service = createQueryService({ now: Date.now })
    onTestFinished(() => service.close())
    const ask = (sql: string) => service.run(requestOf({ source: sourceOf(), sql, cache: 'no-cache' }))
    await Promise.all([ask('SELECT SLEEP(0.1)'), ask('SELECT SLEEP(0.2)'), ask('SELECT SLEEP(0.3)')])
    const stream = await service.stream(requestOf({ source: sourceOf(), sql: endless, maximumRows: 1e12 }))
    const reading = (async () => {
      for await (const _ of stream);
    })()
    const failed = expect(reading).rejects.toMatchObject({ code: 'source_unavailable' })
    await database.restart()
    await failed
    for (let time = 0; time < 5; time++) expect((await ask(`SELECT ${time}`)).rows).toEqual([[String(time)]])
    expect(service.statistics()).toMatchObject({ running: 0, streams: 0 })
  })

  test('a reader who leaves, aborts, or reads no further stops the query in the database', async () => {
    const service = createQueryService({ now: Date.now, limits: { stallMs: 200 } })
    onTestFinished(() => service.close())
    const request = requestOf({ source: sourceOf(), sql: endless, maximumRows: 1e12 })
    for await (const rows of await service.stream(request)) {
      expect(rows[0]).toEqual(['1'])
      break
    }
    const controller = new AbortController()
    await service.stream(request, controller.signal)
    controller.abort()
    await service.stream(request)
    await expect.poll(busy, { timeout: 10_000 }).toBe(0)
    await expect.poll(() => service.statistics().running, { timeout: 10_000 }).toBe(0)
  })
})
