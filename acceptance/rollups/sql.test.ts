import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDataClient } from '../data-api/data-client.ts'
import { createProject } from '../data-api/project.ts'
import { askSql } from '../data-api/sql-client.ts'
import { type Api, createApi, eventually } from '../support/api.ts'
import { type RunningPlatform, startPlatform } from '../support/start-platform.ts'
import { orders, shopWith, writeOrders } from './shop.ts'

let platform: RunningPlatform
let api: Api
beforeAll(async () => {
  platform = await startPlatform({ environment: { HEDRON_DATA_RATE_LIMIT: '0' } })
  api = createApi(platform.baseUrl, platform.apiKey)
})
afterAll(() => platform.dispose())

async function shop(variables: Readonly<Record<string, string>>) {
  const byDay = `
      - name: by_day
        measures: [count, revenue]
        dimensions: [status, city]
        time_dimension: at
        granularity: day
        refresh_key: { every: 1 hour }
`
  const id = await createProject(api, shopWith(byDay), variables)
  await writeOrders(platform.dataDirectory, id, orders)
  return createDataClient(api, id)
}

test('a statement that is a question to the model is answered from a rollup, and where only those may answer no other is', async () => {
  const [source, kept] = [await shop({}), await shop({ CUBEJS_ROLLUP_ONLY: 'true' })]
  for (const query of [
    'SELECT status, MEASURE(count) FROM orders GROUP BY 1 ORDER BY 1',
    'SELECT SUM(revenue), city FROM orders GROUP BY city ORDER BY 1 DESC LIMIT 2',
    `SELECT date_trunc('month', at) AS month, count(*) FROM orders WHERE at BETWEEN '2024-03-01' AND '2024-08-31 23:59:59.999' GROUP BY 1 ORDER BY 1`,
  ]) {
    const answer = await eventually(
      () => askSql(kept, query),
      ({ error }) => error === null,
      30_000,
    )
    expect(answer.rows).toEqual((await askSql(source, query, { cache: 'no-cache' })).rows)
    expect(answer.rows.length).toBeGreaterThan(1)
  }
  for (const query of [
    'SELECT city FROM orders',
    'SELECT upper(city), MEASURE(count) FROM orders GROUP BY 1',
    'SELECT MEASURE(count) + 1 FROM orders',
  ]) {
    const { status, error } = await askSql(kept, query)
    expect([status, error]).toEqual([400, expect.stringContaining('only be served from pre-aggregations')])
  }
})
