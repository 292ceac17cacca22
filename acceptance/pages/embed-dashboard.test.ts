import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sharedApi } from '../support/api.ts'
import { buildPages, chromiumPath, startBrowser } from '../support/browser.ts'
import { createShopDashboard, hostileTitle, type ShopDashboard } from './shop-dashboard.ts'

const api = sharedApi()
let browser: Browser
let context: BrowserContext
let shop: ShopDashboard
beforeAll(async () => {
  if (chromiumPath === undefined) return
  buildPages()
  browser = await startBrowser()
  context = await browser.newContext({ viewport: { width: 1280, height: 900 }, acceptDownloads: true })
  shop = await createShopDashboard(api)
})
afterAll(() => browser?.close())

interface Opening {
  readonly query?: string
  readonly customer?: 'acme' | 'globex'
  readonly session?: object
  readonly prepare?: (page: Page) => Promise<unknown>
}
const problems: string[] = []

async function open({ query = '', customer = 'acme', session, prepare }: Opening = {}): Promise<Page> {
  const page = await context.newPage()
  page.on('pageerror', error => problems.push(String(error)))
  page.on('dialog', dialog => {
    problems.push(`a script ran: ${dialog.message()}`)
    void dialog.dismiss()
  })
  await prepare?.(page)
  const sessionId = await shop.session(customer, session)
  await page.goto(`${api.baseUrl}/embed/dashboard/${shop.publicId}?session=${sessionId}&${query}`)
  await widget(page, 'figure').waitFor()
  return page
}
const widget = (page: Page, id: string) => page.locator(`[data-widget="${id}"]`)
const figureOf = (page: Page) => widget(page, 'figure').locator('.hd-kpi-value').innerText()
const parametersOf = (page: Page) => new URL(page.url()).searchParams

describe.skipIf(chromiumPath === undefined)('an embedded dashboard', () => {
  test('shows every kind of widget with the rows of its viewer, and one that is broken alone', async () => {
    const page = await open()
    expect(await figureOf(page)).toBe('900')
    await widget(page, 'months').locator('canvas').waitFor()
    await expect.poll(() => widget(page, 'categories').innerText()).toContain('Books')
    expect(await widget(page, 'text').innerText()).toContain('Words')
    expect(await widget(page, 'summary').innerText()).toContain('summary that was written')
    await expect.poll(() => widget(page, 'tabs').innerText()).toContain('Games')
    await page.getByRole('tab', { name: 'Two' }).click()
    await expect.poll(() => widget(page, 'html').innerText()).toContain('Written words')
    await expect.poll(() => widget(page, 'gone').innerText()).toContain('“orders.vanished” is no longer part')
    await page.close()

    const other = await open({ customer: 'globex' })
    expect(await figureOf(other)).toBe('300')
    await other.close()
  })

  test('leaves titles, texts and values of others without effect', async () => {
    const page = await open()
    await expect.poll(() => widget(page, 'categories').innerText()).toContain('<img src=x onerror=alert(1)>')
    expect(await widget(page, 'categories').locator('h2').innerText()).toBe(hostileTitle)
    expect(await page.locator('main img, main script, main a[href^="javascript:"]').count()).toBe(0)
    await page.close()
  })

  test('a widget that never answers keeps no other waiting', async () => {
    const page = await open({
      prepare: each =>
        each.route('**/cubejs-api/v1/load', route =>
          route.request().postData()?.includes('orders.status') ? undefined : route.continue(),
        ),
    })
    expect(await figureOf(page)).toBe('900')
    await widget(page, 'months').locator('canvas').waitFor()
    expect(await widget(page, 'categories').locator('[aria-busy=true]').count()).toBeGreaterThan(0)
    await page.close()
  })

  test('asks again while the server is away', async () => {
    let failures = 3
    const page = await open({
      prepare: each =>
        each.route('**/cubejs-api/v1/load', route => (failures-- > 0 ? route.abort() : route.continue())),
    })
    await expect.poll(() => figureOf(page), { timeout: 20_000 }).toBe('900')
    await page.close()
  })

  test('waits for slow queries with the same question', async () => {
    let waits = 2
    const page = await open({
      prepare: each =>
        each.route('**/cubejs-api/v1/load', route =>
          waits-- > 0 ? route.fulfill({ json: { error: 'Continue wait' } }) : route.continue(),
        ),
    })
    await expect.poll(() => figureOf(page)).toBe('900')
    await page.close()
  })

  test('has no serious finding of axe-core, light and dark', async () => {
    const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await open({ query: 'allowExport=true', prepare: each => each.emulateMedia({ colorScheme }) })
      await widget(page, 'months').locator('canvas').waitFor()
      // Evaluated by the debugger, which the page's policy does not bind.
      await page.evaluate(axe)
      const found = await page.evaluate('axe.run()')
      const { violations }: { violations: { id: string; impact: string; nodes: { html: string }[] }[] } = Object(found)
      const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
      expect(serious.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 200))])).toEqual([])
      await page.close()
    }
  })
})

