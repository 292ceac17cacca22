import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sharedApi } from '../support/api.ts'
import { buildPages, chromiumPath, startBrowser } from '../support/browser.ts'
import { createShopDashboard, type ShopDashboard } from './shop-dashboard.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const docs = readFileSync(join(root, 'docs/embedding.md'), 'utf8')
const markups = [...docs.matchAll(/^```html\n(.*?)^```$/gms)].map(([, code = '']) => code)

const api = sharedApi()
let browser: Browser
let shop: ShopDashboard
let product: Server
let url = ''
/** What a product's page holds. */
let body = ''
beforeAll(async () => {
  if (chromiumPath === undefined) return
  buildPages()
  browser = await startBrowser()
  shop = await createShopDashboard(api)
  product = createServer(async (request, response) => {
    if (request.url === '/analytics-session' && request.method === 'POST') {
      response.writeHead(200, { 'content-type': 'application/json' })
      return void response.end(JSON.stringify({ sessionId: await shop.session('acme') }))
    }
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><title>Product</title>${body}`)
  })
  await new Promise<void>(resolve => product.listen(0, '127.0.0.1', resolve))
  const address = product.address()
  url = `http://product.localhost:${typeof address === 'object' ? address?.port : 0}/`
})
afterAll(async () => {
  await browser?.close()
  product?.close()
})

/** A page with that markup of the docs: the address, the dashboard and the session are those of this test. */
async function open(markup = '', session = '') {
  expect(markup).toContain('https://analytics.example.com')
  body = markup
    .replaceAll('https://analytics.example.com', api.baseUrl)
    .replace('OwVQpbdaZmBT', shop.publicId)
    .replace('SESSION', session)
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  await page.goto(url)
  return { page, frame: page.frameLocator('iframe') }
}

describe.skipIf(chromiumPath === undefined)('the markup of docs/embedding.md', () => {
  test('is all tried here', () => {
    expect(markups).toHaveLength(2)
  })

  test('one script and one element show a dashboard with its downloads', async () => {
    const { page, frame } = await open(markups[0])
    const figure = frame.locator('[data-widget="figure"] .hd-kpi-value')
    await expect.poll(() => figure.innerText(), { timeout: 60_000 }).toBe('900')
    await frame.getByRole('button', { name: 'Download', exact: true }).waitFor()
    await page.close()
  })

  test('a frame with a session is the chat, which may write to the clipboard', async () => {
    const { page, frame } = await open(markups[1], await shop.session('acme'))
    await frame.getByRole('button', { name: 'New chat' }).waitFor({ timeout: 60_000 })
    await frame.getByRole('textbox').waitFor({ timeout: 60_000 })
    expect(await page.locator('iframe').getAttribute('allow')).toBe('clipboard-write')
    await page.close()
  })
})
