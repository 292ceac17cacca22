import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDataClient, type DataClient, rowsOf } from '../data-api/data-client.ts'
import { createProject } from '../data-api/project.ts'
import { askSql } from '../data-api/sql-client.ts'
import { signHmac } from '../data-api/tokens.ts'
import { type Api, createApi, eventually } from '../support/api.ts'
import { type RunningPlatform, startPlatform } from '../support/start-platform.ts'
import { authorizationOf, compareAnswers, policies, secret } from './questions.ts'
import { type Order, orders, shopWith, writeOrders } from './shop.ts'

/** Looked at once a day, so that only who asks for it has it built again. */
const seldom = 'refresh_key: { every: 1 day }'
const rows = `
      - { name: rows, type: original_sql, ${seldom} }
`
const parts = `
      - { name: rows, type: original_sql, time_dimension: at, partition_granularity: quarter, ${seldom} }
`
const builtFromRows = `
      - { name: by_status, measures: [count], dimensions: [status], use_original_sql_pre_aggregations: true, scheduled_refresh: false, ${seldom} }
${rows}`

let platform: RunningPlatform
let api: Api
beforeAll(async () => {
  platform = await startPlatform({ environment: { HEDRON_DATA_RATE_LIMIT: '0' } })
  api = createApi(platform.baseUrl, platform.apiKey)
})
afterAll(() => platform.dispose())

interface Shop {
  readonly id: number
  readonly data: DataClient
}

async function shop(preAggregations: string): Promise<Shop> {
  const variables = { CUBEJS_API_SECRET: secret, CUBEJS_DEFAULT_API_SCOPES: 'meta,data,graphql,sql,jobs' }
  const id = await createProject(api, shopWith(preAggregations, policies), variables)
  await writeOrders(platform.dataDirectory, id, orders)
  return { id, data: await createDataClient(api, id) }
}

/** No rollup has single orders. */
const single = { measures: ['orders.count'], filters: [{ member: 'orders.city', operator: 'set' }] }

const untilKept = (data: DataClient, query: object, count: number) =>
  eventually(
    () => data.load(query, {}, authorizationOf('all')),
    ({ body }) => String(body.external) === 'true' && rowsOf(body)[0]?.['orders.count'] === String(count),
    120_000,
  )

/** Has them built again, and waits until that is done. */
async function rebuild(data: DataClient, name: string): Promise<void> {
  const ask = async (body: object) => {
    const response = await fetch(`${data.url()}/pre-aggregations/jobs`, {
      method: 'POST',
      headers: { authorization: signHmac({}, secret), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(response.status).toBe(200)
    return response.json()
  }
  const selector = { contexts: [{ securityContext: {} }], timezones: ['UTC'], preAggregations: [`orders.${name}`] }
  const tokens = await ask({ action: 'post', selector })
  await eventually(
    async () => Object(await ask({ action: 'get', tokens })),
    (jobs: readonly { status: string }[]) => jobs.length > 0 && jobs.every(({ status }) => status === 'done'),
    120_000,
  )
}

const later = orders.filter(({ id }) => id % 3 !== 0)
const changed: readonly Order[] = later.map(order => ({ ...order, amount: (order.amount ?? 0) + 1 }))

describe('an original_sql', () => {
  test.each([
    ['as one table', rows],
    ['in parts', parts],
  ])(
    'gives every caller what the source would, %s, and again when a job has it built',
    {
      timeout: 300_000,
    },
    async (_, preAggregations) => {
      const [kept, plain] = [await shop(preAggregations), await shop('      []')]
      await untilKept(kept.data, single, orders.length)
      const seen = new Map<string, number>()
      await compareAnswers({ kept: kept.data, plain: plain.data }, seen)
      for (const { id } of [kept, plain]) await writeOrders(platform.dataDirectory, id, changed)
      await rebuild(kept.data, 'rows')
      await untilKept(kept.data, single, changed.length)
      await compareAnswers({ kept: kept.data, plain: plain.data }, seen)
      // Also who sees rows by their moment or with a mask, which sums can't tell.
      for (const caller of ['all', 'berlin', 'early', 'masked']) expect([...seen.keys()]).toContain(`${caller} true`)
      expect([...seen.keys()].filter(way => /^(all|early) false$/.test(way))).toEqual([])
    },
  )

  test('answers single rows and statements, and explain says so', { timeout: 180_000 }, async () => {
    const { id, data } = await shop(rows)
    await untilKept(data, single, orders.length)
    await writeOrders(platform.dataDirectory, id, [])
    const { authorization } = authorizationOf('berlin')
    const { body } = await data.load(
      { dimensions: ['orders.status', 'orders.city'], measures: ['orders.revenue'], ungrouped: true },
      {},
      { authorization },
    )
    expect([body.external, body.extDbType]).toEqual([true, 'duckdb'])
    const berlin = orders.filter(({ city }) => city === 'Berlin')
    expect(rowsOf(body)).toHaveLength(berlin.length)
    const statement = await askSql(data, 'SELECT count(*) FROM orders', {}, authorization)
    expect([statement.error, statement.rows]).toEqual([null, [[String(berlin.length)]]])
    const explained = await data.post('explain', { query: single }, authorizationOf('all'))
    const [explanation] = Object(explained.body.explanations)
    expect(explanation).toMatchObject({ rollup: { cube: 'orders', name: 'rows' }, rollupState: { used: true } })
    expect(explanation.text).toContain('The rollup orders.rows has the answer.')
  })

  test('is what a rollup is built from where its author wants that, but not where a job asks for it', {
    timeout: 240_000,
  }, async () => {
    const { id, data } = await shop(builtFromRows)
    await untilKept(data, single, orders.length)
    await writeOrders(platform.dataDirectory, id, changed)
    const all = { measures: ['orders.count'] }
    const { body } = await untilKept(data, all, orders.length)
    const ofRows = await data.load(single, {}, authorizationOf('all'))
    expect(body.lastRefreshTime).toBe(ofRows.body.lastRefreshTime)
    await rebuild(data, 'by_status')
    await untilKept(data, all, changed.length)
  })
})
