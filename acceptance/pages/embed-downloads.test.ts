import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { Browser, FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sharedApi, unique } from '../support/api.ts'
import { buildPages, chromiumPath, startBrowser } from '../support/browser.ts'
import { connect } from '../support/contract-client.ts'
import { openSession, uniqueTenant } from '../support/embedding.ts'
import { createShopDashboard, type ShopDashboard } from './shop-dashboard.ts'

const api = sharedApi()
let browser: Browser
let shop: ShopDashboard
let product: Server
let origin = ''
/** The session that the product's server gives to whoever asks next. */
let sessionOf: () => Promise<string>
const patience = { timeout: 60_000 }

beforeAll(async () => {
  if (chromiumPath === undefined) return
  buildPages()
  browser = await startBrowser()
  shop = await createShopDashboard(api)
  sessionOf = () => shop.session('acme')
  product = createServer(async (request, response) => {
    if (request.url === '/session') {
      response.writeHead(200, { 'content-type': 'application/json' })
      return void response.end(JSON.stringify({ sessionId: await sessionOf() }))
    }
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(`<!doctype html><body><script>
      window.heard = []
      for (const name of ['dashboard-loaded', 'download', 'error', 'navigate'])
        addEventListener('hedron-' + name, event => heard.push({ type: name, detail: event.detail }))
    </script><script src="${api.baseUrl}/embed.js"></script></body>`)
  })
  await new Promise<void>(resolve => product.listen(0, '127.0.0.1', resolve))
  const address = product.address()
  origin = `http://product.localhost:${typeof address === 'object' ? address?.port : 0}`
})
afterAll(async () => {
  await browser?.close()
  product?.close()
})

/** A product's page with that dashboard on it, once all of it is drawn. */
async function open(publicId: string, prepare: (page: Page) => Promise<unknown> = async () => undefined) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, acceptDownloads: true })
  await prepare(page)
  await page.goto(origin)
  await page.evaluate(`document.body.insertAdjacentHTML('beforeend',
    '<hedron-dashboard public-id="${publicId}" session-url="/session" allow-export="true"></hedron-dashboard>')`)
  await expect.poll(() => heard(page, 'dashboard-loaded'), patience).toHaveLength(1)
  return { page, frame: page.frameLocator('iframe') }
}
const heard = async (page: Page, type: string): Promise<unknown[]> =>
  page.evaluate(`heard.filter(one => one.type === '${type}').map(one => one.detail)`)

/** Chooses from a menu, and waits for the file. */
async function take(page: Page, frame: FrameLocator, menu: string, item: string) {
  await frame.getByRole('button', { name: menu, exact: true }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download', patience),
    frame.getByRole('menuitem', { name: item }).click(),
  ])
  return { name: file.suggestedFilename(), content: await readFile(await file.path()) }
}
const start = (content: Buffer) => content.subarray(0, 5).toString('latin1')
/** Width and height that a PNG says it has (PNG specification, IHDR). */
const sizeOf = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)] as const

