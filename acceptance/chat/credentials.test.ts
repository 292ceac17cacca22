import { beforeAll, describe, expect, test } from 'vitest'
import { signHmac } from '../data-api/tokens.ts'
import { createKey, eventually, sharedApi, unique } from '../support/api.ts'
import { openSession } from '../support/embedding.ts'
import { agentOf, type Chat, chatIdOf, chatOf, finalOf, newMessageId, resultsOf } from './chat-client.ts'
import { createShop, endless, someone } from './shop.ts'

const api = sharedApi()
const secret = 'the-secret-of-the-deployment-that-chats'
const seconds = () => Math.floor(Date.now() / 1000)
const token = (claims: Readonly<Record<string, unknown>> = {}, key = secret) =>
  signHmac({ externalId: 'Ann', scope: ['chat'], tenant: 'red', exp: seconds() + 600, ...claims }, key)

let deploymentId: number
let agent: string
let deployment: string
beforeAll(async () => {
  deploymentId = await createShop(api, { CUBEJS_API_SECRET: secret })
  agent = await agentOf(api, deploymentId)
  deployment = `deployments/${deploymentId}`
})

const withToken = (place: string, text: string, header = 'x-service-auth-token') =>
  chatOf(api, { place, headers: { [header]: text } })
const setServiceAuth = async (serviceAuthEnabled: boolean) => {
  const { status, body } = await api.put(`/api/v1/deployments/${deploymentId}`, { serviceAuthEnabled })
  expect([status, body.serviceAuthEnabled]).toEqual([200, serviceAuthEnabled])
}
const question = { input: 'total amount' }

async function expectNotAuthenticated(chat: Chat, why: RegExp, body: unknown = question): Promise<void> {
  for (const action of ['stream-chat-state', 'abort']) {
    const answer = await chat.refusal(action === 'abort' ? { chatId: 'x' } : body, action)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.body).toEqual({
      jsonrpc: '2.0',
      error: { code: expect.any(Number), message: expect.stringMatching(why) },
      id: null,
    })
  }
}

describe('Authentication acceptance by URL form: API key', () => {
  test('agent form: accepted, as Api-Key and as Bearer', async () => {
    for (const scheme of ['Api-Key', 'Bearer']) {
      const chat = chatOf(api, { place: agent, headers: { authorization: `${scheme} ${api.apiKey}` } })
      expect(finalOf(await chat.lines({ ...question, sessionSettings: someone('red') }))).toContain('30')
    }
  })

  test('deployment form: 403 with the published text, on the stream and on abort', async () => {
    const chat = chatOf(api, { place: deployment })
    for (const action of ['stream-chat-state', 'abort']) {
      const { status, body } = await chat.refusal({ ...question, sessionSettings: someone('red') }, action)
      expect([status, body.message]).toEqual([403, 'agentId is required for Api-Key authentication'])
    }
  })

  test('no credential, an unknown key and another scheme: a JSON-RPC error in a 200', async () => {
    for (const place of [agent, deployment]) {
      await expectNotAuthenticated(chatOf(api, { place, headers: {} }), /Authorization/)
      const unknown = { authorization: 'Api-Key sk-00000000000000000000000000000000' }
      await expectNotAuthenticated(chatOf(api, { place, headers: unknown }), /API key/)
      await expectNotAuthenticated(chatOf(api, { place, headers: { authorization: 'Basic eDp5' } }), /scheme/)
    }
  })

  test('a key that is limited to another deployment: 403', async () => {
    const other = await createShop(api)
    const key = await createKey(api, { deploymentIds: [other] })
    const body = { ...question, sessionSettings: someone('red') }
    expect(await chatOf(api.with(key), { place: agent }).refusal(body)).toMatchObject({
      status: 403,
      body: { code: 'deployment_out_of_scope' },
    })
    const own = chatOf(api.with(key), { place: await agentOf(api, other) })
    expect(finalOf(await own.lines(body))).toContain('30')
  })
})

