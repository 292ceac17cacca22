import { routeList } from '@hedron/contract'
import { type FastifyInstance, fastify } from 'fastify'
import { afterEach, describe, expect, test } from 'vitest'
import { addPage } from '../../src/pages/home.ts'

const servers: FastifyInstance[] = []
afterEach(() => Promise.all(servers.splice(0).map(server => server.close())))

function start({ version = '1.2.3', ready = () => Promise.resolve(200) } = {}): FastifyInstance {
  const server = fastify({ trustProxy: 'loopback', routerOptions: { ignoreTrailingSlash: true } })
  servers.push(server)
  server.get('/readyz', async (_request, reply) => reply.code(await ready()).send({}))
  addPage(server, { version })
  return server
}

const read = async (server: FastifyInstance, headers = {}) =>
  (await server.inject({ url: '/', headers: { host: 'localhost:4000', ...headers } })).body

const linksOf = (page: string) => [...page.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, link = '']) => link)
const assetsOf = (page: string) => linksOf(page).filter(link => link.startsWith('/assets/'))

describe('the page', () => {
  test('is HTML that nothing may be loaded into, from elsewhere or inline', async () => {
    const { statusCode, headers, body } = await start().inject('/')
    expect(statusCode).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
    expect(String(headers['content-security-policy']).split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "img-src 'self' data:",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ])
    expect(body.match(/<script\b[^>]*>[^<]/)).toBeNull()
    expect(body.match(/<style\b|\sstyle=|\son\w+=|javascript:/i)).toBeNull()
    expect(linksOf(body).filter(link => !/^[/#]/.test(link))).toEqual([])
  })

  test('says version, address and state', async () => {
    const page = await read(start({ version: '4.5.6-beta.1' }))
    expect(page).toContain('<title>hedron 4.5.6-beta.1</title>')
    expect(page).toContain('<dd class="value figures">4.5.6-beta.1</dd>')
    expect(page).toContain('<code data-base data-copy-source>http://localhost:4000</code>')
    expect(page).toMatch(/data-health="ready"[^>]*><span class="value" data-part="label">ready</)
  })

  test.each([
    ['is not ready', async () => 500],
    ['fails', () => Promise.reject(new Error('no database'))],
    ['hangs', () => new Promise<number>(() => {})],
  ])('says starting while the server %s', async (_case, ready) => {
    const { statusCode, body } = await start({ ready }).inject('/')
    expect(statusCode).toBe(200)
    expect(body).toMatch(/data-health="starting"[^>]*><span class="value" data-part="label">starting</)
  })

  test('is of use without scripts: commands to copy and the way to the document', async () => {
    const page = await read(start())
    const commands = [...page.matchAll(/<pre><code data-copy-source>(.*?)<\/code>/gs)].map(([, html = '']) =>
      html.replace(/<[^>]*>/g, ''),
    )
    expect(commands).toHaveLength(4)
    expect(commands[0]).toMatch(/^curl -s http:\/\/localhost:4000\/api\/v1\/users\/me \\\n/)
    expect(commands[1]).toContain('npx hedron login --api-key "$HEDRON_API_KEY" \\\n')
    expect(commands[2]).toContain('http://localhost:4000/data/1/cubejs-api/v1/load')
    expect(JSON.parse(/-d '(.*)'/s.exec(commands[2] ?? '')?.[1] ?? '')).toHaveProperty('query.measures')
    expect(commands[3]).toBe('http://localhost:4000/embed/chat')
    expect(page).toMatch(/<noscript>.*<a href="\/api\/v1\/spec">/s)
  })

  test('has something at the end of each link within it', async () => {
    const page = await read(start())
    const ids = new Set([...page.matchAll(/\bid="([^"]*)"/g)].map(([, id]) => id))
    const operations = new Set(routeList.map(({ operationId }) => operationId))
    const fragments = linksOf(page).filter(link => link.startsWith('#'))
    expect(fragments.filter(link => !ids.has(link.slice(1)) && !operations.has(link.slice(1)))).toEqual([])
    expect([...operations].filter(id => ids.has(id))).toEqual([])
  })

  test('shows hostile values as text', async () => {
    const page = await read(start({ version: `<script>alert(1)</script>"'&` }))
    expect(page).not.toContain('<script>alert')
    expect(page).toContain('<title>hedron &lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;</title>')
  })

  test.each(['"><script>alert(1)</script>', 'evil host', "x';rm -rf ~;'", '$(reboot)', 'a/../b', 'user@host', ''])(
    'puts the host %j into no command',
    async host => {
      const page = await read(start(), { host })
      expect(page).toMatch(/<code data-base data-copy-source>http:\/\/localhost:\d+</)
      if (host !== '') expect(page).not.toContain(host)
    },
  )

  test.each([
    [{ host: '[::1]:4000' }, 'http://[::1]:4000'],
    [{ host: 'analytics.example.com' }, 'http://analytics.example.com'],
    [{ 'x-forwarded-host': 'analytics.example.com', 'x-forwarded-proto': 'https' }, 'https://analytics.example.com'],
    [{ 'x-forwarded-proto': 'javascript' }, 'http://localhost:4000'],
  ])('reads the address from %j', async (headers, address) => {
    expect(await read(start(), headers)).toContain(`<code data-base data-copy-source>${address}</code>`)
  })
})

describe('assets', () => {
  test('are cached for good and confirmed by their tag', async () => {
    const server = start()
    const links = assetsOf(await read(server))
    expect(links.length).toBeGreaterThan(10)
    for (const url of links) {
      const { statusCode, headers, rawPayload } = await server.inject(url)
      expect([url, statusCode]).toEqual([url, 200])
      expect(headers).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
        'content-type': typeOf(url),
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      })
      expect(rawPayload.length).toBeGreaterThan(0)
      const tag = String(headers.etag)
      for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
        const again = await server.inject({ url, headers: { 'if-none-match': known } })
        expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', tag])
      }
      expect((await server.inject({ url, headers: { 'if-none-match': '"other"' } })).statusCode).toBe(200)
    }
  })

  test('are all announced: no module imports one that the page does not preload', async () => {
    const server = start()
    const links = assetsOf(await read(server))
    const imported = new Set<string>()
    for (const url of links.filter(link => link.endsWith('.js'))) {
      const { body } = await server.inject(url)
      for (const [, name = ''] of body.matchAll(/^import .* from '(.*)'$/gm))
        imported.add(new URL(name, `http://host${url}`).pathname)
    }
    expect(imported.size).toBeGreaterThan(5)
    expect([...imported].filter(url => !links.includes(url))).toEqual([])
  })

  test('are found under the hash of their content alone', async () => {
    const server = start()
    const [link = ''] = assetsOf(await read(server))
    const [, , hash = ''] = link.split('/')
    const refused = [
      '/assets/0000000000000000/home.js',
      `/assets/${hash}/missing.js`,
      `/assets/${hash}/types.d.ts`,
      `/assets/${hash}/tsconfig.json`,
      `/assets/${hash}/..%2fhome.ts`,
      `/assets/${hash}/constructor`,
    ]
    for (const url of refused) expect([url, (await server.inject(url)).statusCode]).toEqual([url, 404])
  })
})

function typeOf(url: string): string {
  if (url.endsWith('.css')) return 'text/css; charset=utf-8'
  return url.endsWith('.js') ? 'text/javascript; charset=utf-8' : 'image/svg+xml'
}
