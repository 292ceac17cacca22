import type { Browser } from 'playwright-core'
import type { Figure } from '../shapes.ts'
import { openDemo } from '../support/data-client.ts'
import type { Platform } from '../support/platform.ts'
import { summarise } from '../support/statistics.ts'
import { drawingOf, noteDrawing } from './browser.ts'
import { addressOf, type BoardReport, noCharts, publishBoard, twelveWidgets } from './flights-board.ts'

const kilobyte = 1_000

/** What a browser with an empty cache loads of the page itself, as it comes over the line: markup, scripts, styles, fonts; not the answers. */
export async function measureBytes(platform: Platform, browser: Browser): Promise<readonly Figure[]> {
  const { deploymentId } = await openDemo(platform)
  const figures: Figure[] = []
  for (const [what, reports, goal] of [
    ['before charts', noCharts, 120],
    ['with charts', twelveWidgets, 400],
  ] as const) {
    const bytes = await load(reports)
    figures.push({
      what: `bytes of a dashboard, ${what}`,
      unit: 'kB',
      hedron: summarise([bytes / kilobyte]),
      beside: null,
      goal: { text: `below ${goal} kB`, met: bytes < goal * kilobyte },
      note: 'Compressed, with headers; markup, scripts, styles and fonts, not the answers of the API.',
    })
  }
  return figures

  async function load(reports: readonly BoardReport[]): Promise<number> {
    const publicId = await publishBoard(platform, deploymentId, reports)
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
    const page = await context.newPage()
    const line = await context.newCDPSession(page)
    await line.send('Network.enable')
    const ofPage = new Set<string>()
    let bytes = 0
    line.on('Network.responseReceived', ({ requestId, response }) => {
      if (new URL(response.url).pathname.startsWith('/embed/')) ofPage.add(requestId)
    })
    line.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (ofPage.has(requestId)) bytes += encodedDataLength
    })
    await noteDrawing(page, reports.length)
    await page.goto(await addressOf(platform, deploymentId, publicId), { waitUntil: 'commit' })
    await drawingOf(page)
    await page.waitForLoadState('networkidle')
    await context.close()
    return bytes
  }
}
