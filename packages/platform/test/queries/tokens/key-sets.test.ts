import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createKeySets } from '../../../src/queries/tokens/key-sets.ts'

const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const key = (kid: string) => ({ ...publicKey.export({ format: 'jwk' }), kty: 'RSA', kid })
const json = (response: ServerResponse, value: unknown, headers: Readonly<Record<string, string>> = {}) =>
  response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))

let asked = 0
let answer: (response: ServerResponse) => void = () => {}
const server = createServer((_, response) => {
  asked++
  answer(response)
})
let url = ''
let now = 0
let reports: unknown[] = []
let sets = createKeySets({ effects: { now: () => new Date(now) }, report: () => {} })

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  url = `http://127.0.0.1:${port}/keys`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  asked = 0
  now = 1_000_000
  reports = []
  sets = createKeySets({ effects: { now: () => new Date(now) }, report: error => reports.push(error) })
  answer = response => json(response, { keys: [key('first')] })
})

const find = (kid: string, owner = 1) => sets.find(owner, url, kid)
const kids = async (kid: string) => (await find(kid)).map(found => found.kid)

describe('the keys of a provider', () => {
  test('are asked for once by all who wait, and remembered', async () => {
    expect(await Promise.all([kids('first'), kids('first'), kids('first')])).toEqual([['first'], ['first'], ['first']])
    now += 599_000
    expect(await kids('first')).toEqual(['first'])
    expect(asked).toBe(1)
  })

  test('are read again when they are old, and a key that was taken off ends', async () => {
    await find('first')
    answer = response => json(response, { keys: [key('second')] })
    now += 600_000
    await expect(find('first')).rejects.toMatchObject({
      status: 403,
      message: 'Unable to verify, JWK with kid: "first" not found',
    })
    expect(await kids('second')).toEqual(['second'])
  })

  test.for([
    { given: 'public, max-age=60', holds: 60_000 },
    { given: 'max-age=0', holds: 5_000 },
    { given: 'max-age=999999999', holds: 3_600_000 },
  ])('hold for $holds ms where the provider says $given', async ({ given, holds }) => {
    answer = response => json(response, { keys: [key('first')] }, { 'cache-control': given })
    await find('first')
    now += holds - 1
    await find('first')
    expect(asked).toBe(1)
    now += 1
    await find('first')
    expect(asked).toBe(2)
  })

  test('are looked through again for an id that is new, but not at every turn', async () => {
    await find('first')
    answer = response => json(response, { keys: [key('first'), key('second')] })
    expect(await Promise.all([kids('second'), kids('second')])).toEqual([['second'], ['second']])
    expect(asked).toBe(2)
    for (const kid of ['a', 'b', 'c']) await expect(find(kid)).rejects.toMatchObject({ status: 403 })
    expect(asked, 'whoever makes up ids does not reach the provider').toBe(2)
    now += 30_000
    await expect(find('a')).rejects.toMatchObject({ status: 403 })
    expect(asked).toBe(3)
  })

  test('of one owner are not those of another', async () => {
    await find('first', 1)
    answer = response => json(response, { keys: [] })
    await expect(find('first', 2)).rejects.toMatchObject({ status: 403 })
  })

  test('of other kinds are passed over', async () => {
    const strange = [
      { kty: 'oct', kid: 'first', k: 'c2VjcmV0' },
      { kty: 'RSA', n: 'AQAB', e: 'AQAB' },
      { kty: 'RSA', kid: 'first', n: 'AQAB', e: 'AQAB' },
      { ...key('first'), use: 'enc' },
      7,
      null,
      { ...key('first'), use: 'sig' },
    ]
    answer = response => json(response, { keys: strange })
    expect(await find('first')).toEqual([{ ...key('first'), use: 'sig' }])
  })
})

describe('a provider that does not answer', () => {
  const failures: Readonly<Record<string, (response: ServerResponse) => void>> = {
    'with an error': response => response.writeHead(500).end('{"keys":[]}'),
    'with a page': response => response.writeHead(200).end('<html>'),
    'with no key set': response => json(response, { jwks: [] }),
    'with an end of the line': response => response.destroy(),
    'with a redirect': response => response.writeHead(302, { location: '/elsewhere' }).end(),
    'with more than anybody needs': response => response.writeHead(200).end(Buffer.alloc(1024 * 1024 + 1, ' ')),
  }

  test.for(Object.keys(failures))('%s leaves tokens unchecked, and is left alone for a while', async name => {
    answer = failures[name] ?? answer
    await expect(find('first')).rejects.toMatchObject({ status: 503 })
    await expect(find('first')).rejects.toMatchObject({ status: 503 })
    expect([asked, reports.length]).toEqual([1, 1])
    answer = response => json(response, { keys: [key('first')] })
    now += 10_000
    expect(await kids('first')).toEqual(['first'])
  })

  test('leaves its keys in force for a day', async () => {
    await find('first')
    answer = response => response.destroy()
    now += 600_000
    expect(await kids('first')).toEqual(['first'])
    now += 23 * 3_600_000
    expect(await kids('first')).toEqual(['first'])
    now += 3_600_000
    await expect(find('first')).rejects.toMatchObject({ status: 503 })
  })

  test('is asked by http alone', async () => {
    for (const wrong of ['file:///etc/passwd', 'data:application/json,{"keys":[]}', 'keys']) {
      await expect(sets.find(3, wrong, 'first')).rejects.toMatchObject({ status: 503 })
    }
  })
})
