import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sharedApi } from '../support/api.ts'
import { createDataClient, type DataClient } from './data-client.ts'
import { createProject, setVariables } from './project.ts'
import { signHmac, signRsa } from './tokens.ts'

const api = sharedApi()
const model = {
  'model/orders.yml': 'cubes: [{ name: orders, sql: SELECT 1 AS id, measures: [{ name: count, type: count }] }]\n',
}
const makeKey = (modulusLength = 2048) => generateKeyPairSync('rsa', { modulusLength })
const jwkOf = ({ publicKey }: ReturnType<typeof makeKey>, more: object) => ({
  ...publicKey.export({ format: 'jwk' }),
  use: 'sig',
  ...more,
})
const [good, weak] = [makeKey(), makeKey(1024)]
const page = (...keys: readonly unknown[]) => JSON.stringify({ keys })
const honest = page(jwkOf(good, { kid: 'good' }))

/** What the provider says at each of its addresses. */
const lies: Readonly<Record<string, (response: ServerResponse) => unknown>> = {
  honest: response => response.end(honest),
  elsewhere: response => response.writeHead(302, { location: '/reached' }).end(),
  reached: response => response.end(honest),
  endless(response) {
    const more = () => {
      while (!response.destroyed && response.write(' '.repeat(65_536)));
    }
    response.on('drain', more)
    more()
  },
  drip(response) {
    const timer = setInterval(() => response.write(' '), 100)
    response.on('close', () => clearInterval(timer))
  },
  'no-json': response => response.end('<html>'),
  'no-keys': response => response.end('{"keys":{"good":1}}'),
  deep: response => response.end(`{"keys":${'['.repeat(200_000)}${']'.repeat(200_000)}}`),
  strange: response =>
    response.end(
      page(
        { kty: 'RSA', kid: 'broken', n: '!', e: '' },
        { kty: 'RSA', kid: 'bare' },
        { kty: 'EC', kid: 'off the curve', crv: 'P-256', x: 'AAAA', y: 'AAAA' },
        { kty: 'OKP', kid: 'unknown curve', crv: 'Ed1', x: 'AAAA' },
        { kty: 'oct', kid: 'shared', k: Buffer.from('known to all').toString('base64url') },
        jwkOf(weak, { kid: 'weak' }),
        jwkOf(good, { kid: 'other use', use: 'enc' }),
        jwkOf(good, { kid: 'other algorithm', alg: 'RS512' }),
        jwkOf(makeKey(), { kid: 'twice' }),
        jwkOf(good, { kid: 'twice' }),
        jwkOf(good, { kid: 'good' }),
        { kid: 'good' },
        null,
        'good',
      ),
    ),
}
const asked: string[] = []
const provider = createServer(({ url }, response) => {
  const name = (url ?? '').slice(1)
  asked.push(name)
  lies[name]?.(response)
})
let data: DataClient
let id = 0
beforeAll(async () => {
  provider.listen(0, '127.0.0.1')
  await once(provider, 'listening')
  id = await createProject(api, model)
  data = await createDataClient(api, id)
})
afterAll(() => {
  provider.closeAllConnections()
  provider.close()
})

async function believe(lie: string): Promise<void> {
  const address = provider.address()
  if (address === null || typeof address === 'string') throw new Error('the provider has no port')
  await setVariables(api, id, { CUBEJS_JWK_URL: `http://127.0.0.1:${address.port}/${lie}` })
}

async function ask(authorization: string): Promise<readonly unknown[]> {
  const { status, body } = await data.load({ measures: ['orders.count'] }, {}, { authorization })
  return [status, body.error]
}

const tokenOf = (kid: string, { privateKey } = good) => signRsa({ sub: 'ada' }, privateKey, { kid })
const unavailable = [503, expect.stringMatching(/keys/i)]

test.for(['elsewhere', 'endless', 'no-json', 'no-keys'])(
  'keys that are %s are none, and that is said at once',
  async lie => {
    await believe(lie)
    expect(await ask(tokenOf('good'))).toEqual(unavailable)
    expect(asked).not.toContain('reached')
    // It is left alone for a while.
    const count = asked.length
    await Promise.all(Array.from({ length: 20 }, () => ask(tokenOf('good'))))
    expect(asked.length).toBe(count)
  },
)

test('a provider that says a little at a time, for ever, keeps nobody else waiting', async () => {
  await believe('drip')
  let isWaiting = true
  const waiting = Promise.all(Array.from({ length: 50 }, () => ask(tokenOf('good')))).finally(() => {
    isWaiting = false
  })
  expect(await ask(data.token)).toEqual([200, undefined])
  expect(isWaiting).toBe(true)
  for (const answer of await waiting) expect(answer).toEqual(unavailable)
})

test('keys that nest deep are no keys', async () => {
  await believe('deep')
  expect(await ask(tokenOf('good'))).toEqual([403, 'Unable to verify, JWK with kid: "good" not found'])
})

test('keys that cannot be used are as if they were not there, and the good ones beside them hold', async () => {
  await believe('strange')
  expect(await ask(tokenOf('good'))).toEqual([200, undefined])
  for (const kid of ['broken', 'bare', 'off the curve', 'unknown curve', 'other use', 'other algorithm', 'nobody']) {
    expect([kid, ...(await ask(tokenOf(kid)))]).toEqual([kid, 403, expect.any(String)])
  }
  expect(await ask(tokenOf('weak', weak))).toEqual([403, expect.stringMatching(/not found/)])
  expect(await ask(tokenOf('twice'))).toEqual([200, undefined])
  const shared = signHmac({ sub: 'ada' }, 'known to all', { alg: 'HS256', kid: 'shared' })
  expect(await ask(shared)).toEqual([403, expect.any(String)])
})

test('the id of a key is a name among those of the provider and nothing else', async () => {
  await believe('honest')
  const ids = [
    '../../etc/passwd',
    '__proto__',
    'constructor',
    "' OR 1=1 --",
    'http://127.0.0.1/x',
    'x'.repeat(10_000),
    '0',
  ]
  for (const kid of ids) {
    const [status, error] = await ask(tokenOf(kid))
    expect([kid, status]).toEqual([kid, 403])
    expect(String(error).length).toBeLessThan(1000)
  }
  for (const kid of [null, 7, {}, [], '']) {
    const token = signRsa({ sub: 'ada' }, good.privateKey, { kid })
    expect(await ask(token)).toEqual([403, expect.any(String)])
  }
  const pointing = { kid: 'good', jku: 'http://127.0.0.1:1/', x5u: 'http://127.0.0.1:1/', jwk: jwkOf(weak, {}) }
  expect(await ask(signRsa({ sub: 'ada' }, weak.privateKey, pointing))).toEqual([403, expect.any(String)])
})
