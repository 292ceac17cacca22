import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sharedApi, unique } from '../support/api.ts'
import { buildPages, chromiumPath, startBrowser } from '../support/browser.ts'
import { uniqueTenant } from '../support/embedding.ts'
import { createShopDashboard, type ShopDashboard } from './shop-dashboard.ts'

const api = sharedApi()
let browser: Browser
let shop: ShopDashboard
const tenant = uniqueTenant()
beforeAll(async () => {
  if (chromiumPath === undefined) return
  buildPages()
  browser = await startBrowser()
  shop = await createShopDashboard(api, { timezone: 'Pacific/Auckland' })
})
afterAll(() => browser?.close())

const maker = () => shop.session('acme', { creatorMode: true, embedTenantName: tenant, externalId: unique('maker') })

async function open(path: string, query: string, session: string, width = 1280): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height: 900 } })
  await page.goto(`${api.baseUrl}${path}?session=${session}&${query}`)
  return page
}
const figure = (page: Page) => page.locator('[data-widget="figure"] .hd-kpi-value')
async function dashboard(query: string, session: string, width?: number): Promise<Page> {
  const page = await open(`/embed/dashboard/${shop.publicId}`, query, session, width)
  await figure(page).waitFor()
  return page
}
/** What the address can hide; what opens the chat stands there too, by the session's settings. */
const buttons = async (page: Page) =>
  (await page.locator('.board-head button').evaluateAll(all => all.map(one => one.getAttribute('aria-label'))))
    .filter(label => label !== 'Chat')
    .toSorted()

describe.skipIf(chromiumPath === undefined)('what stands above a dashboard for somebody who may make one', () => {
  test.each([
    ['', ['Duplicate'], 1],
    ['showDashboardDuplicateButton=false', [], 1],
    ['showDashboardDuplicateButton=0&showDashboardTitle=no', ['Duplicate'], 1],
    ['showDashboardEditButton=false&showDashboardDuplicateButton=false&showDashboardTitle=false', [], 0],
    ['showDashboardHeader=false&showDashboardEditButton=true', [], 0],
  ])('%s leaves %j', async (query, expected, headers) => {
    const page = await dashboard(query, await maker())
    expect([await buttons(page), await page.locator('.board-head').count()]).toEqual([expected, headers])
    await page.close()
  })

  test('nothing is granted by the address to somebody who may only look', async () => {
    const query = 'showDashboardEditButton=true&showDashboardDuplicateButton=true&showDashboardBackButton=true'
    const page = await dashboard(query, await shop.session('acme'))
    expect(await buttons(page)).toEqual([])
    await page.close()
  })

  test.each([
    ['', 1],
    ['showDashboardBackButton=false', 0],
    ['showDashboardBackButton=FALSE', 1],
  ])('in the app "%s" leaves %i ways back', async (query, count) => {
    const page = await open(`/embed/d/${shop.deploymentId}/app/dashboard/${shop.publicId}`, query, await maker())
    await figure(page).waitFor()
    expect((await buttons(page)).filter(label => label === 'Back')).toHaveLength(count)
    await page.close()
  })

  test.each([
    ['', 1],
    ['showWorkbookBackButton=false', 0],
    ['showWorkbookBackButton=0', 1],
  ])('in a workbook "%s" leaves %i ways back', async (query, count) => {
    const page = await open(`/embed/d/${shop.deploymentId}/app`, query, await maker())
    await page.getByRole('button', { name: 'New workbook' }).click()
    await page.getByLabel('Name').first().waitFor()
    expect(await page.getByRole('button', { name: 'Back', exact: true }).count()).toBe(count)
    await page.close()
  })
})

describe.skipIf(chromiumPath === undefined)('a frame', () => {
  test('keeps its token in memory alone, and its session id nowhere', async () => {
    const session = await shop.session('acme')
    const page = await dashboard('', session)
    expect(await page.context().cookies()).toEqual([])
    expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])')).toBe(
      '[{},{},""]',
    )
    expect(await page.evaluate('indexedDB.databases()')).toEqual([])
    expect(
      await page.evaluate(`location.href + JSON.stringify(history.state) + document.documentElement.outerHTML`),
    ).not.toContain(session)
    await page.close()
  })

  test('asks in the zone that the dashboard pins, where neither address nor session say another', async () => {
    const page = await open(`/embed/dashboard/${shop.publicId}`, '', await shop.session('acme'))
    const request = await page.waitForRequest(each => each.url().endsWith('/load'))
    expect(request.postData()).toContain('"timezone":"Pacific/Auckland"')
    await page.close()
  })

  test('on a narrow screen has its widgets one under the other, and nothing to scroll sideways', async () => {
    const page = await dashboard('', await shop.session('acme'), 375)
    expect(await page.locator('.board-grid').first().getAttribute('data-stacked')).toBe('true')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375)
    await page.close()
  })

  test('of creator mode has no serious finding of axe-core', async () => {
    const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
    const page = await open(`/embed/d/${shop.deploymentId}/app`, '', await maker())
    for (const place of ['workspace', 'workbook'] as const) {
      if (place === 'workbook') {
        await page.getByRole('button', { name: 'New workbook' }).click()
        await page.getByLabel('Name').first().waitFor()
      } else await page.getByRole('button', { name: 'New workbook' }).waitFor()
      // Evaluated by the debugger, which the page's policy does not bind.
      await page.evaluate(axe)
      const { violations } = Object(await page.evaluate('axe.run()'))
      const serious = Array.from<{ id: string; impact: string }>(violations).filter(({ impact }) =>
        ['serious', 'critical'].includes(impact),
      )
      expect(
        serious.map(({ id }) => id),
        place,
      ).toEqual([])
    }
    await page.close()
  })
})
