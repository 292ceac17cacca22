import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SqlPlatform, startSqlPlatform } from '../sql-protocol/sql-platform.ts'
import { eventually, unique } from '../support/api.ts'
import { createDataClient, rowsOf } from './data-client.ts'
import { createProject, setVariables } from './project.ts'
import { openSocket, socketUrl } from './socket-client.ts'
import { signHmac } from './tokens.ts'

const secret = 'a-secret-of-the-tests-that-is-long-enough'
const model = {
  'model/lines.yml': `cubes:
  - name: lines
    sql: SELECT range AS id, 'a line of text, number ' || range AS label FROM range(20000000)
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: label, sql: label, type: string }
    measures: [{ name: count, type: count }]
  - name: endless
    sql: SELECT hash(a.range, b.range) AS value FROM range(1000000) AS a CROSS JOIN range(1000000) AS b
    measures: [{ name: most, sql: value, type: max }]
  - name: quick
    sql: SELECT 1 AS id
    measures: [{ name: count, type: count }]
    pre_aggregations: [{ name: all, measures: [count], refresh_key: { every: 1 second } }]
`,
}
const gone = 'The query was cancelled: its deployment changed or was deleted.'
const everyLine = 'SELECT id, label FROM lines'

let sql: SqlPlatform
beforeAll(async () => {
  sql = await startSqlPlatform(model, {}, { HEDRON_CONTINUE_WAIT_SECONDS: '0.2', HEDRON_LOG_FORMAT: 'json' })
})
afterAll(() => sql?.platform.dispose())

const newProject = () => createProject(sql.api, model, { CUBEJS_API_SECRET: secret })

/** A figure of `/metrics`. */
async function figure(name: string): Promise<number> {
  const text = await (await fetch(`${sql.platform.baseUrl}/metrics`)).text()
  const [, value] = new RegExp(`^${name} (\\S+)$`, 'm').exec(text) ?? []
  if (value === undefined) throw new Error(`there is no ${name} in ${text}`)
  return Number(value)
}
async function isQuiet(): Promise<void> {
  for (const name of ['hedron_queries_running', 'hedron_queries_waiting', 'hedron_query_streams']) {
    await eventually(
      () => figure(name),
      value => value === 0,
    )
  }
}
const faults = () =>
  sql.platform
    .output()
    .split('\n')
    .filter(line => /^\{.*"level":(50|60)/.test(line))

/** Begins to read a stream. @returns the first rows, and the last line once all is read */
async function beginStream(url: string, authorization: string) {
  const response = await fetch(`${url}/cubesql`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ query: everyLine }),
  })
  if (!response.body) throw new Error('there is no body')
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  const first = await reader.read()
  return {
    first: String(first.value),
    async lastLine() {
      let text = ''
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        text = (text + part.value).slice(-100_000)
      }
      return Object(JSON.parse(text.trimEnd().split('\n').at(-1) ?? ''))
    },
  }
}

test('a branch that is deleted while it is subscribed to is said to be gone, once, and the socket goes on', async () => {
  const { api, deploymentId } = sql
  const name = unique('branch')
  const base = `/build/api/v1/deployments/${deploymentId}/branches`
  expect((await api.post(base, { name })).status).toBe(200)
  const data = await createDataClient(api, deploymentId)
  const socket = await openSocket(socketUrl(api.baseUrl, deploymentId, `/dev-mode/${name}/`), data.token)
  const query = { measures: ['quick.count'] }
  const { status } = await socket.ask({ messageId: 1, method: 'subscribe', params: { query } })
  expect(status).toBe(200)
  expect((await api.delete(`${base}?branchName=${name}`)).status).toBe(200)
  const told = await socket.next(({ messageId, status }) => messageId === 1 && status !== 200)
  expect([told.status, told.message?.error]).toEqual([404, `There is no branch ${JSON.stringify(name)}`])
  expect((await socket.ask({ messageId: 2, method: 'load', params: { query } })).status).toBe(404)
  expect(faults()).toEqual([])
  socket.socket.terminate()
})

