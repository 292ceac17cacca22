import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, createApi } from '../support/api.ts'
import { type ProcessFacts, processesBelow, processFacts } from '../support/processes.ts'
import { type RunningPlatform, startPlatform } from '../support/start-platform.ts'
import { createDataClient, type DataClient } from './data-client.ts'
import { createProject } from './project.ts'
import { askSql, sqlRows } from './sql-client.ts'

const model = `cubes:
  - name: words
    sql: SELECT range AS id, 'x' || range AS word FROM range(200000)
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: word, sql: word, type: string }
    measures:
      - { name: count, type: count }
      - { name: longest, sql: "length({CUBE}.word)", type: max }
  - name: clumsy
    sql: SELECT range AS id, repeat('x', 100000000 + range::INTEGER) AS text FROM range(40)
    dimensions: [{ name: id, sql: id, type: number, primary_key: true }]
    measures: [{ name: length, sql: "length({CUBE}.text)", type: sum }]
  - name: endless
    sql: SELECT hash(a.range, b.range) AS value FROM range(1000000) AS a CROSS JOIN range(1000000) AS b
    measures: [{ name: most, sql: "max({CUBE}.value)", type: number }]
`

/** What an engine may take: the limit, the program itself, and what is taken between two looks. */
const mebibyte = 2 ** 20
const allowed = 256 * mebibyte
const most = allowed + (384 + 512) * mebibyte

let platform: RunningPlatform
let api: Api
let data: DataClient
beforeAll(async () => {
  platform = await startPlatform({
    environment: { HEDRON_EMBEDDED_MEMORY_MB: '256', HEDRON_CONTINUE_WAIT_SECONDS: '30' },
  })
  api = createApi(platform.baseUrl, platform.apiKey)
  data = await createDataClient(api, await createProject(api, { 'model/words.yml': model }))
  // What the first statement ever takes is not what is measured here.
  await sqlRows(
    data,
    'SELECT count(*), max(length(t)) FROM (SELECT repeat(word, 10) AS t, row_number() OVER (ORDER BY id) AS n FROM words) AS x',
  )
})
afterAll(() => platform?.dispose())

const engines = async (): Promise<readonly ProcessFacts[]> =>
  (await processesBelow(platform.pid)).filter(({ command }) => command.includes('engine-process'))

const serverBytes = async () => (await processFacts(platform.pid))?.residentBytes ?? 0

/** The engine that computes now, and has for a while. */
async function busyEngine(): Promise<ProcessFacts> {
  const before = new Map((await engines()).map(({ pid, cpuTicks }) => [pid, cpuTicks]))
  for (let look = 0; look < 600; look++) {
    await new Promise(resolve => setTimeout(resolve, 50))
    const found = (await engines()).find(({ pid, cpuTicks }) => cpuTicks - (before.get(pid) ?? 0) > 20)
    if (found) return found
  }
  throw new Error('no engine computes')
}

const tooMuch = /needs more than the (128|256) MB of memory that it may use/

describe('a statement that takes more memory than it may', () => {
  test.for([
    [
      'texts of many rows together',
      "SELECT length(string_agg(t, ',')) FROM (SELECT repeat(word, 1000) AS t, row_number() OVER (ORDER BY id) AS n FROM words) AS x",
    ],
    [
      'a text that is replaced by longer ones',
      "SELECT max(length(replace(t, 'x', repeat('y', 10000)))) FROM (SELECT repeat('x', 10000) AS t, row_number() OVER (ORDER BY id) AS n FROM words) AS x",
    ],
    [
      'a text that is doubled, and doubled again',
      'WITH a AS (SELECT repeat(word, 1000) AS t, row_number() OVER (ORDER BY id) AS n FROM words), b AS (SELECT t || t || t || t || t || t || t || t AS t FROM a), c AS (SELECT t || t || t || t || t || t || t || t AS t FROM b) SELECT max(length(t || t || t || t || t || t || t || t)) FROM c',
    ],
    [
      'what the data source computes',
      "SELECT replace(repeat(word, 1000), 'x', repeat('y', 10000)), MEASURE(count) FROM words GROUP BY 1",
    ],
  ] as const)('is refused, and nobody else feels it: %s', async ([, statement]) => {
    let peak = 0
    const before = await serverBytes()
    let server = before
    const watching = setInterval(async () => {
      for (const { residentBytes } of await engines()) peak = Math.max(peak, residentBytes)
      server = Math.max(server, await serverBytes())
    }, 20)
    let isOver = false
    const others = (async () => {
      let count = 0
      while (!isOver) {
        const { body } = await data.load(
          { measures: ['words.longest'] },
          { cache: count % 2 === 0 ? 'no-cache' : undefined },
        )
        expect(body.data).toEqual([{ 'words.longest': '7' }])
        count += 1
      }
      return count
    })()
    const { error } = await askSql(data, statement)
    isOver = true
    expect(await others).toBeGreaterThan(0)
    clearInterval(watching)
    expect(error).toMatch(tooMuch)
    expect(peak).toBeLessThan(most)
    // The rows that pass through the server leave some garbage; what the statement takes would be gigabytes.
    expect(server - before).toBeLessThan(768 * mebibyte)
    expect(
      await sqlRows(data, 'SELECT count(*) FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM words) AS x'),
    ).toEqual([['200000']])
  })

  test('is refused to who asks for the SQL of a model', async () => {
    const { status, body } = await data.load({ measures: ['clumsy.length'] })
    expect([status, String(body.error)]).toEqual([400, expect.stringMatching(tooMuch)])
    expect(await data.rows({ measures: ['words.count'] })).toEqual([{ 'words.count': '200000' }])
  })
})

test('who kills the process of a statement ends that statement alone', async () => {
  const lost = data.load({ measures: ['endless.most'] })
  const { pid } = await busyEngine()
  process.kill(pid, 'SIGKILL')
  const { status, body } = await lost
  expect([status, String(body.error)]).toEqual([400, expect.stringContaining('ended unexpectedly (SIGKILL)')])
  expect(await data.rows({ measures: ['words.count'] })).toEqual([{ 'words.count': '200000' }])
})

test('nothing is left of a server that is stopped, or killed while it computes', async () => {
  // An answer from the cache needs no process.
  expect((await data.load({ measures: ['words.longest'] }, { cache: 'no-cache' })).status).toBe(200)
  const idle = await engines()
  expect(idle.length).toBeGreaterThan(0)
  void data.load({ measures: ['endless.most'] }).catch(() => {})
  const busy = await busyEngine()
  const all = await engines()
  await platform.kill()
  await expect
    .poll(async () => (await Promise.all(all.map(({ pid }) => processFacts(pid)))).filter(Boolean), { timeout: 10_000 })
    .toEqual([])
  expect(all.map(({ pid }) => pid)).toContain(busy.pid)

  const { dataDirectory, database } = platform
  const again = await startPlatform({ dataDirectory, database, environment: { HEDRON_EMBEDDED_MEMORY_MB: '256' } })
  const client = await createDataClient(createApi(again.baseUrl, platform.apiKey), deploymentOf(data))
  expect(await client.rows({ measures: ['words.count'] })).toEqual([{ 'words.count': '200000' }])
  const started = await processesBelow(again.pid)
  expect(await again.stop()).toBe(0)
  expect((await Promise.all(started.map(({ pid }) => processFacts(pid)))).filter(Boolean)).toEqual([])
})

const deploymentOf = ({ url }: DataClient) => Number(/\/data\/(\d+)\//.exec(url())?.[1])
