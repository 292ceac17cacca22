import { beforeAll, expect, test } from 'vitest'
import { createDataClient, type DataClient } from '../data-api/data-client.ts'
import { createProject } from '../data-api/project.ts'
import { signHmac } from '../data-api/tokens.ts'
import { sharedApi } from '../support/api.ts'

const secret = 'a-secret-of-the-tests-that-is-long-enough'

const model = {
  'model/shop.yml': `cubes:
  - name: orders
    sql: SELECT 1 AS id, 2 AS buyer, 'new' AS status
    refresh_key: { sql: SELECT 1, every: 1 minute }
    joins:
      - { name: buyers, sql: "{CUBE}.buyer = {buyers.id}", relationship: many_to_one }
      - { name: secrets, sql: "{CUBE}.id = {secrets.id}", relationship: many_to_one }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: status, sql: status, type: string }
      - { name: hidden, sql: status, type: string, public: false }
    measures: [{ name: count, type: count }]
    pre_aggregations:
      - { name: by_status, measures: [count], dimensions: [status], refresh_key: { every: 1 hour } }
      - { name: by_hidden, measures: [count], dimensions: [hidden] }
  - name: buyers
    sql_table: buyers
    dimensions: [{ name: id, sql: id, type: number, primary_key: true, public: true }]
    measures: [{ name: count, type: count }]
    access_policy: [{ group: "*" }]
  - name: secrets
    sql_table: secrets
    dimensions: [{ name: id, sql: id, type: number, primary_key: true }]
    measures: [{ name: count, type: count }]
    access_policy: [{ group: nobody }]
`,
}

let data: DataClient
beforeAll(async () => {
  const api = sharedApi()
  data = await createDataClient(api, await createProject(api, model, { CUBEJS_API_SECRET: secret }))
})

test('says how cubes are made, of what the caller is shown alone', async () => {
  const { status, body } = await data.get('meta', { extended: 'true' })
  expect(status).toBe(200)
  const text = JSON.stringify(body)
  const cubes: readonly { readonly name: string }[] = JSON.parse(text).cubes
  expect(cubes.map(({ name }) => name)).toEqual(['orders', 'buyers'])
  const [orders, buyers] = cubes
  expect(orders).toMatchObject({
    fileName: 'model/shop.yml',
    sql: "SELECT 1 AS id, 2 AS buyer, 'new' AS status",
    refreshKey: { sql: 'SELECT 1', every: '60 second' },
    joins: [{ name: 'buyers', relationship: 'many_to_one', sql: '{CUBE}.buyer = {buyers.id}' }],
    preAggregations: [
      {
        name: 'by_status',
        type: 'rollup',
        measures: ['orders.count'],
        dimensions: ['orders.status'],
        refreshKey: { every: '3600 second' },
      },
    ],
  })
  expect(buyers).not.toHaveProperty('sql')
  expect(text).not.toMatch(/secrets|hidden/)
})

test('says it to nobody without the scope that shows SQL, and nothing of it unless asked', async () => {
  const authorization = signHmac({ scope: ['meta'] }, secret)
  expect(await data.get('meta', { extended: 'true' }, { authorization })).toMatchObject({
    status: 403,
    body: { error: 'API scope is missing: sql' },
  })
  const { body } = await data.get('meta', {}, { authorization })
  expect(JSON.stringify(body)).not.toMatch(/fileName|refreshKey/)
})

test('whether a rollup that is being designed would do', async () => {
  const ask = async (references: object) => {
    const response = await fetch(`${data.url()}/pre-aggregations/can-use`, {
      method: 'POST',
      headers: { authorization: data.token, 'content-type': 'application/json' },
      body: JSON.stringify({
        transformedQuery: {
          leafMeasures: ['orders.count'],
          sortedDimensions: ['orders.status'],
          sortedTimeDimensions: [['orders.at', 'day']],
        },
        references,
      }),
    })
    return [response.status, await response.json()]
  }
  const whole = {
    measures: ['orders.count'],
    dimensions: ['orders.status', 'orders.city'],
    timeDimensions: [{ dimension: 'orders.at', granularity: 'day' }],
  }
  expect(await ask(whole)).toEqual([200, { canUsePreAggregationForTransformedQuery: true }])
  expect(await ask({ ...whole, dimensions: [] })).toEqual([200, { canUsePreAggregationForTransformedQuery: false }])
  expect((await ask({ measures: 'orders.count' }))[0]).toBe(400)
})
