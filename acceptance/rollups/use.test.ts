import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createDataClient, type DataClient } from '../data-api/data-client.ts'
import { createProject, enterDevMode, putFiles } from '../data-api/project.ts'
import { signHmac } from '../data-api/tokens.ts'
import { type Answer, type Api, createApi, createKey, eventually, type Json } from '../support/api.ts'
import { type RunningPlatform, startPlatform } from '../support/start-platform.ts'
import { orders, shopWith, writeOrders } from './shop.ts'

const ofDays = `
      - name: by_day
        measures: [count, revenue, largest]
        dimensions: [status, city]
        time_dimension: at
        granularity: day
        partition_granularity: month
        refresh_key: { sql: "SELECT count(*), sum(amount) FROM read_csv('orders.csv')", every: 1 second }
        indexes: [{ name: of_city, columns: [city] }]
`
const unscheduled = `${ofDays}        scheduled_refresh: false\n`
const secret = 'a-secret-of-the-tests-that-is-long-enough'
const unlimited = { HEDRON_DATA_RATE_LIMIT: '0' }

let platform: RunningPlatform
let api: Api
beforeAll(async () => {
  platform = await startPlatform({ environment: unlimited })
  api = createApi(platform.baseUrl, platform.apiKey)
})
afterAll(() => platform.dispose())

const made: number[] = []
afterEach(async () => {
  // What refreshes itself every second would do so beside all that follow.
  for (const id of made.splice(0)) await api.delete(`/api/v1/deployments/${id}`)
})

async function shop(preAggregations = ofDays, variables: Readonly<Record<string, string>> = {}, rows = orders) {
  const id = await createProject(api, shopWith(preAggregations), variables)
  made.push(id)
  await writeOrders(platform.dataDirectory, id, rows)
  return { id, data: await createDataClient(api, id) }
}

const isKept = ({ body }: Answer) => String(body.external) === 'true'
const untilKept = (data: DataClient, query: unknown, more: object = {}) =>
  eventually(() => data.load(query, { ...more }), isKept, 90_000)
const filesOf = async (id: number) =>
  (await readdir(join(platform.dataDirectory, 'rollups', String(id))).catch(() => [])).filter(name =>
    name.endsWith('.parquet'),
  )

const counted = { measures: ['orders.count', 'orders.revenue', 'orders.largest', 'orders.share'] }
const queries = [
  counted,
  { measures: ['orders.count'], dimensions: ['orders.status'], order: { 'orders.status': 'asc' } },
  {
    measures: ['orders.revenue'],
    dimensions: ['orders.city'],
    timeDimensions: [{ dimension: 'orders.at', granularity: 'month', dateRange: ['2024-02-01', '2024-09-30'] }],
    total: true,
  },
  {
    // Of days before its range too, which are in other partitions.
    measures: ['orders.lately', 'orders.revenue'],
    timeDimensions: [{ dimension: 'orders.at', granularity: 'day', dateRange: ['2024-05-01', '2024-06-30'] }],
  },
  {
    measures: ['orders.count'],
    timeDimensions: [{ dimension: 'orders.at', granularity: 'quarter' }],
    filters: [{ member: 'orders.city', operator: 'contains', values: ['r'] }],
    limit: 3,
    offset: 1,
  },
]

