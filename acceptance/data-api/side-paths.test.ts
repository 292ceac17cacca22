import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sharedApi } from '../support/api.ts'
import { ordersOfTwo } from '../support/orders-of-two.ts'
import { createGraphqlClient, type GraphqlClient } from './graphql-client.ts'
import { createProject, type ProjectFiles } from './project.ts'
import { openSocket, type SocketClient, socketUrl } from './socket-client.ts'
import { signHmac } from './tokens.ts'

const secret = 'the secret of the tests of GraphQL and web sockets under policies'

const files: ProjectFiles = {
  'model/orders.yml': ordersOfTwo(`      - group: red
        member_level: { includes: [id, tenant, count, revenue] }
        member_masking: { includes: [cost] }
        row_level: { filters: [{ member: tenant, operator: equals, values: [red] }] }
      - group: blue
        row_level: { filters: [{ member: tenant, operator: equals, values: [blue] }] }
`),
  'model/secrets.yml': `cubes:
  - name: secrets
    sql: SELECT 1 AS id
    measures: [{ name: number, type: count }]
    access_policy: [{ group: nobody }]
`,
}

const tokenFor = (...groups: readonly string[]) => signHmac({ cubeCloud: { groups } }, secret)
const callers = { red: tokenFor('red'), blue: tokenFor('blue'), stranger: tokenFor() }
type Name = keyof typeof callers

const api = sharedApi()
let client: GraphqlClient
let deploymentId = 0
const sockets: SocketClient[] = []
beforeAll(async () => {
  deploymentId = await createProject(api, files, { CUBEJS_API_SECRETS: secret })
  client = await createGraphqlClient(api, deploymentId)
})
afterAll(() => {
  for (const { socket } of sockets) socket.terminate()
})

const ask = (name: Name, query: string) => client.post(query, {}, { authorization: callers[name] })

describe('GraphQL under access policies', () => {
  const rows = '{ cube { orders(orderBy: { id: asc }) { id tenant revenue } } }'
  const seen = {
    red: [{ orders: { id: 1, tenant: 'red', revenue: 10 } }, { orders: { id: 2, tenant: 'red', revenue: 20 } }],
    blue: [{ orders: { id: 3, tenant: 'blue', revenue: 400 } }],
  }

  test.for([
    ['red', 'blue', 'red', 'blue'],
    ['blue', 'red', 'blue', 'red'],
  ] as const)('shows each caller their own rows of one document, in the order %j', async order => {
    for (const name of order) expect((await ask(name, rows)).body.data?.cube).toEqual(seen[name])
  })

  test('masks what is masked, also in filters and sorting that could tell it', async () => {
    const { body } = await ask('red', '{ cube { orders(orderBy: { id: asc }) { id cost } } }')
    expect(body.data?.cube).toEqual([{ orders: { id: 1, cost: -1 } }, { orders: { id: 2, cost: -1 } }])
    const guessed = await ask('red', '{ cube { orders(where: { cost: { equals: 7 } }) { count } } }')
    expect(guessed.body.data?.cube ?? []).not.toEqual([{ orders: { count: 1 } }])
  })

  test('knows no member that a caller does not see, whoever asked before', async () => {
    const margin = '{ cube { orders { margin } } }'
    for (const _ of [1, 2]) {
      expect((await ask('blue', margin)).body.data).toEqual({ cube: [{ orders: { margin: 391 } }] })
      const { status, body, text } = await ask('red', margin)
      expect([status, body.errors?.[0]?.message]).toEqual([400, 'Cannot query field "margin" on type "OrdersMembers".'])
      expect(text).not.toContain('391')
    }
  })

  test('names in its schema only what a caller sees', async () => {
    const schema = '{ __schema { types { name description fields { name description } inputFields { name } } } }'
    const [blue, red, stranger] = await Promise.all([ask('blue', schema), ask('red', schema), ask('stranger', schema)])
    expect(blue.text).toContain('"margin"')
    expect(red.text).not.toMatch(/margin|only for blue/)
    expect(red.text).toContain('"cost"')
    for (const { text } of [blue, red, stranger]) expect(text).not.toContain('secrets')
    expect(stranger.status).toBe(200)
    expect(stranger.text).not.toMatch(/orders|margin|revenue/i)
  })

  test('translates for a caller only what they may ask', async () => {
    const response = await fetch(`${client.data.url()}/graphql-to-json`, {
      method: 'POST',
      headers: { authorization: callers.red, 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ cube { orders { margin } } }' }),
    })
    expect(await response.json()).toEqual({ jsonQuery: null, error: expect.stringContaining('"margin"') })
  })
})

describe('web sockets under access policies', () => {
  const connect = async (name: Name) => {
    const client = await openSocket(socketUrl(api.baseUrl, deploymentId), callers[name])
    sockets.push(client)
    return client
  }

  test('show each caller their own rows of one query, at once and when it is run again', async () => {
    const params = { query: { measures: ['orders.revenue'] } }
    const [red, blue] = [await connect('red'), await connect('blue')]
    for (const method of ['load', 'subscribe']) {
      const [forRed, forBlue] = await Promise.all([
        red.ask({ messageId: method, method, params }),
        blue.ask({ messageId: method, method, params }),
      ])
      expect(forRed.message?.data).toEqual([{ 'orders.revenue': '30' }])
      expect(forBlue.message?.data).toEqual([{ 'orders.revenue': '400' }])
    }
    await new Promise(resolve => setTimeout(resolve, 6000))
    expect(JSON.stringify(red.answers)).not.toContain('"400"')
    expect(JSON.stringify(blue.answers)).not.toContain('"30"')
  })

  test('go on with the rights of the token that came last', async () => {
    const client = await connect('blue')
    const params = { query: { measures: ['orders.margin'] } }
    expect((await client.ask({ messageId: 1, method: 'subscribe', params })).message?.data).toEqual([
      { 'orders.margin': '391' },
    ])
    client.send({ authorization: callers.red })
    const refused = await client.next(({ messageId, status }) => messageId === 1 && status !== 200)
    expect(refused.message?.error).toMatch(/margin/)
    expect((await client.ask({ messageId: 2, method: 'meta' })).message).not.toHaveProperty('error')
    expect(JSON.stringify(client.answers.at(-2))).not.toContain('margin')
  })
})
