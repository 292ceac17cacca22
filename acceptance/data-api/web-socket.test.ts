import { request } from 'node:http'
import { createRequire } from 'node:module'
import cube, { type CubeApi } from '@cubejs-client/core'
import type * as transportModule from '@cubejs-client/ws-transport'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, createApi, tokenOf } from '../support/api.ts'
import { type RunningPlatform, startPlatform } from '../support/start-platform.ts'
import { createDataClient, type DataClient } from './data-client.ts'
import { liveModel, writeWords as replaceWords } from './live-data.ts'
import { createProject, setVariables } from './project.ts'
import { openSocket, type SocketAnswer, type SocketClient, socketUrl } from './socket-client.ts'
import { signHmac } from './tokens.ts'

/** The package is CommonJS: what its types call `default` is the module itself. */
const WebSocketTransport: typeof transportModule.default.default = createRequire(import.meta.url)(
  '@cubejs-client/ws-transport',
)

const secret = 'the secret of the tests of web sockets'

let platform: RunningPlatform
let api: Api
let data: DataClient
let deploymentId = 0
let url = ''
const open: SocketClient[] = []
beforeAll(async () => {
  platform = await startPlatform({ environment: { HEDRON_CONTINUE_WAIT_SECONDS: '0.3', HEDRON_DATA_RATE_LIMIT: '0' } })
  api = createApi(platform.baseUrl, platform.apiKey)
  deploymentId = await createProject(api, liveModel, { CUBEJS_API_SECRETS: secret })
  data = await createDataClient(api, deploymentId)
  url = socketUrl(platform.baseUrl, deploymentId)
  await writeWords('first')
})
afterAll(async () => {
  for (const { socket } of open) socket.terminate()
  await platform?.dispose()
})

const writeWords = (...words: readonly string[]) => replaceWords(platform, deploymentId, ...words)

/** Stops the platform cleanly and starts it at the same address. */
async function restart(environment: Readonly<Record<string, string>>): Promise<void> {
  const { baseUrl, dataDirectory, database, apiKey } = platform
  expect(await platform.stop()).toBe(0)
  const same = { HEDRON_PORT: new URL(baseUrl).port, HEDRON_BOOTSTRAP_API_KEY: apiKey }
  platform = await startPlatform({ dataDirectory, database, environment: { ...same, ...environment } })
}

async function connect(token: string | null = data.token, address = url): Promise<SocketClient> {
  const client = await openSocket(address, token)
  open.push(client)
  return client
}

const query = { measures: ['live.count'] }
const load = (messageId: string | number, asked: unknown = query) => ({
  messageId,
  method: 'load',
  params: { query: asked },
})
const subscribe = (messageId: string | number, asked: unknown = query) => ({
  ...load(messageId, asked),
  method: 'subscribe',
})
const countOf = ({ message }: SocketAnswer) => Object(message?.data)[0]?.['live.count']
const processed = (id: string | number) => (answer: SocketAnswer) => answer.messageProcessedId === id

