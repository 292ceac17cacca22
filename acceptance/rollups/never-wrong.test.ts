import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDataClient, type DataClient, rowsOf } from '../data-api/data-client.ts'
import { createProject } from '../data-api/project.ts'
import { signHmac } from '../data-api/tokens.ts'
import { type Api, createApi, eventually } from '../support/api.ts'
import { type RunningPlatform, startPlatform } from '../support/start-platform.ts'
import { orders, shopWith, writeOrders } from './shop.ts'

const secret = 'a-secret-of-the-tests-that-is-long-enough'

/** Who asks: with rules that a rollup can keep, with one that it can't, with a mask, with none. */
const callers = ['all', 'berlin', 'paid', 'early', 'masked', 'none', 'stranger'] as const
const tokenOf = (group: string) =>
  signHmac({ cubeCloud: { groups: [group], userAttributes: { city: 'Berlin' } } }, secret)

const policies = `    access_policy:
      - { group: all }
      - group: berlin
        row_level: { filters: [{ member: city, operator: equals, values: ["{ userAttributes.city }"] }] }
      - group: paid
        row_level: { filters: [{ member: status, operator: notEquals, values: [lost] }] }
      - group: early
        row_level: { filters: [{ member: at, operator: beforeDate, values: ['2024-06-15'] }] }
      - group: masked
        member_level: { includes: [count, revenue, largest, share, cities, city, at, id] }
        member_masking: { includes: [status] }
      - group: none
        row_level: { filters: [{ member: city, operator: equals, values: [Nowhere] }] }`

const refresh = `refresh_key: { sql: "SELECT count(*), sum(amount) FROM read_csv('orders.csv')", every: 1 second }`
const preAggregations = `
      - name: few
        measures: [count, revenue, share]
        dimensions: [city]
        ${refresh}
      - name: by_day
        measures: [count, revenue, largest, cities]
        dimensions: [status, city]
        time_dimension: at
        granularity: day
        partition_granularity: quarter
        ${refresh}
`

const query = fc.record({
  measures: fc.uniqueArray(fc.constantFrom('count', 'revenue', 'largest', 'share', 'cities'), {
    minLength: 1,
    maxLength: 3,
  }),
  dimensions: fc.uniqueArray(fc.constantFrom('status', 'city'), { maxLength: 2 }),
  granularity: fc.option(fc.constantFrom('day', 'month', 'quarter', 'year', 'hour')),
  range: fc.option(
    fc.constantFrom(['2024-01-01', '2024-03-31'], ['2024-02-10', '2024-08-20'], ['2030-01-01', '2030-12-31']),
  ),
  filter: fc.option(
    fc.constantFrom(
      { member: 'orders.city', operator: 'equals', values: ['Oslo', 'Rome'] },
      { member: 'orders.status', operator: 'notEquals', values: ['paid'] },
      { member: 'orders.count', operator: 'gt', values: ['3'] },
      { member: 'orders.at', operator: 'notSet' },
    ),
  ),
  total: fc.boolean(),
  limit: fc.option(fc.constantFrom(3, 1000)),
})

function questionOf({
  measures,
  dimensions,
  granularity,
  range,
  filter,
  total,
  limit,
}: typeof query extends fc.Arbitrary<infer T> ? T : never) {
  const time = {
    dimension: 'orders.at',
    ...(granularity ? { granularity } : {}),
    ...(range ? { dateRange: range } : {}),
  }
  return {
    measures: measures.map(name => `orders.${name}`),
    dimensions: dimensions.map(name => `orders.${name}`),
    ...(granularity || range ? { timeDimensions: [time] } : {}),
    ...(filter ? { filters: [filter] } : {}),
    total,
    ...(limit === null ? {} : { limit }),
  }
}

let platform: RunningPlatform
let api: Api
const deployments: number[] = []
let plain: DataClient
let kept: DataClient
beforeAll(async () => {
  platform = await startPlatform({ environment: { HEDRON_DATA_RATE_LIMIT: '0' } })
  api = createApi(platform.baseUrl, platform.apiKey)
  for (const model of [shopWith(preAggregations, policies), shopWith('      []', policies)]) {
    deployments.push(await createProject(api, model, { CUBEJS_API_SECRET: secret }))
  }
  const [first = 0, second = 0] = deployments
  await write(orders)
  kept = await createDataClient(api, first)
  plain = await createDataClient(api, second)
})
afterAll(() => platform.dispose())

const write = (rows: typeof orders) => Promise.all(deployments.map(id => writeOrders(platform.dataDirectory, id, rows)))

const inOrder = (rows: readonly object[]) => rows.map(row => JSON.stringify(row)).toSorted()

const tokens = new Map(callers.map(caller => [caller, tokenOf(caller)]))
const authorizationOf = (caller: (typeof callers)[number]) => ({ authorization: tokens.get(caller) ?? '' })

async function compare(seen: Map<string, number>) {
  await fc.assert(
    fc.asyncProperty(query.map(questionOf), fc.constantFrom(...callers), async (question, caller) => {
      const cache = { cache: 'must-revalidate' }
      const [answer, source] = [
        await kept.load(question, cache, authorizationOf(caller)),
        await plain.load(question, { cache: 'no-cache' }, authorizationOf(caller)),
      ]
      expect([answer.status, answer.body.error]).toEqual([source.status, source.body.error])
      if (source.status !== 200) return
      const way = `${caller} ${String(answer.body.external)}`
      seen.set(way, (seen.get(way) ?? 0) + 1)
      const [rows, expected] = [rowsOf(answer.body), rowsOf(source.body)]
      expect(answer.body.total).toEqual(source.body.total)
      // Where a limit cuts groups that tie, databases choose.
      if (question.limit === 3) expect(rows).toHaveLength(expected.length)
      else expect(inOrder(rows)).toEqual(inOrder(expected))
    }),
    { numRuns: Number(process.env.HEDRON_PROPERTY_RUNS ?? 60) },
  )
}

const untilKept = (count: string) =>
  eventually(
    () => kept.load({ measures: ['orders.count'] }, {}, authorizationOf('all')),
    ({ body }) => String(body.external) === 'true' && rowsOf(body)[0]?.['orders.count'] === count,
    30_000,
  )

test('every caller gets from rollups what the source would give him, also after it has changed', {
  timeout: 240_000,
}, async () => {
  const seen = new Map<string, number>()
  await untilKept('240')
  await compare(seen)
  const changed = orders
    .filter(({ id }) => id % 3 !== 0)
    .map(order => ({
      ...order,
      amount: (order.amount ?? 0) + 1,
      at: order.id % 5 === 0 ? '2025-02-03T04:05:06' : order.at,
    }))
  await write(changed)
  await untilKept(String(changed.length))
  await compare(seen)
  for (const caller of ['all', 'berlin', 'paid', 'none']) expect([...seen.keys()]).toContain(`${caller} true`)
  // Days can't tell a rule about moments.
  expect([...seen.keys()]).not.toContain('early true')
})
