import { beforeAll, describe, expect, test } from 'vitest'
import { type Json, sharedApi } from '../support/api.ts'
import { createDataClient, type DataClient } from './data-client.ts'
import { createProject } from './project.ts'
import { shop } from './shop.ts'

const api = sharedApi()
let data: DataClient
beforeAll(async () => {
  data = await createDataClient(api, await createProject(api, shop))
})

const query = {
  measures: ['orders.count'],
  dimensions: ['customers.city'],
  timeDimensions: [{ dimension: 'orders.created_at', granularity: 'day', dateRange: ['2024-01-01', '2024-01-31'] }],
  filters: [{ member: 'orders.status', operator: 'equals', values: ["it's paid"] }],
}
const compared = {
  measures: ['orders.count'],
  timeDimensions: [
    {
      dimension: 'orders.created_at',
      granularity: 'day',
      compareDateRange: [
        ['2024-01-01', '2024-01-01'],
        ['2024-01-02', '2024-01-02'],
      ],
    },
  ],
}

describe('dry-run', () => {
  test('says how a query is understood without asking the database', async () => {
    const byPost = await data.post('dry-run', { query })
    expect(byPost.status).toBe(200)
    expect(byPost.body).toMatchObject({
      queryType: 'regularQuery',
      normalizedQueries: [
        {
          measures: ['orders.count'],
          dimensions: ['customers.city'],
          timeDimensions: [{ dateRange: ['2024-01-01T00:00:00.000', '2024-01-31T23:59:59.999'] }],
          order: [{ id: 'orders.created_at', desc: false }],
          limit: 10_000,
          timezone: 'UTC',
        },
      ],
      queryOrder: [{ 'orders.created_at': 'asc' }],
      pivotQuery: { measures: ['orders.count'], dimensions: ['customers.city'], queryType: 'regularQuery' },
    })
    expect(Object(byPost.body.transformedQueries)).toHaveLength(1)
    const byGet = await data.get('dry-run', { query: JSON.stringify(query) })
    expect(byGet.body).toEqual(byPost.body)
  })

  test('takes compared and blended queries as they are', async () => {
    const { status, body } = await data.post('dry-run', { query: compared })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      queryType: 'compareDateRangeQuery',
      queryOrder: [{ 'orders.created_at': 'asc' }, { 'orders.created_at': 'asc' }],
      pivotQuery: { queryType: 'compareDateRangeQuery', dimensions: ['compareDateRange'] },
    })
    expect(Object(body.normalizedQueries)).toHaveLength(2)
    const day = (member: string) => [{ dimension: member, granularity: 'day' }]
    const blended = [
      { measures: ['orders.count'], timeDimensions: day('orders.created_at') },
      { measures: ['visits.count'], timeDimensions: day('visits.visited_at') },
    ]
    const blend = await data.post('dry-run', { query: blended })
    expect(blend.body).toMatchObject({
      queryType: 'blendingQuery',
      pivotQuery: {
        measures: ['orders.count', 'visits.count'],
        timeDimensions: [{ dimension: 'time', granularity: 'day' }],
      },
    })
  })
})

describe('sql', () => {
  test('gives one statement with its values apart from the text', async () => {
    const byPost = await data.post('sql', { query })
    expect(byPost.status).toBe(200)
    expect(byPost.body).toMatchObject({
      dataSource: 'default',
      sql: {
        status: 'ok',
        order: { 'orders.created_at': 'asc' },
        dataSource: 'default',
        external: false,
        preAggregations: [],
        memberNames: expect.arrayContaining(['orders.count', 'customers.city', 'orders.created_at']),
      },
    })
    const { sql, aliasNameToMember } = Object(byPost.body.sql)
    const [text, values] = sql
    expect(text).toMatch(/^SELECT/)
    expect(text).not.toContain("it's paid")
    expect(values).toContain("it's paid")
    expect(Object.values(aliasNameToMember)).toContain('customers.city')
    for (const alias of Object.keys(aliasNameToMember)) expect(text).toContain(alias)
    const byGet = await data.get('sql', { query: JSON.stringify(query) })
    expect(byGet.body).toEqual(byPost.body)
  })

  test('gives a list for compared queries', async () => {
    const { status, body } = await data.post('sql', { query: compared })
    expect(status).toBe(200)
    expect(body).toHaveLength(2)
    expect(Object(body)[1]).toMatchObject({
      sql: { status: 'ok', sql: [expect.stringContaining('SELECT'), expect.any(Array)] },
    })
  })
})

