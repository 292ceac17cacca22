import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sharedApi, unique } from '../support/api.ts'
import { buildPages, chromiumPath, startBrowser } from '../support/browser.ts'
import { type CreatorApp, createCreatorApp, makeWorkbook } from './creator-app.ts'

const api = sharedApi()
let browser: Browser
let app: CreatorApp
beforeAll(async () => {
  if (chromiumPath === undefined) return
  buildPages()
  browser = await startBrowser()
  app = await createCreatorApp(api, browser)
})
afterAll(() => browser?.close())

describe.skipIf(chromiumPath === undefined)('creator mode: what a dashboard holds', () => {
  test('a report that was edited after publishing is told to its maker, who sees what differs; viewers see what was published', async () => {
    const page = await app.open()
    await makeWorkbook(page, unique('edited'))
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('Published', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'What changed' }).count()).toBe(0)
    const widget = page.locator('.creator-widget')
    await widget.focus()
    await widget.press('Enter')
    const editor = page.getByRole('dialog')
    await editor.getByLabel('Status', { exact: true }).check()
    await editor.getByRole('button', { name: 'Save' }).click()
    await editor.waitFor({ state: 'detached' })
    await expect.poll(() => widget.innerText()).toContain('paid')
    await page.getByText('Changes are not published').waitFor()

    await page.getByRole('button', { name: 'View published' }).click()
    await expect.poll(() => page.locator('.board').innerText()).toContain('Books')
    expect(await page.locator('.board').innerText()).not.toContain('paid')
    await page.getByRole('button', { name: 'Edit' }).click()

    await page.getByRole('button', { name: 'What changed' }).click()
    const sheet = page.getByRole('dialog')
    expect(await sheet.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/^Orders by category\s+Changed$/),
    ])
    await sheet.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('Published', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'View published' }).click()
    await expect.poll(() => page.locator('.board').innerText()).toContain('paid')
    await page.close()
  })

  test('and no script of these pages has failed', () => {
    expect(app.problems).toEqual([])
  })
})
