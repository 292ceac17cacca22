import { connect } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { sharedApi } from '../support/api.ts'
import { agentOf, type Chat, type ChatLine, chatIdOf, chatOf, finalOf, newMessageId, resultsOf } from './chat-client.ts'
import { createShop, endless, someone } from './shop.ts'

const api = sharedApi()
let chat: Chat
let place: string
beforeAll(async () => {
  place = await agentOf(api, await createShop(api))
  chat = chatOf(api, { place })
})

const isRunningQuery = ({ toolCall }: ChatLine) => toolCall?.name === 'serviceSqlApi' && toolCall.result === undefined

describe('Events: message kinds in order of a typical conversation', () => {
  let lines: ChatLine[]
  const messageId = newMessageId()
  beforeAll(async () => {
    lines = await chat.lines({ input: 'total amount by city', messageId, sessionSettings: someone('red') })
  })

  test('the response is NDJSON with the type of JSON, and is kept by nobody', async () => {
    const response = await chat.post('stream-chat-state', { input: 'orders?', sessionSettings: someone('red') })
    expect([response.status, response.headers.get('content-type'), response.headers.get('cache-control')]).toEqual([
      200,
      'application/json; charset=utf-8',
      'no-store',
    ])
    await response.text()
  })

  test('__cutoff__ first, with sort 0, isStreaming and chatId', () => {
    expect(lines[0]).toEqual({
      id: '__cutoff__',
      role: 'assistant',
      state: { isStreaming: false, chatId: expect.any(String) },
      sort: 0,
    })
  })

  test('the user echo has the message id of the client', () => {
    expect(lines[1]).toMatchObject({ id: messageId, role: 'user', content: 'total amount by city', isDelta: false })
  })

  test('sort rises strictly; state and usage are the last lines', () => {
    const sorts = lines.flatMap(({ sort }) => (sort === undefined ? [] : [sort]))
    expect(sorts).toEqual([...new Set(sorts)].sort((a, b) => a - b))
    expect(lines.slice(-2).map(({ id }) => id)).toEqual(['__state__', '__usage__'])
    expect(lines.at(-1)).toEqual({
      id: '__usage__',
      type: 'usage',
      usage: {
        models: [],
        llmCalls: 0,
        inputTokens: 0,
        outputTokens: 0,
        cacheWriteTokens: 0,
        cacheReadTokens: 0,
        totalTokens: 0,
      },
    })
  })

  test('assistant text comes in pieces under one id that make the final content; the final node repeats it', () => {
    const pieces = lines.filter(({ isDelta, role }) => isDelta && role === 'assistant')
    expect(new Set(pieces.map(({ id }) => id)).size).toBe(1)
    const whole = lines.find(({ id, isDelta }) => id === pieces[0]?.id && !isDelta)
    expect(whole).toMatchObject({ isInProcess: false, isStructuredResponse: false })
    expect(pieces.map(({ content }) => content).join('')).toBe(whole?.content)
    expect(pieces[0]).toMatchObject({ isInProcess: true, graphPath: ['service_data_analyst_agent'] })
    expect(finalOf(lines)).toBe(whole?.content)
    expect(finalOf(lines)).not.toBe('')
  })

  test('tool calls: started with name and input as JSON text, ended under the same id with a result as JSON text', () => {
    const calls = lines.filter(({ toolCall }) => toolCall)
    const ids = [...new Set(calls.map(({ id }) => id))]
    for (const id of ids) {
      const [begin, end] = calls.filter(call => call.id === id)
      expect([begin?.isInProcess, begin?.isDelta, begin?.toolCall?.result]).toEqual([true, false, undefined])
      expect(begin?.graphPath).toEqual(['service_data_analyst_agent', 'tools'])
      expect(end?.isInProcess).toBe(false)
      expect(typeof JSON.parse(begin?.toolCall?.input ?? '')).toBe('object')
      expect(typeof JSON.parse(end?.toolCall?.result ?? '')).toBe('object')
    }
    expect(calls.map(({ toolCall }) => toolCall?.name)).toContain('serviceSqlApi')
  })

  test('__state__ has the conversation in serialised messages', () => {
    const messages = lines.at(-2)?.state?.messages ?? []
    expect(messages[0]).toMatchObject({
      lc: 1,
      type: 'constructor',
      id: ['langchain_core', 'messages', 'HumanMessage'],
      kwargs: { content: 'total amount by city' },
    })
    expect(messages.at(-1)).toMatchObject({
      id: ['langchain_core', 'messages', 'AIMessage'],
      kwargs: { content: finalOf(lines) },
    })
  })

  test('thinking is not told outside of development mode', () => {
    expect(lines.map(({ thinking = '' }) => thinking).join('')).toBe('')
  })
})

