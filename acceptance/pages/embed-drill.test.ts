import type { Browser, Page } from 'playwright-core'
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

async function open(query = ''): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  const sessionId = await shop.session('acme')
  await page.goto(`${api.baseUrl}/embed/dashboard/${shop.publicId}?session=${sessionId}&${query}`)
  return page
}
const preset = (name: string, value: unknown) => `${name}=${encodeURIComponent(JSON.stringify(value))}`
const records = (page: Page) => page.getByRole('dialog').getByRole('grid')
const countOf = async (page: Page) => Number(await records(page).getAttribute('aria-rowcount')) - 1

describe.skipIf(chromiumPath === undefined)('the records behind a value', () => {
  test('of a figure are its own under the filter that is chosen, and go away by Escape', async () => {
    const page = await open(preset('f_orders.category', { value: 'Books' }))
    await expect.poll(() => page.locator('[data-widget="figure"] .hd-kpi-value').innerText()).toBe('300')
    await page.locator('[data-widget="figure"] .hd-kpi-value').focus()
    await page.keyboard.press('Enter')
    await records(page).waitFor()
    expect(await countOf(page)).toBe(300)
    expect(await records(page).locator('.hd-table-head').innerText()).toMatch(/Id\s+Category/)
    expect(await records(page).innerText()).not.toContain('Games')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.close()
  })

  test("of a row of a table are that row's, by a double click", async () => {
    const page = await open()
    const row = page.locator('[data-widget="categories"] .hd-row', { hasText: 'Games' }).first()
    const cell = row.locator('[data-drills]')
    const count = Number(await cell.innerText())
    expect(count).toBeGreaterThan(0)
    await cell.dblclick()
    await records(page).waitFor()
    expect(await countOf(page)).toBe(count)
    expect(await records(page).innerText()).not.toContain('Books')
    await page.close()
  })

  test('of a step of a chart are those of the step that the viewer has chosen', async () => {
    const page = await open('tg_orders.ordered_at=quarter')
    const chart = page.locator('[data-widget="months"]')
    await chart.locator('canvas').waitFor()
    // The table of the same values, as for those who do not see charts.
    await chart.locator('.hd-chart-tools button').focus()
    await page.keyboard.press('t')
    const cell = chart.locator('.hd-row [data-drills]').first()
    const count = Number(await cell.innerText())
    expect(count).toBeGreaterThan(150)
    await cell.dblclick()
    await records(page).waitFor()
    expect(await countOf(page)).toBe(count)
    await page.close()
  })
})
