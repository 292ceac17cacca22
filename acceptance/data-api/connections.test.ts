import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, createApi, eventually } from '../support/api.ts'
import { type RunningPlatform, startPlatform } from '../support/start-platform.ts'
import { createDataClient, type DataClient, rowsOf } from './data-client.ts'
import { createProject } from './project.ts'

const rows = (name: string, count: number) => `cubes:
  - name: ${name}
    sql: SELECT range AS id, repeat('x', 200) AS note FROM range(${count})
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: note, sql: note, type: string }
    measures: [{ name: count, type: count }]
`
/** A part of a second's work. */
const slow = (name: string, salt: number, size = 5_000) => `cubes:
  - name: ${name}
    sql: SELECT hash(a.range, b.range, ${salt}) AS value FROM range(${size}) AS a CROSS JOIN range(${size}) AS b
    measures: [{ name: most, sql: "max({CUBE}.value)", type: number }]
`
const remote = `cubes:
  - name: remote
    sql_table: orders
    data_source: remote
    measures: [{ name: count, type: count }]
`
const slowNames = Array.from({ length: 4 }, (_, index) => `slow_${index}`)

/** A database that takes connections and says nothing. */
const guests = new Set<Socket>()
const silent = createServer(socket => {
  guests.add(socket)
  socket.on('error', () => {}).once('close', () => guests.delete(socket))
  // What it is sent is read, or it would never see the end of the line.
  socket.resume()
})
let platform: RunningPlatform
let api: Api
let data: DataClient
beforeAll(async () => {
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const address = silent.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  platform = await startPlatform({ environment: { HEDRON_CONTINUE_WAIT_SECONDS: '0.2' } })
  api = createApi(platform.baseUrl, platform.apiKey)
  const files = {
    'model/wide.yml': rows('wide', 50_000),
    'model/remote.yml': remote,
    'model/endless.yml': slow('endless', 99, 1_000_000),
    ...Object.fromEntries(slowNames.map((name, salt) => [`model/${name}.yml`, slow(name, salt)])),
  }
  const id = await createProject(api, files, {
    CUBEJS_DATASOURCES: 'default,remote',
    CUBEJS_DS_REMOTE_DB_TYPE: 'postgres',
    CUBEJS_DS_REMOTE_DB_HOST: '127.0.0.1',
    CUBEJS_DS_REMOTE_DB_PORT: String(port),
    CUBEJS_DS_REMOTE_DB_NAME: 'shop',
    CUBEJS_DS_REMOTE_DB_USER: 'reader',
  })
  data = await createDataClient(api, id)
})
afterAll(async () => {
  await platform?.dispose()
  for (const guest of guests) guest.destroy()
  silent.close()
})

/** A figure of `/metrics`. */
async function figure(name: string): Promise<number> {
  const text = await (await fetch(`${platform.baseUrl}/metrics`)).text()
  const [, value] = new RegExp(`^${name.replaceAll(/[{}]/g, '\\$&')} (\\S+)$`, 'm').exec(text) ?? []
  if (value === undefined) throw new Error(`there is no ${name} in ${text}`)
  return Number(value)
}
const becomes = (name: string, wanted: (value: number) => boolean) => eventually(() => figure(name), wanted, 30_000)
const isQuiet = async () => {
  await becomes('hedron_queries_running', value => value === 0)
  await becomes('hedron_queries_waiting', value => value === 0)
}
const isAnswered = async () => {
  const { body } = await data.load({ measures: ['wide.count'] }, { cache: 'no-cache' })
  expect(rowsOf(body)).toEqual([{ 'wide.count': '50000' }])
}

/** Opens a line of its own and sends a request that far. */
async function send(body: string, length = body.length): Promise<Socket> {
  const { hostname, port, pathname } = new URL(`${data.url()}/load`)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  await once(socket, 'connect')
  const head = [
    `POST ${pathname} HTTP/1.1`,
    `host: ${hostname}`,
    `authorization: ${data.token}`,
    'content-type: application/json',
    `content-length: ${length}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  return socket
}

test('clients that stop in the middle of a request keep nobody from being answered, and their lines are closed', async () => {
  const before = await figure('hedron_http_connections')
  const stuck = await Promise.all(Array.from({ length: 50 }, () => send('{"query":', 1_000)))
  await becomes('hedron_http_connections', value => value >= before + 50)
  await isAnswered()
  expect(await figure('hedron_queries_running')).toBe(0)
  for (const socket of stuck) socket.destroy()
  await becomes('hedron_http_connections', value => value <= before + 1)
})

test('a client that does not read its answer holds no place of others', async () => {
  const before = await figure('hedron_http_connections')
  const body = JSON.stringify({ query: { dimensions: ['wide.id', 'wide.note'], limit: 50_000 }, cache: 'no-cache' })
  const readers = await Promise.all(Array.from({ length: 8 }, () => send(body)))
  for (const socket of readers) socket.pause()
  await becomes('hedron_query_executed_total', value => value >= 1)
  await isQuiet()
  await isAnswered()
  for (const socket of readers) socket.destroy()
  await becomes('hedron_http_connections', value => value <= before + 1)
})

test('clients that go away while they wait leave nothing behind', async () => {
  const gone = slowNames.map(async name => {
    const init = {
      method: 'POST',
      headers: { authorization: data.token, 'content-type': 'application/json' },
      body: JSON.stringify({ query: { measures: [`${name}.most`] } }),
      signal: AbortSignal.timeout(100),
    }
    await expect(fetch(`${data.url()}/load`, init)).rejects.toThrow()
  })
  await Promise.all(gone)
  await isQuiet()
  await isAnswered()
  const { body } = await data.load({ measures: ['slow_0.most'] })
  expect(rowsOf(body), 'what was computed meanwhile is there').toHaveLength(1)
})

test('a source that takes connections and says nothing is told of, its queue is free again and its line is closed', async () => {
  const query = { measures: ['remote.count'] }
  const first = await data.post('load', { query })
  expect([first.status, first.body.error]).toEqual([200, 'Continue wait'])
  const [{ status, body }] = await Promise.all([data.load(query), isAnswered()])
  expect([status, body.code]).toEqual([400, 'source_unavailable'])
  expect(String(body.error)).toMatch(/^Data source "remote" does not answer: /)
  expect(JSON.stringify(body)).not.toContain('127.0.0.1')
  await isQuiet()
  await eventually(
    async () => guests.size,
    count => count === 0,
  )
})

test('a query that is cancelled gives its place back at once', async () => {
  const query = { measures: ['endless.most'] }
  const asked = data.post('load', { query }, { headers: { 'x-request-id': 'stop-me-span-1' } })
  await becomes('hedron_queries_running', value => value === 1)
  const init = { method: 'DELETE', headers: { authorization: data.token } }
  const { result } = Object(await (await fetch(`${data.url()}/running-query/stop-me`, init)).json())
  expect(result).toHaveLength(1)
  await asked
  await isQuiet()
})

test('/metrics names neither deployments nor callers', async () => {
  const text = await (await fetch(`${platform.baseUrl}/metrics`)).text()
  expect(text).toMatch(/^hedron_data_requests_total\{action="load",status="200"\} \d+$/m)
  expect(text).toMatch(/^hedron_data_requests_total\{action="running-query",status="200"\} \d+$/m)
  expect(text).not.toMatch(/remote|wide|stop-me|deployment=/)
  const forwarded = await fetch(`${platform.baseUrl}/metrics`, { headers: { 'x-forwarded-for': '203.0.113.7' } })
  expect(forwarded.status, 'for others it is not there').toBe(404)
})
