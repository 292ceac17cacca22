import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SqlPlatform, startSqlPlatform } from '../sql-protocol/sql-platform.ts'
import { createKey, eventually } from '../support/api.ts'
import { createDataClient, type DataClient } from './data-client.ts'
import { enterDevMode } from './project.ts'
import { openSocket, type SocketClient, socketUrl } from './socket-client.ts'
import { signHmac } from './tokens.ts'
import { type Tenant, tenantSecret, tenants, twoTenants, writeTenants } from './two-tenants.ts'

/** One request as each tenant sends it. */
interface Step {
  readonly method?: 'GET' | 'DELETE'
  /** Behind the address. */
  readonly rest?: string
  readonly body?: unknown
  /** Whether the answer holds rows of whoever asks. */
  readonly hasRows?: boolean
}

const modes = ['stale-if-slow', 'stale-while-revalidate', 'must-revalidate', 'no-cache'] as const
const formats = ['default', 'compact', 'columnar'] as const

const summed = { measures: ['orders.count', 'orders.revenue'], dimensions: ['orders.word'] }
const months = { dimension: 'orders.placed', granularity: 'month' }
const both = [
  ['2024-01-01', '2024-01-31'],
  ['2024-02-01', '2024-03-31'],
]
const queries: readonly Readonly<Record<string, unknown>>[] = [
  summed,
  { ...summed, total: true },
  { dimensions: ['orders.id', 'orders.cost', 'orders.word'], ungrouped: true },
  {
    measures: ['orders.count'],
    dimensions: ['orders.word', 'orders.cost'],
    filters: [{ member: 'orders.cost', operator: 'notEquals', values: ['0'] }],
  },
  { measures: ['sales.revenue'], dimensions: ['sales.word', 'sales.cost'] },
  { measures: ['orders.index'], dimensions: ['orders.word'] },
  {
    measures: ['orders.revenue'],
    dimensions: ['orders.word'],
    timeDimensions: [{ ...months, dateRange: ['2024-01-01', '2024-12-31'] }],
  },
]
/** What is asked of what there is not, or not for everybody, in part with names that nearly are those of something. */
const refused: readonly unknown[] = [
  { measures: ['orders.margin'] },
  { measures: ['orders.hus_margin'] },
  { dimensions: ['orders.key'] },
  { measures: ['vault.number'] },
  { segments: ['orders.part'], measures: ['orders.count'] },
  { measures: ['orders.count'], joinHints: [['orders', 'vault']] },
  { measures: ['broken.total'], dimensions: ['broken.tenant'] },
  { measures: ['broken.count'], dimensions: ['broken.tenant'] },
  { measures: ['orders.count'], filters: [{ member: 'orders.word', operator: 'measureFilter' }] },
]
const multi: readonly Readonly<Record<string, unknown>>[] = [
  { query: [summed], queryType: 'multi' },
  { query: { ...summed, timeDimensions: [{ ...months, compareDateRange: both }] }, queryType: 'multi' },
  {
    query: [
      { ...summed, timeDimensions: [months] },
      { measures: ['sales.count'], timeDimensions: [], dimensions: [] },
    ].slice(0, 1),
    queryType: 'multi',
  },
]
const statements = [
  'SELECT word, MEASURE(revenue) FROM orders GROUP BY 1',
  'SELECT * FROM orders',
  'SELECT * FROM sales',
  'SELECT id, cost, word FROM orders WHERE cost <> 0',
  'SELECT upper(word), sum(revenue) FROM (SELECT word, revenue FROM orders) AS inside GROUP BY 1',
  'WITH a AS (SELECT word FROM orders), b AS (SELECT word FROM sales) SELECT a.word FROM a UNION ALL SELECT word FROM b',
  'SELECT word, (SELECT MEASURE(count) FROM sales) FROM orders',
  "SELECT CASE WHEN tenant <> 'red' THEN cost ELSE 0 END, word FROM orders",
  'SELECT word, row_number() OVER (ORDER BY cost DESC) FROM orders',
]
const refusedStatements = [
  'SELECT margin FROM orders',
  'SELECT number FROM vault',
  'SELECT orders.id FROM orders CROSS JOIN vault',
  'SELECT CAST(word AS integer) FROM orders WHERE id > 2',
  "SELECT count(*) FROM orders WHERE __user = 'somebody'",
  'SELECT total FROM broken',
  'SELECT total + 1 FROM broken',
  'SELECT sum(total) FROM (SELECT total FROM broken) AS inside',
]
const documents = [
  '{ cube { orders { word revenue cost } } }',
  '{ cube(ungrouped: true) { orders { id word cost } } }',
  '{ cube { sales { word revenue } } }',
  '{ cube { orders { margin } } }',
  '{ cube { vault { number } } }',
  '{ __schema { types { name description fields { name description args { name } } inputFields { name } enumValues { name } } } }',
]

