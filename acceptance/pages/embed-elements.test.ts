import { createServer, type Server } from 'node:http'
import type { Browser, Frame, FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sharedApi, unique } from '../support/api.ts'
import { buildPages, chromiumPath, startBrowser } from '../support/browser.ts'
import { uniqueTenant } from '../support/embedding.ts'
import { createShopDashboard, type ShopDashboard } from './shop-dashboard.ts'

const api = sharedApi()
let browser: Browser
let shop: ShopDashboard
let product: Server
let url = ''
/** What the product's server answers to whoever wants a session, by the path that is asked. */
const given: string[] = []
let failures = 0
beforeAll(async () => {
  if (chromiumPath === undefined) return
  buildPages()
  browser = await startBrowser()
  shop = await createShopDashboard(api)
  product = createServer((request, response) => void answer(request.url ?? '/', response))
  await new Promise<void>(resolve => product.listen(0, '127.0.0.1', resolve))
  const address = product.address()
  url = `http://product.localhost:${typeof address === 'object' ? address?.port : 0}/`
})
afterAll(async () => {
  await browser?.close()
  product?.close()
})

/** A page of another origin with `/embed.js` and what the test puts into it; it keeps every event of the elements. */
const names = 'ready view navigate dashboard-loaded download drilldown ai-query error session-expiring resize'
const markup = () => `<!doctype html><body><script>
  window.heard = []
  for (const name of '${names}'.split(' '))
    addEventListener('hedron-' + name, event => heard.push({ type: name, detail: event.detail }))
</script><div id="place" style="height:600px"></div><script src="${api.baseUrl}/embed.js"></script></body>`

async function answer(path: string, response: import('node:http').ServerResponse): Promise<void> {
  if (path === '/') return void response.writeHead(200, { 'content-type': 'text/html' }).end(markup())
  const session = sessionFor(path)
  if (session === null) return void response.writeHead(404).end()
  if (failures > 0) {
    failures--
    return void response.writeHead(503).end()
  }
  const sessionId = await session
  given.push(sessionId)
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ sessionId }))
}

const maker = unique('maker')
const tenant = uniqueTenant()
function sessionFor(path: string): Promise<string> | null {
  if (path === '/viewer') return shop.session('acme')
  if (path === '/maker') return shop.session('acme', { creatorMode: true, embedTenantName: tenant, externalId: maker })
  return null
}

async function open(element: string, attributes: Record<string, string>) {
  given.length = 0
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  await page.goto(url)
  const pairs = JSON.stringify(Object.entries({ 'session-url': '/viewer', ...attributes }))
  await page.evaluate(`(() => {
    const element = document.createElement('${element}')
    for (const [name, value] of ${pairs}) element.setAttribute(name, value)
    window.element = document.querySelector('#place').appendChild(element)
  })()`)
  await page.locator('iframe').waitFor()
  return { page, frame: page.frameLocator('iframe') }
}
const dashboard = (attributes: Record<string, string> = {}) =>
  open('hedron-dashboard', { 'public-id': shop.publicId, ...attributes })

interface Heard {
  readonly type: string
  readonly detail: Record<string, unknown>
}
const heardOf = async (page: Page): Promise<Heard[]> => Array.from(Object(await page.evaluate('heard')))
const detailOf = async (page: Page, type: string) => (await heardOf(page)).findLast(each => each.type === type)?.detail
const figureOf = (frame: FrameLocator) => frame.locator('[data-widget="figure"] .hd-kpi-value').innerText()
const innerFrame = (page: Page): Frame => page.frames().find(each => each !== page.mainFrame()) ?? page.mainFrame()

