import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, createApi, createKey, eventually } from '../support/api.ts'
import { type RunningPlatform, startPlatform } from '../support/start-platform.ts'
import { createDataClient, type DataClient, rowsOf } from './data-client.ts'
import { createProject, enterDevMode } from './project.ts'
import { openSocket, socketUrl } from './socket-client.ts'
import { signHmac } from './tokens.ts'

/** Work for much longer than any test waits. */
const endless = (name: string, salt: number) => `cubes:
  - name: ${name}
    sql: SELECT hash(a.range, b.range, ${salt}) AS value FROM range(1000000) AS a CROSS JOIN range(1000000) AS b
    measures:
      - { name: most, sql: "max({CUBE}.value)", type: number }
`
const secret = 'a-secret-of-the-tests-that-is-long-enough'
const names = ['first', 'second', 'third', 'fourth', 'fifth']

let platform: RunningPlatform
let api: Api
let data: DataClient
let id = 0
beforeAll(async () => {
  platform = await startPlatform({ environment: { HEDRON_CONTINUE_WAIT_SECONDS: '0.2' } })
  api = createApi(platform.baseUrl, platform.apiKey)
  const files = Object.fromEntries(names.map((name, salt) => [`model/${name}.yml`, endless(name, salt)]))
  const quick = 'cubes: [{ name: quick, sql: SELECT 1 AS id, measures: [{ name: count, type: count }] }]\n'
  id = await createProject(api, { ...files, 'model/quick.yml': quick }, { CUBEJS_API_SECRET: secret })
  data = await createDataClient(api, id)
})
afterAll(() => platform?.dispose())

const soon = Math.floor(Date.now() / 1000) + 600
const ada = signHmac({ user: 'ada', exp: soon }, secret)
const eve = signHmac({ user: 'eve', exp: soon }, secret)

const ask = (name: string, requestId: string, authorization = ada) =>
  data.post(
    'load',
    { query: { measures: [`${name}.most`] } },
    { authorization, headers: { 'x-request-id': requestId } },
  )

async function cancel(requestId: string, authorization: string | null = ada, branch?: string) {
  const response = await fetch(`${data.url(branch)}/running-query/${requestId}`, {
    method: 'DELETE',
    headers: authorization === null ? {} : { authorization },
  })
  return { status: response.status, body: Object(await response.json()) }
}

test('nothing runs, so nothing is cancelled', async () => {
  expect(await cancel('nobody')).toEqual({ status: 200, body: { result: [] } })
  expect((await cancel('nobody', null)).status).toBe(403)
  expect((await cancel('nobody', 'garbled')).status).toBe(403)
})

test('whoever asked stops his query, by any token of his, and its places are free again', async () => {
  for (const name of ['first', 'second']) {
    expect((await ask(name, `run-${name}-span-1`)).body.error).toBe('Continue wait')
  }
  const waiting = ask('first', 'run-first-span-2')
  const again = signHmac({ user: 'ada', exp: soon - 1, iat: 7, jti: 'x' }, secret)
  const { status, body } = await cancel('run-first', again)
  expect([status, body.result]).toEqual([200, [{ queryHandler: 'query', queryKey: [0], requestId: 'run-first' }]])
  expect((await waiting).body.error).toMatch(/cancelled|Continue wait/)
  expect((await cancel('run-first')).body.result).toEqual([])
  expect((await cancel('run-second-span-9')).body.result).toHaveLength(1)
  const quick = await data.load({ measures: ['quick.count'] }, { cache: 'no-cache' })
  expect(rowsOf(quick.body)).toEqual([{ 'quick.count': '1' }])
})

test("nobody stops another's, though he knows its id", async () => {
  expect((await ask('third', 'known-span-1')).body.error).toBe('Continue wait')
  const branch = await enterDevMode(api.with(await createKey(api)), id)
  expect((await cancel('known', eve)).body).toEqual({ result: [] })
  expect((await cancel('known', data.token)).body).toEqual({ result: [] })
  expect((await cancel('known', ada, branch)).body, 'of a branch').toEqual({ result: [] })
  expect((await ask('third', 'known-span-2')).body.error, 'it runs on').toBe('Continue wait')
  expect((await cancel('known')).body.result).toHaveLength(1)
})

test('a query for which somebody else waits goes on for him', async () => {
  expect((await ask('fourth', 'of-ada')).body.error).toBe('Continue wait')
  const waiting = ask('fourth', 'of-eve', eve)
  await eventually(
    () => cancel('of-ada'),
    ({ body }) => body.result.length > 0,
  )
  expect((await waiting).body.error).toBe('Continue wait')
  await cancel('of-eve', eve)
})

test('a statement of the SQL API is cancelled in the same way', async () => {
  const asked = fetch(`${data.url()}/cubesql`, {
    method: 'POST',
    headers: { authorization: ada, 'content-type': 'application/json', 'x-request-id': 'of-sql' },
    body: JSON.stringify({ query: 'SELECT MEASURE(most) FROM first' }),
  })
  expect((await cancel('of-sql', eve)).body).toEqual({ result: [] })
  await eventually(
    () => cancel('of-sql'),
    ({ body }) => body.result.length > 0,
  )
  expect(await (await asked).text()).toContain('cancelled')
})

test("a web socket's query is cancelled by the id that came with it, numbered or not, and by nobody else", async () => {
  const client = await openSocket(socketUrl(platform.baseUrl, id), ada)
  for (const requestId of ['of-socket', 'of-retries-span-3']) {
    const params = { query: { measures: ['fifth.most'] } }
    const first = await client.ask({ messageId: requestId.slice(0, 16), requestId, method: 'load', params })
    expect(first.message).toEqual({ error: 'Continue wait' })
    expect((await cancel(requestId, eve)).body).toEqual({ result: [] })
    expect((await cancel(requestId)).body.result).toHaveLength(1)
    const { message } = await client.next(({ message }) => String(message?.error).includes('cancelled'))
    expect(Object.keys(message ?? {})).not.toContain('data')
  }
  client.socket.close()
})

test('ids may be any text, also one that looks like an address', async () => {
  for (const requestId of ['readyz', 'a/b', 'x%2Fy', 'cubejs-api', "'; --"]) {
    expect(await cancel(encodeURIComponent(requestId))).toEqual({ status: 200, body: { result: [] } })
  }
  expect((await cancel('')).status).toBe(404)
})
