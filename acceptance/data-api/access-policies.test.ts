import { beforeAll, describe, expect, test } from 'vitest'
import { sharedApi, tokenOf } from '../support/api.ts'
import { ordersOfTwo } from '../support/orders-of-two.ts'
import { type Action, createDataClient, type DataClient, rowsOf } from './data-client.ts'
import { createProject, type ProjectFiles } from './project.ts'
import { signHmac } from './tokens.ts'

const secret = 'a-secret-of-the-tests-that-is-long-enough'

const files: ProjectFiles = {
  'model/orders.yml': ordersOfTwo(
    `      - group: red
        member_level: { includes: [id, tenant, count, revenue] }
        member_masking: { includes: [cost, note] }
        row_level:
          filters: [{ member: tenant, operator: equals, values: ["{ userAttributes.tenant }"] }]
      - group: blue
        row_level:
          filters: [{ member: tenant, operator: equals, values: ["{ securityContext.company }"] }]
`,
    [`{ name: note, sql: "'for ' || tenant", type: string }`],
  ),
  'model/sales.yml': `cubes:
  - name: secrets
    sql: SELECT 1 AS id
    measures: [{ name: number, type: count }]
    access_policy:
      - group: nobody
views:
  - name: sales
    cubes: [{ join_path: orders, includes: [count, revenue, cost] }]
    access_policy:
      - group: red
`,
}

const red = signHmac({ cubeCloud: { groups: ['red'], userAttributes: { tenant: 'red' } } }, secret)
const blue = signHmac({ company: 'blue', cubeCloud: { groups: ['blue'] } }, secret)
const lost = signHmac({ cubeCloud: { groups: ['red'] } }, secret)

let data: DataClient
let ownToken = ''
beforeAll(async () => {
  const api = sharedApi()
  const id = await createProject(api, files, {
    CUBEJS_API_SECRET: secret,
    CUBEJS_ACCESS_POLICY_MASK_STRING: 'private',
  })
  data = await createDataClient(api, id)
  ownToken = await tokenOf(api, id)
})

const total = { measures: ['orders.count', 'orders.revenue'] }
const load = async (authorization: string, query: unknown, more = {}) => {
  const { status, body } = await data.load(query, more, { authorization })
  expect([status, body.error]).toEqual([200, undefined])
  return rowsOf(body)
}
const refusal = async (authorization: string, query: unknown, action: Action = 'load') => {
  const { status, body } = await data.post(action, { query }, { authorization })
  return [status, body.error]
}
const hidden = (member: string) => [400, expect.stringContaining(`You requested hidden member: '${member}'.`)]

describe('two tenants who ask the same', () => {
  const redTotal = [{ 'orders.count': '2', 'orders.revenue': '30' }]
  const blueTotal = [{ 'orders.count': '1', 'orders.revenue': '400' }]

  test.for(['stale-if-slow', 'stale-while-revalidate', 'must-revalidate', 'no-cache'])(
    'see their own rows, in either order, again and again, with cache %s',
    async cache => {
      const query = { ...total, order: { 'orders.count': cache === 'no-cache' ? 'asc' : 'desc' } }
      for (const first of [red, blue]) {
        const second = first === red ? blue : red
        for (const authorization of [first, second, second, first]) {
          expect(await load(authorization, query, { cache })).toEqual(authorization === red ? redTotal : blueTotal)
        }
      }
    },
  )

  test('at the same moment', async () => {
    const askers = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? red : blue))
    const query = { ...total, limit: 17 }
    const answers = await Promise.all(askers.map(authorization => load(authorization, query)))
    expect(answers).toEqual(askers.map(authorization => (authorization === red ? redTotal : blueTotal)))
  })

  test('in every form of an answer, in lists of queries and totals', async () => {
    const compact = await data.load({ ...total, responseFormat: 'compact' }, {}, { authorization: red })
    expect(compact.body.data).toMatchObject({ dataset: [['2', '30']] })
    const multi = await data.load([total], { queryType: 'multi' }, { authorization: blue })
    expect(multi.body.results).toMatchObject([{ data: blueTotal }])
    const rows = { dimensions: ['orders.id'], total: true }
    expect((await data.load(rows, {}, { authorization: red })).body.total).toBe(2)
    expect((await data.load(rows, {}, { authorization: blue })).body.total).toBe(1)
  })

  test('are told of their own values', async () => {
    const values = { dimensions: ['orders.tenant'] }
    expect(await load(red, values)).toEqual([{ 'orders.tenant': 'red' }])
    expect(await load(blue, values)).toEqual([{ 'orders.tenant': 'blue' }])
  })

  test('get SQL with their own rules, whose values are parameters', async () => {
    const sqlOf = async (authorization: string) =>
      JSON.stringify((await data.post('sql', { query: total }, { authorization })).body.sql)
    expect(await sqlOf(red)).toMatch(/"SELECT.*tenant = \$1.*\["red"/)
    expect(await sqlOf(blue)).toMatch(/"SELECT.*tenant = \$1.*\["blue"/)
  })
})

