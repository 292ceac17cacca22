import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApi } from '../support/api.ts'
import { chromiumPath as chromium, startBrowser } from '../support/browser.ts'
import { type RunningPlatform, startPlatform } from '../support/start-platform.ts'
import { createDataClient } from './data-client.ts'
import { liveModel, writeWords } from './live-data.ts'
import { servePage } from './page/serve-page.ts'
import { createProject } from './project.ts'
import { socketUrl } from './socket-client.ts'

let platform: RunningPlatform
let browser: Browser
let page: Page
let served: Awaited<ReturnType<typeof servePage>>
let deploymentId = 0
const asked = new Set<string>()
const problems: string[] = []

beforeAll(async () => {
  if (chromium === undefined) return
  platform = await startPlatform()
  const api = createApi(platform.baseUrl, platform.apiKey)
  deploymentId = await createProject(api, liveModel)
  await writeWords(platform, deploymentId, 'a', 'b', 'b')
  const data = await createDataClient(api, deploymentId)
  served = await servePage()
  // Nothing but this page and the platform can be reached.
  browser = await startBrowser()
  page = await browser.newPage()
  page.on('request', request => asked.add(new URL(request.url()).host))
  page.on('pageerror', error => problems.push(String(error)))
  const settings = { token: data.token, api: data.url(), socket: socketUrl(platform.baseUrl, deploymentId) }
  await page.goto(`${served.url}?${new URLSearchParams(settings)}`)
})
afterAll(async () => {
  await browser?.close()
  await served?.close()
  await platform?.dispose()
})

/** What an element of the page shows, once that is something that is wanted. */
async function shown(
  id: string,
  isWanted: (value: unknown) => boolean = () => true,
  milliseconds = 30_000,
): Promise<unknown> {
  const deadline = Date.now() + milliseconds
  for (;;) {
    const text = await page.$eval(`#${id}`, element => element.textContent).catch(() => null)
    const value: unknown = text ? JSON.parse(text) : undefined
    if (value !== undefined && isWanted(value)) return value
    if (Date.now() > deadline) throw new Error(`#${id} shows ${text}; the page says ${problems.join('; ')}`)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

const words = [
  { 'live.word': 'a', 'live.count': '1' },
  { 'live.word': 'b', 'live.count': '2' },
]

describe.skipIf(chromium === undefined)('the React package that npm has, in Chromium', () => {
  test('loads by a hook and by a component', async () => {
    expect(await shown('query')).toEqual(words)
    expect(await shown('renderer')).toEqual([
      expect.objectContaining({
        key: 'live.count',
        series: [
          { x: 'a', value: 1 },
          { x: 'b', value: 2 },
        ],
      }),
    ])
  })

  test('describes, dry-runs and shows SQL', async () => {
    expect(await shown('described')).toEqual({ cubes: ['live', 'slow'], sql: 'SELECT', type: 'regularQuery' })
  })

  test('shows what is wrong with a query', async () => {
    expect(await shown('refused')).toContain("'nope' not found for path 'live.nope'")
  })

  test('builds a query by its buttons', async () => {
    await page.waitForSelector('#live-count')
    await page.click('#live-count')
    expect(await shown('built')).toEqual({ chosen: ['live.count'], rows: [{ 'live.count': '3' }] })
    await page.click('#live-word')
    const rows = (value: unknown) => Object(value).rows
    expect(await shown('built', value => rows(value).length === 2)).toMatchObject({
      rows: expect.arrayContaining(words),
    })
  })

  test('shows new data by itself, over the web socket', async () => {
    expect(await shown('live')).toEqual([{ 'live.count': '3' }])
    await writeWords(platform, deploymentId, 'a', 'b', 'b', 'c')
    expect(await shown('live', value => JSON.stringify(value).includes('4'))).toEqual([{ 'live.count': '4' }])
  })

  test('asks nobody but the platform, and no script fails', () => {
    expect([...asked].sort()).toEqual([new URL(served.url).host, new URL(platform.baseUrl).host].sort())
    expect(problems).toEqual([])
  })
})