const asked = (list: readonly unknown[], hasRows = false): Step[] => list.map(query => ({ body: { query }, hasRows }))

/** Every address of the data API, and what is asked there. */
const walk: Readonly<Record<string, readonly Step[]>> = {
  load: [
    ...queries.flatMap(query =>
      formats.map(responseFormat => ({ body: { query: { ...query, responseFormat } }, hasRows: true })),
    ),
    ...queries.slice(0, 3).flatMap(query => modes.map(cache => ({ body: { query, cache }, hasRows: true }))),
    ...multi.map(body => ({ body, hasRows: true })),
    ...asked(refused),
    { method: 'GET', rest: `?query=${encodeURIComponent(JSON.stringify(summed))}`, hasRows: true },
  ],
  subscribe: asked(queries, true),
  sql: [
    ...asked(queries),
    ...asked(refused),
    ...statements.map(query => ({ body: { format: 'sql', query } })),
    ...refusedStatements.map(query => ({ body: { format: 'sql', query } })),
  ],
  'dry-run': [...asked(queries), ...asked(refused), ...multi.map(body => ({ body }))],
  explain: [...asked(queries), ...asked(refused), ...multi.map(body => ({ body }))],
  meta: ['', '?extended', '?onlyViews=true', '?extended=true&onlyViews=true'].map(rest => ({ method: 'GET', rest })),
  entities: [{ method: 'GET' }, { method: 'GET', rest: '?limit=1&offset=1' }],
  'entities/all': [{ body: {} }],
  'entities/*': ['orders', 'sales', 'broken', 'vault'].map(rest => ({ method: 'GET', rest })),
  'data-sources': [{ method: 'GET' }],
  cubesql: [
    ...statements.flatMap(query => modes.map(cache => ({ body: { query, cache }, hasRows: true }))),
    ...[...statements, ...refusedStatements].map(query => ({ body: { query: `EXPLAIN ${query}` } })),
    ...refusedStatements.map(query => ({ body: { query } })),
    { body: { query: statements[0], throwContinueWait: true }, hasRows: true },
  ],
  'convert-query': [...statements, ...refusedStatements].map(query => ({
    body: { input: 'sql', output: 'rest', query },
  })),
  '../graphql': documents.map((query, position) => ({ body: { query }, hasRows: position < 3 })),
  'graphql-to-json': documents.map(query => ({ body: { query } })),
  'pre-aggregations/can-use': [{ body: { transformedQuery: {}, references: {} } }],
  // For who has the scope `jobs`, which nobody has who is not given it.
  'pre-aggregations/jobs': [
    { body: { action: 'post', selector: { contexts: [{ securityContext: {} }], timezones: ['UTC'] } } },
  ],
  'running-query/*': [{ method: 'DELETE', rest: 'walk' }],
}

const orders: readonly (readonly Tenant[])[] = [
  ['red', 'blue', 'stranger', 'red', 'blue'],
  ['stranger', 'blue', 'red', 'blue', 'red'],
]

let sql: SqlPlatform
let data: DataClient
let branch = ''
const sockets: SocketClient[] = []
beforeAll(async () => {
  sql = await startSqlPlatform(twoTenants, { CUBEJS_API_SECRETS: tenantSecret })
  await writeTenants(sql.platform.dataDirectory, sql.deploymentId)
  data = await createDataClient(sql.api, sql.deploymentId)
  branch = await enterDevMode(sql.api.with(await createKey(sql.api)), sql.deploymentId)
})
afterAll(async () => {
  for (const { socket } of sockets) socket.terminate()
  await sql?.platform.dispose()
})

/** What is told to a tenant, without what he said himself. @throws {AssertionError} for what is kept from him */
function check(who: Tenant, said: unknown, text: string, hasRows: boolean, showsSql = false) {
  const { own, keptRows, keptNames } = tenants[who]
  const label = `${who} asked ${JSON.stringify(said)}`
  expect(text, label).not.toMatch(keptRows)
  // SQL as it reaches the source holds what policies read; it is for tokens with the scope `sql`.
  if (!showsSql) expect(text, label).not.toMatch(keptNames)
  if (hasRows && who !== 'stranger') expect(text, label).toMatch(own)
}

