import { type OperationId, type Route, routeList } from '@hedron/contract'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Api, createDeployment, createKey, sharedApi, unique } from '../support/api.ts'
import { createContent } from '../support/content-facts.ts'
import { connect, expectContract } from '../support/contract-client.ts'
import { type Facts, fillPath, samples } from '../support/route-samples.ts'

const api = sharedApi()
/** Its deployments are its own, so that no junk hits those of other tests. */
let scoped: Api
let facts: Facts
let victims: Facts

beforeAll(async () => {
  const ids = await Promise.all([createDeployment(api), createDeployment(api)])
  scoped = api.with(await createKey(api, { deploymentIds: ids }))
  const [deploymentId = 0, victim = 0] = ids
  const params = { deploymentId }
  const client = connect(scoped)
  await client.createBranch({ params, body: { name: 'feature' } })
  await client.startDevMode({ params })
  const { transaction } = await client.startUpload({ params })
  const { items } = await client.getDeploymentEnvironments({ params })
  facts = {
    deploymentId,
    environmentId: Number(items[0]?.id),
    keyId: 'none',
    branchName: 'feature',
    transactionId: transaction.id,
    freeName: unique('junk'),
    ...(await createContent(scoped, deploymentId)),
  }
  victims = { ...facts, deploymentId: victim }
})

const hostile = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    '',
    ' ',
    '\0',
    '\ud800',
    '🚀',
    '\u202e',
    '../..',
    '/etc/passwd',
    '.git/config',
    'dev-',
    'main',
    'HEAD',
    "'; drop table users; --",
    '%00',
    '__proto__',
    'x'.repeat(100_000),
    0,
    -0,
    -1,
    1.5,
    1e21,
    Number.MAX_SAFE_INTEGER,
    2 ** 31,
    [],
    {},
    [[]],
    { constructor: { prototype: 1 }, toString: 1 },
    [null],
  ),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary' }),
)

/** A value with one or two of its parts, however deep, put out for something hostile. */
const spoilt = (value: unknown): fc.Arbitrary<unknown> => {
  if (typeof value !== 'object' || value === null) return hostile
  const parts = Object.entries(value)
  const inside = parts.map(([name, part]) => spoilt(part).map(other => assign(value, name, other)))
  const added = fc
    .tuple(fc.oneof(fc.string(), fc.constantFrom('__proto__', 'id')), hostile)
    .map(([name, other]) => assign(value, name, other))
  return fc.oneof(...inside, added, hostile)
}
const assign = (value: object, name: string, part: unknown): unknown =>
  Array.isArray(value) ? value.map((old, index) => (String(index) === name ? part : old)) : { ...value, [name]: part }

const words = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '1',
    '-1',
    'true',
    'false',
    'main',
    'feature',
    'NaN',
    '1e20',
    '\0',
    '🚀',
    '../..',
    'x'.repeat(2000),
  ),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
)

function requests(route: Route, given: Facts) {
  const { body, query = {} } = samples[route.operationId as OperationId](given)
  const names = Object.keys(route.query?.shape ?? {})
  const search = fc.array(fc.tuple(fc.oneof(fc.constantFrom('x', ...names), words), words), { maxLength: 3 })
  const ids = fc.record(
    Object.fromEntries(
      Object.keys(route.params?.shape ?? {}).map(name => [
        name,
        fc.oneof(
          { weight: 4, arbitrary: fc.constant(undefined) },
          { weight: 1, arbitrary: words.filter(word => word !== '') },
        ),
      ]),
    ),
  )
  const json = body === undefined || body instanceof FormData ? fc.constant(undefined) : spoilt(body)
  return fc.record({
    path: ids.map(values =>
      fillPath(
        route,
        given,
        Object.fromEntries(
          Object.entries(values)
            .filter(([, value]) => value !== undefined)
            .map(([name, value]) => [name, String(value)]),
        ),
      ),
    ),
    search: search.map(pairs => new URLSearchParams([...Object.entries(query), ...pairs]).toString()),
    body: fc.oneof(
      { weight: 9, arbitrary: json.map(value => (value === undefined ? undefined : JSON.stringify(value))) },
      {
        weight: 1,
        arbitrary: body === undefined ? fc.constant(undefined) : fc.string({ unit: 'binary', maxLength: 200 }),
      },
    ),
    type: fc.oneof(
      { weight: 12, arbitrary: fc.constant('application/json') },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          'text/plain',
          'multipart/form-data',
          'multipart/form-data; boundary=x',
          'application/json; charset=x',
        ),
      },
    ),
  })
}

describe('random junk is answered by the contract: a result or a coded refusal, never a failure', () => {
  test.each(routeList.map(route => [route.operationId, route] as const))('%s', async (operationId, route) => {
    const given = operationId === 'deleteDeployment' ? victims : facts
    const caller = route.path.includes('{deploymentId}') ? scoped : api
    const check = fc.asyncProperty(requests(route, given), async ({ path, search, body, type }) => {
      const address = `${caller.baseUrl}${path}${search === '' ? '' : `?${search}`}`
      const method = route.method.toUpperCase()
      const response = await fetch(address, {
        method,
        headers: { authorization: `Bearer ${caller.apiKey}`, ...(body === undefined ? {} : { 'content-type': type }) },
        ...(body === undefined || method === 'GET' ? {} : { body }),
      })
      expectContract(method, address, response.status, await response.text())
    })
    await fc.assert(check, { seed: 20010131, numRuns: 25, endOnFailure: true })
  })

  test('and the server answers as before', async () => {
    expect((await api.get('/api/v1/users/me')).status).toBe(200)
    const ready = await fetch(`${api.baseUrl}/readyz`)
    expect(ready.status).toBe(200)
    expect((await scoped.get(`/api/v1/deployments/${facts.deploymentId}`)).status).toBe(200)
  })
})
