import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDataClient, type DataClient } from '../data-api/data-client.ts'
import { createProject, enterDevMode } from '../data-api/project.ts'
import { type Api, createApi, createKey, eventually } from '../support/api.ts'
import { type RunningPlatform, startPlatform } from '../support/start-platform.ts'
import { orders, shopWith, writeOrders } from './shop.ts'

/** Which pre-aggregation answers: contract/behaviour/data-model.md section 7, "matching", seen from outside. */

const preAggregations = `
      - { name: rows, type: original_sql }
      - { name: by_week, measures: [count, cities], time_dimension: at, granularity: week }
      - { name: by_day, measures: [count, revenue, largest], dimensions: [status, city], time_dimension: at, granularity: day }
      - { name: by_status, measures: [count, cities], dimensions: [status] }
`
const sales = `views:
  - name: sales
    cubes: [{ join_path: orders, includes: "*" }]
`

let platform: RunningPlatform
let data: DataClient
let branch: string
/** The same without pre-aggregations. */
let source: DataClient
beforeAll(async () => {
  platform = await startPlatform({ environment: { HEDRON_DATA_RATE_LIMIT: '0' } })
  const api: Api = createApi(platform.baseUrl, platform.apiKey)
  const project = async (definitions: string) => {
    const id = await createProject(api, { ...shopWith(definitions), 'model/views/sales.yml': sales })
    await writeOrders(platform.dataDirectory, id, orders)
    return id
  }
  const id = await project(preAggregations)
  data = await createDataClient(api, id)
  source = await createDataClient(api, await project(''))
  // Answers say on branches what they were made of.
  branch = await enterDevMode(api.with(await createKey(api)), id)
})
afterAll(() => platform.dispose())

const at = (granularity: string) => ({ timeDimensions: [{ dimension: 'orders.at', granularity }] })
const status = (values: string[]) => ({ filters: [{ member: 'orders.status', operator: 'equals', values }] })

test.for<readonly [rule: string, query: object, used: string]>([
  ['the first in the order of the file', { measures: ['orders.count'], ...at('week') }, 'by_week'],
  ['whose granularity divides that of the query', { measures: ['orders.count'], ...at('month') }, 'by_day'],
  ['view members are those of the cube', { measures: ['sales.revenue'], dimensions: ['sales.city'] }, 'by_day'],
  ['calculated from measures that it has', { measures: ['orders.share'], dimensions: ['orders.city'] }, 'by_day'],
  ['filters are on its dimensions', { measures: ['orders.revenue'], ...status(['new', 'paid']) }, 'by_day'],
  [
    'exactly its dimensions, of what does not add up',
    { measures: ['orders.cities'], dimensions: ['orders.status'] },
    'by_status',
  ],
  ['not of what does not add up, with fewer dimensions', { measures: ['orders.cities'] }, 'rows'],
  [
    'not where a filter is on another dimension',
    { measures: ['orders.revenue'], filters: [{ member: 'orders.id', operator: 'lt', values: ['9'] }] },
    'rows',
  ],
  ['not in smaller steps of time', { measures: ['orders.revenue'], ...at('hour') }, 'rows'],
  [
    'not of single rows',
    {
      dimensions: ['orders.status', 'orders.city'],
      ungrouped: true,
      limit: 5,
      order: { 'orders.status': 'asc', 'orders.city': 'asc' },
    },
    'rows',
  ],
])('pre-aggregations match: %s', async ([, query, used]) => {
  const answer = await eventually(
    () => data.load(query, {}, { branch }),
    ({ body }) => JSON.stringify(body.usedPreAggregations ?? '').includes(`orders.${used}`),
    90_000,
  )
  expect(Object.keys(Object(answer.body.usedPreAggregations))).toEqual([expect.stringContaining(`orders.${used}`)])
  expect(answer.body.data).toEqual(await source.rows(query))
})

test('pre-aggregations match: not in another time zone, which the source answers', async () => {
  const query = { measures: ['orders.revenue'], ...at('day'), timezone: 'America/New_York' }
  const { body } = await data.load(query, {}, { branch })
  expect([body.external, body.usedPreAggregations]).toEqual([false, undefined])
  expect(body.data).toEqual(await source.rows(query))
})