describe('a message', () => {
  test('loads, and then is said to be processed', async () => {
    const client = await connect()
    const { status, message } = await client.ask(load(1))
    expect([status, message?.data]).toEqual([200, [{ 'live.count': '1' }]])
    await client.next(processed(1))
    expect(client.answers.map(answer => Object.keys(answer))).toEqual([
      ['handshake'],
      ['messageId', 'message', 'status'],
      ['messageProcessedId'],
    ])
  })

  test('asks for SQL, a dry run and meta', async () => {
    const client = await connect()
    const params = { query }
    const sql = await client.ask({ messageId: 'a', requestId: 'mine', method: 'sql', params })
    expect([sql.status, sql.message]).toEqual([200, (await data.post('sql', { query })).body])
    const dry = await client.ask({ messageId: 'b', method: 'dry-run', params })
    expect([dry.status, dry.message?.queryType]).toEqual([200, 'regularQuery'])
    const meta = await client.ask({ messageId: 'c', method: 'meta', params: {} })
    expect([meta.status, meta.message]).toEqual([200, (await data.get('meta', {})).body])
    const bare = await client.ask({ messageId: 'd', method: 'meta' })
    expect(bare.message).toEqual(meta.message)
  })

  test('asks for meta of views alone', async () => {
    const client = await connect()
    const meta = await client.ask({ messageId: 1, method: 'meta', params: { onlyViews: true } })
    expect([meta.status, meta.message]).toEqual([200, (await data.get('meta', { onlyViews: 'true' })).body])
    const wrong = await client.ask({ messageId: 2, method: 'meta', params: { onlyViews: 'yes' } })
    expect([wrong.status, wrong.message?.type]).toEqual([400, 'Invalid message format'])
  })

  test('without a query is told that it needs one', async () => {
    const client = await connect()
    for (const method of ['load', 'subscribe', 'sql', 'dry-run']) {
      const { status, message } = await client.ask({ messageId: method, method, params: {} })
      expect([status, message], method).toEqual([400, { error: 'Query param is required' }])
    }
  })

  test('is told what is wrong with its query, and others go on', async () => {
    const client = await connect()
    const { status, message } = await client.ask(load(1, { measures: ['live.nope'] }))
    expect([status, message]).toEqual([
      400,
      { type: 'UserError', error: expect.stringMatching(/^'nope' not found for path 'live\.nope'/) },
    ])
    await client.next(processed(1))
    expect((await client.ask(load(2))).status).toBe(200)
  })

  test('reaches a branch', async () => {
    const client = await connect(data.token, socketUrl(platform.baseUrl, deploymentId, '/dev-mode/main/'))
    expect(countOf(await client.ask(load(1)))).toBe('1')
  })

  test('that takes long is told to wait, and gets its result without asking again', async () => {
    const client = await connect()
    const first = await client.ask(load(7, { measures: ['slow.most'] }))
    expect([first.status, first.message?.error]).toEqual([200, 'Continue wait'])
    const last = await client.next(({ messageId, message }) => messageId === 7 && message?.data !== undefined)
    expect(last.message?.data).toEqual([{ 'slow.most': expect.stringMatching(/^\d+$/) }])
    await client.next(processed(7))
  })

  test.for([
    ['{', { message: { type: 'Invalid JSON payload', error: expect.stringMatching(/\S/) }, status: 400 }],
    ['', { message: { type: 'Invalid JSON payload', error: expect.stringMatching(/\S/) }, status: 400 }],
    [
      '['.repeat(100_000),
      { message: { type: 'Invalid JSON payload', error: expect.stringMatching(/\S/) }, status: 400 },
    ],
    ['[]', { message: { type: 'Invalid message format', error: expect.any(String) }, status: 400 }],
    ['null', { message: { type: 'Invalid message format', error: expect.any(String) }, status: 400 }],
    ['{}', { message: { type: 'UserError', error: 'messageId is required' }, status: 400 }],
    ['{"messageId":1}', { messageId: 1, message: { type: 'UserError', error: 'Method is required' }, status: 400 }],
    [
      '{"messageId":1,"method":"constructor"}',
      { messageId: 1, message: { type: 'UserError', error: 'Unsupported method: constructor' }, status: 400 },
    ],
    [
      '{"messageId":"12345678901234567","method":"meta"}',
      { message: { type: 'Invalid message format', error: expect.stringContaining('messageId') }, status: 400 },
    ],
    [
      '{"messageId":1.5,"method":"meta"}',
      { message: { type: 'Invalid message format', error: expect.stringContaining('messageId') }, status: 400 },
    ],
    [
      '{"messageId":1,"method":"meta","more":1}',
      {
        messageId: 1,
        message: { type: 'Invalid message format', error: expect.stringContaining('more') },
        status: 400,
      },
    ],
    [
      '{"messageId":1,"method":"sql","params":{"query":{},"cache":"no-cache"}}',
      {
        messageId: 1,
        message: { type: 'Invalid message format', error: expect.stringContaining('cache') },
        status: 400,
      },
    ],
    [
      '{"authorization":1}',
      { message: { type: 'Invalid authorization message format', error: expect.any(String) }, status: 400 },
    ],
    [
      '{"unsubscribe":{}}',
      { message: { type: 'Invalid unsubscribe message format', error: expect.any(String) }, status: 400 },
    ],
  ] as const)('that is %s is refused with the text for it', async ([text, answer]) => {
    const client = await connect()
    client.send(text)
    expect(await client.next(({ handshake }) => handshake !== true)).toEqual(answer)
    expect((await client.ask(load('ok'))).status, 'and the socket goes on').toBe(200)
  })
})

