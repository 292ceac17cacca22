import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createApi } from '../support/api.ts'
import { buildPages, chromiumPath, startBrowser } from '../support/browser.ts'
import { type RunningPlatform, startPlatform } from '../support/start-platform.ts'
import { type PublishedBoard, publishBoard } from './board.ts'

/** Two kinds of each second's orders, so that newer rows show in the figure. */
const model = `cubes:
  - name: ticks
    sql: >
      SELECT i, CASE WHEN i % 2 = 0 THEN 'even' ELSE 'odd' END AS kind
      FROM range(CAST(epoch(now()) AS BIGINT) % 1000000) AS t(i)
    refresh_key: { every: 1 second }
    dimensions:
      - { name: i, sql: i, type: number, primary_key: true }
      - { name: kind, sql: kind, type: string }
    measures: [{ name: count, type: count }]
`
let browser: Browser
let context: BrowserContext
let platform: RunningPlatform
/** The first start, whose data the others go on with. */
let first: RunningPlatform
let board: PublishedBoard
beforeAll(async () => {
  if (chromiumPath === undefined) return
  buildPages()
  ;[browser, platform] = await Promise.all([startBrowser(), startPlatform()])
  first = platform
  board = await publishBoard(createApi(platform.baseUrl, platform.apiKey), {
    model,
    settings: { refreshInterval: 5 },
    widgets: [{ id: 'kind', type: 'FILTER', place: [0, 0, 4, 2], config: { member: 'ticks.kind', title: 'Kind' } }],
    reports: [
      { id: 'figure', meta: { kind: 'kpi' }, query: { measures: ['ticks.count'] }, place: [0, 2, 4, 3] },
      {
        id: 'kinds',
        meta: { kind: 'table' },
        query: { measures: ['ticks.count'], dimensions: ['ticks.kind'] },
        place: [4, 2, 8, 40],
      },
    ],
  })
})
afterEach(() => context?.close())
afterAll(async () => {
  await browser?.close()
  if (platform !== first) await platform?.stop()
  await first?.dispose()
})

/** A page that notes what it asks for and whether it was loaded anew. */
async function open(query = '', prepare?: (page: Page) => Promise<unknown>) {
  context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  const asked: string[] = []
  page.on('request', request => asked.push(new URL(request.url()).pathname))
  await prepare?.(page)
  await page.goto(await board.url(query))
  await figure(page).waitFor()
  await page.evaluate('window.isSamePage = true')
  const countOf = (ending: string) => asked.filter(path => path.endsWith(ending)).length
  return { page, countOf }
}
const figure = (page: Page) => page.locator('[data-widget="figure"] .hd-kpi-value')
const numberOf = async (page: Page) => Number((await figure(page).innerText()).replaceAll(',', ''))
const isSamePage = (page: Page) => page.evaluate('window.isSamePage === true')
const kinds = (page: Page) => page.locator('[data-widget="kinds"]').innerText()
const kindField = (page: Page) => page.locator('[data-widget="kind"] input')
const chooseKind = async (page: Page, kind: string) => {
  await kindField(page).fill(kind)
  await kindField(page).press('Enter')
}

describe.skipIf(chromiumPath === undefined)('a dashboard that stays open', () => {
  test('shows newer rows by itself as its refresh interval says, and keeps what it shows meanwhile', async () => {
    const bodies: string[] = []
    const { page } = await open('', async each =>
      each.on('request', request => request.url().endsWith('/load') && bodies.push(request.postData() ?? '')),
    )
    const first = await numberOf(page)
    await expect.poll(() => numberOf(page)).toBeGreaterThan(first)
    expect(await isSamePage(page)).toBe(true)
    // The source is asked once for all viewers: what it said a moment ago is good.
    expect(bodies.some(body => body.includes('must-revalidate'))).toBe(true)
    expect(bodies.some(body => body.includes('no-cache'))).toBe(false)
  })

  test('outlives a restart of the server: what was chosen meanwhile is answered, and nothing is loaded anew', async () => {
    const { page, countOf } = await open()
    const { port } = new URL(platform.baseUrl)
    const before = await numberOf(page)
    expect(await platform.stop()).toBe(0)
    await chooseKind(page, 'odd')
    await page.waitForTimeout(1500)
    expect(await kindField(page).count()).toBe(1)
    const { dataDirectory, database, apiKey } = platform
    const environment = { HEDRON_PORT: port, HEDRON_BOOTSTRAP_API_KEY: apiKey }
    platform = await startPlatform({ dataDirectory, database, environment })
    await expect.poll(() => kinds(page), { timeout: 60_000 }).not.toContain('even')
    await expect.poll(() => kinds(page), { timeout: 60_000 }).toContain('odd')
    expect(await isSamePage(page)).toBe(true)
    expect(countOf('/session/token')).toBe(1)
    await expect.poll(() => numberOf(page), { timeout: 60_000 }).toBeLessThan(before)
    const half = await numberOf(page)
    await expect.poll(() => numberOf(page), { timeout: 60_000 }).toBeGreaterThan(half)
  })

  test('goes on by itself when the network is back', async () => {
    const { page } = await open()
    await context.setOffline(true)
    await chooseKind(page, 'even')
    // Past every attempt: it says so, and what can be done.
    await page.getByRole('button', { name: 'Try again' }).first().waitFor({ timeout: 60_000 })
    await context.setOffline(false)
    await expect.poll(() => kinds(page), { timeout: 30_000 }).toMatch(/even/)
    expect(await kinds(page)).not.toContain('odd')
    expect(await isSamePage(page)).toBe(true)
  })

  test.each([
    ['ten minutes behind', -600_000],
    ['ten minutes ahead', 600_000],
    ['two days ahead', 2 * 86_400_000],
  ])('a clock that is %s changes nothing', async (_, skew) => {
    const { page, countOf } = await open('', each => each.clock.install({ time: Date.now() + skew }))
    await page.clock.runFor(120_000)
    const first = await numberOf(page)
    await expect.poll(() => numberOf(page)).toBeGreaterThan(first - 1)
    expect([countOf('/session/token'), countOf('/session/renew')]).toEqual([1, 0])
    // One data token a page, not one a question.
    expect(countOf('/token')).toBeLessThanOrEqual(2)
  })

  test('after a sleep that was longer than its tokens live it goes on, once somebody looks', async () => {
    const filter = `f_ticks.kind=${encodeURIComponent('{"value":"odd"}')}`
    const { page, countOf } = await open(filter, each => each.clock.install())
    const tokens = countOf('/token')
    await page.clock.fastForward('26:00:00')
    await page.evaluate(`dispatchEvent(new Event('focus'))`)
    await expect.poll(() => countOf('/session/renew')).toBeGreaterThan(0)
    // A data token is asked for with the renewed session. Only then may the clock run on: it is that of requests too, and would end a renewal
    // that is under way at its limit of 20 seconds, and the session with it.
    await expect.poll(() => countOf('/token')).toBeGreaterThan(tokens)
    const shown = await numberOf(page)
    await page.clock.runFor(20_000)
    await expect.poll(() => numberOf(page), { timeout: 30_000 }).toBeGreaterThan(shown)
    expect(await kinds(page)).not.toContain('even')
    expect(await isSamePage(page)).toBe(true)
  })
})

describe.skipIf(chromiumPath === undefined)('on paper', () => {
  test('a dashboard is printed whole, over as many pages as it needs', async () => {
    const { page } = await open()
    const pdf = await page.pdf({ format: 'A4', printBackground: true })
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
    expect([...pdf.toString('latin1').matchAll(/\/Type \/Page\b/g)].length).toBeGreaterThan(1)
  })
})
