import { beforeAll, describe, expect, test } from 'vitest'
import { sharedApi } from '../support/api.ts'
import { createGraphqlClient, type GraphqlClient } from './graphql-client.ts'
import { createProject } from './project.ts'
import { shop } from './shop.ts'
import { signHmac } from './tokens.ts'

const api = sharedApi()
const secret = 'the secret of the tests of GraphQL'
let client: GraphqlClient
let deploymentId = 0
beforeAll(async () => {
  deploymentId = await createProject(api, shop, { CUBEJS_API_SECRETS: secret })
  client = await createGraphqlClient(api, deploymentId)
})

describe('a query', () => {
  test('is answered with rows, annotation and the time of its data', async () => {
    const { status, body } = await client.post('{ cube { orders { status count total } } }')
    expect(status).toBe(200)
    expect(body).toEqual({
      data: {
        cube: [
          { orders: { status: 'paid', count: 3, total: 65.25 } },
          { orders: { status: 'new', count: 2, total: 10.5 } },
          { orders: { status: null, count: 1, total: 100 } },
        ],
      },
      extensions: {
        annotation: expect.objectContaining({
          measures: expect.objectContaining({ 'orders.count': expect.objectContaining({ shortTitle: 'Count' }) }),
        }),
        lastRefreshTime: expect.stringMatching(/^\d{4}-.*Z$/),
        complete: true,
      },
    })
  })

  test('has times by granularity, as moments of UTC', async () => {
    const document = `query ($zone: String) { cube(timezone: $zone) { orders(orderBy: { created_at: asc }) { count created_at { month } } } }`
    expect(await client.rows(document)).toEqual([
      { orders: { count: 3, created_at: { month: '2024-01-01T00:00:00.000Z' } } },
      { orders: { count: 1, created_at: { month: '2024-02-01T00:00:00.000Z' } } },
      { orders: { count: 2, created_at: { month: '2024-03-01T00:00:00.000Z' } } },
    ])
    const [first] = Object(await client.rows(document, { zone: 'America/New_York' }))
    expect(first, 'New Year was still December there').toEqual({
      orders: { count: 1, created_at: { month: '2023-12-01T05:00:00.000Z' } },
    })
  })

  test('has the value of a time as the same moment in every zone, and the periods that hold it', async () => {
    const document = `query ($zone: String) {
      cube(timezone: $zone) { orders(where: { id: { equals: 2 } }) { created_at { value day hour } } }
    }`
    const value = '2024-01-01T23:30:00.000Z'
    expect(await client.rows(document)).toEqual([
      { orders: { created_at: { value, day: '2024-01-01T00:00:00.000Z', hour: '2024-01-01T23:00:00.000Z' } } },
    ])
    expect(await client.rows(document, { zone: 'Asia/Tokyo' }), 'it was half past eight there').toEqual([
      { orders: { created_at: { value, day: '2024-01-01T15:00:00.000Z', hour: '2024-01-01T23:00:00.000Z' } } },
    ])
  })

  test('shows a number with every digit', async () => {
    const { text } = await client.post('{ cube { orders(where: { id: { equals: 1 } }) { serial } } }')
    expect(text).toContain('"serial":9007199254740993}')
    const found = '{ cube { orders(where: { serial: { equals: 9007199254740993 } }) { id } } }'
    expect(await client.rows(found)).toEqual([{ orders: { id: 1 } }])
    expect(await client.rows(found.replace('740993', '740992'))).toEqual([])
  })

  test('joins cubes, and asks views', async () => {
    const document = `{ cube(where: { customers: { city: { set: true } } }) { orders { count } customers { name } } }`
    expect(await client.rows(document)).toEqual([
      { orders: { count: 2 }, customers: { name: 'Ada' } },
      { orders: { count: 2 }, customers: { name: 'Grace' } },
    ])
    expect(await client.rows('{ cube { sales(where: { status: { equals: "new" } }) { count } } }')).toEqual([
      { sales: { count: 2 } },
    ])
  })

  test.for([
    ['status: { equals: "paid" }', [2, 3, 4]],
    ['status: { notEquals: "paid" }', [1, 5, 6]],
    ['status: { in: ["paid", "new"] }', [1, 2, 3, 4, 6]],
    ['status: { notIn: ["paid", "new"] }', [5]],
    ['status: { equals: null }', [5]],
    ['status: { set: true }', [1, 2, 3, 4, 6]],
    ['status: { set: false }', [5]],
    ['note: { contains: ["0%", "_"] }', [2, 3]],
    ['note: { notContains: ["b"] }', [1, 2, 5, 6]],
    ['note: { startsWith: ["A"] }', [3, 4]],
    ['note: { notStartsWith: ["a"] }', [1, 2, 5, 6]],
    ['note: { endsWith: ["b"] }', [3, 4]],
    ['note: { notEndsWith: ["b"] }', [1, 2, 5, 6]],
    ['serial: { gt: 3, lte: 5 }', [4, 5]],
    ['serial: { gte: 3, lt: 5 }', [3, 4]],
    ['serial: { in: [2, 6] }', [2, 6]],
    ['is_gift: { equals: "true" }', [1, 4]],
    ['created_at: { inDateRange: ["2024-01-01", "2024-01-02"] }', [1, 2, 3]],
    ['created_at: { notInDateRange: ["2024-01-01", "2024-01-31"] }', [4, 5, 6]],
    ['created_at: { beforeDate: "2024-01-02" }', [1, 2]],
    ['created_at: { beforeOrOnDate: "2024-01-02" }', [1, 2, 3]],
    ['created_at: { afterDate: "2024-02-29" }', [5, 6]],
    ['created_at: { afterOrOnDate: "2024-02-29" }', [4, 5, 6]],
    ['OR: [{ id: { equals: 1 } }, { status: { set: false } }]', [1, 5]],
    ['status: { equals: "paid" }, OR: [{ id: { lt: 3 } }, { id: { gt: 3 } }]', [2, 4]],
  ] as const)('where %s', async ([where, ids]) => {
    const document = `{ cube { orders(where: { ${where} }, orderBy: { id: asc }) { id } } }`
    expect(await client.rows(document)).toEqual(ids.map(id => ({ orders: { id } })))
  })

  test('answers aliases, fragments, directives and __typename by their names', async () => {
    const document = `query Two($with: Boolean!) {
      __typename
      paid: cube { o: orders(where: { status: { equals: "paid" } }) { __typename ...numbers n: count @include(if: $with) } }
      all: cube { __typename orders { ...numbers count @skip(if: $with) created_at @include(if: false) { day } } }
    }
    fragment numbers on OrdersMembers { total }`
    const { body } = await client.post(document, { with: true })
    expect(body.data).toEqual({
      __typename: 'Query',
      paid: [{ o: { __typename: 'OrdersMembers', total: 65.25, n: 3 } }],
      all: [{ __typename: 'Result', orders: { total: 175.75 } }],
    })
  })

  test('says that there are more rows, and where they begin', async () => {
    const { body } = await client.post('{ cube(limit: 2) { orders(orderBy: { id: asc }) { id } } }')
    expect(body.extensions).toMatchObject({ complete: false, nextOffset: { cube: 2 } })
  })

  test('comes by GET too, with variables as JSON, and chooses one of several operations', async () => {
    const document = 'query a { cube { orders { total } } } query b($l: Int) { cube(limit: $l) { orders { id } } }'
    const { status, body } = await client.get({ query: document, operationName: 'b', variables: '{"l":1}' })
    expect([status, body.data]).toEqual([200, { cube: [{ orders: { id: 1 } }] }])
    const { body: none } = await client.get({ query: document })
    expect(none.errors?.[0]?.message).toBe('Must provide operation name if query contains multiple operations.')
  })

  test('reaches a branch below dev-mode', async () => {
    const { status, body } = await client.post('{ cube { orders { count } } }', {}, { branch: 'main' })
    expect([status, body.data]).toEqual([200, { cube: [{ orders: { count: 6 } }] }])
    const missing = await client.post('{ cube { orders { count } } }', {}, { branch: 'no/such' })
    expect([missing.status, missing.body.errors?.[0]?.message]).toEqual([404, 'There is no branch "no/such"'])
  })
})