describe('without a token', () => {
  test('nothing is answered but that', async () => {
    const client = await connect(null)
    for (const message of [load(1), subscribe(2), { messageId: 3, method: 'meta' }]) {
      expect(await client.ask(message)).toEqual({
        messageId: message.messageId,
        message: { error: 'Not authorized' },
        status: 403,
      })
    }
  })

  test.for([
    ['of another secret', signHmac({}, 'another'), 'Invalid token'],
    ['expired', signHmac({ exp: 1000 }, secret), 'Invalid token'],
    ['no token at all', '', "Authorization header isn't set"],
  ] as const)('that is valid (%s), neither', async ([, token, error]) => {
    const client = await connect(null)
    client.send({ authorization: token })
    expect(await client.next(() => true)).toEqual({ message: { error }, status: 403 })
    expect((await client.ask(load(1))).message).toEqual({ error: 'Not authorized' })
    client.send({ authorization: data.token })
    await client.next(({ handshake }) => handshake === true)
    expect((await client.ask(load(2))).status).toBe(200)
  })

  test('of this deployment, neither; and another address shows nothing of it', async () => {
    const other = await createProject(api, liveModel)
    const client = await connect(null, socketUrl(platform.baseUrl, other))
    client.send({ authorization: data.token })
    expect(await client.next(() => true)).toEqual({ message: { error: 'Invalid token' }, status: 403 })
  })

  test('that is still valid, rights end: messages are refused and subscriptions are told so', async () => {
    const client = await connect(signHmac({ exp: Math.floor(Date.now() / 1000) + 4 }, secret))
    expect((await client.ask(subscribe(1))).status).toBe(200)
    const refusal = await client.next(({ status }) => status === 403, 15_000)
    expect(refusal).toEqual({ messageId: 1, message: { error: 'Invalid token' }, status: 403 })
    expect((await client.ask(load(2))).message).toEqual({ error: 'Invalid token' })
  })

  test('with the scope, nothing is shown', async () => {
    const client = await connect(signHmac({ scope: ['meta'] }, secret))
    expect((await client.ask(subscribe(1))).message).toEqual({ error: 'API scope is missing: data' })
    expect((await client.ask({ messageId: 2, method: 'sql', params: { query } })).message).toEqual({
      error: 'API scope is missing: sql',
    })
    expect((await client.ask({ messageId: 3, method: 'meta' })).status).toBe(200)
  })
})

test.for(['/nowhere/', '/dev-mode/', '/dev-mode/%/', '/cubejs-api/v1/load'])('there is no socket at %s', async rest => {
  await expect(connect(null, socketUrl(platform.baseUrl, deploymentId, rest))).rejects.toThrow('HTTP 404')
})

test('there is none of a deployment that is not there, and none where they are switched off', async () => {
  await expect(connect(null, socketUrl(platform.baseUrl, 999_999))).rejects.toThrow('HTTP 404')
  const id = await createProject(api, liveModel, { CUBEJS_WEB_SOCKETS: 'false' })
  await expect(connect(null, socketUrl(platform.baseUrl, id))).rejects.toThrow('HTTP 403')
  await setVariables(api, id, { CUBEJS_WEB_SOCKETS: 'true' })
  await connect(null, socketUrl(platform.baseUrl, id))
})

