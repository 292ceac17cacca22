import { generateKeyPairSync } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { createKey, eventually, sharedApi, tokenOf } from '../support/api.ts'
import { type Action, createDataClient, type DataClient } from './data-client.ts'
import { createProject, enterDevMode, setVariables } from './project.ts'
import { shop } from './shop.ts'
import { signHmac, signRsa, unsigned } from './tokens.ts'

const api = sharedApi()
const secret = 'a-secret-of-the-tests-that-is-long-enough'
const now = Math.floor(Date.now() / 1000)
const later = { iat: now, exp: now + 600 }
const query = { measures: ['orders.count'] }
let id = 0
let data: DataClient
beforeAll(async () => {
  id = await createProject(api, shop, { CUBEJS_API_SECRET: secret })
  data = await createDataClient(api, id)
})

const ask = (authorization: string | null, headers: Readonly<Record<string, string>> = {}, action: Action = 'load') =>
  data.post(action, { query }, { authorization, headers })

describe('a token', () => {
  test('of the platform, and one signed with the secret', async () => {
    expect((await ask(await tokenOf(api, id))).status).toBe(200)
    expect((await ask(signHmac(later, secret))).status).toBe(200)
    expect((await ask(signHmac({}, secret))).status, 'a token need not end').toBe(200)
    expect((await ask(signHmac({ u: { id: 1 }, tenant: 'x' }, secret))).status).toBe(200)
  })

  test('stands alone or behind a word', async () => {
    const token = signHmac(later, secret)
    for (const header of [token, `Bearer ${token}`, `bearer ${token}`, `Token ${token}`, `  Bearer   ${token} `]) {
      expect((await ask(header)).status, header.slice(0, 12)).toBe(200)
    }
  })

  test('of x-cube-authorization comes before that of Authorization', async () => {
    const good = signHmac(later, secret)
    expect((await ask(null, { 'x-cube-authorization': good })).status).toBe(200)
    expect((await ask('garbled', { 'x-cube-authorization': `Bearer ${good}` })).status).toBe(200)
    expect((await ask(good, { 'x-cube-authorization': 'garbled' })).status).toBe(403)
  })

  test.for(['load', 'sql', 'dry-run', 'explain', 'meta'] as const)('is needed for %s', async action => {
    for (const header of [null, '', ' ']) {
      const { status, body } = await ask(header, {}, action)
      expect([status, body.error]).toEqual([403, "Authorization header isn't set"])
    }
    const { status, body } = await ask('garbled', {}, action)
    expect([status, body.error]).toEqual([403, 'Invalid token'])
  })
})

describe('a token that is not one', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const [header = '', payload = '', signature = ''] = signHmac(later, secret).split('.')
  const forged = Buffer.from(JSON.stringify({ ...later, admin: true })).toString('base64url')

  test.for<[what: string, token: string]>([
    ['a word', 'garbled'],
    ['three words', 'a.b.c'],
    ['a word behind Bearer', 'Bearer garbled'],
    ['of the wrong secret', signHmac(later, 'another-secret-that-is-long-enough-too')],
    ['of no secret', signHmac(later, '')],
    ['expired', signHmac({ iat: now - 600, exp: now - 60 }, secret)],
    ['not valid yet', signHmac({ ...later, nbf: now + 300 }, secret)],
    ['whose end is no time', signHmac({ exp: 'never' }, secret)],
    ['whose payload is a list', signHmac(Object([1]), secret)],
    ['without a signature', `${header}.${payload}.`],
    ['without its last part', `${header}.${payload}`],
    ['with another payload', `${header}.${forged}.${signature}`],
    ['with a changed signature', `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`],
    ['alg none', unsigned(later, 'none')],
    ['alg None', unsigned(later, 'None')],
    ['alg none, signed all the same', signHmac(later, secret, { alg: 'none', typ: 'JWT' })],
    ['HS384', signHmac(later, secret, { alg: 'HS384', typ: 'JWT' })],
    ['without alg', signHmac(later, secret, { typ: 'JWT' })],
    ['RS256 of a key of its own', signRsa(later, privateKey)],
    ['RS256 signed with the secret', signHmac(later, secret, { alg: 'RS256', typ: 'JWT' })],
    ['HS256 signed with a public key', signHmac(later, publicKey.export({ type: 'spki', format: 'pem' }).toString())],
    ['with a critical header that nobody knows', signHmac(later, secret, { alg: 'HS256', crit: ['x'], x: 1 })],
    ['an API key of the platform', api.apiKey],
    ['very long', `${header}.${'A'.repeat(8_000)}.${signature}`],
  ])('%s', async ([, token]) => {
    const { status, body } = await ask(token)
    expect([status, body.error]).toEqual([403, 'Invalid token'])
    expect(JSON.stringify(body)).not.toContain(secret)
  })

  test('of another deployment', async () => {
    const other = await createProject(api, shop)
    const { status, body } = await ask(await tokenOf(api, other))
    expect([status, body.error]).toEqual([403, 'Invalid token'])
  })

  test('is found out before the body is read', async () => {
    const response = await fetch(`${data.url()}/load`, {
      method: 'POST',
      headers: { authorization: 'garbled', 'content-type': 'application/json' },
      body: '{"query":',
    })
    expect(response.status).toBe(403)
  })

  test('runs out while it is in use', async () => {
    const short = signHmac({ exp: Math.floor(Date.now() / 1000) + 3 }, secret)
    expect((await ask(short)).status).toBe(200)
    const { body } = await eventually(
      () => ask(short),
      ({ status }) => status !== 200,
    )
    expect(body.error).toBe('Invalid token')
  })
})

