import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Browser, FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, sharedApi } from '../support/api.ts'
import { buildPages, chromiumPath, startBrowser } from '../support/browser.ts'
import { createShopDashboard, type ShopDashboard } from './shop-dashboard.ts'

const api = sharedApi()
const root = fileURLToPath(new URL('../..', import.meta.url))
let browser: Browser
let shop: ShopDashboard
let host: Server
let hostUrl = ''
beforeAll(async () => {
  if (chromiumPath === undefined) return
  buildPages()
  browser = await startBrowser()
  shop = await createShopDashboard(api)
  // A page of another origin that keeps every message of its frame; what it shows stands in its address.
  host = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'referrer-policy': 'no-referrer' })
    response.end(`<!doctype html><body style="margin:0"><script>
      window.heard = []
      addEventListener('message', event => heard.push({ origin: event.origin, ...event.data }))
      const frame = document.createElement('iframe')
      frame.src = decodeURIComponent(location.hash.slice(1)); frame.style = 'width:1200px;height:800px;border:0'
      document.body.append(frame)
      window.tell = (type, payload, more = {}) => frame.contentWindow.postMessage(
        { source: 'cube-embed', direction: 'action', type: 'cube:action:' + type, payload, timestamp: 1, ...more }, '*')
    </script>`)
  })
  await new Promise<void>(resolve => host.listen(0, '127.0.0.1', resolve))
  const address = host.address()
  hostUrl = `http://host.localhost:${typeof address === 'object' ? address?.port : 0}/`
})
afterAll(async () => {
  await browser?.close()
  host?.close()
})

interface Heard {
  readonly type: string
  readonly payload: Record<string, unknown>
  readonly surface: string
  readonly source: string
  readonly direction: string
  readonly origin: string
}
const heardOf = async (page: Page): Promise<Heard[]> => Object(await page.evaluate('heard'))
const typesOf = async (page: Page) => (await heardOf(page)).map(({ type }) => type)
const payloadOf = async (page: Page, type: string) => (await heardOf(page)).find(each => each.type === type)?.payload
const tell = (page: Page, type: string, payload: object, more: object = {}) =>
  page.evaluate(`tell(${JSON.stringify(type)}, ${JSON.stringify(payload)}, ${JSON.stringify(more)})`)
const figureOf = (frame: FrameLocator) => frame.locator('[data-widget="figure"] .hd-kpi-value').innerText()

async function embed(query = ''): Promise<{ page: Page; frame: FrameLocator; sessionId: string }> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  const sessionId = await shop.session('acme')
  const url = `${api.baseUrl}/embed/dashboard/${shop.publicId}?session=${sessionId}&${query}`
  await page.goto(`${hostUrl}#${encodeURIComponent(url)}`)
  return { page, frame: page.frameLocator('iframe').first(), sessionId }
}

describe.skipIf(chromiumPath === undefined)('a frame on a page of another origin', () => {
  test('tells its host when it is ready, seen and drawn, in the published envelope', async () => {
    const { page } = await embed()
    await expect.poll(() => typesOf(page), { timeout: 20_000 }).toContain('cube:event:dashboard-loaded')
    const messages = await heardOf(page)
    for (const { source, direction, surface, origin } of messages) {
      expect([source, direction, surface, origin]).toEqual(['cube-embed', 'event', 'dashboard', api.baseUrl])
    }
    expect(await payloadOf(page, 'cube:event:ready')).toEqual({
      embedTenant: null,
      deploymentId: shop.deploymentId,
      mode: 'signed',
      surface: 'dashboard',
      publicId: shop.publicId,
    })
    expect(messages.filter(({ type }) => type === 'cube:event:ready')).toHaveLength(1)
    expect(await payloadOf(page, 'cube:event:view')).toMatchObject({ publicId: shop.publicId, title: 'Shop' })
    expect(await payloadOf(page, 'cube:event:error')).toMatchObject({ context: 'widget gone' })
    await page.close()
  })

  test('does what its host asks: filter, language, look, refresh', async () => {
    const { page, frame } = await embed()
    await expect.poll(() => figureOf(frame)).toBe('900')
    await tell(page, 'set-filter', { filterUrlParameter: 'f_orders.category={"value":"Books"}' })
    await expect.poll(() => figureOf(frame)).toBe('300')
    await tell(page, 'set-filter', { filterUrlParameter: 'f_orders.customer={"value":"globex"}' })
    await tell(page, 'set-locale', { locale: 'sv' })
    await expect.poll(() => frame.locator('html').getAttribute('lang')).toBe('sv-SE')
    await tell(page, 'set-color-scheme', { scheme: 'dark' })
    await expect.poll(() => frame.locator('.hd-root').getAttribute('data-scheme')).toBe('dark')
    await tell(page, 'set-theme', { primaryColor: '#ff00aa', font: 'x;} body{display:none', borderRadius: '3px' })
    await expect
      .poll(() => frame.locator('.hd-root').evaluate(element => element.style.getPropertyValue('--hd-radius')))
      .toBe('3px')
    let asked = 0
    page.on('request', request => request.url().endsWith('/load') && asked++)
    await tell(page, 'refresh', {})
    await expect.poll(() => asked).toBeGreaterThan(2)
    expect(await figureOf(frame)).toBe('300')
    await page.close()
  })

  test('hears nothing but actions of its envelope, and nobody but the page around it', async () => {
    const { page, frame } = await embed()
    await expect.poll(() => figureOf(frame)).toBe('900')
    const filter = { filterUrlParameter: 'f_orders.category={"value":"Books"}' }
    await tell(page, 'set-filter', filter, { source: 'other' })
    await tell(page, 'set-filter', filter, { direction: 'event' })
    await tell(page, 'set-filter', filter, { type: 'set-filter' })
    await page.evaluate(`(() => {
      const other = document.createElement('iframe')
      other.srcdoc = '<script>parent.frames[0].postMessage(' +
        JSON.stringify({ source: 'cube-embed', direction: 'action', type: 'cube:action:set-filter', payload: ${JSON.stringify(filter)} }) +
        ', "*")</' + 'script>'
      document.body.append(other)
    })()`)
    await page.waitForTimeout(800)
    expect(await figureOf(frame)).toBe('900')
    await page.close()
  })

  test('is not shown on a site that the account does not name', async () => {
    await api.put('/api/v1/tenant/settings', { embedding: { allowedOrigins: ['https://other.example'] } })
    try {
      const { page, frame } = await embed()
      await page.waitForTimeout(1500)
      expect(await frame.locator('.board').count()).toBe(0)
      expect(await heardOf(page)).toEqual([])
      await page.close()
      await api.put('/api/v1/tenant/settings', { embedding: { allowedOrigins: [new URL(hostUrl).origin] } })
      const allowed = await embed()
      await expect.poll(() => figureOf(allowed.frame)).toBe('900')
      await allowed.page.close()
    } finally {
      await api.put('/api/v1/tenant/settings', { embedding: { allowedOrigins: null } })
    }
  })

  test('a session that is revoked is told of, and another takes its place with everything that was chosen', async () => {
    const { page, frame, sessionId } = await embed(`f_orders.category=${encodeURIComponent('{"value":"Books"}')}`)
    await expect.poll(() => figureOf(frame)).toBe('300')
    expect((await api.post('/api/v1/embed/session/revoke', { sessionId })).status).toBe(204)
    await tell(page, 'refresh', {})
    await frame.getByRole('heading', { name: 'Your session has ended' }).waitFor()
    await expect.poll(() => payloadOf(page, 'hedron:event:session-expiring')).toMatchObject({ reason: 'ended' })
    const next = await shop.session('acme')
    await tell(page, '', { sessionId: next }, { type: 'hedron:action:renew-session' })
    await frame.getByRole('heading', { name: 'Your session has ended' }).waitFor({ state: 'detached' })
    await expect.poll(() => figureOf(frame)).toBe('300')
    await page.close()
  })
})