describe('an error', () => {
  test.for([
    ['{ cube { orders { nope } } }', /^Cannot query field "nope" on type "OrdersMembers"/],
    ['{ cube { vault { count } } }', /^Cannot query field "vault" on type "Result"/],
    ['{ cube { orders { cost } } }', /^Cannot query field "cost" on type "OrdersMembers"/],
    ['{ cube(where: { orders: { cost: { gt: 1 } } }) { orders { count } } }', /not to include unknown field "cost"/],
    ['{ cube { orders { count }', /^Syntax Error/],
    ['', /^Must provide query string/],
    [7, /^Must provide query string/],
  ] as const)('of the document %s is 400 in GraphQL’s form', async ([document, message]) => {
    const { status, body } = await client.post(document)
    expect([status, body.errors?.[0]?.message]).toEqual([400, expect.stringMatching(message)])
    expect(body).not.toHaveProperty('data')
  })

  test.for([
    ['{ cube { orders { __typename } } }', /^Query should contain either measures, dimensions or/],
    ['{ cube(limit: 60000) { orders { count } } }', /The query limit has been exceeded/],
    ['{ cube(timezone: "Mars/Olympus") { orders { count } } }', /Mars\/Olympus/],
    ['{ cube { orders(where: { status: { in: [] } }) { count } } }', /^Values required for filter/],
    [
      '{ cube { orders(where: { created_at: { inDateRange: "some day" } }) { count } } }',
      /Can't parse date: 'some day'/,
    ],
    ['{ cube(limit: -1) { orders { count } } }', /^Invalid query format/],
    ['{ cube(cache: "never") { orders { count } } }', /^Invalid query format/],
    ['{ cube { orders { count } vis: visits { count } } }', /./],
  ] as const)('of the query %s has the data API’s text and no data', async ([document, message]) => {
    const { status, body } = await client.post(document)
    expect([status, body.data]).toEqual([200, null])
    expect(body.errors).toEqual([expect.objectContaining({ message: expect.stringMatching(message), path: ['cube'] })])
  })

  test('of the token is the one of every address', async () => {
    const foreign = signHmac({}, 'another secret')
    for (const [authorization, error] of [
      ['', "Authorization header isn't set"],
      [foreign, 'Invalid token'],
    ] as const) {
      const { status, body } = await client.post('{ __schema { types { name } } }', {}, { authorization })
      expect([status, body.error]).toEqual([403, error])
    }
  })
})

