import { routeList } from '@hedron/contract'
import { describe, expect, test } from 'vitest'
import { createKey, eventually, sharedApi, unique } from '../support/api.ts'
import { connect, expectError } from '../support/contract-client.ts'

const api = sharedApi()

async function me(authorization: string | undefined): Promise<Response> {
  return fetch(`${api.baseUrl}/api/v1/users/me`, { headers: authorization === undefined ? {} : { authorization } })
}

async function expectUnauthenticated(response: Response, message: RegExp): Promise<void> {
  expect(response.status).toBe(401)
  expect(response.headers.get('www-authenticate')).toMatch(/^Bearer /)
  const error = expectError(401, await response.text())
  expect(error.code).toBe('not_authenticated')
  expect(error.message).toMatch(message)
}

describe('an API key', () => {
  test.each(['Api-Key', 'Bearer', 'api-key', 'bearer', 'BEARER'])(
    'is accepted as "Authorization: %s <key>"',
    async scheme => {
      expect((await me(`${scheme} ${api.apiKey}`)).status).toBe(200)
    },
  )

  test.each([
    ['no header', undefined, /no Authorization header/],
    ['an empty header', '', /no Authorization header/],
    ['a scheme alone', 'Bearer', /no scheme/],
    ['another scheme', `Basic ${btoa(`x:${api.apiKey}`)}`, /no scheme/],
    ['the key without a scheme', api.apiKey, /no scheme/],
    ['more than a scheme and a key', `Bearer ${api.apiKey} more`, /no scheme/],
    ['an unknown key', 'Bearer sk-0123456789012345678901234567890123456789', /not valid/],
    ['the beginning of a key', `Bearer ${api.apiKey.slice(0, -1)}`, /not valid/],
    ['a key in other letters', `Bearer ${api.apiKey.toUpperCase()}`, /not valid/],
    ['something that is no key', 'Bearer ../../etc/passwd', /not valid/],
    ['letters beyond ASCII', 'Bearer sk-ÿÿÿÿ', /not valid|no scheme/],
    ['a very long key', `Bearer sk-${'a'.repeat(8000)}`, /not valid/],
  ])('%s is refused', async (_, authorization, message) => {
    await expectUnauthenticated(await me(authorization), message)
  })

  test('in the query is none', async () => {
    await expectUnauthenticated(await fetch(`${api.baseUrl}/api/v1/users/me?authorization=${api.apiKey}`), /header/)
  })

  test('that was revoked is refused from its next request on', async () => {
    const client = connect(api)
    const { id, token } = await client.createApiKey({ body: { name: unique('revoked') } })
    expect((await me(`Bearer ${token}`)).status).toBe(200)
    await client.revokeApiKey({ params: { id } })
    await expectUnauthenticated(await me(`Bearer ${token}`), /revoked/)
  })

  test('that has expired is refused', async () => {
    const expiresAt = new Date(Date.now() + 2000).toISOString()
    const token = await createKey(api, { expiresAt })
    expect((await me(`Bearer ${token}`)).status).toBe(200)
    const response = await eventually(
      () => me(`Bearer ${token}`),
      ({ status }) => status !== 200,
    )
    await expectUnauthenticated(response, /expired/)
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expiresAt))
  })
})

describe('without a credential', () => {
  const guarded = routeList.filter(route => route.access !== 'public')

  test.each(guarded.map(route => [route.operationId, route] as const))('%s answers 401', async (_, route) => {
    const path = route.path.replaceAll(/\{\w+\}/g, '1')
    // The credential is looked at before the request: nobody learns from a refusal what is there or what is allowed.
    const bodies = route.body === undefined ? [undefined] : [undefined, '{"unknown":1}', '{', '[]']
    for (const body of bodies) {
      const response = await fetch(`${api.baseUrl}${path}`, {
        method: route.method.toUpperCase(),
        ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }),
      })
      await expectUnauthenticated(response, /no Authorization header/)
    }
  })

  test('only the specification is public, and what takes a session id for one', () => {
    const isPublic = routeList.filter(route => route.access === 'public').map(route => route.operationId)
    expect(isPublic).toEqual(['postTokenBySessionId', 'getSpec'])
  })
})