describe('meta', () => {
  const members = (cube: Json | undefined, kind: 'measures' | 'dimensions' | 'segments'): string[] =>
    Object(cube?.[kind]).map(({ name }: { name: string }) => name)
  const find = (body: Json, name: string): Json | undefined =>
    Object(body.cubes).find((cube: { name: string }) => cube.name === name)

  test('lists cubes and views with what clients show of them', async () => {
    const { status, body } = await data.get('meta', {})
    expect(status).toBe(200)
    expect(body.compilerId).toEqual(expect.stringMatching(/\S/))
    const orders = find(body, 'orders')
    expect(orders).toMatchObject({
      type: 'cube',
      title: 'Orders',
      description: 'What was ordered.',
      measures: expect.arrayContaining([
        expect.objectContaining({
          name: 'orders.count',
          title: 'Orders Count',
          shortTitle: 'Count',
          type: 'number',
          aggType: 'count',
          drillMembers: ['orders.id', 'orders.status', 'orders.created_at'],
        }),
        expect.objectContaining({ name: 'orders.total', aggType: 'sum', format: 'currency' }),
        expect.objectContaining({ name: 'orders.buyers', aggType: 'countDistinct', type: 'number' }),
      ]),
      dimensions: expect.arrayContaining([
        expect.objectContaining({
          name: 'orders.status',
          title: 'Orders State of the order',
          shortTitle: 'State of the order',
          description: 'How far it is.',
          type: 'string',
          meta: { owner: 'sales' },
        }),
        expect.objectContaining({ name: 'orders.id', primaryKey: true, type: 'number' }),
        expect.objectContaining({ name: 'orders.created_at', type: 'time' }),
      ]),
      segments: [expect.objectContaining({ name: 'orders.paid', title: 'Orders Paid', shortTitle: 'Paid' })],
    })
    const sales = find(body, 'sales')
    expect(sales).toMatchObject({ type: 'view', title: 'Sales' })
    expect(members(sales, 'measures')).toEqual(['sales.count', 'sales.total'])
    expect(members(sales, 'dimensions')).toEqual([
      'sales.status',
      'sales.created_at',
      'sales.customers_name',
      'sales.customers_city',
    ])
    expect(Object(sales?.dimensions).at(-1)).toMatchObject({ aliasMember: 'customers.city' })
  })

  test('does not know what is hidden, nor a cube of nothing else', async () => {
    const { body } = await data.get('meta', {})
    const text = JSON.stringify(body)
    for (const hidden of ['vault', 'orders.cost', 'orders.margin', 'orders.hidden_part', 'customers.id']) {
      expect(text).not.toContain(hidden)
    }
    expect(text).not.toMatch(/SELECT|VALUES/)
  })

  test('onlyViews leaves out the cubes', async () => {
    const { body } = await data.get('meta', { onlyViews: 'true' })
    expect(Object(body.cubes).map(({ name }: { name: string }) => name)).toEqual(['sales'])
  })

  test('the compiler id is of the model: the same until that changes', async () => {
    const [first, second] = await Promise.all([data.get('meta', {}), data.get('meta', {})])
    expect(first.body.compilerId).toBe(second.body.compilerId)
    const other = await createDataClient(
      api,
      await createProject(api, { 'model/one.yml': shop['model/cubes/customers.yml'] ?? '' }),
    )
    expect((await other.get('meta', {})).body.compilerId).not.toBe(first.body.compilerId)
  })
})
