import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createDataClient, type DataClient } from '../data-api/data-client.ts'
import { createProject } from '../data-api/project.ts'
import { askSql } from '../data-api/sql-client.ts'
import { signHmac } from '../data-api/tokens.ts'
import { createApi } from '../support/api.ts'
import { processesBelow } from '../support/processes.ts'
import { type SqlPlatform, startSqlPlatform } from './sql-platform.ts'

const count = 20_000
const files = {
  'model/numbers.yml': `cubes:
  - name: numbers
    sql: SELECT range AS id, range % 7 AS rest FROM range(${count})
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: rest, sql: rest, type: number }
    measures: [{ name: count, type: count }]
  - name: names
    data_source: other
    sql: SELECT * FROM (VALUES (0, 'none'), (1, 'one'), (2, 'two')) AS v(id, name)
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: name, sql: name, type: string }
    measures: [{ name: count, type: count }]
`,
}
const secret = 'a-secret-of-the-tests-that-is-long-enough'
const variables = {
  CUBEJS_API_SECRET: secret,
  CUBEJS_DATASOURCES: 'default,other',
  CUBEJS_DB_TYPE: 'duckdb',
  CUBEJS_DS_DEFAULT_DB_TYPE: 'duckdb',
  CUBEJS_DS_OTHER_DB_TYPE: 'duckdb',
}

const soon = Math.floor(Date.now() / 1000) + 600
const ada = signHmac({ user: 'ada', exp: soon }, secret)
const bob = signHmac({ user: 'bob', exp: soon }, secret)
const eve = signHmac({ user: 'eve', exp: soon }, secret)

/**
 * 8 * 10^12 rows, of which each counts: hours of work in a memory that stays at some 120 MB. Of more tables, or with conditions between
 * them, DuckDB keeps products of some, and soon needs more memory than a statement may take: that is how such a statement ends by itself.
 */
const rows = ['a', 'b', 'c'].map(name => `(SELECT id FROM numbers) ${name}`).join(' CROSS JOIN ')
const inSource = `SELECT sum((a.id * b.id + c.id) % 7) FROM ${rows}`
const endless = [
  ['pushdown', 'that a data source computes', inSource],
  ['post_processing', 'over two data sources', `${inSource} CROSS JOIN names n`],
] as const

const computed = `SELECT n.name, q.many FROM names n JOIN (SELECT rest, MEASURE(count) AS many FROM numbers GROUP BY 1) q ON q.rest = n.id ORDER BY n.id`

let sql: SqlPlatform
let data: DataClient
let other: DataClient
let limited: DataClient
beforeAll(async () => {
  sql = await startSqlPlatform(files, variables, { HEDRON_CONTINUE_WAIT_SECONDS: '60' })
  const api = createApi(sql.platform.baseUrl, sql.platform.apiKey)
  data = await createDataClient(api, sql.deploymentId)
  other = await createDataClient(api, await createProject(api, files, variables))
  limited = await createDataClient(
    api,
    await createProject(api, files, {
      ...variables,
      CUBEJS_DB_QUERY_TIMEOUT: '2s',
      CUBEJS_DS_OTHER_DB_QUERY_TIMEOUT: '2s',
    }),
  )
})
afterAll(() => sql?.platform.dispose())

async function ticks(): Promise<number> {
  const all = await processesBelow(sql.platform.pid)
  return all
    .filter(({ command }) => command.includes('engine-process'))
    .reduce((sum, { cpuTicks }) => sum + cpuTicks, 0)
}

/** Hundredths of a second that engines computed within half a second. */
async function computing(): Promise<number> {
  const before = await ticks()
  await new Promise(resolve => setTimeout(resolve, 500))
  return (await ticks()) - before
}

/** What the server says of its queries: how many run, and how many wait. */
async function places(): Promise<readonly [number, number]> {
  const text = await (await fetch(`${sql.platform.baseUrl}/metrics`)).text()
  const read = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1])
  return [read('hedron_queries_running'), read('hedron_queries_waiting')]
}

/** Asks a statement that has no end, and waits until it computes. Gives what it ended with. */
async function begin(
  client: DataClient,
  query: string,
  requestId: string,
  signal: AbortSignal | null = null,
  authorization = ada,
) {
  const over = fetch(`${client.url()}/cubesql`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', 'x-request-id': `${requestId}-span-1` },
    body: JSON.stringify({ query }),
    signal,
  })
    .then(async response => `${response.status} ${await response.text()}`)
    .catch((error: unknown) => String(error))
  return { over, isComputing: () => expect.poll(computing, { timeout: 60_000 }).toBeGreaterThan(5) }
}

const cancel = async (requestId: string, authorization = ada) => {
  const response = await fetch(`${data.url()}/running-query/${requestId}`, {
    method: 'DELETE',
    headers: { authorization },
  })
  return Object(await response.json()).result
}

/** Every way to ask gives the right answer: computed anew, from a data source, over two, from the model alone. */
async function expectAnswers(client: DataClient, authorization: string): Promise<void> {
  const { body } = await client.load({ measures: ['numbers.count'] }, { cache: 'no-cache' }, { authorization })
  expect(body.data).toEqual([{ 'numbers.count': String(count) }])
  const seen = await askSql(client, 'SELECT sum(id) FROM numbers WHERE id < 100', { cache: 'no-cache' }, authorization)
  expect([seen.error, seen.rows.flat().map(Number)]).toEqual([null, [4_950]])
  const joined = await askSql(client, computed, {}, authorization)
  expect([joined.error, joined.rows]).toEqual([null, [['none', '2858'], ['one', '2857'], ['two', '2857']]]) // biome-ignore format: one row each
  const { status, body: meta } = await client.get('meta', {}, { authorization })
  expect([status, Object(meta).cubes.length]).toEqual([200, 2])
}

