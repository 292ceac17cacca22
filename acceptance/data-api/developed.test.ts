import { beforeAll, describe, expect, test } from 'vitest'
import { createKey, sharedApi } from '../support/api.ts'
import { createDataClient, type DataClient } from './data-client.ts'
import { createProject, enterDevMode } from './project.ts'

const cube = (name: string, more = '') => `  - name: ${name}
    sql: SELECT 1 AS id, 'new' AS status, 10 AS amount UNION ALL SELECT 2, 'paid', 32
    refresh_key: { sql: "SELECT 42 AS newest, 'a' AS part", every: 1 hour }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: status, sql: status, type: string }
      - { name: at, sql: "TIMESTAMP '2024-01-01'", type: time }
    measures:
      - { name: count, type: count }
      - { name: total, sql: amount, type: sum }
      - { name: usual, sql: "{total} / {count}", type: number }
${more}`

const restricted = `    access_policy: [{ group: "*", row_level: { filters: [{ member: status, operator: equals, values: [new] }] } }]
`
const api = sharedApi()
const question = {
  measures: ['shown.usual'],
  dimensions: ['shown.kind'],
  timeDimensions: [{ dimension: 'shown.at', granularity: 'month' }],
  filters: [{ member: 'shown.id', operator: 'equals', values: ['1'] }],
}

async function open(policy: string): Promise<{ data: DataClient; branch: string }> {
  const id = await createProject(api, {
    'model/shop.yml': `cubes:
${cube('orders', policy)}
views:
  - name: shown
    cubes: [{ join_path: orders, includes: [id, { name: status, alias: kind }, at, usual] }]
`,
  })
  const branch = await enterDevMode(api.with(await createKey(api)), id)
  return { data: await createDataClient(api, id), branch }
}

let shop: Awaited<ReturnType<typeof open>>
beforeAll(async () => {
  shop = await open('')
})

describe('an answer on a branch', () => {
  test('has what its refresh keys said, and what a rollup would have to hold', async () => {
    const { data, branch } = shop
    for (const cache of ['stale-if-slow', 'must-revalidate']) {
      const { status, body } = await data.load(question, { cache }, { branch })
      expect(status, JSON.stringify(body)).toBe(200)
      expect(body).toMatchObject({
        refreshKeyValues: [[{ newest: '42', part: 'a' }]],
        transformedQuery: {
          measures: ['orders.usual'],
          leafMeasures: ['orders.count', 'orders.total'],
          sortedDimensions: ['orders.id', 'orders.status'],
          sortedTimeDimensions: [['orders.at', 'month']],
          filterDimensionsSingleValueEqual: ['orders.id'],
          leafMeasureAdditive: true,
          isAdditive: false,
          hasMultipliedMeasures: false,
        },
      })
    }
  })

  test('has them of no other place: production says neither', async () => {
    const { body } = await shop.data.load(question)
    expect(body).not.toHaveProperty('refreshKeyValues')
    expect(body).not.toHaveProperty('transformedQuery')
  })

  test('does not say what refresh keys read of rows that policies keep from somebody', async () => {
    const { data, branch } = await open(restricted)
    const { body } = await data.load(question, {}, { branch })
    expect(body.refreshKeyValues).toEqual([[{ refresh_key: body.lastRefreshTime }]])
  })

  test('what a rollup would have to hold is the same in dry-run and sql, and can be asked of one', async () => {
    const { data, branch } = shop
    const { transformedQuery } = (await data.load(question, {}, { branch })).body
    expect((await data.post('dry-run', { query: question })).body.transformedQueries).toEqual([transformedQuery])
    const { sql } = (await data.post('sql', { query: question })).body
    expect(sql).toMatchObject({
      canUseTransformedQuery: transformedQuery,
      cacheKeyQueries: [["SELECT 42 AS newest, 'a' AS part", [], { renewalThreshold: 3600 }]],
    })
    const ask = async (dimensions: readonly string[]) => {
      const response = await fetch(`${data.url()}/pre-aggregations/can-use`, {
        method: 'POST',
        headers: { authorization: data.token, 'content-type': 'application/json' },
        body: JSON.stringify({
          transformedQuery,
          references: {
            measures: ['orders.count', 'orders.total'],
            dimensions,
            timeDimensions: [{ dimension: 'orders.at', granularity: 'month' }],
          },
        }),
      })
      return Object(await response.json()).canUsePreAggregationForTransformedQuery
    }
    expect(await ask(['orders.status', 'orders.id'])).toBe(true)
    expect(await ask(['orders.status'])).toBe(false)
  })
})