describe('scopes', () => {
  const ask = (scope: readonly string[], query: string) =>
    client.post(query, {}, { authorization: signHmac({ scope }, secret) })

  test('without graphql nothing is shown, not even the schema', async () => {
    for (const query of ['{ cube { orders { count } } }', '{ __schema { types { name } } }', '{ nonsense']) {
      const { status, body } = await ask(['data', 'meta', 'sql'], query)
      expect([status, body.error]).toEqual([403, 'API scope is missing: graphql'])
    }
  })

  test('graphql alone is enough for rows', async () => {
    const { body } = await ask(['graphql'], '{ cube { orders { count } } }')
    expect(body.data).toEqual({ cube: [{ orders: { count: 6 } }] })
  })
})

describe('graphql-to-json', () => {
  test('translates and runs nothing', async () => {
    const document = `query ($s: [String]) { cube(limit: 5) { orders(where: { status: { in: $s } }, orderBy: { total: desc, count: asc }) {
      count total created_at { week } } } }`
    const { status, body } = await client.toJson(document, { s: ['new', 'paid'] })
    expect([status, body]).toEqual([
      200,
      {
        jsonQuery: {
          measures: ['orders.count', 'orders.total'],
          timeDimensions: [{ dimension: 'orders.created_at', granularity: 'week' }],
          order: [
            ['orders.total', 'desc'],
            ['orders.count', 'asc'],
          ],
          filters: [{ member: 'orders.status', operator: 'equals', values: ['new', 'paid'] }],
          limit: 5,
        },
      },
    ])
    const rows = await client.data.rows(body.jsonQuery)
    expect(rows).toHaveLength(3)
  })

  test.for([
    '{ cube { orders { nope } } }',
    '{',
    '{ a: cube { orders { count } } b: cube { orders { total } } }',
    '{ __typename }',
  ])('answers null for %s, and says why', async document => {
    const { status, body } = await client.toJson(document)
    expect([status, body]).toEqual([200, { jsonQuery: null, error: expect.stringMatching(/\S/) }])
  })
})
