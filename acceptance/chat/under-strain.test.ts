import { connect as connectTo } from 'node:net'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createProject } from '../data-api/project.ts'
import { type Api, createApi, createKey, eventually, unique } from '../support/api.ts'
import { connect } from '../support/contract-client.ts'
import { type FakeModel, query, say, startFakeModel } from '../support/fake-model.ts'
import { type RunningPlatform, startPlatform } from '../support/start-platform.ts'
import { agentOf, type Chat, type ChatLine, chatIdOf, chatOf, finalOf, newMessageId, resultsOf } from './chat-client.ts'
import { createShop, someone } from './shop.ts'

let model: FakeModel
let platform: RunningPlatform
let api: Api
let deploymentId: number
let place: string
let chat: Chat
beforeAll(async () => {
  model = await startFakeModel()
  platform = await startPlatform({
    environment: { HEDRON_LLM_BASE_URL: model.url, HEDRON_LLM_MODEL: 'scripted', HEDRON_STREAM_STALL_SECONDS: '60' },
  })
  api = createApi(platform.baseUrl, platform.apiKey)
  deploymentId = await createShop(api)
  place = await agentOf(api, deploymentId)
  chat = chatOf(api, { place })
})
afterAll(async () => {
  await platform?.dispose()
  await model?.close()
})

const total = 'SELECT MEASURE(total_amount) AS total FROM orders'
const metric = async (name: string): Promise<number> => {
  const text = await (await fetch(`${platform.baseUrl}/metrics`)).text()
  const line = text.split('\n').find(each => each.startsWith(`${name} `))
  if (line === undefined) throw new Error(`there is no figure ${name}`)
  return Number(line.slice(name.length))
}
const kindOf = ({ id, role, toolCall, isDelta, isInProcess, graphPath }: ChatLine): string => {
  if (id?.startsWith('__')) return id
  if (role === 'user') return 'echo'
  if (toolCall) return toolCall.result === undefined ? 'tool' : 'tool result'
  if (isDelta) return 'text'
  return graphPath?.[0] === 'final' ? 'final' : isInProcess ? 'so far' : 'answer'
}

test('the kinds of lines stand in the order of the SPEC, and the first is there before anybody answers', async () => {
  model.play({ kind: 'hang', text: ['So '] })
  const sessionSettings = someone('red')
  const waiting = await chat.open({ input: 'x', sessionSettings })
  const first = await waiting.next()
  expect(first?.id).toBe('__cutoff__')
  await waiting.until(({ content }) => content === 'So ')
  expect((await chat.abort({ chatId: first?.state?.chatId, sessionSettings })).status).toBe(204)
  await waiting.rest()
  model.play(query(total), say('Thirty', ', it is.'))
  const lines = await chat.lines({ input: 'total?', sessionSettings: someone('red') })
  const kinds = lines.map(kindOf).filter((kind, index, all) => kind !== all[index - 1])
  expect(kinds).toEqual([
    '__cutoff__',
    'echo',
    'text',
    'tool',
    'tool result',
    'text',
    'answer',
    'final',
    '__state__',
    '__usage__',
  ])
})

test('a question of one MiB is a question', async () => {
  model.play(say('Long.'))
  const input = 'x'.repeat(1_048_576)
  const lines = await chat.lines({ input, sessionSettings: someone('red') })
  expect(lines.find(({ role }) => role === 'user')?.content).toBe(input)
  expect(lines.at(-1)?.id).toBe('__usage__')
})

test('fifty who listen to one stream hear the same, and one answers', async () => {
  const words = Array.from({ length: 40 }, (_, index) => `word${index} `)
  model.play({ kind: 'answer', text: words, pauseMs: 50 })
  const sessionSettings = someone('red')
  const asked = { input: 'talk', messageId: newMessageId(), sessionSettings }
  const first = await chat.open(asked)
  const chatId = chatIdOf(await first.until(({ content }) => content === 'word0 '))
  const others = await Promise.all(Array.from({ length: 50 }, () => chat.lines({ ...asked, chatId })))
  expect(new Set(others.map(finalOf))).toEqual(new Set([words.join('')]))
  expect(finalOf(await first.rest())).toBe(words.join(''))
  expect(model.requests).toHaveLength(1)
})

