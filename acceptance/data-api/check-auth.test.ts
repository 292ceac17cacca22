import { beforeAll, describe, expect, test } from 'vitest'
import { chatOf, finalOf } from '../chat/chat-client.ts'
import { chatModel } from '../chat/shop.ts'
import { createKey, eventually, sharedApi, tokenOf } from '../support/api.ts'
import { createDataClient, type DataClient } from './data-client.ts'
import { createGraphqlClient } from './graphql-client.ts'
import { createProject, enterDevMode, putFiles, setVariables } from './project.ts'
import { openSocket, socketUrl } from './socket-client.ts'
import { askSql } from './sql-client.ts'
import { signHmac } from './tokens.ts'

const api = sharedApi()
const [apiSecret, productSecret] = ['a-secret-of-the-api-that-is-long-enough', 'a-secret-of-the-product']
const query = { measures: ['orders.total_amount'] }

/** Takes tokens of the product, and opaque ones of a partner. */
const checkAuth = `const jwt = require('jsonwebtoken')

module.exports = {
  checkAuth: async (req, auth) => {
    if (auth === 'endless') for (;;) {}
    if (auth === 'never') await new Promise(() => {})
    if (auth === 'circle') { const context = {}; context.context = context; return { securityContext: context } }
    if (auth === 'nothing') throw undefined
    const [, tenant, ...scopes] = auth.split('.partner.')
    if (tenant) return { securityContext: { tenant, sub: 'Partner ' + tenant, ...(scopes.length > 0 ? { scope: scopes } : {}) } }
    const { account, ...claims } = jwt.verify(auth, process.env.PRODUCT_SECRET, { algorithms: ['HS256'] })
    if (account === 'left') throw new Error('This account is closed')
    req.securityContext = { ...claims, tenant: account }
  },
}
`
const partner = (tenant: string, ...scopes: readonly string[]) => ['opaque', tenant, ...scopes].join('.partner.')
const product = (account: string, claims: object = {}) => signHmac({ account, ...claims }, productSecret)

let id = 0
let data: DataClient
beforeAll(async () => {
  id = await createProject(
    api,
    { ...chatModel, 'cube.js': checkAuth },
    { CUBEJS_API_SECRET: apiSecret, PRODUCT_SECRET: productSecret },
  )
  await api.put(`/api/v1/deployments/${id}`, { serviceAuthEnabled: true })
  data = await createDataClient(api, id)
})

async function ask(token: string, more: object = {}): Promise<unknown> {
  const { status, body } = await data.load(query, {}, { authorization: token, ...more })
  const [row] = Array.isArray(body.data) ? body.data : []
  return status === 200 ? row['orders.total_amount'] : [status, String(body.error)]
}

describe("A project's checkAuth decides who asks", () => {
  test('the context that it gives is whose rows are seen, and its refusal is the answer', async () => {
    expect(await ask(product('red'))).toBe('30')
    expect(await ask(`Bearer ${product('blue')}`)).toBe('280')
    expect(await ask(partner('red'))).toBe('30')
    expect(await ask(product('left'))).toEqual([403, 'This account is closed'])
    expect(await ask(signHmac({ account: 'red' }, 'guessed'))).toEqual([403, 'invalid signature'])
    expect(await ask('nothing')).toEqual([403, 'Invalid token'])
  })

  test('tokens that the deployment would take without it are refused, those of the platform are not', async () => {
    expect(await ask(signHmac({ tenant: 'red' }, apiSecret))).toEqual([403, 'invalid signature'])
    expect((await data.post('load', { query }, { authorization: await tokenOf(api, id) })).status).toBe(200)
    expect(await ask(signHmac({ cubeCloud: {}, account: 'red' }, 'guessed'))).toEqual([403, 'invalid signature'])
  })

  test('scopes count in the context that it gives', async () => {
    expect(await ask(product('red', { scope: ['meta'] }))).toEqual([403, 'API scope is missing: data'])
    expect((await data.post('meta', {}, { authorization: partner('red', 'data') })).status).toBe(403)
    expect(await ask(partner('red', 'data'))).toBe('30')
  })

  test('for web sockets, GraphQL and SQL alike', async () => {
    const socket = await openSocket(socketUrl(api.baseUrl, id), partner('red'))
    const { message } = await socket.ask({ messageId: '1', method: 'load', params: { query } })
    expect(JSON.stringify(message)).toContain('"30"')
    socket.socket.close()
    const graphql = await createGraphqlClient(api, id)
    const document = '{ cube { orders { total_amount } } }'
    const { body } = await graphql.post(document, {}, { authorization: partner('red') })
    expect(JSON.stringify(body)).toMatch(/"total_amount":"?30"?/)
    const statement = 'SELECT MEASURE(total_amount) AS amount FROM orders'
    expect((await askSql(data, statement, {}, partner('red'))).rows).toEqual([['30']])
  })

  test.each([
    ['endless', 'come to an end'],
    ['never', 'never happens'],
    ['circle', 'written as JSON'],
  ])('a call that fails (%s) lets nobody in, and holds nobody else up', async (token, reason) => {
    expect(await ask(token)).toEqual([500, expect.stringContaining(reason)])
    expect(await ask(product('red'))).toBe('30')
  })

  test('on a branch it is that of the branch, and one that does not compile is no way around it', async () => {
    const author = api.with(await createKey(api))
    const branch = await enterDevMode(author, id)
    const own = "module.exports = { checkAuth: () => ({ securityContext: { tenant: 'blue' } }) }"
    await putFiles(author, id, branch, { 'cube.js': own })
    expect(await ask('anybody', { branch })).toBe('280')
    expect(await ask('anybody')).toEqual([403, 'jwt malformed'])
    await putFiles(author, id, branch, { 'model/orders.yml': 'cubes: 1' })
    expect(await ask(signHmac({ tenant: 'red' }, apiSecret), { branch })).toEqual([403, 'invalid signature'])
    expect(await ask(product('red'), { branch })).toEqual([500, expect.stringContaining('Compile errors')])
  })

  test('a secret that was changed ends what was let in by it', async () => {
    const other = await createProject(api, { ...chatModel, 'cube.js': checkAuth }, { PRODUCT_SECRET: productSecret })
    const client = await createDataClient(api, other)
    const statusOf = async () => (await client.load(query, {}, { authorization: product('red') })).status
    expect(await statusOf()).toBe(200)
    await setVariables(api, other, { PRODUCT_SECRET: 'another' })
    await eventually(statusOf, status => status === 403)
  })
})

describe('Service token authentication for chat: custom check-auth', () => {
  const chatWith = (token: string) =>
    chatOf(api, { place: `deployments/${id}`, headers: { 'x-service-auth-token': token } })
  const question = { input: 'total amount' }

  test('a token that only the function can read asks with the context that comes of it', async () => {
    expect(finalOf(await chatWith(partner('red', 'chat')).lines(question))).toContain('30')
    expect(finalOf(await chatWith(partner('blue', 'chat')).lines(question))).toContain('280')
    expect(finalOf(await chatWith(product('red', { sub: 'Ada', scope: ['chat'] })).lines(question))).toContain('30')
  })

  test.each([
    ['it refuses', 'garbled', 'jwt malformed'],
    ['whose context has no scope chat', partner('red', 'data'), 'scope'],
    ['whose context names nobody', product('red', { scope: ['chat'] }), 'externalId'],
  ])('a token is rejected that %s', async (_, token, reason) => {
    const { status, body } = await chatWith(token).refusal(question)
    expect([status, body]).toMatchObject([200, { jsonrpc: '2.0', error: { message: expect.stringContaining(reason) } }])
  })
})
