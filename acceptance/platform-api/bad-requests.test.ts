import { type OperationId, type Route, routeList } from '@hedron/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { createDeployment, type Json, sharedApi, unique } from '../support/api.ts'
import { createContent } from '../support/content-facts.ts'
import { connect, expectContract } from '../support/contract-client.ts'
import { type Facts, fillPath, sampleRequest, samples } from '../support/route-samples.ts'

const api = sharedApi()
const named = (routes: readonly Route[]) => routes.map(route => [route.operationId, route] as const)
const withBody = routeList.filter(route => route.body !== undefined && route.consumes !== 'multipart')
const withQuery = routeList.filter(route => route.query !== undefined)

let facts: Facts
let document: Json

beforeAll(async () => {
  const deploymentId = await createDeployment(api)
  const client = connect(api)
  const { items } = await client.getDeploymentEnvironments({ params: { deploymentId } })
  const environmentId = Number(items[0]?.id)
  await client.createBranch({ params: { deploymentId }, body: { name: 'feature' } })
  const freeName = unique('bad')
  const content = await createContent(api, deploymentId)
  facts = {
    deploymentId,
    environmentId,
    keyId: 'none',
    branchName: 'feature',
    transactionId: 'none',
    freeName,
    ...content,
  }
  document = (await api.get('/api/v1/spec')).body
})

/** Sends a request that is to be refused. @returns code and message. */
async function refused(
  route: Route,
  { path = fillPath(route, facts), body, headers }: { path?: string; body?: unknown; headers?: Record<string, string> },
) {
  const answer = await api.request(route.method.toUpperCase(), path, body, headers)
  const text = JSON.stringify(answer.body)
  expectContract(route.method, `${api.baseUrl}${path}`, answer.status, text)
  expect(answer.status, `${route.operationId} ${String(body).slice(0, 300)} ${text.slice(0, 300)}`).toBeGreaterThan(399)
  return { status: answer.status, code: String(answer.body.code), message: String(answer.body.message) }
}

describe('a body that is no object of the contract is refused with 400', () => {
  test.each(named(withBody))('%s', async (_, route) => {
    const values: unknown[] = [[], [1, 2], 'x', '', 5, true, false]
    if (!route.bodyOptional) values.push(null)
    for (const value of values) {
      const { code, message } = await refused(route, { body: JSON.stringify(value) })
      expect([code, message], JSON.stringify(value)).toEqual(['invalid_request', expect.stringMatching(/^body: /)])
    }
    const { body } = samples[route.operationId as OperationId](facts)
    const unknown = await refused(route, { body: { ...body, unknownField: 1 } })
    expect(unknown).toMatchObject({ code: 'invalid_request', message: expect.stringContaining('"unknownField"') })
    if (!route.bodyOptional) {
      const missing = await refused(route, {})
      expect(missing).toMatchObject({ code: 'invalid_request', message: expect.stringMatching(/^body: is required/) })
    }
  })
})

