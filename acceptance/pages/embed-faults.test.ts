import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { enterDevMode, putFiles } from '../data-api/project.ts'
import { buildOf, createKey, sharedApi, unique } from '../support/api.ts'
import { buildPages, chromiumPath, startBrowser } from '../support/browser.ts'
import { generateSession, uniqueTenant } from '../support/embedding.ts'
import { type PublishedBoard, publishBoard } from './board.ts'

const api = sharedApi()
const model = (measures: string) => `cubes:
  - name: sales
    sql: SELECT i AS id, 'shop ' || (i % 3) AS shop FROM range(300) AS t(i)
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: shop, sql: shop, type: string }
    measures:
${measures}
`
const both = `      - { name: count, type: count }
      - { name: highest, sql: id, type: max }`
const elsewhere = 'https://evil.example'
const encoding = {
  x: { field: 'sales.shop', type: 'nominal' },
  y: { field: 'sales.count', type: 'quantitative' },
}
/** What the server would not take (it refuses such a specification), as if it had been there before. */
const hostile: Record<string, unknown> = {
  loads: { data: { url: `${elsewhere}/rows.json` }, mark: 'bar', encoding },
  pictures: {
    mark: { type: 'image', url: `${elsewhere}/mark.png`, href: 'javascript:alert(1)' },
    encoding,
    usermeta: { embedOptions: { ast: false, config: `${elsewhere}/config.json`, loader: {} } },
  },
  expression: { params: [{ name: 'p', expr: "(function(){alert(1)})() || warn('x')" }], mark: 'bar', encoding },
  page: `<p>Words</p><script>alert(1)</script><img src="${elsewhere}/a.png" onerror="alert(1)">
    <iframe src="${elsewhere}"></iframe><form action="${elsewhere}"><button>Send</button></form>
    <a href="javascript:alert(1)">link</a><p style="background:url(${elsewhere}/b.png);position:fixed;inset:0">over</p>
    <svg onload="alert(1)"></svg><base href="${elsewhere}">`,
}
let browser: Browser
let board: PublishedBoard
beforeAll(async () => {
  if (chromiumPath === undefined) return
  buildPages()
  browser = await startBrowser()
  const query = { measures: ['sales.count'], dimensions: ['sales.shop'] }
  const drawn = { kind: 'vega', spec: { mark: 'bar', encoding } }
  board = await publishBoard(api, {
    model: model(both),
    reports: [
      { id: 'good', meta: { kind: 'kpi' }, query: { measures: ['sales.count'] }, place: [0, 0, 4, 3] },
      { id: 'leaving', meta: { kind: 'kpi' }, query: { measures: ['sales.highest'] }, place: [4, 0, 4, 3] },
      { id: 'table', meta: { kind: 'table' }, query, place: [8, 0, 4, 8] },
      { id: 'loads', meta: drawn, query, place: [0, 8, 4, 6] },
      { id: 'pictures', meta: drawn, query, place: [4, 8, 4, 6] },
      { id: 'expression', meta: drawn, query, place: [8, 8, 4, 6] },
      { id: 'page', meta: { kind: 'html', spec: '<p>Words</p>' }, place: [0, 14, 6, 5] },
    ],
  })
})
afterAll(() => browser?.close())

const widget = (page: Page, id: string) => page.locator(`[data-widget="${id}"]`)
const textOf = (page: Page) => page.locator('body').innerText()

async function open(prepare?: (page: Page) => Promise<unknown>) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  const problems: string[] = []
  page.on('request', request => {
    if (!request.url().startsWith(api.baseUrl) && /^https?:/.test(request.url())) problems.push(request.url())
  })
  page.on('dialog', dialog => {
    problems.push(`a script ran: ${dialog.message()}`)
    void dialog.dismiss()
  })
  await prepare?.(page)
  await page.goto(await board.url())
  return { page, problems }
}

describe.skipIf(chromiumPath === undefined)('a dashboard of somebody hostile', () => {
  test('specifications load nothing and run nothing, HTML is inert, and what is good beside them is there', async () => {
    const { page, problems } = await open(each =>
      each.route('**/api/v1/embed/dashboard/*', async route => {
        const response = await route.fetch()
        const body = await response.json()
        for (const report of body.reportSnapshots) if (report.name in hostile) report.spec = hostile[report.name]
        await route.fulfill({ response, json: body })
      }),
    )
    await expect.poll(() => widget(page, 'good').innerText()).toContain('300')
    await expect.poll(() => widget(page, 'table').innerText()).toContain('shop 2')
    // Drawn of the rows of their query, or a sentence in their place.
    for (const id of ['loads', 'pictures', 'expression']) {
      await widget(page, id).locator('canvas, [role=alert]').first().waitFor()
    }
    const html = widget(page, 'page')
    await expect.poll(() => html.innerText()).toContain('Words')
    expect(await html.locator('script, img, iframe, form, svg, base, a[href^="javascript:"]').count()).toBe(0)
    const covers = html.getByText('over')
    expect(
      await covers.evaluate(element => element.ownerDocument.defaultView?.getComputedStyle(element).position),
    ).not.toBe('fixed')
    await page.waitForTimeout(500)
    expect(problems).toEqual([])
    await page.close()
  })
})

