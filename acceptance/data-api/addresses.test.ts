import { beforeAll, describe, expect, test } from 'vitest'
import { type Api, createKey, sharedApi } from '../support/api.ts'
import { createDataClient, type DataClient, rowsOf } from './data-client.ts'
import { createProject, enterDevMode, putFiles } from './project.ts'
import { shop } from './shop.ts'

const api = sharedApi()
let id = 0
let data: DataClient
let author: Api
let dev = ''
const shared = 'feature/prices/2024'

beforeAll(async () => {
  id = await createProject(api, shop)
  data = await createDataClient(api, id)
  author = api.with(await createKey(api))
  await author.post(`/build/api/v1/deployments/${id}/branches`, { name: shared })
  dev = await enterDevMode(author, id, shared)
  await putFiles(author, id, dev, {
    'model/cubes/extra.yml':
      'cubes:\n  - name: extra\n    sql: SELECT 1 AS id\n    measures:\n      - name: count\n        type: count\n',
  })
})

const query = { measures: ['orders.count'] }
const extra = { measures: ['extra.count'] }

describe('where the data API is', () => {
  test('production below the deployment, whose address the platform names', async () => {
    const { body } = await api.get(`/api/v1/deployments/${id}`)
    expect(body.deploymentUrl).toBe(`${api.baseUrl}/data/${id}`)
    const response = await fetch(`${body.deploymentUrl}/cubejs-api/v1/load?query=${JSON.stringify(query)}`, {
      headers: { authorization: data.token },
    })
    expect(response.status).toBe(200)
    expect(rowsOf(Object(await response.json()))).toEqual([{ 'orders.count': '6' }])
    expect(
      (await fetch(`${body.deploymentUrl}/cubejs-api/v1/meta/`, { headers: { authorization: data.token } })).status,
    ).toBe(200)
  })

  test('a personal dev branch below dev-mode, its files as they are', async () => {
    expect(dev).toMatch(/^dev-/)
    for (const branch of [dev, encodeURIComponent(dev)]) {
      expect(rowsOf((await data.load(extra, {}, { branch })).body)).toEqual([{ 'extra.count': '1' }])
      for (const action of ['sql', 'dry-run'] as const) {
        expect((await data.post(action, { query: extra }, { branch })).status).toBe(200)
        expect((await data.get(action, { query: JSON.stringify(extra) }, { branch })).status).toBe(200)
      }
      expect(JSON.stringify((await data.get('meta', {}, { branch })).body)).toContain('extra.count')
    }
    expect((await data.load(extra)).body.error).toMatch(/^Cube 'extra' not found/)
    expect(JSON.stringify((await data.get('meta', {})).body)).not.toContain('extra.count')
  })

  test('a shared branch too, its slashes written as they are or encoded', async () => {
    for (const branch of [shared, encodeURIComponent(shared)]) {
      expect(rowsOf((await data.load(query, {}, { branch })).body)).toEqual([{ 'orders.count': '6' }])
      expect((await data.load(extra, {}, { branch })).status).toBe(400)
    }
  })

  test('meta takes POST as well', async () => {
    const byPost = await data.post('meta', {})
    expect([byPost.status, byPost.body]).toEqual([200, (await data.get('meta', {})).body])
  })

  test('answers to browsers of other origins', async () => {
    const preflight = await fetch(`${data.url()}/load`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://shop.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,x-request-id',
      },
    })
    expect(preflight.status).toBeLessThan(300)
    expect(preflight.headers.get('access-control-allow-origin')).toMatch(/^(\*|https:\/\/shop\.example)$/)
    expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('authorization')
  })
})

describe('where it is not', () => {
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${api.baseUrl}${path}`, {
      ...init,
      headers: { authorization: data.token, 'content-type': 'application/json' },
    })
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      body: Object(JSON.parse(await response.text())),
    }
  }

  test.for([
    '/data/999999999/cubejs-api/v1/load',
    '/data/999999999/readyz',
    '/data/0/cubejs-api/v1/meta',
    '/data/-1/cubejs-api/v1/meta',
    '/data/1e3/cubejs-api/v1/meta',
    '/data/9007199254740993/cubejs-api/v1/meta',
    '/data/x/cubejs-api/v1/meta',
  ])('%s is no deployment', async path => {
    const { status, type, body } = await ask(path)
    expect([status, type]).toEqual([path.endsWith('readyz') ? 500 : 404, expect.stringMatching(/^application\/json/)])
    if (status === 404) expect(body.error).toEqual(expect.stringMatching(/\S/))
  })

  test('an unknown branch is 404, and says which', async () => {
    for (const action of ['load', 'meta', 'sql', 'dry-run'] as const) {
      const { status, body } = await data.post(action, { query }, { branch: 'no/such/branch' })
      expect([status, body.error]).toEqual([404, expect.stringContaining('no/such/branch')])
    }
  })

  test.for([
    'cubejs-api/v1/nothing',
    'cubejs-api/v1/',
    'cubejs-api/v2/load',
    'load',
    'dev-mode/cubejs-api/v1/load',
    'dev-mode//cubejs-api/v1/load',
    'elsewhere/main/cubejs-api/v1/load',
    'cubejs-api/v1/load/more',
    'cubejs-api/v1/../../../load',
  ])('%s is nothing', async path => {
    const { status, type, body } = await ask(`/data/${id}/${path}`)
    expect([status, type]).toEqual([404, expect.stringMatching(/^application\/json/)])
    expect(JSON.stringify(body)).not.toContain('orders')
  })

  test.for(['PUT', 'DELETE', 'PATCH'])('%s is no way to ask', async method => {
    const { status } = await ask(`/data/${id}/cubejs-api/v1/load`, { method, body: '{}' })
    expect([404, 405]).toContain(status)
  })
})

describe('health', () => {
  test('of the server and of each deployment needs no token', async () => {
    for (const path of [
      '/readyz',
      '/livez',
      `/data/${id}/readyz`,
      `/data/${id}/livez`,
      `/data/${id}/dev-mode/${dev}/readyz`,
    ]) {
      const response = await fetch(`${api.baseUrl}${path}`)
      expect({ path, status: response.status, body: await response.json() }).toEqual({
        path,
        status: 200,
        body: { health: 'HEALTH' },
      })
    }
  })

  test('readyz is down where the data source is, livez is not', async () => {
    const down = await createProject(api, shop, { CUBEJS_DB_DUCKDB_DATABASE_PATH: 'not-there.duckdb' })
    const ready = await fetch(`${api.baseUrl}/data/${down}/readyz`)
    expect([ready.status, await ready.json()]).toEqual([500, { health: 'DOWN' }])
    const live = await fetch(`${api.baseUrl}/data/${down}/livez`)
    expect([live.status, await live.json()]).toEqual([200, { health: 'HEALTH' }])
  })
})