describe('a rollup', () => {
  test('answers the first query from the source, and the same rows from its tables once they are built', async () => {
    const { data } = await shop()
    for (const query of queries) {
      const source = await data.load(query, { cache: 'no-cache' })
      const kept = await untilKept(data, query)
      expect(kept.body.data).toEqual(source.body.data)
      expect(kept.body).toMatchObject({ extDbType: 'duckdb', dbType: 'duckdb', total: source.body.total })
      expect(kept.body.usedPreAggregations).toBeUndefined()
    }
  })

  test('is built again when its source has changed, while the old one answers', async () => {
    const { id, data } = await shop()
    await untilKept(data, counted)
    await writeOrders(platform.dataDirectory, id, orders.slice(0, 100))
    const count = async () => (await data.rows(counted))[0]?.['orders.count']
    expect(await eventually(count, value => value === '100')).toBe('100')
    expect(isKept(await untilKept(data, counted))).toBe(true)
  })

  test('is built by schedule before anybody asks', async () => {
    const { id } = await shop()
    await eventually(
      () => filesOf(id),
      files => files.length === 12,
      90_000,
    )
  })

  test('is explained: used and how old, or why not', async () => {
    const { data } = await shop(unscheduled)
    const stateOf = async (query: unknown) => {
      const { body } = await data.post('explain', { query })
      const [explanation] = JSON.parse(JSON.stringify(body.explanations))
      return explanation
    }
    expect((await stateOf(counted)).rollupState).toEqual({ used: false, reason: 'it is not built yet' })
    await untilKept(data, counted)
    const used = await stateOf(counted)
    expect(used.rollupState).toMatchObject({ used: true, ageSeconds: expect.any(Number) })
    expect(used.text.join(' ')).toMatch(/seconds old/)
    const elsewhere = await stateOf({ ...counted, timezone: 'Asia/Kathmandu' })
    expect(elsewhere.rollupState.reason).toMatch(/built for UTC, and the query is in Asia\/Kathmandu/)
    const cities = await stateOf({ measures: ['orders.cities'] })
    expect(cities.refusedRollups[0].reason).toBe("it does not have the measure 'orders.cities'")
  })

  test('of another time zone is built when the deployment names the zone', async () => {
    const zones = { CUBEJS_SCHEDULED_REFRESH_TIMEZONES: 'UTC, America/New_York' }
    const { data } = await shop(unscheduled, zones)
    const query = {
      measures: ['orders.count'],
      timeDimensions: [{ dimension: 'orders.at', granularity: 'day' }],
      timezone: 'America/New_York',
    }
    const source = await data.load(query, { cache: 'no-cache' })
    expect((await untilKept(data, query)).body.data).toEqual(source.body.data)
    expect(isKept(await data.load({ ...query, timezone: 'Asia/Kathmandu' }))).toBe(false)
  })

  test('whose range is the author’s answers what lies within, and the source all else', async () => {
    const ranged = `${unscheduled}        build_range_start: { sql: "SELECT TIMESTAMP '2024-03-05'" }
        build_range_end: { sql: "SELECT TIMESTAMP '2024-05-20'" }\n`
    const { id, data } = await shop(ranged)
    const during = (dateRange: readonly string[]) => ({
      measures: ['orders.count'],
      timeDimensions: [{ dimension: 'orders.at', dateRange }],
    })
    const inside = during(['2024-03-01', '2024-05-31'])
    const source = await data.load(inside, { cache: 'no-cache' })
    expect((await untilKept(data, inside)).body.data).toEqual(source.body.data)
    expect(await filesOf(id)).toHaveLength(3)
    for (const query of [
      during(['2024-02-29', '2024-05-31']),
      during(['2024-03-01', '2024-06-01']),
      { measures: ['orders.count'] },
    ]) {
      expect(isKept(await data.load(query))).toBe(false)
    }
  })

  test('that can’t be built is no failure of a query, and says why', async () => {
    const broken = unscheduled.replace('SELECT count(*)', 'SELECT nothing_there')
    const { data } = await shop(broken)
    expect((await data.rows(counted))[0]?.['orders.count']).toBe('240')
    const reason = async () => {
      const { body } = await data.post('explain', { query: counted })
      return JSON.stringify(body.explanations)
    }
    await eventually(reason, text => text.includes('could not be built') && text.includes('nothing_there'))
    expect((await data.rows(counted))[0]?.['orders.count']).toBe('240')
  })
})

describe('CUBEJS_ROLLUP_ONLY', () => {
  test('waits for what is being built and refuses what no rollup has', async () => {
    const { data } = await shop(unscheduled, { CUBEJS_ROLLUP_ONLY: 'true' })
    expect(isKept(await data.load(counted))).toBe(true)
    const refused = await data.load({ measures: ['orders.cities'] })
    expect([refused.status, String(refused.body.error)]).toEqual([
      400,
      expect.stringMatching(/^Your configuration restricts query requests to only be served from pre-aggregations/),
    ])
  })
})

describe('branches and deployments', () => {
  test('a branch whose rollup is defined the same uses the tables that are there; of another definition, its own', async () => {
    const { id, data } = await shop(unscheduled)
    await untilKept(data, counted)
    const before = await filesOf(id)
    const author = api.with(await createKey(api))
    const branch = await enterDevMode(author, id)
    const first = await data.load(counted, {}, { branch })
    expect(isKept(first)).toBe(true)
    expect(JSON.stringify(first.body.usedPreAggregations)).toContain('orders.by_day')
    expect(await filesOf(id)).toEqual(before)
    await putFiles(author, id, branch, shopWith(unscheduled.replace('[status, city]', '[status]')))
    const own = await eventually(() => data.load(counted, {}, { branch }), isKept, 90_000)
    expect(own.body.data).toEqual(first.body.data)
    expect((await filesOf(id)).length).toBeGreaterThan(before.length)
  })

  test('two deployments of one model have rows of their own, and one that is deleted takes its files along', async () => {
    const large = await shop(unscheduled)
    const small = await shop(unscheduled, {}, orders.slice(0, 10))
    await untilKept(large.data, counted)
    expect((await untilKept(small.data, counted)).body.data).toMatchObject([{ 'orders.count': '10' }])
    expect((await large.data.rows(counted))[0]).toMatchObject({ 'orders.count': '240' })
    expect((await api.delete(`/api/v1/deployments/${small.id}`)).status).toBeLessThan(300)
    expect(await filesOf(small.id)).toEqual([])
    expect(isKept(await large.data.load(counted))).toBe(true)
  })
})