const isFree = async () => {
  await expect.poll(places, { timeout: 20_000 }).toEqual([0, 0])
  await expect.poll(computing, { timeout: 20_000 }).toBeLessThanOrEqual(5)
}

afterEach(isFree)

describe.each(endless)('a statement without an end (%s, %s)', (kind, _, query) => {
  test('slows no other caller, of its deployment or of another, and ends when it is cancelled', async () => {
    const { body } = await data.post('sql', { format: 'sql', query }, { authorization: ada })
    expect(Object(body.sql).query_type).toBe(kind)
    const { over, isComputing } = await begin(data, query, `of-${kind}`)
    await isComputing()
    await expectAnswers(data, eve)
    await expectAnswers(other, eve)
    const client = await sql.connect()
    expect((await client.query('SELECT MEASURE(count) AS n FROM numbers')).rows).toEqual([{ n: String(count) }])
    await client.end()
    await isComputing()
    expect(await cancel(`of-${kind}`, eve)).toEqual([])
    expect(await cancel(`of-${kind}`)).toHaveLength(1)
    expect(await over).toMatch(/^400 .*The query was cancelled: it was asked to stop/)
  })

  test('slows no other caller where one asks as many as he likes', async () => {
    const gone = new AbortController()
    const all = await Promise.all(
      Array.from({ length: 6 }, (_, number) =>
        begin(data, `${query} WHERE a.id > ${number}`, `many-${number}`, gone.signal),
      ),
    )
    await all[0]?.isComputing()
    await expect.poll(async () => (await places())[1]).toBeGreaterThan(0)
    await expectAnswers(data, eve)
    await expectAnswers(other, eve)
    expect((await places())[1], 'his own wait').toBeGreaterThan(0)
    gone.abort()
    for (const { over } of all) expect(await over).toContain('abort')
  })

  test('of several callers who take all places keeps another one waiting until the first is over, not until all are', async () => {
    const gone = new AbortController()
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, number) => {
        const who = number % 2 === 0 ? ada : bob
        return begin(limited, `${query} WHERE a.id > ${number}`, `full-${number}`, gone.signal, who)
      }),
    )
    await expect.poll(async () => (await places())[1]).toBeGreaterThan(6)
    const seen = await askSql(limited, 'SELECT sum(id) FROM numbers WHERE id < 100', { cache: 'no-cache' }, eve)
    expect([seen.error, seen.rows.flat().map(Number)]).toEqual([null, [4_950]])
    expect((await places())[1], 'what was asked before her waits').toBeGreaterThan(0)
    gone.abort()
    for (const { over } of all) expect(await over).toMatch(/abort|stopped after 2 s/)
  })

  test('of four callers slows no fifth one, though they have all places and more statements waiting', async () => {
    const gone = new AbortController()
    const callers = Array.from({ length: 4 }, (_, number) => signHmac({ user: `caller ${number}`, exp: soon }, secret))
    const all = await Promise.all(
      [...callers, ...callers].map((who, number) =>
        begin(data, `${query} WHERE a.id > ${number}`, `four-${number}`, gone.signal, who),
      ),
    )
    const ended: string[] = []
    for (const { over } of all) over.then(answer => ended.push(answer))
    try {
      // Three at once; beside them, once they take long, one for each caller of whom nothing runs.
      await expect.poll(async () => (await places())[0], { timeout: 30_000 }).toBeGreaterThan(3)
      await expectAnswers(data, eve)
      await expectAnswers(other, eve)
      const client = await sql.connect()
      expect((await client.query('SELECT MEASURE(count) AS n FROM numbers')).rows).toEqual([{ n: String(count) }])
      await client.end()
      expect(ended, 'nothing of theirs has ended').toEqual([])
      expect((await places())[1]).toBeGreaterThan(0)
    } finally {
      gone.abort()
    }
    for (const { over } of all) expect(await over).toContain('abort')
  })

  test('ends when who asked goes away', async () => {
    const gone = new AbortController()
    const { over, isComputing } = await begin(data, query, 'gone', gone.signal)
    await isComputing()
    gone.abort()
    expect(await over).toContain('abort')
  })

  test('ends when its time is over', async () => {
    const { over } = await begin(limited, query, 'late')
    expect(await over).toMatch(/^400 .*The query was stopped after 2 s.*CUBEJS_DB_QUERY_TIMEOUT/)
  })

  test('ends when another connection of PostgreSQL cancels it, or its own closes', async () => {
    const codeOf = (running: Promise<unknown>) =>
      running.then(
        () => 'no error',
        error => String(error.code ?? error.message),
      )
    const client = await sql.connect()
    const cancelled = codeOf(client.query(query))
    await expect.poll(computing, { timeout: 60_000 }).toBeGreaterThan(5)
    const canceller = new Client(sql.config())
    const running = Reflect.get(client, 'activeQuery') ?? Reflect.get(client, '_activeQuery')
    Reflect.get(canceller, 'cancel').call(canceller, client, running)
    expect(await cancelled).toBe('57014')
    await isFree()
    const closed = codeOf(client.query(query))
    await expect.poll(computing, { timeout: 60_000 }).toBeGreaterThan(5)
    Object(Reflect.get(client, 'connection')).stream.destroy()
    expect(await closed).not.toBe('no error')
  })
})