describe.skipIf(chromiumPath === undefined)('examples/embedding', () => {
  let product: ChildProcess
  let url = ''
  beforeAll(async () => {
    product = spawn(process.execPath, ['examples/embedding/src/main.ts'], {
      cwd: root,
      env: { ...process.env, HEDRON_API_URL: api.baseUrl, HEDRON_API_KEY: api.apiKey, EXAMPLE_PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    product.stdout?.on('data', (text: Buffer) => {
      said += text
    })
    await eventually(
      async () => said,
      text => /http:\/\/localhost:\d+/.test(text),
      60_000,
    )
    url = (/http:\/\/localhost:\d+/.exec(said)?.[0] ?? '').replace('localhost', 'shop.localhost')
  })
  afterAll(() => product?.kill())

  const signIn = async (email: string, password: string) => {
    const page = await (await browser.newContext()).newPage()
    await page.goto(url)
    await page.fill('[name=email]', email)
    await page.fill('[name=password]', password)
    await page.click('main button')
    return page
  }
  const orders = (page: Page) =>
    page.frameLocator('hedron-dashboard iframe').locator('[data-widget="count"] .hd-kpi-value').innerText()

  test('shows each of two customers their own rows, in a frame as high as its content', async () => {
    const ann = await signIn('ann@acme.example', 'acme')
    await expect.poll(() => orders(ann), { timeout: 20_000 }).toBe('13,333')
    const bob = await signIn('bob@globex.example', 'globex')
    await expect.poll(() => orders(bob), { timeout: 20_000 }).toBe('6,667')
    const [frame, content] = [
      await ann.locator('hedron-dashboard iframe').evaluate(element => element.clientHeight),
      await ann
        .frameLocator('hedron-dashboard iframe')
        .locator('#root')
        .evaluate(element => element.clientHeight),
    ]
    expect(Math.abs(frame - content)).toBeLessThanOrEqual(1)
    await ann.context().close()
    await bob.context().close()
  })

  test.each(['light', 'dark'] as const)('has no serious finding of axe-core, in %s', async colorScheme => {
    const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
    const context = await browser.newContext({ colorScheme })
    const page = await context.newPage()
    const serious = async () => {
      await page.evaluate(axe)
      const { violations }: { violations: { id: string; impact: string; nodes: { html: string }[] }[] } = Object(
        await page.evaluate('axe.run({ iframes: false })'),
      )
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 200))])
    }
    await page.goto(url)
    expect(await serious()).toEqual([])
    await page.fill('[name=email]', 'ann@acme.example')
    await page.fill('[name=password]', 'acme')
    await page.click('main button')
    await expect.poll(() => orders(page), { timeout: 60_000 }).toBe('13,333')
    expect(await serious()).toEqual([])
    await context.close()
  })

  test('a wrong password opens nothing, and no session is made for nobody', async () => {
    const page = await signIn('ann@acme.example', 'globex')
    expect(await page.getByRole('alert').innerText()).toContain('wrong')
    expect((await fetch(`${url.replace('shop.', '')}/analytics-session`, { method: 'POST' })).status).toBe(401)
    await page.context().close()
  })
})
