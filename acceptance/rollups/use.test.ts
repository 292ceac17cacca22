import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDataClient, type DataClient } from '../data-api/data-client.ts'
import { createProject } from '../data-api/project.ts'
import { type Answer, type Api, createApi, eventually } from '../support/api.ts'
import { type RunningPlatform, startPlatform } from '../support/start-platform.ts'
import { orders, shopWith, writeOrders } from './shop.ts'

const rollups = `
      - name: by_day
        measures: [count, revenue, largest]
        dimensions: [status, city]
        time_dimension: at
        granularity: day
        partition_granularity: month
        refresh_key: { sql: "SELECT count(*), sum(amount) FROM read_csv('orders.csv')", every: 1 second }
`

let platform: RunningPlatform
let api: Api
beforeAll(async () => {
  platform = await startPlatform()
  api = createApi(platform.baseUrl, platform.apiKey)
})
afterAll(() => platform.dispose())

async function shop(preAggregations = rollups, variables: Readonly<Record<string, string>> = {}) {
  const id = await createProject(api, shopWith(preAggregations), variables)
  await writeOrders(platform.dataDirectory, id, orders)
  return { id, data: await createDataClient(api, id) }
}

const isKept = ({ body }: Answer) => String(body.external) === 'true'
const untilKept = (data: DataClient, query: unknown) => eventually(() => data.load(query), isKept, 30_000)

const queries = [
  { measures: ['orders.count', 'orders.revenue', 'orders.largest', 'orders.share'] },
  { measures: ['orders.count'], dimensions: ['orders.status'], order: { 'orders.status': 'asc' } },
  {
    measures: ['orders.revenue'],
    dimensions: ['orders.city'],
    timeDimensions: [{ dimension: 'orders.at', granularity: 'month', dateRange: ['2024-02-01', '2024-09-30'] }],
    total: true,
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
    }
  })

  test('is built again when its source has changed, while the old one answers', async () => {
    const { id, data } = await shop()
    const [query] = queries
    await untilKept(data, query)
    await writeOrders(platform.dataDirectory, id, orders.slice(0, 100))
    const counted = async () => (await data.rows(query))[0]?.['orders.count']
    expect(await eventually(counted, count => count === '100')).toBe('100')
    expect(isKept(await untilKept(data, query))).toBe(true)
  })
})
