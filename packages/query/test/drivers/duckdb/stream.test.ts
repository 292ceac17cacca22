import { expect, onTestFinished, test } from 'vitest'
import { readDataSources } from '../../../src/data-sources.ts'
import { createQueryService } from '../../../src/query-service.ts'
import { createDataFolder } from '../../support/data-folder.ts'
import { streamMillion } from '../../support/large-stream.ts'
import { requestOf } from '../../support/service.ts'

const sourceOf = (data: string) => readDataSources({}, { dataDirectory: data }).get('default')
const endless = 'FROM range(1000000000000) r(a)'

function createService() {
  const service = createQueryService({ now: Date.now, limits: { stallMs: 200 } })
  onTestFinished(() => service.close())
  return service
}

test('a million rows are streamed in a memory that stays flat', async () => {
  const { data } = createDataFolder()
  const sql = "SELECT a, 'a text that is a little longer ' || a FROM range(1, 1000001) r(a)"
  expect(await streamMillion(sourceOf(data), sql)).toBeLessThan(30 * 2 ** 20)
})

test('an error in the middle comes after the rows before it', async () => {
  const { data } = createDataFolder()
  const sql = "SELECT CASE WHEN a = 500000 THEN CAST('x' || a AS INTEGER) ELSE a END FROM range(1000000) r(a)"
  const stream = await createService().stream(requestOf({ source: sourceOf(data), sql, maximumRows: 1e6 }))
  let count = 0
  const reading = (async () => {
    for await (const rows of stream) count += rows.length
  })()
  await expect(reading).rejects.toMatchObject({
    code: 'query_failed',
    message: expect.stringContaining("Could not convert string 'x500000' to INT32"),
  })
  expect(count).toBeGreaterThan(0)
})

test('a reader who leaves, and one who reads no further, give the place back', async () => {
  const { data } = createDataFolder()
  const service = createService()
  const request = requestOf({ source: sourceOf(data), sql: endless, maximumRows: 1e12 })
  for await (const rows of await service.stream(request)) {
    expect(rows[0]).toEqual(['0'])
    break
  }
  await service.stream(request)
  await expect.poll(() => service.statistics().running).toBe(0)
})
