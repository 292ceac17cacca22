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
const problems: string[] = []
beforeAll(async () => {
  if (chromiumPath === undefined) return
  buildPages()
  browser = await startBrowser()
  shop = await createShopDashboard(api)
})
afterAll(() => browser?.close())

/** The app as somebody of an embed tenant sees it. */
async function open(embedTenantName = tenant, session: object = {}): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  page.on('pageerror', error => problems.push(String(error)))
  const body = { externalId: unique('maker'), creatorMode: true, embedTenantName, ...session }
  const sessionId = await shop.session('acme', body)
  await page.goto(`${api.baseUrl}/embed/d/${shop.deploymentId}/app?session=${sessionId}`)
  return page
}

async function make(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'New workbook' }).click()
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Add chart' }).first().click()
  const editor = page.getByRole('dialog')
  await editor.getByLabel('Name').fill('Orders by category')
  await editor.getByLabel('Orders', { exact: true }).check()
  await editor.getByLabel('Category', { exact: true }).check()
  await editor.getByLabel('Shown as').selectOption('table')
  await expect.poll(() => editor.innerText()).toContain('Books')
  await editor.getByRole('button', { name: 'Save' }).click()
  await page.locator('.creator-widget').waitFor()
}

describe.skipIf(chromiumPath === undefined)('creator mode', () => {
  test('a workbook is made, laid out by keys and pointer, published and shared inside the embed tenant alone', async () => {
    const name = unique('sales')
    const maker = await open()
    await make(maker, name)
    const widget = maker.locator('.creator-widget')
    const columns = () => maker.locator('.board-cell').evaluate(element => element.style.gridColumn)
    await widget.focus()
    await widget.press('ArrowRight')
    await widget.press('Shift+ArrowRight')
    await expect.poll(columns).toBe('2 / span 7')
    const corner = await maker.locator('.creator-corner').boundingBox()
    await maker.mouse.move((corner?.x ?? 0) + 8, (corner?.y ?? 0) + 8)
    await maker.mouse.down()
    await maker.mouse.move((corner?.x ?? 0) + 220, (corner?.y ?? 0) + 100, { steps: 5 })
    await maker.mouse.up()
    await expect.poll(columns).toBe('2 / span 9')
    await expect.poll(() => maker.locator('.creator-state').first().innerText()).toBe('Saved')
    await maker.getByRole('button', { name: 'Publish' }).click()
    await expect.poll(() => maker.locator('.creator-head').innerText()).toContain('Published')

    const colleague = await open()
    await colleague.getByText('Shared with you').waitFor()
    expect(await colleague.getByText(name).count()).toBe(0)
    await maker.getByRole('button', { name: 'Share with everyone here' }).click()
    await maker.getByRole('button', { name: 'Stop sharing' }).waitFor()

    const other = await open()
    await other.getByText(name).click()
    await expect.poll(() => other.locator('.board').innerText()).toContain('Books')
    expect(await other.getByRole('button', { name: 'Publish' }).count()).toBe(0)

    const stranger = await open(uniqueTenant())
    await stranger.getByText('Shared with you').waitFor()
    expect(await stranger.getByText(name).count()).toBe(0)
    for (const page of [maker, colleague, other, stranger]) await page.close()
  })

  test('dashboards for all embed users stand in every workspace and open as they were published', async () => {
    const page = await open()
    await page.getByRole('button', { name: /^Shop/ }).click()
    await expect.poll(() => page.locator('[data-widget="figure"]').innerText()).toContain('900')
    await page.goBack()
    await page.getByRole('button', { name: 'New workbook' }).waitFor()
    await page.close()
  })

  test('a workbook survives the frame: what was saved is there in the next session', async () => {
    const externalId = unique('maker')
    const name = unique('kept')
    const first = await open(tenant, { externalId })
    await make(first, name)
    await expect.poll(() => first.locator('.creator-state').first().innerText()).toBe('Saved')
    const address = new URL(first.url()).pathname
    await first.close()
    const second = await browser.newPage()
    const sessionId = await shop.session('acme', { externalId, creatorMode: true, embedTenantName: tenant })
    await second.goto(`${api.baseUrl}${address}?session=${sessionId}`)
    await expect.poll(() => second.locator('.creator-widget').innerText()).toContain('Books')
    expect(await second.getByLabel('Name').inputValue()).toBe(name)
    await second.close()
  })

  test('a session for looking makes nothing, and another deployment is not opened', async () => {
    const looking = await open(tenant, { creatorMode: false })
    await looking.getByText('This session is for looking only.').waitFor()
    await looking.close()
    const page = await browser.newPage()
    const sessionId = await shop.session('acme', { creatorMode: true, embedTenantName: tenant })
    await page.goto(`${api.baseUrl}/embed/d/1/app?session=${sessionId}`)
    await page.getByRole('heading', { name: 'You have no access to this' }).waitFor()
    await page.close()
  })

  test('and no script of these pages has failed', () => {
    expect(problems).toEqual([])
  })
})