describe('POST /v1/pre-aggregations/jobs', () => {
  const withJobs = { CUBEJS_API_SECRET: secret, CUBEJS_DEFAULT_API_SCOPES: 'meta,data,jobs' }
  const selector = { contexts: [{ securityContext: {} }], timezones: ['UTC'] }

  async function jobs(data: DataClient, body: unknown, claims: object = { scope: ['jobs'] }): Promise<Answer> {
    const response = await fetch(`${data.url()}/pre-aggregations/jobs`, {
      method: 'POST',
      headers: { authorization: signHmac({ ...claims }, secret), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: JSON.parse(await response.text()), headers: response.headers }
  }

  test('builds what a selector names, and tells how far it is', async () => {
    const { id, data } = await shop(unscheduled, withJobs)
    const dateRange = ['2024-02-01', '2024-03-31']
    const posted = await jobs(data, {
      action: 'post',
      selector: { ...selector, preAggregations: ['orders.by_day'], dateRange },
    })
    const tokens: string[] = JSON.parse(JSON.stringify(posted.body))
    expect(tokens).toHaveLength(2)
    const moments = ['2024-02-01T00:00:00', '2024-03-31T23:59:59Z']
    const again = await jobs(data, {
      action: 'post',
      selector: { ...selector, preAggregations: ['orders.by_day'], dateRange: moments },
    })
    expect(again.body, 'moments may be written in any way').toHaveLength(2)
    const done = await eventually(
      async () => (await jobs(data, { action: 'get', tokens })).body as unknown as readonly Json[],
      answers => answers.every(({ status }) => String(status) === 'done'),
    )
    expect(done[0]).toMatchObject({
      token: tokens[0],
      table: expect.stringMatching(/^orders_by_day/),
      selector: { preAggregations: ['orders.by_day'], timezones: ['UTC'] },
    })
    expect((await filesOf(id)).length).toBeGreaterThanOrEqual(2)
    const asObject = await jobs(data, { action: 'get', tokens: [...tokens, 'nobody-has-this'], resType: 'object' })
    expect(asObject.body['nobody-has-this']).toMatchObject({ status: 'not_found' })
  })

  test('is refused without its scope, and with the published texts', async () => {
    const { data } = await shop(unscheduled, withJobs)
    expect(await jobs(data, { action: 'post', selector }, { scope: ['data', 'meta'] })).toMatchObject({
      status: 403,
      body: { error: 'API scope is missing: jobs' },
    })
    const errors: readonly [unknown, string][] = [
      [{}, 'No job description provided'],
      [{ action: 'dance' }, 'Invalid Job query format: '],
      [
        { action: 'post', selector: { ...selector, cubes: ['nobody'] } },
        "A user's selector doesn't match any of the pre-aggregations defined in the data model.",
      ],
      [
        { action: 'post', selector: { ...selector, timezones: ['Asia/Kathmandu'] } },
        'Invalid Job query format: rollups are built for UTC',
      ],
      [{ action: 'get', tokens: [] }, 'Invalid Job query format: '],
      [{ action: 'get', tokens: ['a'], selector }, 'Invalid Job query format: Unrecognized key: "selector"'],
      [
        { action: 'post', selector: { ...selector, dateRange: ['2024-02-30', '2024-03-31'] } },
        `Invalid Job query format: "selector.dateRange" '2024-02-30' is no date`,
      ],
      [
        { action: 'post', selector: { ...selector, dateRange: ['2024-03-31', '2024-02-01'] } },
        `Invalid Job query format: "selector.dateRange" ends on '2024-02-01', before it begins on '2024-03-31'`,
      ],
    ]
    for (const [body, text] of errors) {
      const answer = await jobs(data, body)
      expect([answer.status, String(answer.body.error).slice(0, text.length)]).toEqual([400, text])
    }
  })
})