describe.skipIf(chromiumPath === undefined)('controls and the address', () => {
  const preset = (name: string, value: unknown) => `${name}=${encodeURIComponent(JSON.stringify(value))}`

  test('a filter is set by the address, and what is chosen is written back in the same format', async () => {
    const page = await open({ query: preset('f_orders.category', { value: 'Books' }) })
    await expect.poll(() => figureOf(page)).toBe('300')
    await page.getByRole('button', { name: /Delete: Books/ }).click()
    await expect.poll(() => figureOf(page)).toBe('900')
    expect(parametersOf(page).has('f_orders.category')).toBe(false)
    await page.getByLabel('Category').fill('Games')
    await page.getByLabel('Category').press('Enter')
    await expect.poll(() => figureOf(page)).toBe('300')
    expect(JSON.parse(parametersOf(page).get('f_orders.category') ?? '')).toEqual({ value: 'Games' })
    await page.close()
  })

  test('a filter offers the values that its viewer has', async () => {
    const page = await open()
    await page.getByLabel('Category').focus()
    await expect
      .poll(() =>
        page.locator('datalist option').evaluateAll(options => options.map(option => option.getAttribute('value'))),
      )
      .toEqual(expect.arrayContaining(['Books', 'Games']))
    await page.close()
  })

  test.each([
    ['several values', preset('f_orders.category', { value: ['Books', 'Games'] }), '600'],
    ['another operator', preset('f_orders.category', { value: 'Books', operator: 'notEquals' }), '600'],
    [
      'a range of dates',
      preset('f_orders.ordered_at', { value: ['2025-01-01', '2025-01-31'], operator: 'inDateRange' }),
      '92',
    ],
    ['what is no JSON', 'f_orders.category=Books', '900'],
    ['an unknown operator', preset('f_orders.category', { value: 'Books', operator: 'drop' }), '900'],
    ['a control that is not there', preset('f_orders.customer', { value: 'globex' }), '900'],
  ])('%s in the address', async (_, query, expected) => {
    const page = await open({ query })
    await expect.poll(() => figureOf(page)).toBe(expected)
    await page.close()
  })

  test('a granularity and a field are set by names that the controls offer, and by no other', async () => {
    const asked: string[] = []
    const watch = (page: Page) =>
      page.on('request', request => request.url().endsWith('/load') && asked.push(request.postData() ?? ''))
    const page = await open({
      query: 'tg_orders.ordered_at=quarter&ms_orders.count=orders.revenue',
      prepare: async each => watch(each),
    })
    await widget(page, 'months').locator('canvas').waitFor()
    expect(asked.some(text => text.includes('"granularity":"quarter"') && text.includes('orders.revenue'))).toBe(true)
    expect(await widget(page, 'figure').innerText()).not.toContain('900')
    await page.getByLabel('Step').selectOption('month')
    await expect.poll(() => parametersOf(page).get('tg_orders.ordered_at')).toBe('month')
    await page.close()

    asked.length = 0
    const refused = await open({
      query: 'tg_orders.ordered_at=second&ms_orders.count=orders.customer',
      prepare: async each => watch(each),
    })
    expect(await figureOf(refused)).toBe('900')
    expect(asked.some(text => /second|orders\.customer/.test(text))).toBe(false)
    await refused.close()
  })

  test.each([
    ['showDashboardHeader=false', 0],
    ['showDashboardTitle=false', 0],
    ['showDashboardTitle=False', 1],
    ['showDashboardTitle=0', 1],
    ['showDashboardHeader', 1],
  ])('%s leaves %i titles', async (query, titles) => {
    const page = await open({ query })
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(titles)
    await page.close()
  })

  test('language and zone follow the ladder: address, session, account', async () => {
    const zones: unknown[] = []
    const prepare = async (page: Page) =>
      page.on('request', request => {
        if (request.url().endsWith('/load')) zones.push(JSON.parse(request.postData() ?? '{}').query.timezone)
      })
    const session = { settings: { locale: 'fr-FR', timezone: 'Asia/Tokyo' } }
    const page = await open({ session, prepare })
    await expect.poll(() => page.evaluate('document.documentElement.lang')).toBe('fr-FR')
    await expect.poll(() => [...new Set(zones)]).toEqual(['Asia/Tokyo'])
    await page.close()

    zones.length = 0
    const own = await open({ session, prepare, query: 'locale=de&timezone=America/New_York' })
    await expect.poll(() => own.evaluate('document.documentElement.lang')).toBe('de-DE')
    await expect.poll(() => [...new Set(zones)]).toEqual(['America/New_York'])
    await own.close()

    zones.length = 0
    const unusable = await open({ session, prepare, query: 'locale=tlh&timezone=%2B02:00' })
    await expect.poll(() => unusable.evaluate('document.documentElement.lang')).toBe('fr-FR')
    await expect.poll(() => [...new Set(zones)]).toEqual(['Asia/Tokyo'])
    await unusable.close()
  })
})

