import { rm } from 'node:fs/promises'
import { afterAll, expect, test } from 'vitest'
import {
  agentOf,
  type ChatLine,
  chatIdOf,
  chatOf,
  finalOf,
  type LineReader,
  newMessageId,
} from '../chat/chat-client.ts'
import { createShop, endless, someone } from '../chat/shop.ts'
import { createApi, eventually } from '../support/api.ts'
import { type FakeRequest, query, type Reply, startFakeModel } from '../support/fake-model.ts'
import { type RunningPlatform, startPlatform, temporaryDirectory } from '../support/start-platform.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { databaseServerOf, endOrphan } from './orphan.ts'

const serverUrl = process.env.HEDRON_TEST_DATABASE_URL
const dataDirectory = await temporaryDirectory()
const database = serverUrl ? await createTestDatabase(serverUrl) : null
const model = await startFakeModel()
afterAll(async () => {
  await model.close()
  await endOrphan(dataDirectory)
  await database?.drop()
  await rm(dataDirectory, { recursive: true, force: true, maxRetries: 10 })
})

const words = Array.from({ length: 25 }, (_, index) => `word${index} `)
const answer = words.join('')

/** Looks at the data once and then talks for a second. */
function play({ body }: FakeRequest): Reply {
  const isLookedUp = JSON.stringify(body.messages.at(-1)).includes('totalRows')
  return isLookedUp
    ? { kind: 'answer', text: words, pauseMs: 40 }
    : query('SELECT city, MEASURE(total_amount) FROM orders GROUP BY 1')
}

const key = `sk-${'chatsurvives'.repeat(3)}`
const start = () =>
  startPlatform({
    dataDirectory,
    database,
    environment: { HEDRON_BOOTSTRAP_API_KEY: key, HEDRON_LLM_BASE_URL: model.url, HEDRON_LLM_MODEL: 'scripted' },
  })

/** What a client shows of the answer, by the lines of all its connections in their order. */
function shown(lines: readonly ChatLine[]): string {
  let text = ''
  for (const { role, content, isDelta, toolCall, graphPath } of lines) {
    if (role !== 'assistant' || toolCall || content === undefined || graphPath?.[0] === 'final') continue
    text = isDelta ? text + content : content
  }
  return text
}

/** Reads until the stream ends, in whatever way. */
async function readAll(stream: LineReader | undefined, into: ChatLine[]): Promise<void> {
  try {
    for (let line = await stream?.next(); line !== undefined; line = await stream?.next()) into.push(line)
  } catch {
    // The connection broke: that is what is tested.
  }
}

test('clients, the database and the server are killed amid streams: every message gets one answer, whole, and every thread is consistent', {
  timeout: 300_000,
}, async () => {
  model.play(play)
  let platform = await start()
  const deploymentId = await createShop(createApi(platform.baseUrl, key))
  const place = await agentOf(createApi(platform.baseUrl, key), deploymentId)
  const sessionSettings = someone('red', 'survivor')
  const chatAt = ({ baseUrl }: RunningPlatform) => chatOf(createApi(baseUrl, key), { place })
  const blows = [
    'client',
    'server',
    'database',
    'stop',
    'server',
    'client',
    'database',
    'stop',
    'server',
    'server',
  ] as const
  let chatId: string | undefined
  let rounds = 0
  for (const blow of blows) {
    if (blow === 'database' && serverUrl) continue
    rounds += 1
    const messageId = newMessageId()
    const body = () => ({ input: `round ${rounds}`, messageId, sessionSettings, ...(chatId ? { chatId } : {}) })
    const seen: ChatLine[] = []
    const leaving = new AbortController()
    const stream = await chatAt(platform).open(body(), leaving.signal)
    const reading = readAll(stream, seen)
    await new Promise(resolve => setTimeout(resolve, Math.random() * 1500))
    if (blow === 'client') leaving.abort()
    if (blow === 'database') process.kill((await databaseServerOf(dataDirectory)) ?? 0, 'SIGKILL')
    if (blow === 'server') await platform.kill()
    if (blow === 'stop') expect(await platform.stop()).toBe(0)
    await reading
    if (blow === 'stop') expect(['__usage__']).toContain(seen.at(-1)?.id)
    if (blow === 'server' || blow === 'stop') platform = await start()
    chatId ??= seen.find(({ id }) => id === '__cutoff__')?.state?.chatId
    // The client asks again with the same message until it has an end that is none of a disturbance.
    const chat = chatAt(platform)
    await eventually(
      async () => {
        const again: ChatLine[] = []
        await readAll(await chat.open(body()).catch(() => undefined), again)
        seen.push(...again)
        return finalOf(again)
      },
      final => final !== undefined,
      60_000,
    )
    expect([blow, finalOf(seen)]).toEqual([blow, answer])
    expect([blow, shown(seen)]).toEqual([blow, answer])
    chatId = chatIdOf(seen)
  }
  const { body: thread } = await createApi(platform.baseUrl, key).get(`/api/v1/chat-history/${chatId}`)
  const turns = Array.isArray(thread.turns) ? thread.turns : []
  expect(turns.map(({ input, status, toolCalls, answer: text }) => [input, status, toolCalls.length, text])).toEqual(
    Array.from({ length: rounds }, (_, index) => [`round ${index + 1}`, 'answered', 1, answer]),
  )
  const state = (await chatAt(platform).lines({ chatId, sessionSettings })).at(-2)?.state?.messages ?? []
  expect(state.map(({ id }) => id[2])).toEqual(
    Array.from({ length: rounds }, () => ['HumanMessage', 'AIMessage', 'ToolMessage', 'AIMessage']).flat(),
  )
  expect(await platform.stop()).toBe(0)
})

test('abort stops the call of the model and the query of the data source, not only the stream', {
  timeout: 120_000,
}, async () => {
  const platform = await startPlatform({
    environment: { HEDRON_LLM_BASE_URL: model.url, HEDRON_LLM_MODEL: 'scripted' },
  })
  try {
    const api = createApi(platform.baseUrl, platform.apiKey)
    const chat = chatOf(api, { place: await agentOf(api, await createShop(api)) })
    const sessionSettings = someone('red')
    const running = async () => (await fetch(`${platform.baseUrl}/metrics`)).text()
    const isRunning = (text: string) => /^hedron_queries_running [1-9]/m.test(text)
    model.play(query('SELECT MEASURE(greatest_hash) FROM sluggish'))
    const asking = await chat.open({ input: endless, sessionSettings })
    const begin = await asking.until(({ toolCall }) => toolCall !== undefined)
    await eventually(running, isRunning)
    expect((await chat.abort({ chatId: chatIdOf(begin), sessionSettings })).status).toBe(204)
    await eventually(running, text => !isRunning(text))

    model.play({ kind: 'hang', text: ['Well, '] })
    const talking = await chat.open({ input: 'talk', sessionSettings })
    const words = await talking.until(({ content }) => content === 'Well, ')
    expect(model.open()).toBe(1)
    expect((await chat.abort({ chatId: chatIdOf(words), sessionSettings })).status).toBe(204)
    await eventually(
      async () => model.open(),
      open => open === 0,
    )
    expect((await talking.rest()).map(({ id }) => id)).toEqual(['__aborted__', '__usage__'])
  } finally {
    await platform.dispose()
  }
})