describe('secrets', () => {
  test('are rotated: every one of the list is valid, until it is taken off, and the one beside the list signs for the platform alone', async () => {
    const own = await createProject(api, shop, { CUBEJS_API_SECRET: secret })
    const client = await createDataClient(api, own)
    const status = async (token: string) => (await client.post('load', { query }, { authorization: token })).status
    const [first, second] = ['the-first-secret-of-the-rotation', 'the-second-secret-of-the-rotation']
    expect(await status(signHmac(later, first))).toBe(403)
    await setVariables(api, own, { CUBEJS_API_SECRETS: `${first}, ${second}` })
    expect(await Promise.all([first, second, secret].map(each => status(signHmac(later, each))))).toEqual([
      200, 200, 403,
    ])
    expect(await status(await tokenOf(api, own)), 'tokens of the platform go on').toBe(200)
    await setVariables(api, own, { CUBEJS_API_SECRETS: second })
    expect(await Promise.all([first, second, secret].map(each => status(signHmac(later, each))))).toEqual([
      403, 200, 403,
    ])
    await setVariables(api, own, { CUBEJS_API_SECRET: 'a-new-secret-of-the-deployment-at-last' })
    expect(await Promise.all([secret, second].map(each => status(signHmac(later, each))))).toEqual([403, 200])
    expect(await status(await tokenOf(api, own)), 'the platform signs with the new one').toBe(200)
  })
})

describe('scopes', () => {
  const scoped = (scope: unknown) => signHmac({ ...later, scope }, secret)

  test('limit what a token can ask', async () => {
    const needed = { load: 'data', 'dry-run': 'data', explain: 'data', sql: 'sql', meta: 'meta' } as const
    for (const action of ['load', 'dry-run', 'explain', 'sql', 'meta'] as const) {
      expect((await ask(scoped([needed[action]]), {}, action)).status).toBe(200)
      for (const scope of [[], ['graphql'], ['data', 'sql', 'meta'].filter(name => name !== needed[action])]) {
        const { status, body } = await ask(scoped(scope), {}, action)
        expect([status, body.error]).toEqual([403, `API scope is missing: ${needed[action]}`])
      }
    }
  })

  test('of a text limit where they are those of the data API, and mean nothing where they are others', async () => {
    expect((await ask(scoped('openid profile email'))).status, 'a login goes on working').toBe(200)
    expect((await ask(scoped('openid data'))).status).toBe(200)
    const { status, body } = await ask(scoped('openid meta'))
    expect([status, body.error]).toEqual([403, 'API scope is missing: data'])
    for (const strange of [7, { data: true }, true]) expect((await ask(scoped(strange))).status).toBe(403)
  })

  test('never are more than CUBEJS_DEFAULT_API_SCOPES', async () => {
    const own = await createProject(api, shop, { CUBEJS_API_SECRET: secret, CUBEJS_DEFAULT_API_SCOPES: 'meta,sql' })
    const client = await createDataClient(api, own)
    const tokens = [signHmac(later, secret), scoped(['data', 'meta', 'sql']), scoped('data meta sql'), client.token]
    for (const authorization of tokens) {
      const { status, body } = await client.post('load', { query }, { authorization })
      expect([status, body.error]).toEqual([403, 'API scope is missing: data'])
      expect((await client.get('meta', {}, { authorization })).status).toBe(200)
    }
  })

  test('are all there where a token names none', async () => {
    for (const action of ['load', 'dry-run', 'explain', 'sql', 'meta'] as const) {
      expect((await ask(signHmac(later, secret), {}, action)).status).toBe(200)
    }
  })
})

describe('a token of an environment', () => {
  test('is valid there alone', async () => {
    const author = api.with(await createKey(api))
    const branch = await enterDevMode(author, id)
    const { body } = await author.get(`/api/v1/deployments/${id}/environments`)
    const environments: { id: string; type: string; branch: string }[] = Object(body.items)
    const environmentOf = (wanted: string) => environments.find(each => each.type === wanted)?.id
    const tokenFor = async (environment: string | undefined, path = 'tokens', more = {}) => {
      const created = await author.post(`/api/v1/deployments/${id}/environments/${environment}/${path}`, {
        security_context: { tenant: 'x' },
        ...more,
      })
      return String(Object(created.body.data).token)
    }
    const production = await tokenFor(environmentOf('production'))
    const development = await tokenFor(environments.find(each => each.branch === branch)?.id)

    const status = async (authorization: string, options: { branch?: string } = {}, action: Action = 'load') =>
      (await data.post(action, { query }, { authorization, ...options })).status
    expect(await status(production)).toBe(200)
    expect(await status(production, { branch })).toBe(403)
    expect(await status(development)).toBe(403)
    expect(await status(development, { branch })).toBe(200)

    const meta = await tokenFor(environmentOf('production'), 'tokens-for-meta-sync')
    expect(await status(meta, {}, 'meta')).toBe(200)
    const refused = await data.post('load', { query }, { authorization: meta })
    expect([refused.status, refused.body.error]).toEqual([403, 'API scope is missing: data'])
    const sql = await tokenFor(environmentOf('production'), 'tokens', { scopes: ['sql'] })
    expect([await status(sql, {}, 'sql'), await status(sql)]).toEqual([200, 403])
  })
})