describe('Service token authentication for chat', () => {
  test('is off until the deployment turns it on, and off again', async () => {
    await expectNotAuthenticated(withToken(agent, token()), /serviceAuthEnabled/)
    await setServiceAuth(true)
    expect(finalOf(await withToken(agent, token()).lines(question))).toContain('30')
    await setServiceAuth(false)
    await expectNotAuthenticated(withToken(agent, token()), /serviceAuthEnabled/)
    await setServiceAuth(true)
  })

  test('both URL forms take it, and the older name of the header', async () => {
    for (const place of [agent, deployment]) {
      for (const header of ['x-service-auth-token', 'X-Cube-Auth-Token']) {
        const lines = await withToken(place, token(), header).lines(question)
        expect(finalOf(lines)).toContain('30')
        expect(await withToken(place, token(), header).abort({ chatId: chatIdOf(lines) })).toMatchObject({
          status: 204,
        })
      }
    }
  })

  test('beside Authorization it is ignored', async () => {
    const headers = { authorization: 'Api-Key sk-nobody', 'x-service-auth-token': token() }
    await expectNotAuthenticated(chatOf(api, { place: agent, headers }), /API key/)
    const both = { authorization: `Api-Key ${api.apiKey}`, 'x-service-auth-token': 'nonsense' }
    const chat = chatOf(api, { place: agent, headers: both })
    expect(finalOf(await chat.lines({ ...question, sessionSettings: someone('blue') }))).toContain('280')
  })

  test.each([
    ['signed by somebody else', () => token({}, 'another-secret-of-somebody')],
    ['over', () => token({ exp: seconds() - 10 })],
    ['without the scope', () => token({ scope: undefined })],
    ['with other scopes', () => token({ scope: ['data'] })],
    ['whose scope is no list', () => token({ scope: 'chat' })],
    ['without externalId and sub', () => token({ externalId: undefined })],
    ['whose externalId is no text', () => token({ externalId: 7 })],
    ['no token', () => 'nonsense'],
  ])('a token %s is rejected', async (_, text) => {
    await expectNotAuthenticated(withToken(deployment, text()), /token/)
  })

  test('externalId goes before sub, both in lower case; sessionSettings are ignored', async () => {
    const name = unique('Person')
    const bySub = withToken(agent, token({ externalId: undefined, sub: name.toUpperCase() }))
    const chatId = chatIdOf(await bySub.lines({ ...question, sessionSettings: { externalId: 'somebody-else' } }))
    const byId = withToken(deployment, token({ externalId: name.toLowerCase(), sub: 'nobody' }))
    expect(finalOf(await byId.lines({ chatId }))).toContain('30')
    const byKey = chatOf(api, { place: agent })
    expect(finalOf(await byKey.lines({ chatId, sessionSettings: { externalId: name } }))).toContain('30')
  })

  test('the agent asks with that token: its claims decide which rows there are', async () => {
    const red = await withToken(agent, token()).lines({ input: 'total amount by city' })
    const blue = await withToken(agent, token({ tenant: 'blue' })).lines({ input: 'total amount by city' })
    expect([resultsOf(red).includes('Oslo'), resultsOf(red).includes('Lima')]).toEqual([true, false])
    expect([resultsOf(blue).includes('Oslo'), resultsOf(blue).includes('Lima')]).toEqual([false, true])
  })

  test('a token of another deployment is rejected; so is one for an agent of another account name', async () => {
    const other = await createShop(api, { CUBEJS_API_SECRET: 'another-secret-of-another-one' })
    await api.put(`/api/v1/deployments/${other}`, { serviceAuthEnabled: true })
    await expectNotAuthenticated(withToken(`deployments/${other}`, token()), /token/)
    const elsewhere = chatOf(api, { place: agent, account: 'nobody', headers: { 'x-service-auth-token': token() } })
    expect(await elsewhere.refusal(question)).toMatchObject({ status: 404 })
    const missing = withToken('deployments/999999999', token())
    expect(await missing.refusal(question)).toMatchObject({ status: 404 })
  })
})