describe.skipIf(chromiumPath === undefined)('a widget that fails', () => {
  test('says why and is tried again by its button; slow ones and good ones beside it are as they were', async () => {
    let isBroken = true
    const { page } = await open(each =>
      each.route('**/cubejs-api/v1/load', route => {
        const body = route.request().postData() ?? ''
        if (body.includes('sales.shop')) return
        if (isBroken && body.includes('sales.highest'))
          return route.fulfill({ status: 500, json: { error: 'The warehouse is on fire.' } })
        return route.continue()
      }),
    )
    await expect.poll(() => widget(page, 'leaving').innerText()).toContain('The warehouse is on fire.')
    await expect.poll(() => widget(page, 'good').innerText()).toContain('300')
    await expect.poll(() => widget(page, 'table').locator('[aria-busy=true]').count()).toBeGreaterThan(0)
    isBroken = false
    await widget(page, 'leaving').getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => widget(page, 'leaving').innerText()).toContain('299')
    await page.close()
  })

  test('for a member that was removed from the model says which, under an open page and for who comes later', async () => {
    const { page } = await open()
    await expect.poll(() => widget(page, 'leaving').innerText()).toContain('299')
    const author = api.with(await createKey(api))
    const branchName = await enterDevMode(author, board.deploymentId)
    await putFiles(author, board.deploymentId, branchName, {
      'model/model.yml': model('      - { name: count, type: count }'),
    })
    await author.post(`/build/api/v1/deployments/${board.deploymentId}/commit`, { branchName, exitDevMode: true })
    expect((await buildOf(api, board.deploymentId)).body.status).toBe('built')
    const later = await open()
    await expect.poll(() => widget(later.page, 'leaving').innerText()).toContain('“sales.highest” is no longer part')
    await expect.poll(() => widget(later.page, 'good').innerText()).toContain('300')
    await Promise.all([page.close(), later.page.close()])
  })
})

describe.skipIf(chromiumPath === undefined)('no page is blank', () => {
  const tenant = uniqueTenant()
  const surfaces: [string, () => Promise<string>][] = [
    ['a dashboard', () => board.url()],
    [
      'chat',
      async () => {
        const { deploymentId } = board
        const id = await generateSession(api, { deploymentId, externalId: 'viewer' })
        return `${api.baseUrl}/embed/chat?sessionId=${id}`
      },
    ],
    [
      'the app',
      async () => {
        const { deploymentId } = board
        const more = { creatorMode: true, embedTenantName: tenant, externalId: unique('maker') }
        const id = await generateSession(api, { deploymentId, ...more })
        return `${api.baseUrl}/embed/d/${deploymentId}/app?session=${id}`
      },
    ],
  ]

  test.each(surfaces)(
    '%s, whichever request never arrives',
    async (_, address) => {
      const pathOf = (url: string) => new URL(url).pathname
      const all = new Set<string>()
      const page = await browser.newPage()
      page.on('request', request => all.add(pathOf(request.url())))
      await page.goto(await address())
      await page.locator('.shell').waitFor({ state: 'detached' })
      await page.waitForLoadState('networkidle')
      await page.close()
      const paths = [...all].filter(
        path => !path.startsWith('/embed/dashboard') && !/^\/embed\/(?:chat|d\/)/.test(path),
      )
      expect(paths.length).toBeGreaterThan(6)
      const blank: string[] = []
      const check = async (path: string) => {
        const broken = await browser.newPage()
        await broken.route(
          url => url.pathname === path,
          route => route.abort(),
        )
        await broken.goto(await address(), { waitUntil: 'commit', timeout: 120_000 })
        // Words, at once or while it is tried again; a style sheet or a font that is missing leaves the page itself.
        await expect.poll(() => textOf(broken), { timeout: 30_000 }).toMatch(/\w{3,}/)
        await broken.waitForTimeout(1_000)
        // What loads says so after a moment, a longer one on a busy machine; what goes on saying nothing is blank.
        const hasWords = async () => /\w{3,}/.test(await textOf(broken))
        let isBlank = !(await hasWords())
        for (let moment = 0; isBlank && moment < 60; moment++) {
          await broken.waitForTimeout(1_000)
          isBlank = !(await hasWords())
        }
        if (isBlank) blank.push(path)
        await broken.close()
      }
      const client = async () => {
        for (let path = paths.pop(); path !== undefined; path = paths.pop()) await check(path)
      }
      await Promise.all(Array.from({ length: 4 }, client))
      expect(blank).toEqual([])
    },
    // Some twenty pages in four lines, one after the other: minutes on a busy machine.
    600_000,
  )
})
