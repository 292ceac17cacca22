import { beforeAll, describe, expect, test } from 'vitest'
import { type Api, createDeployment, sharedApi } from '../support/api.ts'
import { buildPages } from '../support/browser.ts'
import { createContent } from '../support/content-facts.ts'
import { generateSession } from '../support/embedding.ts'

const api = sharedApi()
let deploymentId = 0
let publicId = ''
beforeAll(async () => {
  buildPages()
  deploymentId = await createDeployment(api)
  publicId = (await createContent(api, deploymentId)).publicId
})

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${api.baseUrl}${path}`, { headers })
const policyOf = async (path: string) => {
  const { headers } = await get(path)
  const directives = (headers.get('content-security-policy') ?? '').split('; ').map(text => text.split(' '))
  return new Map(directives.map(([name = '', ...values]) => [name, values]))
}
const allow = (origins: string[] | null, as: Api = api) =>
  as.put('/api/v1/tenant/settings', { embedding: { allowedOrigins: origins } })

describe('an embedded page', () => {
  test.each([
    ['a dashboard', () => `/embed/dashboard/${publicId}`],
    ['chat', () => '/embed/chat'],
    ['the app', () => `/embed/d/${deploymentId}/app`],
    ['a page inside the app', () => `/embed/d/${deploymentId}/app/workbook/130`],
  ])('%s is served without being kept, runs only built scripts, and may stand in a frame', async (_, path) => {
    const response = await get(path())
    expect([response.status, response.headers.get('cache-control'), response.headers.get('x-frame-options')]).toEqual([
      200,
      'no-store',
      null,
    ])
    const policy = await policyOf(path())
    expect(policy.get('script-src')).toEqual(["'self'"])
    expect(policy.get('default-src')).toEqual(["'none'"])
    expect(policy.get('frame-ancestors')).toEqual(['*'])
    expect(policy.get('connect-src')).toEqual(["'self'", new URL(api.baseUrl).origin])
    const text = await response.text()
    expect(text).not.toMatch(/<script(?![^>]* src=)/)
    expect(text).toContain('<noscript>')
  })

  test('says in the language that the address asks for that it loads, before any script runs', async () => {
    const textOf = async (query: string) => (await get(`/embed/chat?${query}`)).text()
    expect(await textOf('locale=de-DE')).toMatch(/<html lang="de-DE">[\s\S]*Wird geladen/)
    expect(await textOf('locale=es-AR')).toMatch(/<html lang="es-ES">/)
    expect(await textOf('locale=%22%3E%3Cscript%3E')).toMatch(/<html lang="en-US">/)
  })

  test('does not write the session id, or anything else of the address unescaped, into its markup', async () => {
    const text = await (await get('/embed/chat?session=abc123&x=%22%3E%3Cb%3E')).text()
    expect(text).not.toContain('abc123')
    expect(text).not.toContain('"><b>')
  })

  test('loads files that are kept for ever, compressed as the browser likes', async () => {
    const text = await (await get('/embed/chat')).text()
    const scripts = [...text.matchAll(/src="(\/embed\/assets\/[^"]+\.js)"/g)].map(([, path = '']) => path)
    expect(scripts.length).toBeGreaterThan(1)
    for (const path of scripts) {
      for (const [accepted, encoding] of [
        ['br, gzip', 'br'],
        ['gzip', 'gzip'],
        ['identity', null],
      ] as const) {
        const { status, headers } = await get(path, { 'accept-encoding': accepted })
        expect([status, headers.get('content-encoding'), headers.get('cache-control')]).toEqual([
          200,
          encoding,
          'public, max-age=31536000, immutable',
        ])
      }
    }
    expect((await get('/embed/assets/no-such-file.js')).status).toBe(404)
    expect((await get('/embed/assets/..%2fpages.json')).status).toBe(404)
  })

  test('everything else of the platform stays out of frames', async () => {
    expect((await get('/')).headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })
})

describe('embedding.allowedOrigins of the account', () => {
  test('says which sites may show a page, found by session, dashboard or deployment', async () => {
    const origins = ['https://app.customer.example', 'https://*.shop.example:8443']
    const { status } = await allow(origins)
    try {
      expect(status).toBe(200)
      const sessionId = await generateSession(api, { deploymentId, externalId: 'ann' })
      for (const path of [
        `/embed/dashboard/${publicId}`,
        `/embed/d/${deploymentId}/app`,
        `/embed/chat?sessionId=${sessionId}`,
        '/embed/chat',
      ]) {
        expect((await policyOf(path)).get('frame-ancestors'), path).toEqual(["'self'", ...origins])
      }
      await allow([])
      expect((await policyOf('/embed/chat')).get('frame-ancestors')).toEqual(["'self'"])
    } finally {
      await allow(null)
    }
    expect((await policyOf('/embed/chat')).get('frame-ancestors')).toEqual(['*'])
  })

  test.each([
    'https://app.example/path',
    'app.example',
    'https://app.example; script-src *',
    'https://*',
    'javascript:alert(1)',
    'https://a.example https://b.example',
    "'self'",
  ])('refuses %s', async origin => {
    expect((await allow([origin])).status).toBe(400)
  })
})