describe.skipIf(chromiumPath === undefined)('downloads', () => {
  const menus = (page: Page) => page.getByRole('button', { name: /^Download/ })
  const take = async (page: Page, menu: string | RegExp, item: string) => {
    await page.getByRole('button', { name: menu }).first().click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: item }).click(),
    ])
    return { name: download.suggestedFilename(), content: await readFile(await download.path()) }
  }

  test.each(['', 'allowExport=1', 'allowExport=TRUE', 'allowExport'])('are not offered by "%s"', async query => {
    const page = await open({ query })
    await widget(page, 'months').locator('canvas').waitFor()
    expect(await menus(page).count()).toBe(0)
    await page.close()
  })

  test('rows as CSV that spreadsheets run nothing of; widgets and the whole as pictures', async () => {
    const page = await open({ query: 'allowExport=true' })
    await widget(page, 'months').locator('canvas').waitFor()
    const csv = await take(page, /Download: .*script/, 'Download CSV')
    const text = csv.content.toString('utf8')
    expect(text.charCodeAt(0)).toBe(0xfeff)
    expect(text).toContain(`"'=HYPERLINK(""https://evil.example"")"`)
    const png = await take(page, 'Download: By month', 'Download image (PNG)')
    expect(png.content.subarray(1, 4).toString()).toBe('PNG')
    const whole = await take(page, 'Download', 'Download PDF')
    expect([whole.name, whole.content.subarray(0, 5).toString()]).toEqual(['Shop.pdf', '%PDF-'])
    await page.close()
  })

  test('the menu of the whole is hidden by its own switch', async () => {
    const page = await open({ query: 'allowExport=true&showDashboardExportMenu=false' })
    await widget(page, 'months').locator('canvas').waitFor()
    expect(await page.getByRole('button', { name: 'Download', exact: true }).count()).toBe(0)
    expect(await menus(page).count()).toBeGreaterThan(0)
    await page.close()
  })

  test("the account's word goes before the address's", async () => {
    await api.put('/api/v1/tenant/settings', { restrictDataDownload: true })
    try {
      const page = await open({ query: 'allowExport=true' })
      await widget(page, 'months').locator('canvas').waitFor()
      expect(await menus(page).count()).toBe(0)
      await page.close()
    } finally {
      await api.put('/api/v1/tenant/settings', { restrictDataDownload: null })
    }
  })

  test('and nothing on any of these pages has failed or run', () => {
    expect(problems).toEqual([])
  })
})
