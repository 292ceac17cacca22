import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDataClient, type DataClient } from '../data-api/data-client.ts'
import { createProject } from '../data-api/project.ts'
import { askSql } from '../data-api/sql-client.ts'
import { signHmac } from '../data-api/tokens.ts'
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

async function shop(variables: Readonly<Record<string, string>>, more = '') {
  const byDay = `
      - name: by_day
        measures: [count, revenue]
        dimensions: [status, city]
        time_dimension: at
        granularity: day
        refresh_key: { every: 1 hour }
`
  const id = await createProject(api, shopWith(byDay, more), variables)
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

const secret = 'a-secret-of-the-tests-that-is-long-enough'
const policies = `    access_policy:
      - { group: all }
      - group: berlin
        row_level: { filters: [{ member: city, operator: equals, values: ["{ userAttributes.city }"] }] }
      - group: early
        row_level: { filters: [{ member: at, operator: beforeDate, values: ['2024-06-15'] }] }`
const tokenOf = (group: string) =>
  signHmac({ cubeCloud: { groups: [group], userAttributes: { city: 'Berlin' } } }, secret)

test('statements and GraphQL give each caller his rows from a rollup, and none whom it can’t tell apart', async () => {
  const variables = { CUBEJS_API_SECRET: secret }
  const [source, kept] = [
    await shop(variables, policies),
    await shop({ ...variables, CUBEJS_ROLLUP_ONLY: 'true' }, policies),
  ]
  const query = 'SELECT city, status, MEASURE(revenue), MEASURE(count) FROM orders GROUP BY 1, 2 ORDER BY 1, 2'
  const answers = new Map<string, unknown>()
  for (const group of ['all', 'berlin', 'stranger']) {
    const token = tokenOf(group)
    const answer = await eventually(
      () => askSql(kept, query, {}, token),
      ({ error }) => error !== 'Continue wait',
      30_000,
    )
    const expected = await askSql(source, query, { cache: 'no-cache' }, token)
    expect([answer.error, answer.rows]).toEqual([expected.error, expected.rows])
    const graph = await askGraph(kept, token)
    expect(graph).toEqual(await askGraph(source, token))
    answers.set(group, [answer.rows.length, JSON.stringify(graph).split('"count"').length - 1])
  }
  expect(Object.fromEntries(answers)).toEqual({ all: [12, 4], berlin: [3, 1], stranger: [0, 0] })
  const { status, error } = await askSql(kept, query, {}, tokenOf('early'))
  expect([status, error]).toEqual([400, expect.stringContaining('only be served from pre-aggregations')])
  expect(JSON.stringify(await askGraph(kept, tokenOf('early')))).toContain('only be served from pre-aggregations')
})

/** The rows, or the errors, of one question in GraphQL. */
async function askGraph(client: DataClient, token: string): Promise<unknown> {
  const query = '{ cube { orders { city count revenue } } }'
  const response = await fetch(client.url().replace(/v1$/, 'graphql'), {
    method: 'POST',
    headers: { authorization: token, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  const { data, errors } = Object(await response.json())
  return { data, errors }
}