describe('Chat stream: threads', () => {
  test('without input, the state of the thread is returned and nothing is changed', async () => {
    const sessionSettings = someone('red')
    const chatId = chatIdOf(await chat.lines({ input: 'How many orders?', sessionSettings }))
    for (const _ of [1, 2]) {
      const read = await chat.lines({ chatId, sessionSettings })
      expect(read[0]?.state).toEqual({ isStreaming: false, chatId })
      expect(read.filter(({ role }) => role === 'user')).toHaveLength(1)
      expect(finalOf(read)).not.toBe(undefined)
      expect(read.slice(-2).map(({ id }) => id)).toEqual(['__state__', '__usage__'])
    }
  })

  test('a follow-up goes on in the thread', async () => {
    const sessionSettings = someone('blue')
    const chatId = chatIdOf(await chat.lines({ input: 'total amount', sessionSettings }))
    const lines = await chat.lines({ input: 'and by city?', chatId, sessionSettings })
    expect(chatIdOf(lines)).toBe(chatId)
    expect(resultsOf(lines)).toContain('Quito')
  })

  test('a thread of another asker, of another agent, and one that never was: 404', async () => {
    const chatId = chatIdOf(await chat.lines({ input: 'total amount', sessionSettings: someone('red') }))
    const elsewhere = chatOf(api, { place: await agentOf(api, await createShop(api)) })
    for (const [asked, id, to] of [
      [someone('red'), chatId, chat],
      [someone('red'), 'never-was', chat],
      [someone('red'), chatId, elsewhere],
    ] as const) {
      for (const more of [{}, { input: 'total amount' }]) {
        const { status, body } = await to.refusal({ chatId: id, sessionSettings: asked, ...more })
        expect([status, body.code]).toEqual([404, 'chat_thread_not_found'])
      }
    }
  })

  test('what was answered is answered the same again', async () => {
    const sessionSettings = someone('red')
    const messageId = newMessageId()
    const first = await chat.lines({ input: 'total amount', messageId, sessionSettings })
    const again = await chat.lines({ input: 'total amount', messageId, chatId: chatIdOf(first), sessionSettings })
    expect(finalOf(again)).toBe(finalOf(first))
    expect(again.find(({ toolCall }) => toolCall?.name === 'serviceSqlApi')?.id).toBe(
      first.find(({ toolCall }) => toolCall?.name === 'serviceSqlApi')?.id,
    )
    expect(again.at(-2)?.state?.messages).toEqual(first.at(-2)?.state?.messages)
  })

  test('a hundred requests at once with one message id: one answer', async () => {
    const sessionSettings = someone('red')
    await chat.lines({ input: 'How many orders?', sessionSettings })
    const messageId = newMessageId()
    const all = await Promise.all(
      Array.from({ length: 100 }, () => chat.lines({ input: 'total amount by city', messageId, sessionSettings })),
    )
    const queries = all.map(
      lines => lines.find(({ toolCall }) => toolCall?.name === 'serviceSqlApi' && toolCall.result)?.id,
    )
    expect(new Set(all.map(chatIdOf)).size).toBe(1)
    expect(new Set(queries).size).toBe(1)
    expect(new Set(all.map(finalOf)).size).toBe(1)
  })
})

describe('while a message is answered', () => {
  test('another one is refused, the same one is followed, the thread says so, and abort stops it', {
    timeout: 60_000,
  }, async () => {
    const sessionSettings = someone('red')
    const messageId = newMessageId()
    const first = await chat.open({ input: endless, messageId, sessionSettings })
    const chatId = chatIdOf(await first.until(isRunningQuery))

    const other = await chat.lines({ input: 'total amount', messageId: newMessageId(), chatId, sessionSettings })
    expect(other.map(({ id, error }) => id ?? error)).toEqual([
      '__cutoff__',
      'Streaming for thread is in progress',
      '__usage__',
    ])
    const same = await chat.open({ input: endless, messageId, chatId, sessionSettings })
    expect((await same.until(isRunningQuery))[0]?.state).toMatchObject({ isStreaming: true, chatId })
    expect((await chat.lines({ chatId, sessionSettings }))[0]?.state).toEqual({ isStreaming: true, chatId })

    // Somebody who is there but is not he, and a thread that is not.
    const stranger = someone('red')
    await chat.lines({ input: 'How many orders?', sessionSettings: stranger })
    expect((await chat.abort({ chatId, sessionSettings: stranger })).status).toBe(403)
    expect((await chat.abort({ chatId, sessionSettings: someone('red') })).status, 'nobody').toBe(403)
    expect((await chat.abort({ chatId })).status, 'without saying who asks').toBe(403)
    expect((await chat.abort({ chatId: 'never-was', sessionSettings })).status).toBe(404)

    expect(await chat.abort({ chatId, sessionSettings })).toEqual({ status: 204, text: '' })
    for (const stream of [first, same]) {
      expect((await stream.rest()).map(({ id, type, code }) => [id, type, code])).toEqual([
        ['__aborted__', 'abort', 'chat_aborted'],
        ['__usage__', 'usage', undefined],
      ])
    }
    expect((await chat.abort({ chatId, sessionSettings })).status, 'nothing is answered any more').toBe(204)
    const next = await chat.lines({ input: 'total amount', chatId, sessionSettings })
    expect(finalOf(next)).toContain('30')
  })

  test('a client that goes does not end it: it is found later', async () => {
    const sessionSettings = someone('red')
    const messageId = newMessageId()
    const leaving = new AbortController()
    const stream = await chat.open({ input: endless, messageId, sessionSettings }, leaving.signal)
    const chatId = chatIdOf(await stream.until(isRunningQuery))
    leaving.abort()
    const again = await chat.open({ input: endless, messageId, chatId, sessionSettings })
    expect((await again.until(isRunningQuery))[0]?.state?.isStreaming).toBe(true)
    expect((await chat.abort({ chatId, sessionSettings })).status).toBe(204)
    expect((await again.rest()).at(-1)?.id).toBe('__usage__')
  })
})

