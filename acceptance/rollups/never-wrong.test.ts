import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDataClient, type DataClient, rowsOf } from '../data-api/data-client.ts'
import { createProject } from '../data-api/project.ts'
import { type Api, createApi, eventually } from '../support/api.ts'
import { type RunningPlatform, startPlatform } from '../support/start-platform.ts'
import { authorizationOf, compareAnswers, policies, secret } from './questions.ts'
import { orders, shopWith, writeOrders } from './shop.ts'

const refresh = `refresh_key: { sql: "SELECT count(*), sum(amount) FROM read_csv('orders.csv')", every: 1 second }`
const preAggregations = `
      - name: few
        measures: [count, revenue, share]
        dimensions: [city]
        ${refresh}
      - name: by_day
        measures: [count, revenue, largest, cities]
        dimensions: [status, city]
        time_dimension: at
        granularity: day
        partition_granularity: quarter
        ${refresh}
`

let platform: RunningPlatform
let api: Api
const deployments: number[] = []
let plain: DataClient
let kept: DataClient
beforeAll(async () => {
  platform = await startPlatform({ environment: { HEDRON_DATA_RATE_LIMIT: '0' } })
  api = createApi(platform.baseUrl, platform.apiKey)
  for (const model of [shopWith(preAggregations, policies), shopWith('      []', policies)]) {
    deployments.push(await createProject(api, model, { CUBEJS_API_SECRET: secret }))
  }
  const [first = 0, second = 0] = deployments
  await write(orders)
  kept = await createDataClient(api, first)
  plain = await createDataClient(api, second)
})
afterAll(() => platform.dispose())

const write = (rows: typeof orders) => Promise.all(deployments.map(id => writeOrders(platform.dataDirectory, id, rows)))

const untilKept = (count: string) =>
  eventually(
    () => kept.load({ measures: ['orders.count'] }, {}, authorizationOf('all')),
    ({ body }) => String(body.external) === 'true' && rowsOf(body)[0]?.['orders.count'] === count,
    30_000,
  )

test('every caller gets from rollups what the source would give him, also after it has changed', {
  timeout: 240_000,
}, async () => {
  const seen = new Map<string, number>()
  await untilKept('240')
  await compareAnswers({ kept, plain }, seen)
  const changed = orders
    .filter(({ id }) => id % 3 !== 0)
    .map(order => ({
      ...order,
      amount: (order.amount ?? 0) + 1,
      at: order.id % 5 === 0 ? '2025-02-03T04:05:06' : order.at,
    }))
  await write(changed)
  await untilKept(String(changed.length))
  await compareAnswers({ kept, plain }, seen)
  for (const caller of ['all', 'berlin', 'paid', 'none']) expect([...seen.keys()]).toContain(`${caller} true`)
  // Days can't tell a rule about moments.
  expect([...seen.keys()]).not.toContain('early true')
})
