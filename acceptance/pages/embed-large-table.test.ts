import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sharedApi } from '../support/api.ts'
import { buildPages, chromiumPath, startBrowser } from '../support/browser.ts'
import { type PublishedBoard, publishBoard } from './board.ts'

const api = sharedApi()
const rows = 100_000
const model = `cubes:
  - name: events
    sql: SELECT i AS id, 'event ' || i AS name, (i * 7919) % 1000 AS amount FROM range(${rows}) AS t(i)
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: name, sql: name, type: string }
      - { name: amount, sql: amount, type: number }
    measures: [{ name: count, type: count, drill_members: [id, name] }]
`
let browser: Browser
let board: PublishedBoard
beforeAll(async () => {
  if (chromiumPath === undefined) return
  buildPages()
  browser = await startBrowser()
  board = await publishBoard(api, {
    model,
    reports: [
      {
        id: 'table',
        meta: { kind: 'table' },
        query: { dimensions: ['events.id', 'events.name', 'events.amount'], order: { 'events.id': 'asc' } },
        place: [0, 0, 12, 16],
      },
      { id: 'figure', meta: { kind: 'kpi' }, query: { measures: ['events.count'] }, place: [0, 16, 4, 3] },
    ],
  })
})
afterAll(() => browser?.close())

const grid = (page: Page) => page.locator('[data-widget="table"]').getByRole('grid')
const active = (page: Page) =>
  grid(page).evaluate(
    element => element.ownerDocument.getElementById(element.getAttribute('aria-activedescendant') ?? '')?.innerText,
  )
const shownRows = (page: Page) => grid(page).locator('.hd-table-body .hd-row').count()

describe.skipIf(chromiumPath === undefined)('a table of 100,000 rows on a dashboard', () => {
  test('says that it holds a part, loads the rest on demand, and has only what is in sight in the page', async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    await page.goto(await board.url())
    const widget = page.locator('[data-widget="table"]')
    await expect.poll(() => widget.innerText()).toContain('10,000 of 100,000')
    await widget.getByRole('button', { name: 'Load all rows' }).click()
    await expect.poll(() => grid(page).getAttribute('aria-rowcount'), { timeout: 60_000 }).toBe(String(rows + 1))
    expect(await widget.innerText()).not.toContain('10,000 of 100,000')
    expect(await widget.getByRole('button', { name: 'Load all rows' }).count()).toBe(0)
    expect(await shownRows(page)).toBeLessThan(100)

    // By keys alone, from one end to the other.
    await grid(page).focus()
    await page.keyboard.press('Control+End')
    await expect.poll(() => active(page)).toBe(String(((rows - 1) * 7919) % 1000))
    await page.keyboard.press('Home')
    await expect.poll(() => active(page)).toBe('99,999')
    await page.keyboard.press('ArrowUp')
    await expect.poll(() => active(page)).toBe('99,998')
    await page.keyboard.press('Control+Home')
    await expect.poll(() => active(page)).toBe('0')
    // Its title sorts.
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await expect.poll(() => grid(page).locator('.hd-table-body .hd-row').first().innerText()).toContain('event 99999')

    // What is there after scrolling through all of it is what was there before.
    const session = await page.context().newCDPSession(page)
    const heap = async () => {
      await session.send('HeapProfiler.collectGarbage')
      const { usedSize } = await session.send('Runtime.getHeapUsage')
      return usedSize
    }
    const before = await heap()
    expect(before).toBeLessThan(150 * 1024 * 1024)
    for (let at = 0; at <= 1; at += 0.05) {
      await grid(page).evaluate((element, share) => {
        element.scrollTop = element.scrollHeight * share
      }, at)
      await page.waitForTimeout(20)
    }
    expect(await shownRows(page)).toBeLessThan(100)
    expect((await heap()) - before).toBeLessThan(5 * 1024 * 1024)
    await page.close()
  })

  test('rows that cannot be loaded to the end are said to be missing, and loading can be tried again', async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    let isBroken = true
    await page.route('**/cubejs-api/v1/load', route =>
      isBroken && route.request().postData()?.includes('"offset":50000')
        ? route.fulfill({ status: 400, json: { error: 'The source is full.' } })
        : route.continue(),
    )
    await page.goto(await board.url())
    const widget = page.locator('[data-widget="table"]')
    await widget.getByRole('button', { name: 'Load all rows' }).click()
    await expect.poll(() => widget.innerText(), { timeout: 60_000 }).toContain('The source is full.')
    expect(await widget.innerText()).toContain('10,000 of 100,000')
    isBroken = false
    await widget.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => grid(page).getAttribute('aria-rowcount'), { timeout: 60_000 }).toBe(String(rows + 1))
    await page.close()
  })

  test('the records behind a figure are a part of them that says how many there are', async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    await page.goto(await board.url())
    await page.locator('[data-widget="figure"] .hd-kpi-value').click()
    await expect.poll(() => page.getByRole('dialog').innerText()).toContain('1,000 of 100,000')
    await page.close()
  })
})