describe('bad input', () => {
  const who = () => someone('red')

  test.each([
    ['nothing', {}],
    ['no asker', { input: 'x' }],
    ['a message id of another form', { input: 'x', messageId: '123-message', sessionSettings: who() }],
    ['a message id with more behind it', { input: 'x', messageId: '1790000000000-message\n', sessionSettings: who() }],
    ['an empty question', { input: '', sessionSettings: who() }],
    ['a question that is no text', { input: 1, sessionSettings: who() }],
    ['an unknown field', { input: 'x', inputs: 'y', sessionSettings: who() }],
    ['an unknown setting', { input: 'x', sessionSettings: { ...who(), admin: true } }],
    ['neither question nor thread', { sessionSettings: who() }],
    ['a question beyond 1 MiB', { input: 'x'.repeat(1_048_577), sessionSettings: who() }],
    [
      'an image of a kind that is none',
      { input: 'x', images: [{ mimeType: 'text/html', data: 'AAAA' }], sessionSettings: who() },
    ],
    ['a default branch that is not named', { input: 'x', isDefaultBranch: false, sessionSettings: who() }],
  ])('%s: 400', async (_, body) => {
    const { status, body: answer } = await chat.refusal(body)
    expect([status, answer.code]).toEqual([400, 'invalid_request'])
  })

  test('bytes that are no UTF-8, and what is no JSON: 400', async () => {
    const bytes = Buffer.from(`{"input":"\xff","sessionSettings":{"externalId":"x"}}`, 'latin1')
    expect(await chat.refusal(bytes)).toMatchObject({ status: 400, body: { code: 'invalid_json' } })
    expect(await chat.refusal('{"input":')).toMatchObject({ status: 400, body: { code: 'invalid_json' } })
    expect(await chat.refusal('null')).toMatchObject({ status: 400 })
  })

  test('an account, agent or deployment that is not there: 404', async () => {
    const body = { input: 'x', sessionSettings: who() }
    for (const [options, code] of [
      [{ place, account: 'nobody' }, 'chat_account_not_found'],
      [{ place: 'agents/999999999' }, 'agent_not_found'],
      [{ place: 'agents/1e3' }, 'agent_not_found'],
      [{ place: 'agents/0' }, 'agent_not_found'],
    ] as const) {
      expect(await chatOf(api, options).refusal(body)).toMatchObject({ status: 404, body: { code } })
    }
  })

  test('a branch that is not there is said in the stream', async () => {
    const lines = await chat.lines({ input: 'x', activeBranchName: 'no-such-branch', sessionSettings: who() })
    expect(lines.map(({ id, error }) => id ?? error)).toEqual(['BadRequestError: Bad branch', '__usage__'])
  })

  test('a client that never reads does not hold the server up', async () => {
    const { hostname, port } = new URL(api.baseUrl)
    const body = JSON.stringify({ input: 'total amount by city', sessionSettings: who() })
    const sockets = Array.from({ length: 20 }, () => {
      const socket = connect({ host: hostname, port: Number(port) })
      socket.pause()
      socket.write(
        `POST /api/v1/public/hedron/${place}/chat/stream-chat-state HTTP/1.1\r\nhost: x\r\nauthorization: Api-Key ${api.apiKey}\r\n` +
          `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      )
      return socket
    })
    const lines = await chat.lines({ input: 'total amount', sessionSettings: who() })
    expect(finalOf(lines)).toContain('30')
    for (const socket of sockets) socket.destroy()
  })
})
