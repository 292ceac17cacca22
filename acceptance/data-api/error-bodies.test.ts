import { beforeAll, expect, test } from 'vitest'
import { createKey, sharedApi } from '../support/api.ts'
import { createDataClient, type DataClient } from './data-client.ts'
import { createProject, enterDevMode, putFiles } from './project.ts'
import { shop } from './shop.ts'
import { signHmac } from './tokens.ts'

const api = sharedApi()
const secret = 'a-secret-of-the-tests-that-is-long-enough'
const broken = 'cubes: [{ name: broken, sql_table: no_such_table, measures: [{ name: count, type: count }] }]\n'
let data: DataClient
let branch = ''
let failing = ''
beforeAll(async () => {
  const id = await createProject(api, { ...shop, 'model/broken.yml': broken }, { CUBEJS_API_SECRET: secret })
  data = await createDataClient(api, id)
  branch = await enterDevMode(api.with(await createKey(api)), id)
  const author = api.with(await createKey(api))
  failing = await enterDevMode(author, id)
  await putFiles(author, id, failing, { 'model/wrong.yml': 'cubes:\n  - name: wrong\n    sql_tabel: x\n' })
})

const count = { measures: ['orders.count'] }
const meta = signHmac({ scope: ['meta'] }, secret)

/** contract/behaviour/query.md section 3, row by row: status, and the body's keys in production. */
const rows: readonly (readonly [
  what: string,
  query: unknown,
  status: number,
  keys: readonly string[],
  token?: string,
])[] = [
  ['a token that is none', count, 403, ['error'], 'garbled'],
  ['a scope that is missing', count, 403, ['error'], meta],
  ['a query that is none', { ...count, limit: -1 }, 400, ['error']],
  ['a query that the model does not answer', { measures: ['nope.count'] }, 400, ['error', 'type']],
  ['what the database refuses', { measures: ['broken.count'] }, 400, ['code', 'error']],
  ['more rows than are allowed', { ...count, limit: 50_001 }, 500, ['error']],
]

test.for(rows)('%s', async ([, query, status, keys, authorization]) => {
  const own = { headers: { 'x-request-id': 'mine-span-1' }, ...(authorization === undefined ? {} : { authorization }) }
  const production = await data.load(query, {}, own)
  expect([production.status, Object.keys(production.body).sort()]).toEqual([status, keys])
  expect(production.headers.get('x-request-id')).toMatch(/\S/)
  expect(production.headers.get('cache-control')).toBe('no-store')

  const ofBranch = await data.load(query, {}, { ...own, branch })
  expect([ofBranch.status, ofBranch.body]).toEqual([status, { ...production.body, requestId: 'mine-span-1' }])
})

test('a model that does not compile', async () => {
  const { status, body } = await data.load(count, {}, { branch: failing })
  expect([status, Object.keys(body).sort()]).toEqual([500, ['error', 'plainError', 'requestId']])
  expect(body.error).toMatch(/^Error: Compile errors:\nmodel\/wrong\.yml Errors:\n/)
})

test('an answer names its request on a branch alone', async () => {
  const headers = { 'x-request-id': 'mine-span-2' }
  expect((await data.load(count, {}, { headers })).body).not.toHaveProperty('requestId')
  for (const more of [{}, {}]) {
    const { body } = await data.load(count, more, { headers, branch })
    expect([body.requestId, body.data]).toEqual(['mine-span-2', [{ 'orders.count': '6' }]])
  }
  const several = await data.load(count, { queryType: 'multi' }, { headers, branch })
  expect(Object(several.body.results)[0].requestId).toBe('mine-span-2')
})
