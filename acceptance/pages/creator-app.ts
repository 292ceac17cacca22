import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import { type Api, unique } from '../support/api.ts'
import { uniqueTenant } from '../support/embedding.ts'
import { createShopDashboard, type ShopDashboard } from './shop-dashboard.ts'

/** Creator mode over the shop's model, for somebody of an embed tenant. */
export interface CreatorApp {
  readonly shop: ShopDashboard
  readonly tenant: string
  /** Scripts of the pages that failed. */
  readonly problems: readonly string[]
  open(embedTenantName?: string, session?: object): Promise<Page>
}

export async function createCreatorApp(api: Api, browser: Browser): Promise<CreatorApp> {
  const shop = await createShopDashboard(api)
  const tenant = uniqueTenant()
  const problems: string[] = []
  return {
    shop,
    tenant,
    problems,
    async open(embedTenantName = tenant, session = {}) {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
      page.on('pageerror', error => problems.push(String(error)))
      const body = { externalId: unique('maker'), creatorMode: true, embedTenantName, ...session }
      const sessionId = await shop.session('acme', body)
      await page.goto(`${api.baseUrl}/embed/d/${shop.deploymentId}/app?session=${sessionId}`)
      return page
    },
  }
}

/** Makes a workbook with one table of orders by category. */
export async function makeWorkbook(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'New workbook' }).click()
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByRole('button', { name: 'Add chart' }).first().click()
  const editor = page.getByRole('dialog')
  await editor.getByLabel('Name', { exact: true }).fill('Orders by category')
  await editor.getByLabel('Orders', { exact: true }).check()
  await editor.getByLabel('Category', { exact: true }).check()
  await editor.getByLabel('Shown as').selectOption('table')
  await expect.poll(() => editor.innerText()).toContain('Books')
  await editor.getByRole('button', { name: 'Save' }).click()
  await page.locator('.creator-widget').waitFor()
}