describe('embed sessions', () => {
  const session = (more: object = {}) =>
    openSession(api, { deploymentId, externalId: unique('viewer'), securityContext: { tenant: 'blue' }, ...more })

  test('its token is taken on both forms and under both schemes, with the rights of the session', async () => {
    const { token: text } = await session()
    for (const place of [agent, deployment]) {
      for (const scheme of ['Embed-Token', 'Bearer']) {
        const chat = chatOf(api, { place, headers: { authorization: `${scheme} ${text}` } })
        expect(finalOf(await chat.lines(question))).toContain('280')
      }
    }
  })

  test('of another deployment: 404; with allowAi off: 403', async () => {
    const { token: text } = await session()
    const other = await agentOf(api, await createShop(api))
    const chat = chatOf(api, { place: other, headers: { authorization: `Embed-Token ${text}` } })
    expect(await chat.refusal(question)).toMatchObject({ status: 404 })
    const off = await session({ settings: { allowAi: false } })
    const refused = chatOf(api, { place: agent, headers: { authorization: `Embed-Token ${off.token}` } })
    expect(await refused.refusal(question)).toMatchObject({ status: 403, body: { code: 'chat_ai_off' } })
  })

  test('its user sees, renames, rates and deletes his threads, and nobody else does', async () => {
    const [mine, other] = [await session(), await session()]
    const chat = chatOf(api, { place: agent, headers: { authorization: `Embed-Token ${mine.token}` } })
    const messageId = newMessageId()
    const chatId = chatIdOf(await chat.lines({ input: '  total   amount ', messageId }))
    const path = `/api/v1/deployments/${deploymentId}/chat-threads`
    const list = await mine.get(path)
    expect(list.body.items).toMatchObject([
      { id: chatId, title: 'total amount', messageCount: 1, lastStatus: 'answered' },
    ])
    expect((await mine.request('PATCH', `${path}/${chatId}`, { title: 'Money' })).status).toBe(200)
    expect(
      (await mine.put(`${path}/${chatId}/messages/${messageId}/feedback`, { rating: 'up', feedback: 'right' })).status,
    ).toBe(204)
    const { body } = await mine.get(`${path}/${chatId}`)
    expect(body).toMatchObject({
      title: 'Money',
      turns: [{ messageId, rating: 'up', feedback: 'right', status: 'answered' }],
    })
    expect((await other.get(path)).body.items).toEqual([])
    for (const [method, to, sent] of [
      ['GET', `${path}/${chatId}`, undefined],
      ['PATCH', `${path}/${chatId}`, { title: 'x' }],
      ['PUT', `${path}/${chatId}/messages/${messageId}/feedback`, { rating: 'down' }],
      ['DELETE', `${path}/${chatId}`, undefined],
    ] as const) {
      expect((await other.request(method, to, sent)).status, method).toBe(404)
      expect((await api.request(method, to, sent)).status, `${method} by an administrator`).toBe(404)
    }
    const found = await api.get(`/api/v1/chat-history?search=${chatId}`)
    expect(found.body.items).toMatchObject([{ id: chatId, title: 'Money', owner: { externalId: expect.any(String) } }])
    expect((await mine.get('/api/v1/chat-history')).status).toBe(403)

    const running = await chat.open({ input: endless, chatId })
    await running.until(({ toolCall }) => toolCall?.name === 'serviceSqlApi')
    expect((await mine.delete(`${path}/${chatId}`)).status).toBe(204)
    expect((await running.rest()).map(({ id, error }) => id ?? error)).toEqual(['The thread was deleted.', '__usage__'])
    expect((await chat.refusal({ chatId })).status).toBe(404)
  })

  test('its user pages through his threads by cursor, the newest first, each once', async () => {
    const mine = await session()
    const chat = chatOf(api, { place: agent, headers: { authorization: `Embed-Token ${mine.token}` } })
    const ids: string[] = []
    for (const _ of [1, 2, 3]) ids.unshift(chatIdOf(await chat.lines(question)))
    const path = `/api/v1/deployments/${deploymentId}/chat-threads`
    const found: string[] = []
    let after = ''
    do {
      const { items, pageInfo } = (await mine.get(`${path}?first=2${after}`)).body
      found.push(...Object.values(Object(items)).map(item => String(Object(item).id)))
      after = pageInfo?.hasNextPage ? `&after=${encodeURIComponent(String(pageInfo.endCursor))}` : ''
    } while (after !== '')
    expect(found).toEqual(ids)
    expect((await mine.get(`${path}?after=no-cursor`)).status).toBe(400)
  })

  test('a session that ends takes its rights along, between two tools of one answer too', async () => {
    const { sessionId } = (await api.post('/api/v1/embed/generate-session', { deploymentId, externalId: unique('v') }))
      .body
    const exchanged = await api.request('POST', '/api/v1/embed/session/token', { sessionId }, { authorization: '' })
    const chat = chatOf(api, {
      place: agent,
      headers: { authorization: `Embed-Token ${String(exchanged.body.token)}` },
    })
    await chat.lines(question)
    expect((await api.post('/api/v1/embed/session/revoke', { sessionId })).status).toBe(204)
    await eventually(
      () => chat.refusal(question),
      ({ body }) => 'error' in body && 'jsonrpc' in body,
    )
  })
})