test('a client that offers HTTP/2 on the way is answered in HTTP/1.1', async () => {
  const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': '' }
  const status = await new Promise<number | undefined>((resolve, reject) =>
    request(`${platform.baseUrl}/livez`, { headers }, response => resolve(response.resume().statusCode))
      .on('error', reject)
      .end(),
  )
  expect(status).toBe(200)
})

describe('a subscription', () => {
  test('is told the result, then only what is new, and nothing once it has ended', { timeout: 60_000 }, async () => {
    await writeWords('first')
    const [one, two] = [await connect(), await connect()]
    for (const client of [one, two]) expect(countOf(await client.ask(subscribe(1)))).toBe('1')
    await new Promise(resolve => setTimeout(resolve, 7000))
    expect(
      one.answers.filter(({ messageId }) => messageId === 1),
      'nothing changed',
    ).toHaveLength(1)
    one.send(subscribe(1))
    await writeWords('first', 'second')
    for (const client of [one, two]) {
      expect(countOf(await client.next(answer => countOf(answer) === '2', 15_000))).toBe('2')
    }
    one.send({ unsubscribe: '1' })
    await writeWords('first', 'second', 'third')
    await two.next(answer => countOf(answer) === '3', 15_000)
    expect(one.answers.some(answer => countOf(answer) === '3')).toBe(false)
  })

  test('is refused beyond a hundred of one socket', async () => {
    const client = await connect()
    for (let id = 1; id <= 101; id++) client.send(subscribe(id))
    for (let id = 1; id <= 101; id++) await client.next(processed(id))
    const refused = client.answers.filter(({ status }) => status === 400)
    expect(refused).toHaveLength(1)
    expect(refused[0]?.message?.error).toContain('at most 100 subscriptions')
    client.socket.terminate()
  })
})

describe('the server stands', () => {
  test('binary frames and frames that are too large, which close the socket', async () => {
    const binary = await connect()
    binary.socket.send(Buffer.from([0, 255, 1]))
    expect(await binary.closed).toEqual([1003, 'Messages are JSON text'])
    const giant = await connect()
    giant.send(JSON.stringify({ messageId: 1, method: 'load', params: { query: 'x'.repeat(2 * 1024 * 1024) } }))
    expect((await giant.closed)[0]).toBe(1009)
  })

  test('ten thousand messages at once, each of which is answered, while another socket is served', async () => {
    const [flood, other] = [await connect(), await connect()]
    const count = 10_000
    for (let id = 1; id <= count; id++)
      flood.send(
        id % 3 === 0 ? load(id) : { messageId: id, method: id % 3 === 1 ? 'nope' : 'dry-run', params: { query } },
      )
    const start = Date.now()
    expect((await other.ask(load(1))).status).toBe(200)
    expect(Date.now() - start).toBeLessThan(5000)
    const ids = () => new Set(flood.answers.flatMap(({ messageId }) => messageId ?? []))
    while (ids().size < count && Date.now() - start < 60_000) await new Promise(resolve => setTimeout(resolve, 200))
    expect(ids().size).toBe(count)
  })

  test('a thousand sockets without a token, which make room for those with one', async () => {
    const id = await createProject(api, liveModel)
    const address = socketUrl(platform.baseUrl, id)
    const token = await tokenOf(api, id)
    for (let opened = 0; opened < 1000; opened += 100) {
      await Promise.all(Array.from({ length: 100 }, () => connect(null, address)))
    }
    const client = await connect(token, address)
    expect((await client.ask({ messageId: 1, method: 'meta' })).status).toBe(200)
  })

  test('a reader that does not read, and its leaving', async () => {
    const client = await connect()
    client.socket.pause()
    for (let id = 1; id <= 2000; id++) client.send({ messageId: id, method: 'meta' })
    await new Promise(resolve => setTimeout(resolve, 500))
    client.socket.terminate()
    expect((await (await connect()).ask(load(1))).status).toBe(200)
  })
})