describe('a field of the wrong type is refused with 400 that names the field', () => {
  /** One value of each JSON type. */
  const values = { null: null, boolean: true, number: 1.5, string: 'text', array: ['x', {}], object: { x: 1 } } as const

  test.each(named(withBody))('%s', async (_, route) => {
    const { body } = samples[route.operationId as OperationId](facts)
    const schema = resolve(
      document.paths?.[route.path]?.[route.method]?.requestBody?.content?.['application/json']?.schema,
    )
    const properties = Object.entries(schema?.properties ?? {})
    expect(properties.length).toBeGreaterThan(0)
    for (const [name, property] of properties) {
      const allowed = typesOf(property)
      expect(allowed.size, name).toBeGreaterThan(0)
      for (const [type, value] of Object.entries(values)) {
        if (allowed.has(type) || (type === 'number' && allowed.has('number'))) continue
        const { code, message } = await refused(route, { body: { ...body, [name]: value } })
        expect([code, message], `${name} = ${JSON.stringify(value)}`).toEqual([
          'invalid_request',
          expect.stringMatching(new RegExp(`(^|; )${name}\\b`)),
        ])
      }
    }
    for (const name of Object.values(Object(schema?.required ?? []))) {
      const { [String(name)]: _left, ...rest } = Object(body)
      const { code, message } = await refused(route, { body: rest })
      expect([code, message]).toEqual([
        'invalid_request',
        expect.stringMatching(new RegExp(`^${name}: (is required|must be one of)`)),
      ])
    }
  })

  function resolve(schema: Json | undefined): Json | undefined {
    const [, name] = /^#\/components\/schemas\/(.+)$/.exec(String(schema?.$ref)) ?? []
    return name === undefined ? schema : document.components?.schemas?.[name]
  }

  /** The JSON types that a schema allows; `integer` is left out of numbers since 1.5 is none. */
  function typesOf(given: Json | undefined): Set<string> {
    const schema = resolve(given)
    const inner = [schema?.anyOf, schema?.oneOf, schema?.allOf].flatMap(list => Object.values(list ?? {}))
    if (inner.length > 0) return new Set(inner.flatMap(item => [...typesOf(item)]))
    return new Set(schema?.type === undefined ? [] : [schema.type].flat().map(String))
  }
})

describe('a query that the contract does not have is refused with 400 that names the parameter', () => {
  test.each(named(withQuery))('%s', async (_, route) => {
    const path = fillPath(route, facts)
    const shape = Object.keys(route.query?.shape ?? {})
    const unknown = await refused(route, { path: `${path}?unknownParameter=1`, ...bodyOf(route) })
    expect(unknown).toMatchObject({ status: 400, message: expect.stringContaining('"unknownParameter"') })
    for (const name of shape) {
      const search = new URLSearchParams(samples[route.operationId as OperationId](facts).query ?? {})
      search.delete(name)
      search.append(name, 'one')
      search.append(name, 'two')
      const { status, message } = await refused(route, { path: `${path}?${search}`, ...bodyOf(route) })
      expect([status, message], `${name} twice`).toEqual([400, expect.stringMatching(new RegExp(`(^|; )${name}\\b`))])
    }
  })

  const bodyOf = (route: Route) => {
    const { body } = samples[route.operationId as OperationId](facts)
    return body === undefined ? {} : { body }
  }
})

describe('an id that cannot be one is refused with 400 that names it', () => {
  const ids = [
    '0',
    '-1',
    '1e20',
    'NaN',
    '1.5',
    '00x1',
    ' 1',
    '1;2',
    'null',
    '٣',
    '🚀',
    '9007199254740993',
    '9'.repeat(400),
  ]
  const routes = routeList.flatMap(route =>
    Object.entries(route.params?.shape ?? {})
      .filter(([, schema]) => schema.safeParse(7).success)
      .map(([name]) => [`${route.operationId} at ${name}`, route, name] as const),
  )
  const missing: Readonly<Record<string, string>> = {
    deploymentId: 'deployment_not_found',
    environmentId: 'environment_not_found',
  }

  test.each(routes)('%s', async (_, route, name) => {
    const { path: sample, body } = sampleRequest(route, facts)
    const search = sample.slice(fillPath(route, facts).length)
    for (const id of ids) {
      const path = fillPath(route, facts, { [name]: id }) + search
      const { status, code, message } = await refused(route, { path, body })
      expect([status, code, message], id).toEqual([
        400,
        'invalid_request',
        expect.stringMatching(new RegExp(`^${name}: `)),
      ])
    }
    // A role that is not there is held by nobody: taking it away is done already.
    if (route.operationId === 'removeRoleFromUser' && name === 'roleId') return
    const { status, code } = await refused(route, {
      path: fillPath(route, facts, { [name]: '9007199254740991' }) + search,
      body,
    })
    const forSessionsAlone = route.access === 'embed'
    expect([status, code]).toEqual(
      forSessionsAlone ? [403, 'embed_session_required'] : [404, missing[name] ?? expect.stringMatching(/_not_found$/)],
    )
  })

  test.each(['0', '../..', '🚀', "' or 1=1", 'x'.repeat(64)])('API key %s is not there', async id => {
    for (const route of routeList.filter(({ path }) => path === '/api/v1/api-keys/{id}')) {
      expect((await refused(route, { path: fillPath(route, facts, { id }) })).code).toBe('api_key_not_found')
    }
  })
})