test('readers of some bytes a second hold up neither memory nor others, and the answer is kept for them', {
  timeout: 120_000,
}, async () => {
  // Six looks at a table of long texts, and some words: a megabyte and more for each reader.
  const letters = `SELECT city, '${'w'.repeat(4_000)}' AS words FROM orders`
  const sessionSettings = someone('red')
  const messageId = newMessageId()
  const body = JSON.stringify({ input: 'much', messageId, sessionSettings })
  model.play(...Array.from({ length: 6 }, () => query(letters)), say('w'.repeat(50_000)))
  const before = await metric('process_resident_memory_bytes')
  const { hostname, port } = new URL(platform.baseUrl)
  const sockets = Array.from({ length: 40 }, () => {
    const socket = connectTo({ host: hostname, port: Number(port) })
    socket.pause()
    socket.on('error', () => {})
    socket.write(
      `POST /api/v1/public/hedron/${place}/chat/stream-chat-state HTTP/1.1\r\nhost: x\r\nauthorization: Api-Key ${api.apiKey}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
    return socket
  })
  const sipping = setInterval(() => {
    for (const socket of sockets) socket.read(1)
  }, 500)
  try {
    const lines = await chat.lines({ input: 'much', messageId, sessionSettings })
    expect(finalOf(lines)).toHaveLength(50_000)
    const begun = performance.now()
    model.play(say('Quick.'))
    expect(finalOf(await chat.lines({ input: 'x', sessionSettings: someone('red') }))).toBe('Quick.')
    expect(performance.now() - begun).toBeLessThan(10_000)
    const after = await metric('process_resident_memory_bytes')
    expect((after - before) / 1024 / 1024).toBeLessThan(150)
  } finally {
    clearInterval(sipping)
    for (const socket of sockets) socket.destroy()
  }
})

test('a key that is revoked amid an answer gives its tools nothing more', async () => {
  const made = (await api.post('/api/v1/api-keys', { name: unique('key') })).body
  const mine = chatOf(api.with(String(made.token)), { place })
  model.play(
    {
      kind: 'answer',
      text: ['Let me see. '],
      pauseMs: 2_000,
      calls: [{ name: 'serviceSqlApi', input: { sqlQuery: total } }],
    },
    say('No.'),
  )
  const stream = await mine.open({ input: 'total?', sessionSettings: someone('red') })
  const begin = await stream.until(({ content }) => content === 'Let me see. ')
  expect([200, 204]).toContain((await api.delete(`/api/v1/api-keys/${String(made.id)}`)).status)
  const lines = [...begin, ...(await stream.rest())]
  expect(resultsOf(lines)).toContain('"error"')
  expect(resultsOf(lines)).not.toContain('30')
  expect((await mine.refusal({ input: 'x', sessionSettings: someone('red') })).body.jsonrpc).toBe('2.0')
})

describe('Limits: non-ephemeral external users', () => {
  test('are as many as the account may have, however many ask at once; ephemeral ones are not counted', async () => {
    // Nobody else on this platform stays.
    const client = connect(api)
    await client.updateTenantSettings({ body: { externalUserLimit: 4 } })
    model.play(say('Hello.'))
    const ask = (more: object) =>
      chat.post('stream-chat-state', { input: 'hi', sessionSettings: { ...someone('red'), ...more } })
    const answers = await Promise.all(Array.from({ length: 12 }, () => ask({ isEphemeral: false })))
    const told = await Promise.all(answers.map(async answer => ({ status: answer.status, text: await answer.text() })))
    expect(told.filter(({ status }) => status === 200)).toHaveLength(4)
    const refused = told.filter(({ status }) => status !== 200)
    expect(new Set(refused.map(({ status, text }) => `${status} ${JSON.parse(text).code}`))).toEqual(
      new Set(['429 external_user_limit']),
    )
    expect((await ask({})).status, 'an ephemeral one').toBe(200)
    await client.updateTenantSettings({ body: { externalUserLimit: null } })
    expect((await ask({ isEphemeral: false })).status).toBe(200)
  })
})

describe('who reads threads', () => {
  test('an owner pages through his, a reader of the history through everybody’s, and nobody else', async () => {
    const name = unique('pages')
    model.play(say('Yes.'))
    for (const number of [1, 2, 3]) {
      await chat.lines({ input: `${name} ${number}`, sessionSettings: someone('red', name) })
    }
    const ids = async (reader: Api, path: string, first: number): Promise<string[]> => {
      const found: string[] = []
      let after = ''
      for (;;) {
        const { status, body } = await reader.get(`${path}&first=${first}${after}`)
        expect(status).toBe(200)
        const items = Object.values(body.items ?? {})
        found.push(...items.map(item => String(item?.firstMessage)))
        if (items.length < first) return found
        after = `&after=${encodeURIComponent(String(body.pageInfo?.endCursor))}`
      }
    }
    const newestFirst = [3, 2, 1].map(number => `${name} ${number}`)
    const policies = (action: string) => [{ resourceType: 'Global', actions: [action], resources: ['All'] }]
    for (const action of ['ChatHistoryRead', 'ChatThreadRead']) {
      const reader = api.with(await createKey(api, { policies: policies(action) }))
      for (const first of [1, 2, 100])
        expect(await ids(reader, `/api/v1/chat-history?search=${name}`, first)).toEqual(newestFirst)
    }
    const other = api.with(await createKey(api, { policies: policies('DeploymentRead') }))
    expect((await other.get(`/api/v1/chat-history?search=${name}`)).status).toBe(403)
    // Two who page at once while the list grows see each of these once.
    const [one, two] = await Promise.all([1, 2].map(first => ids(api, `/api/v1/chat-history?search=${name}`, first)))
    expect([one, two]).toEqual([newestFirst, newestFirst])
  })
})

test('/metrics counts streams, turns by outcome, waits for first lines and tokens', async () => {
  const answered = 'hedron_chat_turns_total{outcome="answered"}'
  const tokens = 'hedron_chat_tokens_total{kind="input"}'
  const [turns, spent, lines] = [
    await metric(answered),
    await metric(tokens),
    await metric('hedron_chat_first_line_seconds_count'),
  ]
  model.play({ kind: 'answer', text: ['Counted.'], usage: { input: 70, output: 7 } })
  await chat.lines({ input: 'x', sessionSettings: someone('red') })
  expect(await metric(answered)).toBe(turns + 1)
  expect(await metric(tokens)).toBe(spent + 70)
  expect(await metric('hedron_chat_first_line_seconds_count')).toBe(lines + 1)
  model.play({ kind: 'hang', text: ['So '] })
  const sessionSettings = someone('red')
  const aborted = await metric('hedron_chat_turns_total{outcome="aborted"}')
  const stream = await chat.open({ input: 'x', sessionSettings })
  const chatId = chatIdOf(await stream.until(({ content }) => content === 'So '))
  expect(await metric('hedron_chat_streams_open')).toBeGreaterThanOrEqual(1)
  expect((await chat.abort({ chatId, sessionSettings })).status).toBe(204)
  await stream.rest()
  await eventually(
    () => metric('hedron_chat_turns_total{outcome="aborted"}'),
    count => count === aborted + 1,
  )
})

/** Present in the half of the tests that runs with a PostgreSQL of its own. */
const server = process.env.HEDRON_TEST_DATABASE_URL

test.skipIf(!server)('an abort ends the statement in the database that answers it', async () => {
  const { hostname, port, username, password, pathname } = new URL(server ?? '')
  const mark = unique('slow').replaceAll('-', '_')
  const slow = await createProject(
    api,
    {
      'model/slow.yml': `cubes:
  - name: slow
    sql: SELECT pg_sleep(300)::text AS ${mark}
    measures: [{ name: count, type: count_distinct, sql: ${mark} }]
`,
    },
    {
      CUBEJS_DB_TYPE: 'postgres',
      CUBEJS_DB_HOST: hostname,
      CUBEJS_DB_PORT: port,
      CUBEJS_DB_NAME: pathname.slice(1),
      CUBEJS_DB_USER: decodeURIComponent(username),
      CUBEJS_DB_PASS: decodeURIComponent(password),
    },
  )
  const database = new Client({ connectionString: server })
  await database.connect()
  try {
    const running = async () => {
      const { rows } = await database.query<{ count: string }>(
        "select count(*) from pg_stat_activity where state = 'active' and pid <> pg_backend_pid() and query like $1",
        [`%${mark}%`],
      )
      return Number(rows[0]?.count)
    }
    const own = chatOf(api, { place: await agentOf(api, slow) })
    const sessionSettings = someone('red')
    model.play(query('SELECT MEASURE(count) FROM slow'))
    const stream = await own.open({ input: 'slowly', sessionSettings })
    const chatId = chatIdOf(await stream.until(({ toolCall }) => toolCall !== undefined))
    await eventually(running, count => count === 1)
    expect((await own.abort({ chatId, sessionSettings })).status).toBe(204)
    await eventually(running, count => count === 0, 5_000)
  } finally {
    await database.end()
  }
})