describe('the client that npm has', () => {
  const transports: InstanceType<typeof WebSocketTransport>[] = []
  const client = (token: string | (() => Promise<string>) = data.token): CubeApi => {
    const transport = new WebSocketTransport({
      apiUrl: url,
      ...(typeof token === 'string' ? { authorization: token } : {}),
    })
    transports.push(transport)
    return cube(token, { apiUrl: url, transport })
  }
  afterAll(() => Promise.all(transports.map(transport => transport.close())))

  test('loads, pivots, asks for SQL, meta and dry runs', async () => {
    await writeWords('a', 'b')
    await new Promise(resolve => setTimeout(resolve, 1100))
    const api = client()
    const result = await api.load({ ...query, dimensions: ['live.word'], order: { 'live.word': 'asc' } })
    expect(result.tablePivot()).toEqual([
      { 'live.word': 'a', 'live.count': '1' },
      { 'live.word': 'b', 'live.count': '1' },
    ])
    expect((await api.sql(query)).sql()).toMatch(/^SELECT/)
    expect((await api.meta()).cubes.map(({ name }) => name)).toEqual(['live', 'slow'])
    expect((await api.dryRun(query)).queryType).toBe('regularQuery')
    await expect(api.load({ measures: ['live.nope'] })).rejects.toThrow("'nope' not found")
  })

  test('waits for a slow query', async () => {
    let progress = 0
    const result = await client().load({ measures: ['slow.most'], limit: 5 }, { progressCallback: () => progress++ })
    expect(progress).toBeGreaterThan(0)
    expect(result.rawData()).toHaveLength(1)
  })

  test('subscribes, unsubscribes, and comes back after the server was started again', { timeout: 90_000 }, async () => {
    await writeWords('a')
    await new Promise(resolve => setTimeout(resolve, 1100))
    const seen: unknown[] = []
    const until = async (count: string) => {
      for (let waited = 0; !seen.includes(count); waited += 50) {
        if (waited > 40_000) throw new Error(`${count} was never seen: ${JSON.stringify(seen)}`)
        await new Promise(resolve => setTimeout(resolve, 50))
      }
    }
    const api = client()
    const subscription = api.subscribe(query, {}, (error, result) => {
      seen.push(error ? String(error) : Object(result?.rawData()[0])['live.count'])
    })
    await until('1')
    await writeWords('a', 'b')
    await until('2')

    await restart({})
    await writeWords('a', 'b', 'c')
    await until('3')

    await subscription.unsubscribe()
    await new Promise(resolve => setTimeout(resolve, 300))
    await writeWords('a', 'b', 'c', 'd')
    await new Promise(resolve => setTimeout(resolve, 7000))
    expect(seen).toEqual(['1', '2', '3'])
  })
})

test('the rate limit of the deployment holds for messages', async () => {
  await restart({ HEDRON_DATA_RATE_LIMIT: '50' })
  const client = await connect()
  for (let id = 1; id <= 200; id++) client.send({ messageId: id, method: 'dry-run', params: { query } })
  for (let id = 1; id <= 200; id++) await client.next(processed(id))
  const statuses = client.answers.flatMap(({ status }) => status ?? [])
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
  expect(statuses).toHaveLength(200)
})

test('sockets are closed with 1001 when the server stops, and it stops at once', async () => {
  const client = await connect()
  const start = Date.now()
  expect(await platform.stop()).toBe(0)
  expect(Date.now() - start).toBeLessThan(5000)
  expect(await client.closed).toEqual([1001, 'The server is stopping'])
})