const showsSql = (address: string, { body }: Step) => address === 'sql' || /EXPLAIN/.test(JSON.stringify(body ?? ''))

async function ask(
  who: Tenant,
  address: string,
  { method, rest = '', body }: Step,
  onBranch?: string,
): Promise<string> {
  const path = address.replace(/\*$/, '') + rest
  const send = async () => {
    const response = await fetch(`${data.url(onBranch)}/${path}`, {
      method: method ?? 'POST',
      headers: {
        authorization: tenants[who].token,
        'x-request-id': 'walk',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return response.text()
  }
  return eventually(send, text => !text.includes('"Continue wait"'), 60_000)
}

test('every address of the data API is walked', async () => {
  const { body } = await data.get('meta', {}, { branch: 'none' })
  expect(body.error, 'a branch that there is not').toMatch(/branch/)
  const response = await fetch(`${data.url()}/nothing`)
  const [, names = ''] = /The data API has \/cubejs-api\/v1\/(.*)\./.exec(await response.text()) ?? []
  expect([...names.split(', '), '../graphql'].sort()).toEqual(Object.keys(walk).sort())
})

describe.each(['production', 'branch'])('nobody is told what is kept from him, on %s', place => {
  const onBranch = () => (place === 'branch' ? branch : undefined)

  test.each(orders)('in the order %s, %s, %s, %s, %s', async (...order) => {
    for (const [address, steps] of Object.entries(walk)) {
      for (const step of steps) {
        for (const who of order)
          check(
            who,
            [address, step],
            await ask(who, address, step, onBranch()),
            step.hasRows ?? false,
            showsSql(address, step),
          )
      }
    }
  })

  test('when rollups answer, explain and fail', async () => {
    const isKept = async () => /"external":true/.test(await ask('red', 'load', { body: { query: summed } }, onBranch()))
    await eventually(isKept, kept => kept, 60_000)
    const failing = { measures: ['broken.count'], dimensions: ['broken.tenant'] }
    const hasFailed = async () =>
      /could not be built/.test(await ask('red', 'explain', { body: { query: failing } }, onBranch()))
    await eventually(hasFailed, failed => failed, 60_000)
    for (const address of ['load', 'explain', 'dry-run', 'sql', 'cubesql', '../graphql']) {
      for (const step of walk[address] ?? []) {
        for (const who of ['red', 'blue', 'stranger', 'red'] as const) {
          check(
            who,
            [address, step],
            await ask(who, address, step, onBranch()),
            step.hasRows ?? false,
            showsSql(address, step),
          )
        }
      }
    }
  })

  test('of many who ask at the same moment', async () => {
    const names = Object.keys(tenants).filter((name): name is Tenant => name in tenants)
    const steps = (walk.load ?? []).slice(0, 12)
    await Promise.all(
      steps.flatMap(step =>
        [...names, ...names].map(async who => {
          const body = JSON.parse(JSON.stringify(step.body ?? {}))
          body.query = { ...body.query, offset: 0, limit: 777 }
          check(who, step, await ask(who, 'load', { body }, onBranch()), true)
        }),
      ),
    )
  })
})

test('nobody is told what is kept from him over web sockets', async () => {
  for (const who of ['red', 'blue', 'stranger', 'blue', 'red'] as const) {
    const client = await openSocket(socketUrl(sql.api.baseUrl, sql.deploymentId), tenants[who].token)
    sockets.push(client)
    let messageId = 0
    for (const method of ['load', 'subscribe', 'sql', 'dry-run', 'meta', 'explain', 'cubesql']) {
      for (const query of method === 'meta' ? [undefined] : [...queries, ...refused]) {
        messageId += 1
        const params = query === undefined ? {} : { query }
        const answer = await client.ask({ messageId, method, params })
        const hasRows = (method === 'load' || method === 'subscribe') && queries.some(each => each === query)
        check(who, [method, query], JSON.stringify(answer.message ?? answer), hasRows, method === 'sql')
      }
    }
    for (const answer of client.answers) expect(JSON.stringify(answer)).not.toMatch(tenants[who].keptRows)
    client.socket.terminate()
  }
})

const catalogs = [
  'SELECT * FROM pg_catalog.pg_class',
  'SELECT * FROM pg_catalog.pg_attribute',
  'SELECT * FROM pg_catalog.pg_description',
  'SELECT * FROM pg_catalog.pg_type',
  'SELECT * FROM pg_catalog.pg_constraint',
  'SELECT * FROM pg_catalog.pg_index',
  'SELECT * FROM pg_catalog.pg_stat_activity',
  'SELECT * FROM pg_catalog.pg_settings',
  'SELECT * FROM pg_catalog.pg_roles',
  'SELECT * FROM pg_catalog.pg_database',
  'SELECT * FROM information_schema.columns',
  'SELECT * FROM information_schema.tables',
  'SELECT * FROM information_schema.views',
  'SELECT * FROM information_schema.key_column_usage',
  "SELECT 'orders'::regclass, to_regclass('vault'), col_description('orders'::regclass, 1)",
  "SELECT pg_get_viewdef('orders'::regclass)",
  'SHOW ALL',
]

test('nobody is told what is kept from him by the SQL protocol', async () => {
  for (const who of ['red', 'blue', 'stranger', 'red'] as const) {
    const client = await sql.connect({ user: 'anybody', password: tenants[who].token })
    const failures: string[] = []
    for (const text of [
      ...catalogs,
      ...statements,
      ...refusedStatements,
      ...statements.map(each => `EXPLAIN ${each}`),
    ]) {
      // The simple protocol, and the extended one.
      for (const query of [
        { text },
        { text, values: [] },
        { name: `walk ${failures.length} ${text}`.slice(0, 60), text },
      ]) {
        const told = await client.query(query).then(
          ({ rows, fields }) => JSON.stringify([rows, fields.map(({ name }) => name)]),
          (error: Error) => JSON.stringify({ ...error, message: error.message }),
        )
        // Statistics of others' sessions would be here.
        if (text.includes('pg_stat_activity')) expect(told).not.toContain(tenants.blue.token)
        check(who, text, told, statements.includes(text), text.startsWith('EXPLAIN'))
        if (catalogs.includes(text) && told.includes('"severity":"ERROR"')) failures.push(text)
      }
    }
    expect(failures.length, failures.join('; ')).toBeLessThan(catalogs.length / 2)
    await client.end()
  }
})

test('who has shown a token asks nothing more when its time is over, by the SQL protocol and over web sockets', async () => {
  const exp = Math.floor(Date.now() / 1000) + 4
  const token = signHmac({ exp, cubeCloud: { groups: ['blue'] } }, tenantSecret)
  const client = await sql.connect({ user: 'anybody', password: token })
  const socket = await openSocket(socketUrl(sql.api.baseUrl, sql.deploymentId), token)
  sockets.push(socket)
  const text = 'SELECT MEASURE(count) FROM orders'
  const params = { query: { measures: ['orders.count'] } }
  expect((await client.query(text)).rowCount).toBe(1)
  expect((await socket.ask({ messageId: 1, method: 'subscribe', params })).status).toBe(200)
  await new Promise(resolve => setTimeout(resolve, exp * 1000 - Date.now() + 200))
  await expect(client.query(text)).rejects.toMatchObject({ code: '28P01' })
  expect(await socket.ask({ messageId: 2, method: 'load', params })).toMatchObject({ status: 403 })
  const refused = await socket.next(({ messageId, status }) => messageId === 1 && status !== 200)
  expect(refused).toMatchObject({ status: 403, message: { error: expect.stringMatching(/token/i) } })
})

test('a token of one environment asks nothing of another, by the SQL protocol and over web sockets', async () => {
  const { body } = await sql.api.get(`/api/v1/deployments/${sql.deploymentId}/environments`)
  const production = Number(JSON.parse(JSON.stringify(body)).items[0].id)
  const token = signHmac({ cubeCloud: { groups: ['blue'], environmentId: production } }, tenantSecret)
  const own = await sql.connect({ user: 'anybody', password: token })
  expect((await own.query('SELECT MEASURE(count) FROM orders')).rowCount).toBe(1)
  await own.end()
  const database = `${sql.deploymentId}/${branch}`
  await expect(sql.connect({ user: 'anybody', password: token, database })).rejects.toMatchObject({ code: '28P01' })
  const socket = await openSocket(socketUrl(sql.api.baseUrl, sql.deploymentId, `/dev-mode/${branch}/`), null)
  sockets.push(socket)
  socket.send({ authorization: token })
  socket.send({ messageId: 1, method: 'load', params: { query: { measures: ['orders.count'] } } })
  expect(await socket.next(({ messageId }) => messageId === 1)).toMatchObject({ status: 403 })
})
