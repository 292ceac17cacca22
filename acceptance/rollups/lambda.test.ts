import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDataClient, type DataClient, rowsOf } from '../data-api/data-client.ts'
import { createProject } from '../data-api/project.ts'
import { askSql } from '../data-api/sql-client.ts'
import { type Api, createApi, eventually } from '../support/api.ts'
import { type RunningPlatform, startPlatform } from '../support/start-platform.ts'
import { authorizationOf, compareAnswers, policies, secret } from './questions.ts'
import { type Order, orders, shopWith, writeOrders } from './shop.ts'

const members = `measures: [count, revenue, largest, cities]
        dimensions: [status, city]
        time_dimension: at`
/** Looked at once a day, so that whatever is newer comes from elsewhere. */
const seldom = 'refresh_key: { every: 1 day }'
const timezones = ['UTC', 'America/New_York']

/** Both of the days: the first to its end, the second to its newest one, the source from there. */
const following = `
      - name: all
        type: rollup_lambda
        union_with_source_data: true
        rollups: [before_july, later]
        ${members}
        granularity: day
      - name: before_july
        ${members}
        granularity: day
        partition_granularity: quarter
        ${seldom}
        build_range_end: { sql: "SELECT TIMESTAMP '2024-06-30'" }
      - name: later
        ${members}
        granularity: day
        partition_granularity: month
        ${seldom}
        build_range_start: { sql: "SELECT TIMESTAMP '2024-06-01'" }
`

const unionWith = (more: string) => `
      - name: all
        type: rollup_lambda
        ${more}
        rollups: [by_hour]
        ${members}
        granularity: hour
      - { name: by_hour, measures: [count, revenue, largest, cities], dimensions: [city, status], time_dimension: at, granularity: hour, ${seldom}, scheduled_refresh: false }
`

let platform: RunningPlatform
let api: Api
beforeAll(async () => {
  platform = await startPlatform({ environment: { HEDRON_DATA_RATE_LIMIT: '0' } })
  api = createApi(platform.baseUrl, platform.apiKey)
})
afterAll(() => platform.dispose())

async function shop(preAggregations: string, rows: readonly Order[]) {
  const variables = { CUBEJS_API_SECRET: secret, CUBEJS_SCHEDULED_REFRESH_TIMEZONES: timezones.join(',') }
  const id = await createProject(api, shopWith(preAggregations, policies), variables)
  await writeOrders(platform.dataDirectory, id, rows)
  return { id, data: await createDataClient(api, id) }
}

const everything = { measures: ['orders.count'] }
const byStatus = { measures: ['orders.count', 'orders.revenue'], dimensions: ['orders.status'] }

/** Until rollups answer with so many orders, whoever asks for all of them. */
const untilCounted = (data: DataClient, count: number, timezone = 'UTC') =>
  eventually(
    () => data.load({ ...everything, timezone }, {}, authorizationOf('all')),
    ({ body }) => String(body.external) === 'true' && rowsOf(body)[0]?.['orders.count'] === String(count),
    30_000,
  )

const newer = (id: number, at: string): Order => ({ id, status: 'paid', city: 'Oslo', amount: id, at })
const added = [
  newer(1001, '2024-12-28T23:30:00'),
  newer(1002, '2025-01-01T04:30:00'),
  newer(1003, '2025-02-01T00:00:00'),
]

describe('a rollup_lambda', () => {
  test('gives every caller what the source would, the newest rows too, in each time zone', {
    timeout: 240_000,
  }, async () => {
    const [kept, plain] = [await shop(following, orders), await shop('      []', orders)]
    for (const timezone of timezones) await untilCounted(kept.data, 240, timezone)
    const grown = [...orders, ...added]
    await Promise.all([kept, plain].map(({ id }) => writeOrders(platform.dataDirectory, id, grown)))
    for (const timezone of timezones) await untilCounted(kept.data, 243, timezone)
    const seen = new Map<string, number>()
    await compareAnswers({ kept: kept.data, plain: plain.data }, seen, timezones)
    for (const caller of ['all', 'berlin', 'paid', 'none']) expect([...seen.keys()]).toContain(`${caller} true`)
    // Days can't tell a rule about moments.
    expect([...seen.keys()]).not.toContain('early true')
  })

  test('with the source adds what is newer at once, and what comes late when its rollups are built again', async () => {
    const { id, data } = await shop(unionWith('union_with_source_data: true'), orders)
    await untilCounted(data, 240)
    const late = newer(1004, '2024-02-02T02:02:02')
    await writeOrders(platform.dataDirectory, id, [...orders, ...added, late])
    const { body } = await untilCounted(data, 243)
    expect(body.external).toBe(true)
    // The newest hour, of which a part was there when the rollup was built.
    const last = orders.reduce((most, { at }) => (at !== null && at > most ? at : most), '')
    const again = newer(1005, last.slice(0, 13).concat(':59:59'))
    await writeOrders(platform.dataDirectory, id, [...orders, ...added, late, again])
    await untilCounted(data, 244)
  })

  test('without the source answers from its last rollup to the end', async () => {
    const { id, data } = await shop(unionWith('union_with_source_data: false'), orders)
    await untilCounted(data, 240)
    await writeOrders(platform.dataDirectory, id, [...orders, ...added])
    expect(rowsOf((await data.load(everything, {}, authorizationOf('all'))).body)).toEqual([{ 'orders.count': '240' }])
  })

  test('answers windows and statements as the source does', async () => {
    const [kept, plain] = [
      await shop(unionWith('union_with_source_data: true'), orders),
      await shop('      []', orders),
    ]
    await untilCounted(kept.data, 240)
    await Promise.all([kept, plain].map(({ id }) => writeOrders(platform.dataDirectory, id, [...orders, ...added])))
    await untilCounted(kept.data, 243)
    const window = {
      measures: ['orders.lately'],
      timeDimensions: [{ dimension: 'orders.at', granularity: 'month', dateRange: ['2024-09-01', '2025-02-28'] }],
    }
    for (const question of [window, byStatus]) {
      const answer = await kept.data.load(question, {}, authorizationOf('all'))
      const source = await plain.data.load(question, { cache: 'no-cache' }, authorizationOf('all'))
      expect(rowsOf(answer.body)).toEqual(rowsOf(source.body))
      expect([answer.body.external, source.body.external]).toEqual([true, false])
    }
    const statement = 'SELECT status, MEASURE(count) FROM orders GROUP BY 1 ORDER BY 1'
    const { authorization } = authorizationOf('all')
    const [answer, source] = [
      await askSql(kept.data, statement, {}, authorization),
      await askSql(plain.data, statement, { cache: 'no-cache' }, authorization),
    ]
    expect([answer.error, answer.rows]).toEqual([null, source.rows])
  })
})