describe('a caller', () => {
  test.for([
    { measures: ['orders.margin'] },
    { measures: ['orders.count'], filters: [{ member: 'orders.margin', operator: 'gt', values: ['1'] }] },
    { measures: ['orders.count', 'orders.margin'], ungrouped: true },
  ])('can not use what is hidden from him: %j', async query => {
    for (const action of ['load', 'sql', 'dry-run'] as const) {
      expect(await refusal(red, query, action)).toEqual(hidden('orders.margin'))
    }
    expect(await refusal(blue, { measures: ['orders.margin'] })).toEqual([200, undefined])
  })

  test('sees masks, and filters by them', async () => {
    expect(await load(red, { dimensions: ['orders.cost'] })).toEqual([{ 'orders.cost': '-1' }])
    expect(await load(blue, { dimensions: ['orders.cost'] })).toEqual([{ 'orders.cost': '9' }])
    expect(await load(red, { dimensions: ['orders.note'] })).toEqual([{ 'orders.note': 'private' }])
    const filters = [{ member: 'orders.cost', operator: 'equals', values: ['7'] }]
    expect(await load(red, { measures: ['orders.count'], filters })).toEqual([{ 'orders.count': '0' }])
    expect(await load(red, { dimensions: ['sales.cost'] })).toEqual([{ 'sales.cost': '-1' }])
  })

  test('without what a policy asks for sees no rows', async () => {
    expect(await load(lost, total)).toEqual([{ 'orders.count': '0', 'orders.revenue': null }])
    for (const authorization of [ownToken, signHmac({}, secret), signHmac({ cubeCloud: { groups: 'red' } }, secret)]) {
      expect(await load(authorization, total)).toEqual([{ 'orders.count': '0', 'orders.revenue': null }])
    }
    expect(await load(blue, { measures: ['sales.count'] })).toEqual([{ 'sales.count': '0' }])
  })

  test('is described what he may see, and nothing else', async () => {
    const describeTo = async (authorization: string) => (await data.get('meta', {}, { authorization })).body
    const namesFor = (body: Awaited<ReturnType<typeof describeTo>>) =>
      JSON.stringify(body.cubes)
        .match(/"name":"(?:orders|secrets|sales)\.\w+"/g)
        ?.map(match => match.slice(8, -1))
    const [toRed, toBlue] = [await describeTo(red), await describeTo(blue)]
    expect(namesFor(toRed)?.toSorted()).toEqual([
      'orders.cost',
      'orders.count',
      'orders.id',
      'orders.note',
      'orders.revenue',
      'orders.tenant',
      'sales.cost',
      'sales.count',
      'sales.revenue',
    ])
    expect(JSON.stringify(toRed)).not.toMatch(/margin|only for blue|secrets/)
    expect(namesFor(toBlue)).toContain('orders.margin')
    expect(JSON.stringify(toBlue)).not.toMatch(/sales|secrets/)
    expect(toRed.compilerId).not.toBe(toBlue.compilerId)
    expect((await describeTo(red)).compilerId).toBe(toRed.compilerId)
    expect((await describeTo(ownToken)).cubes).toEqual([])
  })

  test('is given no hints of hidden names, and no titles with an empty answer', async () => {
    const [, error] = await refusal(red, { measures: ['orders.margi'] })
    expect(error).not.toContain('margin')
    const [, other] = await refusal(red, { measures: ['secret.number'] })
    expect(other).not.toContain('secrets')
    const { body } = await data.load({ measures: ['orders.margin'] }, {}, { authorization: ownToken })
    expect(JSON.stringify(body.annotation)).not.toContain('blue')
  })
})
