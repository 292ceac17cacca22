import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, createApi, eventually } from '../support/api.ts'
import { type RunningPlatform, startPlatform } from '../support/start-platform.ts'
import { createDataClient, type DataClient } from './data-client.ts'
import { createProject } from './project.ts'
import { shop } from './shop.ts'

let platform: RunningPlatform
let api: Api
let data: DataClient
let other: DataClient
beforeAll(async () => {
  platform = await startPlatform({ environment: { HEDRON_DATA_RATE_LIMIT: '5' } })
  api = createApi(platform.baseUrl, platform.apiKey)
  data = await createDataClient(api, await createProject(api, shop))
  other = await createDataClient(api, await createProject(api, shop))
})
afterAll(() => platform?.dispose())

const query = { measures: ['orders.count'] }
const many = <T>(count: number, ask: () => Promise<T>) => Promise.all(Array.from({ length: count }, ask))
const ask = () => data.post('load', { query })

test('beyond the limit of its deployment a request is told to come back, and then it is answered', async () => {
  const answers = await many(40, ask)
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(10)
  expect(answers.filter(({ status }) => status === 200).length).toBe(40 - refused.length)
  for (const { body, headers } of refused) {
    expect(headers.get('retry-after')).toBe('1')
    expect(body).toEqual({
      error: 'Too many requests: this deployment answers 5 a second. Try again in 1 s.',
      code: 'rate_limited',
    })
  }
  expect((await eventually(ask, ({ status }) => status !== 429)).status).toBe(200)
})

test('it holds over all that is asked, but not for probes, cancelling, and other deployments', async () => {
  await many(20, ask)
  const statuses = await many(5, async () => (await data.get('meta', {})).status)
  expect(statuses).toContain(429)
  const probe = async () => (await fetch(data.url().replace('/cubejs-api/v1', '/livez'))).status
  expect(new Set(await many(20, probe))).toEqual(new Set([200]))
  const cancel = async () => {
    const init = { method: 'DELETE', headers: { authorization: data.token } }
    return (await fetch(`${data.url()}/running-query/none`, init)).status
  }
  expect(new Set(await many(20, cancel))).toEqual(new Set([200]))
  expect((await other.post('load', { query })).status).toBe(200)
})

test('who shows no valid token uses up nothing', async () => {
  await eventually(ask, ({ status }) => status === 200)
  await new Promise(resolve => setTimeout(resolve, 1_100))
  const garbled = await many(50, () => data.post('load', { query }, { authorization: 'garbled' }))
  expect(new Set(garbled.map(({ status }) => status))).toEqual(new Set([403]))
  expect((await ask()).status).toBe(200)
})
