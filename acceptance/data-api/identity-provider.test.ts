import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, sharedApi, tokenOf } from '../support/api.ts'
import { ordersByTenant } from '../support/orders-of-two.ts'
import { createDataClient, type DataClient } from './data-client.ts'
import { createProject, setVariables } from './project.ts'
import { signHmac, signRsa } from './tokens.ts'

const api = sharedApi()
const secret = 'a-secret-of-the-tests-that-is-long-enough'
const namespace = 'https://shop.example/claims'
const model = {
  'model/orders.yml': ordersByTenant('{ securityContext.tenant }'),
}

const makeKey = (kid: string) => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { kid, privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' } }
}
const [first, second] = [makeKey('first'), makeKey('second')]
const now = Math.floor(Date.now() / 1000)
const claims = {
  iss: 'https://login.example/',
  aud: 'shop',
  sub: 'ada',
  scope: 'openid profile email',
  iat: now,
  exp: now + 600,
  [namespace]: { tenant: 'red' },
}
const tokenBy = ({ kid, privateKey }: typeof first, more = {}) => signRsa({ ...claims, ...more }, privateKey, { kid })

/** The identity provider: a page of keys, and how often it was asked. */
let published = [first]
let asked = 0
let down = false
const provider = createServer((_, response) => {
  asked++
  if (down) return response.destroy()
  const keys = published.map(({ jwk }) => jwk)
  return response.writeHead(200, { 'cache-control': 'max-age=1' }).end(JSON.stringify({ keys }))
})
let data: DataClient
let id = 0
let keysUrl = ''
beforeAll(async () => {
  provider.listen(0, '127.0.0.1')
  await once(provider, 'listening')
  keysUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/jwks.json`
  id = await createProject(api, model, {
    CUBEJS_API_SECRET: secret,
    CUBEJS_JWK_URL: keysUrl,
    CUBEJS_JWT_AUDIENCE: 'shop',
    CUBEJS_JWT_ISSUER: 'https://login.example/',
    CUBEJS_JWT_ALGS: 'RS256',
    CUBEJS_JWT_CLAIMS_NAMESPACE: namespace,
  })
  data = await createDataClient(api, id)
})
afterAll(() => {
  provider.closeAllConnections()
  provider.close()
})

async function ask(authorization: string) {
  const { status, body } = await data.load({ measures: ['orders.count'] }, {}, { authorization })
  return status === 200 ? Object(body.data)[0]['orders.count'] : [status, body.error]
}

test("a provider's token is taken, and its rows are those of the claims under the namespace", async () => {
  expect(await ask(tokenBy(first))).toBe('2')
  expect(await ask(`Bearer ${tokenBy(first, { [namespace]: { tenant: 'blue' } })}`)).toBe('1')
  expect(asked, 'for all of these').toBe(1)
  const outside = await ask(tokenBy(first, { [namespace]: undefined, tenant: 'red' }))
  expect(outside, 'claims outside the namespace are no context').not.toBe('2')
})

test('a token of another audience, issuer, time or key is refused', async () => {
  for (const wrong of [{ aud: 'other' }, { aud: undefined }, { iss: 'https://evil.example/' }, { exp: now - 1 }]) {
    expect(await ask(tokenBy(first, wrong))).toEqual([403, 'Invalid token'])
  }
  expect(await ask(tokenBy({ ...second, kid: 'first' }))).toEqual([403, 'Invalid token'])
  expect(await ask(signHmac(claims, secret, { alg: 'HS256', kid: 'first' }))).toEqual([403, 'Invalid token'])
  const pem = first.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  expect(await ask(signHmac(claims, pem, { alg: 'HS256', kid: 'first' }))).toEqual([403, 'Invalid token'])
})

test('the published texts say what is wrong with a key', async () => {
  expect(await ask('garbled')).toEqual([403, 'Unable to decode JWT key'])
  expect(await ask(signRsa(claims, first.privateKey))).toEqual([403, 'JWT without kid inside headers'])
  expect(await ask(tokenBy({ ...first, kid: 'nobody' }))).toEqual([
    403,
    'Unable to verify, JWK with kid: "nobody" not found',
  ])
})

test('the tokens of the platform go on working', async () => {
  expect((await data.get('meta', {}, { authorization: await tokenOf(api, id) })).status).toBe(200)
})

test('keys are rotated: a new one is found, one that was taken off ends, also for tokens that were in use', async () => {
  const own = await createProject(api, model, { CUBEJS_JWK_URL: keysUrl, CUBEJS_JWT_CLAIMS_NAMESPACE: namespace })
  const client = await createDataClient(api, own)
  const status = async (token: string) =>
    (await client.load({ measures: ['orders.count'] }, {}, { authorization: token })).status
  expect(await status(tokenBy(first))).toBe(200)
  published = [first, second]
  expect(await status(tokenBy(second)), 'at once').toBe(200)
  published = [second]
  const old = tokenBy(first)
  await eventually(
    () => status(old),
    answer => answer === 403,
    20_000,
  )
  expect(await status(tokenBy(second))).toBe(200)
  published = [first]
})

test('a provider that is down: known keys hold, unknown ones cannot be checked, and that is said', async () => {
  down = true
  try {
    const own = await createProject(api, model, { CUBEJS_JWK_URL: keysUrl })
    const client = await createDataClient(api, own)
    const { status, body } = await client.post(
      'load',
      { query: { measures: ['orders.count'] } },
      { authorization: tokenBy(first) },
    )
    expect([status, body.error]).toEqual([
      503,
      'Tokens cannot be checked at the moment: the keys of CUBEJS_JWK_URL could not be read. Try again in a moment.',
    ])
    expect(JSON.stringify(body)).not.toContain('127.0.0.1')
    expect((await client.get('meta', {})).status, 'the platform needs no provider').toBe(200)
    expect(await ask(tokenBy(first))).toBe('2')
  } finally {
    down = false
  }
})

test('a public key in CUBEJS_JWT_KEY does without a provider, until it is exchanged', async () => {
  const pem = (key: typeof first) =>
    (key === first ? firstPublic : secondPublic).export({ type: 'spki', format: 'pem' }).toString()
  const { publicKey: firstPublic, privateKey: firstPrivate } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const { publicKey: secondPublic } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const own = await createProject(api, model, {
    CUBEJS_API_SECRET: secret,
    CUBEJS_JWT_KEY: pem(first),
    CUBEJS_JWT_ALGS: 'RS256',
  })
  const client = await createDataClient(api, own)
  const status = async (authorization: string) => (await client.get('meta', {}, { authorization })).status
  const token = signRsa({ tenant: 'red' }, firstPrivate)
  expect(await status(token)).toBe(200)
  expect(await status(signHmac({ tenant: 'red' }, pem(first)))).toBe(403)
  expect(await status(signHmac({ tenant: 'red' }, secret)), 'the key takes the place of the secret').toBe(403)
  await setVariables(api, own, { CUBEJS_JWT_KEY: pem(second) })
  expect(await status(token)).toBe(403)
})