describe.skipIf(chromiumPath === undefined)('downloads in a product', () => {
  test('of a chart and of the whole, in each format, are files that hold it; the host hears of each once it is there', async () => {
    const { page, frame } = await open(shop.publicId)
    const chart = 'Download: By month'
    const csv = await take(page, frame, chart, 'Download CSV')
    expect(csv.name).toBe('By month.csv')
    const lines = csv.content.toString('utf8').trim().split(/\r?\n/)
    expect(lines).toHaveLength(13)
    expect(lines[1]).toMatch(/^2025-01-01T00:00:00\.000,\d+$/)

    const png = await take(page, frame, chart, 'Download image (PNG)')
    expect([png.name, start(png.content)]).toEqual(['By month.png', '\x89PNG\r'])
    const canvas = await frame.locator('[data-widget="months"] canvas').boundingBox()
    // Two dots for each of the page's.
    expect(Math.abs(sizeOf(png.content)[0] - 2 * (canvas?.width ?? 0))).toBeLessThan(40)

    const pdf = await take(page, frame, chart, 'Download PDF')
    expect([pdf.name, start(pdf.content)]).toEqual(['By month.pdf', '%PDF-'])
    const whole = await take(page, frame, 'Download', 'Download image (PNG)')
    expect([whole.name, start(whole.content)]).toEqual(['Shop.png', '\x89PNG\r'])
    const [width, height] = sizeOf(whole.content)
    const page1 = await frame
      .locator('main.board')
      .evaluate(({ scrollWidth, scrollHeight }) => [scrollWidth, scrollHeight])
    expect(width / height).toBeCloseTo((page1[0] ?? 0) / (page1[1] ?? 1), 1)
    const paper = await take(page, frame, 'Download', 'Download PDF')
    expect([paper.name, start(paper.content)]).toEqual(['Shop.pdf', '%PDF-'])
    for (const { content } of [pdf, paper]) {
      expect(content.subarray(-6).toString()).toContain('%%EOF')
      expect(content.toString('latin1')).toMatch(/\/Count 1\b[\s\S]*\/Subtype \/Image/)
    }

    const widget = { target: 'widget', widgetId: 'months', title: 'By month' }
    await expect
      .poll(() => heard(page, 'download'))
      .toEqual([
        { ...widget, format: 'csv', rowCount: 12 },
        { ...widget, format: 'png' },
        { ...widget, format: 'pdf' },
        { target: 'dashboard', title: 'Shop', format: 'png' },
        { target: 'dashboard', title: 'Shop', format: 'pdf' },
      ])
    await page.close()
  })

  test('say that they are being made, can be asked for once meanwhile, and one that fails is told to the host', async () => {
    const released = Promise.withResolvers<'continue' | 'abort'>()
    const { page, frame } = await open(shop.publicId, one =>
      one.route(/export-board-[^/]*\.js$/, async route =>
        (await released.promise) === 'abort' ? route.abort() : route.continue(),
      ),
    )
    const before = await heard(page, 'error')
    await frame.getByRole('button', { name: 'Download', exact: true }).click()
    await frame.getByRole('menuitem', { name: 'Download PDF' }).click()
    const busy = frame.getByRole('button', { name: 'Preparing the download…' })
    await busy.waitFor()
    expect(await busy.isDisabled()).toBe(true)
    released.resolve('abort')
    await frame.getByRole('button', { name: 'Download', exact: true }).waitFor()
    const after = await heard(page, 'error')
    expect(after.slice(before.length)).toEqual([
      expect.objectContaining({ context: 'download pdf', message: expect.stringMatching(/\w/) }),
    ])
    expect(await heard(page, 'download')).toEqual([])
    // What needs nothing more is still there.
    expect((await take(page, frame, 'Download: By month', 'Download CSV')).name).toBe('By month.csv')
    await page.close()
  })
})

describe.skipIf(chromiumPath === undefined)('the Edit button', () => {
  test('of a dashboard of its maker leads to its workbook in the app, and the host hears where', async () => {
    const who = { externalId: unique('maker'), embedTenantName: uniqueTenant(), creatorMode: true }
    const { deploymentId } = shop
    const session = { deploymentId, securityContext: { customer: 'acme' }, ...who }
    const client = connect({ baseUrl: api.baseUrl, apiKey: (await openSession(api, session)).token }, 'Embed-Token')
    const { id: workbookId } = await client.createWorkbook({ params: { deploymentId }, body: { name: 'Mine' } })
    const { publicId } = await client.publishDashboard({
      params: { deploymentId, workbookId },
      body: {
        workbookId,
        config: {
          title: 'Mine',
          settings: {},
          widgets: [{ id: 'a', type: 'TEXT', position: { x: 0, y: 0, w: 6, h: 4 }, config: { content: 'Words' } }],
        },
      },
    })
    sessionOf = () => shop.session('acme', who)
    const { page, frame } = await open(publicId)
    await frame.getByRole('button', { name: 'Edit', exact: true }).click()
    await frame.getByRole('button', { name: 'View published' }).waitFor()
    expect(await heard(page, 'navigate')).toEqual([
      {
        path: `/embed/d/${deploymentId}/app/workbook/${workbookId}`,
        previousPath: `/embed/dashboard/${publicId}`,
      },
    ])
    await page.close()
  })
})
