import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { type JWK, type JWTPayload, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import type { KeySets } from '../../../src/queries/tokens/key-sets.ts'
import { readContents } from '../../../src/queries/tokens/security-context.ts'
import { readTokenSettings } from '../../../src/queries/tokens/token-settings.ts'
import { verifyToken } from '../../../src/queries/tokens/verify-token.ts'

const now = new Date('2026-01-01T00:00:00Z')
const seconds = now.getTime() / 1000
const secret = 'a-secret-of-the-tests-that-is-long-enough'
const pairs = {
  RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  EdDSA: generateKeyPairSync('ed25519'),
}
type Algorithm = keyof typeof pairs
const algorithms = ['RS256', 'ES256', 'EdDSA'] as const
const pem = (algorithm: Algorithm) => pairs[algorithm].publicKey.export({ type: 'spki', format: 'pem' }).toString()

const sign = (claims: JWTPayload, key: KeyObject | string, header: { alg: string; kid?: string; jku?: string }) =>
  new SignJWT(claims).setProtectedHeader(header).sign(typeof key === 'string' ? new TextEncoder().encode(key) : key)

const keySets: KeySets = {
  async find(_owner, _url, kid) {
    const pair = algorithms.find(algorithm => algorithm === kid)
    const jwk = pair && (pairs[pair].publicKey.export({ format: 'jwk' }) as JWK)
    return jwk ? [{ ...jwk, kid }] : []
  },
}

const verify = (token: string, variables: Readonly<Record<string, string>>) =>
  verifyToken(token, { settings: readTokenSettings(variables), keySets, deploymentId: 1, now })
const refused = (status: number, message: string | RegExp) => ({
  status,
  message: typeof message === 'string' ? message : expect.stringMatching(message),
})
const invalid = refused(403, 'Invalid token')

test('CUBEJS_API_SECRETS takes the place of CUBEJS_API_SECRET, but for tokens of the platform', async () => {
  const listed = 'another-secret-that-is-long-enough-too'
  const variables = { CUBEJS_API_SECRET: secret, CUBEJS_API_SECRETS: ` , ${listed}` }
  expect((await verify(await sign({ a: 1 }, listed, { alg: 'HS256' }), variables)).payload).toEqual({ a: 1 })
  await expect(verify(await sign({ a: 1 }, secret, { alg: 'HS256' }), variables)).rejects.toMatchObject(invalid)
  const ours = await sign({ cubeCloud: {} }, secret, { alg: 'HS256' })
  expect((await verify(ours, variables)).isOfPlatform).toBe(true)
  expect(
    (await verify(await sign({ a: 1 }, secret, { alg: 'HS256' }), { ...variables, CUBEJS_API_SECRETS: ' , ' })).payload,
  ).toEqual({ a: 1 })
})

describe('CUBEJS_JWT_KEY', () => {
  test.for(algorithms)('is a public key for %s', async alg => {
    const token = await sign({ tenant: 'x' }, pairs[alg].privateKey, { alg })
    for (const key of [pem(alg), pem(alg).replaceAll('\n', '\\n')]) {
      expect((await verify(token, { CUBEJS_JWT_KEY: key })).payload).toEqual({ tenant: 'x' })
    }
    for (const other of algorithms.filter(name => name !== alg)) {
      await expect(verify(token, { CUBEJS_JWT_KEY: pem(other) })).rejects.toMatchObject(invalid)
    }
  })

  test('that is public is never taken for a shared secret', async () => {
    for (const alg of algorithms) {
      for (const key of [pem(alg), pem(alg).trim(), pem(alg).replaceAll('\n', '\\n')]) {
        for (const hash of ['HS256', 'HS384', 'HS512']) {
          const forged = await sign({ tenant: 'x' }, key, { alg: hash })
          for (const more of [{}, { CUBEJS_JWT_ALGS: `${alg},HS256,HS384,HS512` }]) {
            await expect(verify(forged, { CUBEJS_JWT_KEY: pem(alg), ...more })).rejects.toMatchObject(invalid)
          }
        }
      }
    }
  })

  test('that is shared takes the place of the API secrets', async () => {
    const variables = { CUBEJS_JWT_KEY: 'another-secret-that-is-long-enough-too', CUBEJS_API_SECRET: secret }
    expect((await verify(await sign({}, variables.CUBEJS_JWT_KEY, { alg: 'HS256' }), variables)).isOfPlatform).toBe(
      false,
    )
    await expect(verify(await sign({}, secret, { alg: 'HS256' }), variables)).rejects.toMatchObject(invalid)
  })

  test('that cannot be read is named', async () => {
    const token = await sign({}, secret, { alg: 'HS256' })
    await expect(verify(token, { CUBEJS_JWT_KEY: '-----BEGIN PUBLIC KEY-----\nnothing' })).rejects.toMatchObject(
      refused(500, /CUBEJS_JWT_KEY cannot be used/),
    )
  })
})

describe('CUBEJS_JWT_ALGS', () => {
  test('names what is taken, of what fits the key', async () => {
    const token = await sign({}, secret, { alg: 'HS512' })
    await expect(verify(token, { CUBEJS_API_SECRET: secret })).rejects.toMatchObject(invalid)
    const wide = { CUBEJS_API_SECRET: secret, CUBEJS_JWT_ALGS: 'HS256, HS512' }
    expect((await verify(token, wide)).payload).toEqual({})
    await expect(verify(token, { ...wide, CUBEJS_JWT_ALGS: 'none' })).rejects.toMatchObject(
      refused(500, /CUBEJS_JWT_ALGS cannot be used/),
    )
    const own = await sign({}, pairs.RS256.privateKey, { alg: 'RS256' })
    await expect(verify(own, { CUBEJS_JWT_KEY: pem('RS256'), CUBEJS_JWT_ALGS: 'PS256' })).rejects.toMatchObject(invalid)
  })
})

describe('CUBEJS_JWK_URL', () => {
  const variables = { CUBEJS_JWK_URL: 'https://login.example/keys', CUBEJS_API_SECRET: secret }

  test.for(algorithms)('has the keys of %s', async alg => {
    const token = await sign({ tenant: 'x' }, pairs[alg].privateKey, { alg, kid: alg })
    expect((await verify(token, variables)).payload).toEqual({ tenant: 'x' })
  })

  test('answers with the published texts', async () => {
    const rs = pairs.RS256.privateKey
    await expect(verify('garbled', variables)).rejects.toMatchObject(refused(403, 'Unable to decode JWT key'))
    await expect(verify('a.b.c', variables)).rejects.toMatchObject(refused(403, 'Unable to decode JWT key'))
    const without = await sign({}, rs, { alg: 'RS256' })
    await expect(verify(without, variables)).rejects.toMatchObject(refused(403, 'JWT without kid inside headers'))
  })

  test('never lets the bearer choose: no shared secret, no key of another kind, no address of his own', async () => {
    const forged = [
      await sign({}, pem('RS256'), { alg: 'HS256', kid: 'RS256' }),
      await sign({}, secret, { alg: 'HS256', kid: 'RS256' }),
      await sign({}, pairs.ES256.privateKey, { alg: 'ES256', kid: 'RS256' }),
      await sign({}, generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey, {
        alg: 'RS256',
        kid: 'RS256',
        jku: 'https://evil.example/keys',
      }),
    ]
    for (const token of forged) await expect(verify(token, variables)).rejects.toMatchObject(invalid)
    await expect(verify(forged[0] ?? '', { ...variables, CUBEJS_JWT_ALGS: 'RS256,HS256' })).rejects.toMatchObject(
      invalid,
    )
    await expect(verify(forged[0] ?? '', { ...variables, CUBEJS_JWT_ALGS: 'HS256' })).rejects.toMatchObject(
      refused(500, /CUBEJS_JWT_ALGS cannot be used/),
    )
  })

  test('leaves the tokens of the platform valid, which the secret signs', async () => {
    const claims = { cubeCloud: { groups: ['a'] } }
    expect((await verify(await sign(claims, secret, { alg: 'HS256' }), variables)).isOfPlatform).toBe(true)
    const other = await sign(claims, 'another-secret-that-is-long-enough-too', { alg: 'HS256' })
    await expect(verify(other, variables)).rejects.toMatchObject({ status: 403 })
    const unsigned = createHmac('sha256', '').update('x').digest('base64url')
    const [header, payload] = other.split('.')
    await expect(verify(`${header}.${payload}.${unsigned}`, variables)).rejects.toMatchObject({ status: 403 })
  })
})

describe('audience, issuer, subject and time', () => {
  const variables = {
    CUBEJS_API_SECRET: secret,
    CUBEJS_JWT_AUDIENCE: 'shop',
    CUBEJS_JWT_ISSUER: 'https://a.example, https://b.example',
    CUBEJS_JWT_SUBJECT: 'ada',
  }
  const good = { aud: 'shop', iss: 'https://b.example', sub: 'ada', exp: seconds + 60, nbf: seconds - 60 }

  test('are held to', async () => {
    const ask = async (claims: JWTPayload) => verify(await sign(claims, secret, { alg: 'HS256' }), variables)
    expect((await ask(good)).payload).toEqual(good)
    expect((await ask({ ...good, aud: ['other', 'shop'] })).payload.aud).toEqual(['other', 'shop'])
    const wrong = [
      { aud: 'other' },
      { iss: 'https://c.example' },
      { iss: 'https://a.example, https://b.example' },
      { sub: 'bob' },
      { exp: seconds },
      { nbf: seconds + 1 },
    ]
    for (const claims of wrong) await expect(ask({ ...good, ...claims })).rejects.toMatchObject(invalid)
    for (const name of ['aud', 'iss', 'sub'] as const) {
      const { [name]: _, ...rest } = good
      await expect(ask(rest)).rejects.toMatchObject(invalid)
    }
  })

  test('are nothing that tokens of the platform have', async () => {
    const token = await sign({ cubeCloud: {}, exp: seconds + 60 }, secret, { alg: 'HS256' })
    expect((await verify(token, variables)).isOfPlatform).toBe(true)
    const over = await sign({ cubeCloud: {}, exp: seconds }, secret, { alg: 'HS256' })
    await expect(verify(over, variables)).rejects.toMatchObject(invalid)
  })
})

describe('what a token says', () => {
  const namespace = { claimsNamespace: 'https://shop.example/' }

  test('is its payload, with what older clients put under u', () => {
    const read = (payload: JWTPayload) => readContents(payload, { claimsNamespace: null }, false).securityContext
    expect(read({ tenant: 'x', iat: 1 })).toEqual({ tenant: 'x', iat: 1 })
    expect(read({ u: { id: 1, tenant: 'y' }, tenant: 'x' })).toEqual({ id: 1, tenant: 'y' })
    expect(read({ u: 'ada', tenant: 'x' })).toEqual({ u: 'ada', tenant: 'x' })
  })

  test('is what stands under the namespace, and nothing where nothing does', () => {
    const read = (payload: JWTPayload, platform = false) => readContents(payload, namespace, platform)
    expect(read({ 'https://shop.example/': { tenant: 'x' }, tenant: 'y' }).securityContext).toEqual({ tenant: 'x' })
    expect(read({ tenant: 'y', u: { tenant: 'z' } }).securityContext).toEqual({})
    expect(read({ 'https://shop.example/': 'x' }).securityContext).toEqual({})
    expect(read({ tenant: 'y', cubeCloud: {} }, true).securityContext).toEqual({ tenant: 'y', cubeCloud: {} })
  })

  test('are groups and attributes under cubeCloud, in the payload or under the namespace', () => {
    const cubeCloud = { groups: ['a'], userAttributes: { city: 'B' } }
    for (const payload of [{ cubeCloud }, { 'https://shop.example/': { cubeCloud } }]) {
      expect(readContents(payload, namespace, false).platform).toMatchObject(cubeCloud)
    }
    expect(readContents({ u: { cubeCloud } }, { claimsNamespace: null }, false).platform.groups).toEqual([])
  })
})