describe('what is not JSON', () => {
  const sendAs = async (route: Route, body: string, type: string) =>
    refused(route, { body, headers: { 'content-type': type } })

  test.each(named(withBody))('%s refuses it', async (_, route) => {
    for (const text of ['{', '{"a":}', "{'a': 1}", 'undefined', '{"a": NaN}', '[1,]', '\u{feff}{}', '{}{}', 'ÿþ']) {
      expect(await sendAs(route, text, 'application/json'), text).toMatchObject({ status: 400, code: 'invalid_json' })
    }
    const { body } = samples[route.operationId as OperationId](facts)
    for (const type of [
      'text/plain',
      'application/xml',
      'application/x-www-form-urlencoded',
      'x/y; z',
      'application/jsonx',
    ]) {
      const { code, message } = await sendAs(route, JSON.stringify(body), type)
      expect([code, message], type).toEqual(['unsupported_media_type', expect.stringContaining('application/json')])
    }
  })

  test('a form where JSON is expected, and JSON where a form is, are told apart', async () => {
    for (const route of withBody) {
      const form = new FormData()
      form.append('a', 'b')
      expect(await refused(route, { body: form })).toMatchObject({ status: 415, code: 'unsupported_media_type' })
    }
    const [upload] = routeList.filter(({ consumes }) => consumes === 'multipart')
    if (!upload) throw new Error('no route takes a form')
    for (const body of [{}, { transaction: '{"id":"x"}' }]) {
      const { code, message } = await refused(upload, { body })
      expect([code, message]).toEqual(['unsupported_media_type', expect.stringContaining('multipart/form-data')])
    }
  })

  test('a charset or a suffix beside application/json is accepted', async () => {
    for (const type of ['application/json; charset=utf-8', 'application/json;charset=UTF-8', 'Application/JSON']) {
      const path = `/api/v1/deployments/${facts.deploymentId}/token`
      expect((await api.request('POST', path, '{}', { 'content-type': type })).status, type).toBe(200)
    }
  })

  test('a body of nothing but blanks is none', async () => {
    const path = `/api/v1/deployments/${facts.deploymentId}/token`
    for (const body of ['', ' \n']) expect((await api.request('POST', path, body)).status).toBe(200)
  })
})