test('a deployment that is deleted with all kinds of queries under way ends them, and leaves nothing', async () => {
  const { api } = sql
  const id = await newProject()
  const data = await createDataClient(api, id)
  const endless = { measures: ['endless.most'] }
  const socket = await openSocket(socketUrl(api.baseUrl, id), data.token)
  const subscribed = { messageId: 2, method: 'subscribe', params: { query: { measures: ['quick.count'] } } }
  expect((await socket.ask(subscribed)).status).toBe(200)
  const stream = await beginStream(data.url(), data.token)
  expect(stream.first).toContain('"complete":true')
  const waiting = data.load(endless)
  socket.send({ messageId: 1, method: 'load', params: { query: endless } })
  const client = await sql.connect({ database: String(id) })
  const running = client.query('SELECT MEASURE(most) FROM endless').catch((error: unknown) => error)
  // A pool has two places of the embedded engine: the stream and one query compute, the others wait.
  await eventually(
    () => figure('hedron_queries_waiting'),
    value => value >= 1,
  )

  expect((await api.delete(`/api/v1/deployments/${id}`)).status).toBe(200)
  const { status, body } = await waiting
  expect([status, body.error]).toEqual(status === 404 ? [404, `There is no deployment ${id}`] : [400, gone])
  expect(await stream.lastLine()).toMatchObject({ error: gone })
  expect(await running).toMatchObject({ code: '57014', message: gone })
  const told = await socket.next(({ messageId, status }) => messageId === 1 && status !== 200)
  expect([gone, `There is no deployment ${id}`]).toContain(told.message?.error)
  const refused = await socket.next(({ messageId, status }) => messageId === 2 && status !== 200)
  expect([refused.status, refused.message?.error]).toEqual([404, `There is no deployment ${id}`])
  await expect(client.query('SELECT MEASURE(count) FROM quick')).rejects.toMatchObject({
    code: '3D000',
    message: `There is no deployment ${id}`,
  })
  await isQuiet()
  expect(faults()).toEqual([])
  socket.socket.terminate()
  await client.end()
})

test('a secret that is taken off ends the streams of its tokens', async () => {
  const { api } = sql
  const id = await newProject()
  const data = await createDataClient(api, id)
  const token = signHmac({ user: 'ada' }, secret)
  const stream = await beginStream(data.url(), token)
  await setVariables(api, id, { CUBEJS_API_SECRET: `${secret}, another one` })
  expect(await stream.lastLine()).toMatchObject({ error: gone })
  const { status } = await data.post('load', { query: { measures: ['quick.count'] } }, { authorization: token })
  expect(status).toBe(403)
  await isQuiet()
  expect(faults()).toEqual([])
})

test('hundreds of connections that say nothing keep nobody waiting, and leave nothing', async () => {
  const { api, deploymentId } = sql
  const data = await createDataClient(api, deploymentId)
  const before = await figure('hedron_http_connections')
  const url = socketUrl(api.baseUrl, deploymentId)
  const sockets = await Promise.all(Array.from({ length: 500 }, () => openSocket(url, data.token)))
  const sessions = await Promise.all(Array.from({ length: 200 }, () => sql.connect()))
  // As many as may be about to sign in, and more.
  const strangers = Array.from({ length: 300 }, () => connect(sql.port, '127.0.0.1').on('error', () => {}))
  const { body } = await data.load({ measures: ['quick.count'] }, { cache: 'no-cache' })
  expect(rowsOf(body)).toEqual([{ 'quick.count': '1' }])
  expect((await sessions[0]?.query('SELECT MEASURE(count) AS count FROM quick'))?.rows).toEqual([{ count: '1' }])
  for (const { socket } of sockets) socket.terminate()
  for (const stranger of strangers) stranger.destroy()
  await Promise.all(sessions.map(session => session.end()))
  await eventually(
    () => figure('hedron_http_connections'),
    value => value <= before + 1,
  )
  await eventually(
    () =>
      sql
        .connect()
        .then(session => session.end())
        .then(
          () => true,
          () => false,
        ),
    isIn => isIn,
  )
  expect(faults()).toEqual([])
})
