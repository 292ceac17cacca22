import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { chromiumPath, startBrowser } from '../support/browser.ts'
import { serveGallery } from './gallery.ts'

let browser: Browser
let gallery: Awaited<ReturnType<typeof serveGallery>>
let page: Page
const asked = new Set<string>()
const problems: string[] = []

beforeAll(async () => {
  if (chromiumPath === undefined) return
  gallery = await serveGallery()
  browser = await startBrowser()
  const context = await browser.newContext({
    viewport: { width: 1228, height: 1600 },
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  page = await context.newPage()
  page.on('request', request => asked.add(new URL(request.url()).host))
  page.on('pageerror', error => problems.push(String(error)))
  page.on('console', message => {
    if (/Content Security Policy/.test(message.text())) problems.push(message.text())
  })
  page.on('dialog', dialog => {
    problems.push(`dialog: ${dialog.message()}`)
    dialog.dismiss().catch(() => undefined)
  })
  await page.goto(gallery.url)
  await allDrawn(page)
})
afterAll(async () => {
  await browser?.close()
  await gallery?.close()
})

/** Seven charts say when they are drawn. */
async function allDrawn(one: Page) {
  await vi.waitFor(async () => expect(await one.locator('#drawn').textContent()).toBe('7'), { timeout: 60_000 })
}

interface Drawn {
  readonly text: string
  readonly x: number
  readonly y: number
}

/** Notes the texts that stand on each canvas, and where. */
const noteTexts = `
  const { fillText, clearRect } = CanvasRenderingContext2D.prototype
  CanvasRenderingContext2D.prototype.clearRect = function (x, y, width, height) {
    const { a } = this.getTransform()
    if (width * a >= this.canvas.width) this.canvas.texts = []
    return clearRect.call(this, x, y, width, height)
  }
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y, ...more) {
    const at = this.getTransform().transformPoint({ x, y })
    this.canvas.texts = [...(this.canvas.texts ?? []), { text, x: at.x, y: at.y }]
    return fillText.call(this, text, x, y, ...more)
  }`

/** The names of the axis with that title, from left to right; what stands in a second line behind a slash. */
function namesBelow(texts: readonly Drawn[], title: string): readonly string[] {
  const bottom = texts.find(({ text }) => text === title)?.y ?? 0
  const near = texts.filter(({ y }) => y < bottom && y > bottom - 38).sort((one, other) => one.x - other.x)
  const [top, below] = [...new Set(near.map(({ y }) => y))].sort((one, other) => one - other)
  return near
    .filter(({ y }) => y === top)
    .map(({ text, x }) =>
      [text, ...near.filter(at => at.y === below && Math.abs(at.x - x) < 1).map(at => at.text)].join('/'),
    )
}

const card = (name: string) => page.getByRole('region', { name, exact: true })

describe.skipIf(chromiumPath === undefined)('charts', () => {
  test('are drawn without eval and inline code, and load nothing', async () => {
    await expect.poll(() => card('Countries').locator('canvas').count()).toBe(1)
    expect(problems).toEqual([])
    // A picture of somebody is the only thing that a page asks others for.
    expect([...asked].filter(host => !host.startsWith('127.0.0.1'))).toEqual(['pictures.invalid'])
  })

  test('are heard: kind, measures, extent, series', async () => {
    const chart = card('Lines').getByRole('img')
    expect(await chart.getAttribute('aria-label')).toBe('Revenue by month')
    const summary = await card('Lines').locator('p.hd-hidden').textContent()
    expect(summary).toMatch(
      /^Line chart\. Revenue by Month and Source\. 96 data points\. 4 series: Web, Shop, Phone, and Partner\./,
    )
    expect(summary).toMatch(/Revenue: from €[\d,.]+ \(.+\) to €/)
  })

  test('are a table one key away, and back', async () => {
    await card('Bars').getByRole('button', { name: 'Show as table' }).focus()
    await page.keyboard.press('t')
    const grid = card('Bars').getByRole('grid', { name: 'Revenue by city' })
    expect(await grid.getAttribute('aria-rowcount')).toBe('9')
    expect(await grid.getByRole('gridcell').first().textContent()).toBe('Oslo')
    await card('Bars').getByRole('button', { name: 'Show as chart' }).focus()
    await page.keyboard.press('t')
    await expect.poll(() => card('Bars').locator('canvas').count()).toBe(1)
  })

  test('say when rows are left out, and why one cannot be drawn', async () => {
    expect(await card('Bars').getByRole('status').textContent()).toBe('The first 8 of 40 rows are shown.')
    expect(await card('Broken').getByRole('alert').textContent()).toMatch(/cannot be drawn.*Vega-Lite/)
  })

  test('show all members under the pointer and open what is behind a mark', async () => {
    const box = await card('Bars').locator('canvas').boundingBox()
    expect(box).not.toBeNull()
    if (!box) return
    // The longest bar is the first.
    await page.mouse.move(box.x + 110, box.y + box.height * 0.5)
    await expect.poll(() => page.locator('.hd-tooltip').textContent()).toMatch(/^City.+Revenue€[\d,]+\.00$/)
    await page.mouse.click(box.x + 110, box.y + box.height * 0.5)
    const drilled: unknown = JSON.parse((await page.locator('#drilled').textContent()) || 'null')
    expect(drilled).toMatchObject({ member: 'orders.revenue', values: { 'orders.city': expect.any(String) } })
  })

  test.each([
    // The narrowest has 200 pixels for its chart, the widest 740.
    [410, ['Jan/2023', 'Jan/2024', 'Dec']],
    [700, ['Jan/2023', 'May', 'Sep', 'Jan/2024', 'May', 'Sep']],
    [1228, ['Jan/2023', 'Mar', 'May', 'Jul', 'Sep', 'Nov', 'Jan/2024', 'Mar', 'May', 'Jul', 'Sep', 'Nov']],
  ])('over time name as many round dates as have room, on a page of %i pixels', async (width, expected) => {
    const one = await browser.newPage({ viewport: { width, height: 900 } })
    const drawn = "document.querySelector('[aria-label=Months] canvas')?.texts ?? []"
    await one.addInitScript(noteTexts)
    await one.goto(gallery.url)
    const names = async () => namesBelow(await one.evaluate<Drawn[]>(drawn), 'Month')
    await expect.poll(names, { timeout: 60_000 }).toEqual(expected)
    // Wider and narrower again, it names what it named.
    await one.setViewportSize({ width: width === 1228 ? 500 : 1000, height: 900 })
    await expect.poll(names, { timeout: 20_000 }).not.toEqual(expected)
    await one.setViewportSize({ width, height: 900 })
    await expect.poll(names, { timeout: 20_000 }).toEqual(expected)
    await one.close()
  })

  test('maps count what has no place on them', async () => {
    expect(await card('Countries').getByRole('status').last().textContent()).toBe('1 row has no place on the map')
  })
})

describe.skipIf(chromiumPath === undefined)('a table of 100,000 rows', () => {
  test('has only the rows in sight in the page, whatever is scrolled to', async () => {
    const grid = card('Table').getByRole('grid')
    expect(await grid.getAttribute('aria-rowcount')).toBe('100001')
    await grid.focus()
    await page.keyboard.press('Control+End')
    await expect.poll(() => grid.getByRole('gridcell', { name: '100000', exact: true }).count()).toBe(1)
    expect(await grid.getByRole('row').count()).toBeLessThan(60)
    await page.keyboard.press('Control+Home')
    await expect.poll(() => grid.getByRole('gridcell', { name: '1', exact: true }).count()).toBe(1)
  })

  test('is sorted, selected, copied and drilled by keys alone', async () => {
    const grid = card('Table').getByRole('grid')
    await grid.focus()
    for (const key of ['Control+Home', 'ArrowUp', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'Enter'])
      await page.keyboard.press(key)
    const revenue = grid.getByRole('columnheader', { name: /^Revenue/ })
    await expect.poll(() => revenue.getAttribute('aria-sort')).toBe('descending')
    expect(await revenue.textContent()).toBe('Revenue €')
    for (const key of ['Control+Home', 'Shift+ArrowDown', 'Shift+End', 'Control+c']) await page.keyboard.press(key)
    const lines = String(await page.evaluate('navigator.clipboard.readText()')).split('\n')
    expect(lines[0]?.split('\t').slice(0, 4)).toEqual(['Order', 'City', 'At', 'Revenue'])
    expect(lines).toHaveLength(3)
    // Raw values, and no formulas.
    expect(lines[1]).toMatch(/\t2024-\d\d-\d\dT00:00:00\.000\t\d+(\.\d+)?\t/)
    for (const key of ['Control+Home', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'Enter'])
      await page.keyboard.press(key)
    expect(await page.locator('#drilled').textContent()).toMatch(/"member":"revenue"/)
  })

  test('scrolls at the pace of the screen', async () => {
    const usual = await page.evaluate(
      `new Promise(resolve => {
        const element = document.querySelector('[role=grid][aria-label=Orders]')
        const times = []
        let last = performance.now()
        requestAnimationFrame(function next(now) {
          times.push(now - last)
          last = now
          element.scrollTop += 400
          if (times.length < 90) requestAnimationFrame(next)
          else resolve(times.sort((one, other) => one - other)[45])
        })
      })`,
    )
    // 16.7 ms where nothing else runs. What is held here is that rows out of sight cost nothing: all of them would take seconds.
    expect(Number(usual)).toBeLessThan(150)
  })

  test('shows hostile values as text and links only to the web', async () => {
    const grid = card('Table').getByRole('grid')
    await grid.focus()
    await page.keyboard.press('Control+Home')
    expect(await grid.locator('img').count()).toBe(0)
    // All at once: rows come and go while the table scrolls.
    const links =
      "[...document.querySelectorAll('[role=grid][aria-label=Orders] a')].map(({ href, rel }) => ({ href, rel }))"
    const found = await page.evaluate<{ href: string; rel: string }[]>(links)
    expect(found.length).toBeGreaterThan(0)
    for (const { href, rel } of found) {
      expect(href).toMatch(/^https:/)
      expect(rel).toMatch(/noopener/)
    }
    expect(problems).toEqual([])
  })
})

describe.skipIf(chromiumPath === undefined)('texts', () => {
  test('Markdown and HTML are inert', async () => {
    for (const name of ['Text', 'HTML']) {
      const { length } = await card(name).locator('script, img, [onclick], [style*=url]').all()
      expect(length).toBe(0)
      const links = await card(name).getByRole('link').all()
      for (const link of links) expect(await link.getAttribute('href')).toBe('https://example.com')
      expect(links).toHaveLength(1)
    }
    const weight =
      "getComputedStyle([...document.querySelectorAll('p')].find(one => one.textContent === 'styled')).fontWeight"
    expect(await page.evaluate(weight)).toBe('700')
  })

  test('initials stand for a picture that does not load', async () => {
    await expect.poll(() => page.getByRole('img', { name: 'Grace Hopper' }).textContent()).toBe('GH')
  })

  test('tabs go by arrows', async () => {
    await card('Tabs').getByRole('tab', { name: 'First' }).focus()
    await page.keyboard.press('ArrowRight')
    expect(await card('Tabs').getByRole('tabpanel').textContent()).toBe('Panel Second')
  })
})

describe.skipIf(chromiumPath === undefined).each(['light', 'dark'])('in %s', scheme => {
  test('axe finds nothing serious', async () => {
    const other = await browser.newPage({ viewport: { width: 1228, height: 1600 } })
    await other.goto(`${gallery.url}?scheme=${scheme}&locale=de-DE`)
    await allDrawn(other)
    // Injected past the page's policy, as the tools of a browser are.
    const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
    const { readFile } = await import('node:fs/promises')
    await other.evaluate(await readFile(axe, 'utf8'))
    const found = await other.evaluate<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>(
      'axe.run()',
    )
    const serious = found.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    expect(serious.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 200))])).toEqual([])
    expect(
      await other.getByRole('region', { name: 'Table', exact: true }).getByText('1. Jan. 2024').count(),
    ).toBeGreaterThan(0)
    await other.close()
  })
})