describe('JSON that is deep or huge', () => {
  const settings = () => `/api/v1/deployments/${facts.deploymentId}`
  const nested = (levels: number) => `{"templateVariables":${'{"a":'.repeat(levels - 1)}1${'}'.repeat(levels - 1)}}`

  test('64 levels are accepted and 65 refused, however they nest', async () => {
    expect((await api.put(settings(), nested(64))).status).toBe(200)
    for (const body of [nested(65), nested(1000), `{"a":${'['.repeat(200_000)}`, '['.repeat(5_000_000)]) {
      const answer = await api.put(settings(), body)
      expect([answer.status, answer.body.code]).toEqual([400, 'json_too_deep'])
    }
    // Brackets inside text do not nest.
    const text = { templateVariables: { a: `\\"${'[{'.repeat(1000)}` } }
    expect((await api.put(settings(), text)).body.templateVariables).toMatchObject(text.templateVariables)
  })

  test('more than 64 MiB are refused with 413, which a client that is still sending reads', async () => {
    const body = `{"name":"${'x'.repeat(64 * 1024 * 1024)}"}`
    for (let attempt = 0; attempt < 3; attempt++) {
      const answer = await api.put(settings(), body)
      expect([answer.status, answer.body.code]).toEqual([413, 'body_too_large'])
    }
    expect((await api.get(settings())).status).toBe(200)
  })

  test('names of a megabyte are refused where a name has a bound, and never a failure', async () => {
    const long = 'x'.repeat(1024 * 1024)
    const base = `/build/api/v1/deployments/${facts.deploymentId}`
    for (const [method, path, body] of [
      ['POST', '/build/api/v1/deployments', { name: long }],
      ['POST', '/build/api/v1/deployments', { name: 'x', region: long }],
      ['PUT', settings(), { releaseChannelVersion: long }],
      ['POST', '/api/v1/api-keys', { name: long }],
      ['POST', `${base}/branches`, { name: long }],
      ['POST', `${base}/branches`, { name: 'x', from: long }],
      ['POST', `${base}/dev-mode`, { branchName: long }],
      ['POST', `${base}/commit`, { message: long }],
      ['PUT', `${base}/data-model/files`, { files: [{ path: long, content: '' }] }],
      ['PUT', `/api/v1/deployments/${facts.deploymentId}/env-vars`, { env_variables: [{ name: long, value: '' }] }],
      ['POST', `${base}/data-model/upload/finish`, { transaction: { id: long }, files: {} }],
    ] as const) {
      const answer = await api.request(method, path, body)
      expect(answer.status, `${method} ${path}`).toBeGreaterThanOrEqual(400)
      expect(answer.status, `${method} ${path}`).toBeLessThan(500)
      // The value is named, not repeated whole.
      expect(JSON.stringify(answer.body).length).toBeLessThan(2000)
    }
  })

  test('keys that would reach a prototype are left out', async () => {
    const body = `{"__proto__":{"isAdmin":true},"templateVariables":{"__proto__":{"a":1},"constructor":{"b":2}}}`
    const { status, body: settingsAfter } = await api.put(settings(), body)
    expect(status).toBe(200)
    expect(Object.keys(settingsAfter.templateVariables ?? {})).not.toContain('__proto__')
    expect(Object.keys(settingsAfter.templateVariables ?? {})).toContain('constructor')
  })
})

describe('text in any script', () => {
  const texts = [
    '🚀👩‍👩‍👧',
    'שלום',
    '\u202eevil',
    'e\u0301',
    '\u200b',
    '\u{1f600}'.repeat(20),
    '%s%n',
    '{{7*7}}',
    "'; --",
  ]

  test.each(texts)('%j comes back as it was sent', async text => {
    const client = connect(api)
    const params = { deploymentId: facts.deploymentId }
    const settings = await client.updateDeployment({
      params,
      body: { templateVariables: { [text]: text }, launchpadTabs: [text], defaultLaunchpadViewGroup: text },
    })
    expect(settings.templateVariables?.[text]).toBe(text)
    expect(settings).toMatchObject({ launchpadTabs: [text], defaultLaunchpadViewGroup: text })
    expect((await client.createApiKey({ body: { name: `x${text}` } })).name).toBe(`x${text}`)
    const { items } = await client.setEnvVariables({ params, body: { env_variables: [{ name: 'TEXT', value: text }] } })
    expect(items.find(({ name }) => name === 'TEXT')?.value).toBe(text)
  })

  test.each([
    ['NUL', 'a\0b', /NUL/],
    ['half of a surrogate pair', 'a\ud800b', /surrogate/],
  ])('with %s is refused wherever it stands, and the field is named', async (_, text, reason) => {
    const put = (body: unknown) => api.put(`/api/v1/deployments/${facts.deploymentId}`, JSON.stringify(body))
    for (const [body, field] of [
      [{ customDomain: text }, 'customDomain'],
      [{ launchpadTabs: ['fine', text] }, 'launchpadTabs[1]'],
      [{ templateVariables: { deep: [{ a: text }] } }, 'templateVariables.deep[0].a'],
      [{ templateVariables: { [text]: 1 } }, 'templateVariables'],
    ] as const) {
      const { status, body: answer } = await put(body)
      expect([status, answer.code]).toEqual([400, 'invalid_request'])
      expect(answer.message).toMatch(reason)
      expect(String(answer.message).startsWith(field)).toBe(true)
    }
  })
})
