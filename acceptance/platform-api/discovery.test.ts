import { routeList } from '@hedron/contract'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { sharedApi } from '../support/api.ts'
import { connect, expectError } from '../support/contract-client.ts'

const api = sharedApi()
const ask = (path: string, init: RequestInit = {}) => fetch(`${api.baseUrl}${path}`, init)

describe('API specification', () => {
  test('is served at /api/v1/spec without a credential: OpenAPI 3.1.0, API version 1.0.0, JSON', async () => {
    const response = await ask('/api/v1/spec')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    expect(await response.json()).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' } })
  })

  test('is valid under a public validator', async () => {
    const { valid, errors } = await new Validator().validate(await connect(api).getSpec({}))
    expect(errors).toBeUndefined()
    expect(valid).toBe(true)
  })

  test('names the address under which clients reach the server', async () => {
    const { servers } = await connect(api).getSpec({})
    expect(servers).toEqual([{ url: api.baseUrl }])
  })

  test('holds every operation of the contract with its id, and each of them is served', async () => {
    const { paths } = await connect(api).getSpec({})
    for (const { path, method, operationId, access, body } of routeList) {
      expect(paths).toHaveProperty([path, method, 'operationId'], operationId)
      const response = await ask(path.replaceAll(/\{\w+\}/g, '1'), { method: method.toUpperCase() })
      // Who needs no credential is told that a body is missing.
      const served = access === 'public' && body !== undefined ? [400] : [200, 401]
      expect(served, `${method} ${path}`).toContain(response.status)
    }
  })
})

describe('paths that are not there', () => {
  const unknown = ['/api/v1/nothing', '/build/api/v1/nothing', '/api', '/api/v1', '/api/v1/deployments/1/nothing']

  test.each(unknown.flatMap(path => [path, `${path}/`, `${path}?first=1`]))('%s answers JSON 404', async path => {
    for (const headers of [{}, { authorization: `Bearer ${api.apiKey}` }, { accept: 'text/html' }]) {
      const response = await ask(path, { headers })
      expect(response.headers.get('content-type')).toMatch(/^application\/json/)
      expect(response.status).toBe(404)
      expect(expectError(404, await response.text()).code).toBe('route_not_found')
    }
  })

  test('a method that a path has not is refused with those that it has', async () => {
    const response = await ask('/api/v1/deployments', { method: 'PATCH' })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toContain('GET')
    expect(expectError(405, await response.text()).message).toContain('/api/v1/deployments does not take PATCH')
  })

  test('a trailing slash is the same path', async () => {
    const { status, body } = await api.get('/api/v1/users/me/')
    expect(status).toBe(200)
    expect(body.isAdmin).toBe(true)
  })

  test.each(['/%', '/api/v1/deployments/%E0%A4%A', '/api/v1/api-keys/%00', '//api//v1', '/api/v1/../../etc/passwd'])(
    'an address that is broken, %s, is refused as any other',
    async path => {
      const response = await ask(path, { headers: { authorization: `Bearer ${api.apiKey}` } })
      expect(response.status).toBeGreaterThanOrEqual(400)
      expect(response.status).toBeLessThan(500)
      expectError(response.status, await response.text(), path)
    },
  )
})

describe('HTTP manners', () => {
  test('HEAD answers as GET does, without a body', async () => {
    const response = await ask('/api/v1/spec', { method: 'HEAD' })
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('')
    expect((await ask('/api/v1/users/me', { method: 'HEAD' })).status).toBe(401)
  })

  test('a browser on another origin may call: preflight and answer say so', async () => {
    const origin = 'https://app.example'
    const preflight = await ask('/api/v1/deployments', {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization, content-type',
      },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-origin')).toBe(origin)
    expect(preflight.headers.get('access-control-allow-methods')).toContain('GET')
    expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization')
    const put = await ask('/build/api/v1/deployments/1/data-model/files', {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'PUT' },
    })
    for (const method of ['PUT', 'DELETE', 'POST']) {
      expect(put.headers.get('access-control-allow-methods')).toContain(method)
    }
    const answer = await ask('/api/v1/users/me', { headers: { origin, authorization: `Bearer ${api.apiKey}` } })
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
    // A page of another origin is to send a key that it was given, never a credential that the browser adds by itself.
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
  })

  test('every answer has a request id of its own and is neither sniffed nor stored', async () => {
    const answers = await Promise.all([api.get('/api/v1/users/me'), api.get('/api/v1/users/me')])
    const ids = answers.map(({ headers }) => headers.get('x-request-id'))
    expect(new Set(ids).size).toBe(2)
    for (const { headers } of answers) {
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('cache-control')).toBe('no-store')
    }
  })
})