describe.skipIf(chromiumPath === undefined)('the elements of /embed.js', () => {
  test('attributes are the parameters of the address, word for word, and nothing else is', async () => {
    const shown = {
      'allow-export': 'true',
      'show-dashboard-export-menu': 'false',
      'show-dashboard-header': 'no',
      'show-dashboard-back-button': 'false',
      'show-dashboard-title': 'false',
      'show-dashboard-edit-button': 'false',
      'show-dashboard-duplicate-button': 'false',
      'show-workbook-back-button': 'false',
      'show-new-chat': 'false',
      'show-chat-input': 'false',
      'show-chat-history': 'false',
      locale: 'de-DE',
      timezone: 'Asia/Tokyo',
    }
    const controls = 'f_orders.category={"value":"Books"}&tg_orders.ordered_at=quarter&ms_orders.count=orders.revenue'
    const { page } = await dashboard({ ...shown, controls: `${controls}&session=stolen&allowExport=1`, secret: 'x' })
    const { pathname, searchParams } = new URL((await page.locator('iframe').getAttribute('src')) ?? '')
    expect(pathname).toBe(`/embed/dashboard/${shop.publicId}`)
    expect(Object.fromEntries(searchParams)).toEqual({
      allowExport: 'true',
      showDashboardExportMenu: 'false',
      showDashboardHeader: 'no',
      showDashboardBackButton: 'false',
      showDashboardTitle: 'false',
      showDashboardEditButton: 'false',
      showDashboardDuplicateButton: 'false',
      showWorkbookBackButton: 'false',
      showNewChat: 'false',
      showChatInput: 'false',
      showChatHistory: 'false',
      locale: 'de-DE',
      timezone: 'Asia/Tokyo',
      'f_orders.category': '{"value":"Books"}',
      'tg_orders.ordered_at': 'quarter',
      'ms_orders.count': 'orders.revenue',
      session: given[0],
    })
    await page.close()
  })

  test('every event of a dashboard comes with its payload', async () => {
    const { page, frame } = await dashboard({ 'allow-export': 'true' })
    await expect.poll(() => detailOf(page, 'dashboard-loaded')).toMatchObject({ publicId: shop.publicId })
    expect(await detailOf(page, 'ready')).toMatchObject({ mode: 'signed', surface: 'dashboard' })
    expect(await detailOf(page, 'view')).toMatchObject({ publicId: shop.publicId, title: 'Shop' })
    expect(await detailOf(page, 'dashboard-loaded')).toMatchObject({ widgetCount: expect.any(Number) })
    expect(await detailOf(page, 'error')).toMatchObject({ context: 'widget gone' })
    const { height } = Object((await detailOf(page, 'resize')) ?? {})
    expect(await page.locator('iframe').evaluate(element => element.clientHeight)).toBe(height)

    await frame.locator('[data-widget="figure"] .hd-kpi-value').click()
    await expect
      .poll(() => detailOf(page, 'drilldown'))
      .toEqual({ member: 'orders.count', value: expect.anything(), widgetId: 'figure' })
    await page.keyboard.press('Escape')
    await frame.getByRole('button', { name: 'Download: By month' }).click()
    await frame.getByRole('menuitem', { name: 'Download CSV' }).click()
    await expect
      .poll(() => detailOf(page, 'download'))
      .toEqual({
        format: 'csv',
        target: 'widget',
        widgetId: 'months',
        title: 'By month',
        rowCount: 12,
      })
    await page.close()
  })

  test('every method reaches the frame, also before it can hear', async () => {
    const { page, frame } = await dashboard()
    await page.evaluate(`element.setColorScheme('dark'); element.setFilter('orders.category', ['Books', 'Games'])`)
    await expect.poll(() => figureOf(frame)).toBe('600')
    expect(await frame.locator('.hd-root').getAttribute('data-scheme')).toBe('dark')
    await page.evaluate(`element.setFilter('orders.category', 'Books', 'notEquals')`)
    await expect.poll(() => figureOf(frame)).toBe('600')
    await page.evaluate(`element.setFilter('orders.category', null)`)
    await expect.poll(() => figureOf(frame)).toBe('900')
    await page.evaluate(
      `element.setTheme({ borderRadius: 5 }); element.setLocale('ja'); element.setColorScheme('light')`,
    )
    await expect.poll(() => frame.locator('html').getAttribute('lang')).toBe('ja-JP')
    await expect.poll(() => frame.locator('.hd-root').getAttribute('data-scheme')).toBe('light')
    const asked = page.waitForRequest(request => (request.postData() ?? '').includes('Asia/Kolkata'))
    await page.evaluate(`element.setTimezone('Asia/Kolkata')`)
    await asked
    const fresh = page.waitForRequest(request => (request.postData() ?? '').includes('no-cache'))
    await page.evaluate('element.refresh()')
    await fresh

    // A frame that is loaded again has neither session nor look of its own: the element gives it both.
    const before = given.length
    await innerFrame(page).evaluate('location.reload()')
    await expect.poll(() => given.length).toBe(before + 1)
    await expect.poll(() => figureOf(frame)).toBe('900')
    await expect.poll(() => frame.locator('html').getAttribute('lang')).toBe('ja-JP')
    await page.close()
  })

  test('a host that fails for a while is asked again, at first and at a renewal', async () => {
    failures = 1
    const { page, frame } = await dashboard()
    await expect.poll(() => figureOf(frame)).toBe('900')
    expect(await heardOf(page)).toContainEqual({
      type: 'error',
      detail: expect.objectContaining({ context: 'renewSession', message: expect.stringContaining('503') }),
    })
    await page.evaluate(`element.setFilter('orders.category', 'Books')`)
    await expect.poll(() => figureOf(frame)).toBe('300')
    failures = 2
    await api.post('/api/v1/embed/session/revoke', { sessionId: given.at(-1) })
    await page.evaluate('element.refresh()')
    await frame.getByRole('heading', { name: 'Your session has ended' }).waitFor()
    await frame.getByRole('heading', { name: 'Your session has ended' }).waitFor({ state: 'detached' })
    await expect.poll(() => figureOf(frame)).toBe('300')
    expect(await detailOf(page, 'session-expiring')).toMatchObject({ reason: 'ended', secondsLeft: 0 })
    await page.close()
  })

  test('another dashboard in the same element is another frame with another session', async () => {
    const { page, frame } = await dashboard()
    await expect.poll(() => figureOf(frame)).toBe('900')
    await page.evaluate(`element.setAttribute('public-id', 'AAAAAAAAAAAA')`)
    await expect.poll(() => given.length).toBe(2)
    await frame.getByText('This dashboard', { exact: false }).first().waitFor()
    expect(await page.locator('iframe').count()).toBe(1)
    await page.close()
  })

  test('chat tells its host of each question', async () => {
    const { page, frame } = await open('hedron-chat', { 'show-chat-history': 'false' })
    await frame.getByRole('textbox').fill('How many orders are there?')
    await frame.getByRole('textbox').press('Enter')
    await expect
      .poll(async () =>
        (await heardOf(page)).filter(({ type }) => type === 'ai-query').map(({ detail }) => detail.status),
      )
      .toEqual(['submitted', 'completed'])
    expect(await detailOf(page, 'ready')).toMatchObject({ surface: 'chat' })
    await page.close()
  })

  test('the app goes where its host says and tells where it is; back and forward lead as in a page of its own', async () => {
    const { page, frame } = await open('hedron-app', {
      'deployment-id': String(shop.deploymentId),
      'session-url': '/maker',
    })
    await frame.getByRole('button', { name: 'New workbook' }).waitFor()
    const app = `/embed/d/${shop.deploymentId}/app`
    expect(await detailOf(page, 'view')).toMatchObject({ surface: 'app', path: app })
    await page.evaluate(`element.navigate('/dashboard/${shop.publicId}')`)
    await expect.poll(() => figureOf(frame)).toBe('900')
    const there = `${app}/dashboard/${shop.publicId}`
    expect(await detailOf(page, 'navigate')).toEqual({ path: there, previousPath: app })
    await page.evaluate(`element.navigate('https://evil.example/')`)
    await page.evaluate(`element.navigate('/../../../auth')`)
    await frame.getByRole('button', { name: 'Back', exact: true }).click()
    await frame.getByRole('button', { name: 'New workbook' }).waitFor()
    expect(await detailOf(page, 'navigate')).toEqual({ path: app, previousPath: there })
    await page.evaluate('history.back()')
    await expect.poll(() => figureOf(frame)).toBe('900')
    await page.evaluate('history.forward()')
    await frame.getByRole('button', { name: 'New workbook' }).waitFor()
    expect(given).toHaveLength(1)
    await page.close()
  })

  test('a maker who goes from a dashboard into the app comes back to it by Back', async () => {
    const { page, frame } = await dashboard({ 'session-url': '/maker' })
    await expect.poll(() => figureOf(frame)).toBe('900')
    await frame.getByRole('button', { name: 'Duplicate' }).click()
    await expect.poll(() => innerFrame(page).url()).toContain('/app/workbook/')
    await frame.getByLabel('Name').waitFor()
    await page.evaluate('history.back()')
    await expect.poll(() => innerFrame(page).url()).toContain(`/embed/dashboard/${shop.publicId}`)
    await expect.poll(() => figureOf(frame)).toBe('900')
    await page.close()
  })
})
