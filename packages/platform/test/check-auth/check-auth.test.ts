import { createHmac, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { createCheckAuths } from '../../src/queries/tokens/check-auth/check-auth.ts'

const now = new Date('2026-03-01T12:00:00Z')
const seconds = now.getTime() / 1000
const checkAuths = createCheckAuths({ effects: { now: () => now, randomBytes: count => randomBytes(count) } })
afterAll(() => checkAuths.close())

const secret = 'the secret of the product'
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
const variables = { MY_SECRET: secret, MY_KEY: pem.replaceAll('\n', '\\n'), EMPTY_SECRET: '', REGION: 'eu' }

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const content = (header: object, payload: object) => `${encode(header)}.${encode(payload)}`
function shared(payload: object, key = secret, alg = 'HS256'): string {
  const text = content({ alg, typ: 'JWT' }, payload)
  return `${text}.${createHmac(`sha${alg.slice(2)}`, key)
    .update(text)
    .digest('base64url')}`
}
function signed(payload: object): string {
  const text = content({ alg: 'RS256' }, payload)
  return `${text}.${createSign('RSA-SHA256').update(text).sign(privateKey, 'base64url')}`
}

function check(body: string, token: string, deploymentId = 1) {
  const script = `const jwt = require('jsonwebtoken')\nmodule.exports = { checkAuth: async (req, auth) => { ${body} } }`
  const request = { deploymentId, variables, checkAuth: { file: 'cube.js', script }, header: `Bearer ${token}`, token }
  return checkAuths.check(request)
}
const verify = (key: string, options = '{}') => `req.securityContext = jwt.verify(auth, ${key}, ${options})`
const bySecret = verify('process.env.MY_SECRET')

test('a token of a secret that the function cannot see is verified, and holds until it ends', async () => {
  const payload = { sub: 'ada', exp: seconds + 60 }
  expect(await check(bySecret, shared(payload))).toEqual({ securityContext: payload, expiresAt: (seconds + 60) * 1000 })
  const other = `const { sub } = jwt.verify(auth, process.env.MY_SECRET); return { securityContext: { sub } }`
  expect(await check(other, shared(payload))).toEqual({
    securityContext: { sub: 'ada' },
    expiresAt: (seconds + 60) * 1000,
  })
  expect((await check(verify('process.env.MY_KEY'), signed({ sub: 'ada' }))).securityContext).toEqual({ sub: 'ada' })
})

test.each([
  ['another secret', bySecret, shared({}, 'guessed'), 'invalid signature'],
  ['no signature', bySecret, `${content({ alg: 'none' }, {})}.`, 'jwt signature is required'],
  ['no algorithm', bySecret, `${content({ alg: 'none' }, {})}.abc`, 'invalid algorithm'],
  ['a public key as its secret', verify('process.env.MY_KEY'), shared({}, pem), 'invalid algorithm'],
  [
    'an algorithm that is not wanted',
    verify('process.env.MY_SECRET', "{ algorithms: ['HS512'] }"),
    shared({}),
    'invalid algorithm',
  ],
  ['an end that is past', bySecret, shared({ exp: seconds }), 'jwt expired'],
  ['a beginning to come', bySecret, shared({ nbf: seconds + 5 }), 'jwt not active'],
  [
    'another audience',
    verify('process.env.MY_SECRET', "{ audience: 'us' }"),
    shared({ aud: 'them' }),
    'jwt audience invalid',
  ],
  [
    'another issuer',
    verify('process.env.MY_SECRET', "{ issuer: ['us'] }"),
    shared({ iss: 'them' }),
    'jwt issuer invalid',
  ],
  [
    'what must be understood',
    bySecret,
    (() => {
      const text = content({ alg: 'HS256', crit: ['b64'] }, {})
      return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
    })(),
    'crit',
  ],
  ['no form', bySecret, 'opaque', 'jwt malformed'],
  ['an empty secret behind it', verify('process.env.EMPTY_SECRET'), shared({}, 'x'), 'must be provided'],
])('a token with %s is refused', async (_, body, token, message) => {
  await expect(check(body, token)).rejects.toMatchObject({ status: 403, message: expect.stringContaining(message) })
})

test('an option that is not checked is an error', async () => {
  const failing = check(verify('process.env.MY_SECRET', "{ maxAge: '1h' }"), shared({}))
  await expect(failing).rejects.toMatchObject({ status: 500, message: expect.stringContaining('maxAge') })
})

test('a secret does not enter the sandbox; what stands for it is another each time and proves nothing', async () => {
  const shown = 'return { securityContext: { secret: process.env.MY_SECRET, region: process.env.REGION } }'
  const [first, second] = [await check(shown, 'a'), await check(shown, 'a')].map(
    ({ securityContext }) => securityContext,
  )
  expect(JSON.stringify([first, second])).not.toContain(secret)
  expect(first?.secret).not.toBe(second?.secret)
  expect(first?.region).toBe('eu')
  const compare = "if (auth !== process.env.MY_SECRET) throw new Error('no')"
  await expect(check(compare, String(first?.secret))).rejects.toMatchObject({ status: 403, message: 'no' })
})

test('a context neither changes what objects inherit nor nests without end', async () => {
  const pollute = `return { securityContext: JSON.parse('{"__proto__":{"admin":true},"a":{"__proto__":{"admin":true}}}') }`
  const { securityContext } = await check(pollute, 'a')
  expect(securityContext).toEqual({ a: {} })
  expect(Object.hasOwn({}, 'admin') || 'admin' in {}).toBe(false)
  const nest = 'let a = {}; for (let i = 0; i < 20000; i++) a = { a }; return { securityContext: a }'
  await expect(check(nest, 'a')).rejects.toMatchObject({ status: 500 })
})

test('a function that holds up its thread is ended and left alone for a while; those of others go on', async () => {
  const impatient = createCheckAuths({
    effects: { now: () => now, randomBytes: count => randomBytes(count) },
    deadlineMilliseconds: 300,
  })
  const ask = (deploymentId: number, body: string) => {
    const checkAuth = { file: 'cube.js', script: `module.exports = { checkAuth() { ${body} } }` }
    return impatient.check({ deploymentId, variables, checkAuth, header: 'a', token: 'a' })
  }
  // Few steps, each of which takes long.
  const slow =
    "const a = 'x'.repeat(4000000) + 'y'; let n = 0; for (let i = 0; i < 9000; i++) n += a.indexOf('xy' + i); return n"
  try {
    const refused = { status: 500, message: expect.stringContaining('more than 0.3 s') }
    await expect(ask(1, slow)).rejects.toMatchObject(refused)
    await expect(ask(1, slow)).rejects.toMatchObject(refused)
    expect(await ask(2, 'return { securityContext: { fine: true } }')).toMatchObject({
      securityContext: { fine: true },
    })
  } finally {
    await impatient.close()
  }
  await expect(ask(2, '')).rejects.toMatchObject({ status: 503 })
})
