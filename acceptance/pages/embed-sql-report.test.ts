import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sharedApi } from '../support/api.ts'
import { buildPages, chromiumPath, startBrowser } from '../support/browser.ts'
import { createShopDashboard, type ShopDashboard } from './shop-dashboard.ts'

const api = sharedApi()
let browser: Browser
let shop: ShopDashboard
beforeAll(async () => {
  if (chromiumPath === undefined) return
  buildPages()
  browser = await startBrowser()
  shop = await createShopDashboard(api)
})
afterAll(() => browser?.close())

describe.skipIf(chromiumPath === undefined)('a report in SQL on a dashboard', () => {
  test('is filtered by what is a column of it, in the rows of its viewer, and says which filters do not reach it', async () => {
    const page = await browser.newPage()
    const controls = new URLSearchParams({
      session: await shop.session('acme'),
      'f_orders.category': '{"value":"Games"}',
      'f_orders.ordered_at': '{"value":["2025-01-01","2025-01-31"],"operator":"inDateRange"}',
    })
    await page.goto(`${api.baseUrl}/embed/dashboard/${shop.publicId}?${controls}`)
    const widget = page.locator('[data-widget="statement"]')
    // 300 of the 900 orders that this customer has are of that kind; a column of days is not among those of the report.
    await expect.poll(() => widget.innerText()).toMatch(/Games\s+300/)
    expect(await widget.innerText()).not.toContain('Books')
    await widget.getByText('Not filtered here: When').waitFor()

    await page.getByRole('button', { name: 'Delete: Games' }).click()
    await expect.poll(() => widget.innerText()).toContain('Books')
    await page.close()
  })
})
