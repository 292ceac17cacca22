import { beforeAll, describe, expect, test } from 'vitest'
import { sharedApi } from '../support/api.ts'
import { createDataClient, type DataClient } from './data-client.ts'
import { createProject } from './project.ts'
import { shop } from './shop.ts'
import { signHmac } from './tokens.ts'

const api = sharedApi()
const secret = 'a-secret-of-the-tests-that-is-long-enough'
const tables = `cubes:
  - name: parts
    sql_table: warehouse.parts
    dimensions: [{ name: id, sql: id, type: number, primary_key: true, public: true }]
    measures: [{ name: count, type: count }]
    access_policy: [{ group: staff }]
`
let data: DataClient
let id = 0
let metaToken = ''
beforeAll(async () => {
  id = await createProject(
    api,
    { ...shop, 'model/parts.yml': tables },
    {
      CUBEJS_API_SECRET: secret,
      CUBEJS_DATASOURCES: 'default,other',
      CUBEJS_DS_OTHER_DB_TYPE: 'postgres',
      CUBEJS_DS_OTHER_DB_HOST: 'database.example',
      CUBEJS_DS_OTHER_DB_NAME: 'shop',
      CUBEJS_DS_OTHER_DB_USER: 'reader',
    },
  )
  data = await createDataClient(api, id)
  const { body } = await api.get(`/api/v1/deployments/${id}/environments`)
  const environments: { id: string; type: string }[] = Object(body.items)
  const production = environments.find(({ type }) => type === 'production')?.id
  const made = await api.post(`/api/v1/deployments/${id}/environments/${production}/tokens-for-meta-sync`, {
    security_context: {},
  })
  metaToken = String(Object(made.body.data).token)
})

async function ask(path: string, method = 'GET', authorization = `Bearer ${metaToken}`) {
  const response = await fetch(`${data.url()}/${path}`, {
    method,
    headers: { authorization, 'content-type': 'application/json' },
    ...(method === 'POST' ? { body: '{}' } : {}),
  })
  return { status: response.status, body: Object(await response.json()) }
}
const names = (entities: readonly { name: string }[]) => entities.map(({ name }) => name)

describe('the metadata API', () => {
  test('lists the data sources without saying where they are', async () => {
    expect(await ask('data-sources')).toEqual({
      status: 200,
      body: {
        data: {
          data_sources: [
            { name: 'default', type: 'duckdb' },
            { name: 'other', type: 'postgres' },
          ],
        },
      },
    })
  })

  test('lists cubes and views page by page, in short and in full', async () => {
    const wanted = ['customers', 'visits', 'orders', 'sales']
    for (const [path, method] of [
      ['entities', 'GET'],
      ['entities/all', 'POST'],
    ] as const) {
      const whole = (await ask(path, method)).body
      expect([...names(whole.data)].sort()).toEqual([...wanted].sort())
      expect(whole.pagination).toEqual({ offset: 0, limit: 100, total: 4 })
      const pages = await Promise.all([0, 3, 4].map(offset => ask(`${path}?offset=${offset}&limit=3`, method)))
      expect(pages.map(({ body }) => body.data.length)).toEqual([3, 1, 0])
      expect(pages.flatMap(({ body }) => names(body.data))).toEqual(names(whole.data))
      expect(pages[1]?.body.pagination).toEqual({ offset: 3, limit: 3, total: 4 })
      for (const wrong of ['offset=-1', 'limit=0', 'limit=1001', 'limit=x']) {
        const { status, body } = await ask(`${path}?${wrong}`, method)
        expect([status, body.error]).toEqual([400, expect.stringMatching(/^Invalid query format: "(offset|limit)"/)])
      }
    }
  })

  test('describes one with where its members come from', async () => {
    const { body } = await ask('entities/sales')
    expect(body.data).toMatchObject({
      type: 'view',
      name: 'sales',
      title: 'Sales',
      cube_references: [{ cube: 'orders' }, { cube: 'customers' }],
      table_references: [],
    })
    const count = body.data.measures.find(({ name }: { name: string }) => name === 'sales.count')
    expect(count.member_references).toEqual([{ cube: 'orders', member: 'count' }])
    const { data: orders } = (await ask('entities/orders')).body
    const member = orders.dimensions.find(({ name }: { name: string }) => name === 'orders.id')
    expect([member.is_primary_key, member.member_references]).toEqual([true, []])
    expect((await ask('entities/nothing')).status).toBe(404)
  })

  test('shows nothing that its caller may not see', async () => {
    expect((await ask('entities/vault')).status, 'not public').toBe(404)
    expect((await ask('entities/parts')).status, 'of others').toBe(404)
    const staff = signHmac({ cubeCloud: { groups: ['staff'] } }, secret)
    const { body } = await ask('entities/parts', 'GET', staff)
    expect(body.data.table_references).toEqual([{ schema: 'warehouse', table: 'parts' }])
  })

  test('needs the scope meta', async () => {
    const token = signHmac({ scope: ['data'] }, secret)
    for (const [path, method] of [
      ['data-sources', 'GET'],
      ['entities', 'GET'],
      ['entities/orders', 'GET'],
      ['entities/all', 'POST'],
    ] as const) {
      const { status, body } = await ask(path, method, token)
      expect([status, body.error]).toEqual([403, 'API scope is missing: meta'])
    }
  })
})

test('subscribe over HTTP is one load', async () => {
  const query = JSON.stringify({ measures: ['orders.count'] })
  const byGet = await ask(`subscribe?query=${encodeURIComponent(query)}`, 'GET', data.token)
  expect([byGet.status, byGet.body.data]).toEqual([200, [{ 'orders.count': '6' }]])
})
