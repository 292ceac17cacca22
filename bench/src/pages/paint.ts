import type { Browser, BrowserContext } from 'playwright-core'
import type { Figure } from '../shapes.ts'
import { openDemo } from '../support/data-client.ts'
import { interleave, timed } from '../support/interleave.ts'
import type { Platform } from '../support/platform.ts'
import { summarise } from '../support/statistics.ts'
import { drawingOf, noteDrawing } from './browser.ts'
import { addressOf, publishBoard, twelveWidgets } from './flights-board.ts'

/** First paint and all widgets drawn, with an empty cache of the browser and with a filled one, beside the queries alone. */
export async function measurePaint(platform: Platform, browser: Browser, quick: boolean): Promise<readonly Figure[]> {
  const demo = await openDemo(platform)
  const publicId = await publishBoard(platform, demo.deploymentId, twelveWidgets)
  const warmContext = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const open = async (context: BrowserContext) => {
    const page = await context.newPage()
    await noteDrawing(page, twelveWidgets.length)
    await page.goto(await addressOf(platform, demo.deploymentId, publicId), { waitUntil: 'commit' })
    const drawn = await drawingOf(page)
    await page.close()
    return drawn
  }
  const paints = { cold: [] as number[], warm: [] as number[] }
  const measured = await interleave(
    { rounds: quick ? 3 : 15, warmUps: 1 },
    {
      async cold() {
        const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
        const { firstPaint, all } = await open(context)
        await context.close()
        paints.cold.push(firstPaint)
        return all
      },
      async warm() {
        const { firstPaint, all } = await open(warmContext)
        paints.warm.push(firstPaint)
        return all
      },
      queries: () => timed(() => Promise.all(twelveWidgets.map(({ query }) => demo.load(query)))),
    },
  )
  await warmContext.close()
  const beside = { what: `its ${twelveWidgets.length} queries alone`, summary: measured('queries') }
  return (['cold', 'warm'] as const).flatMap(kind => {
    const what = `dashboard of ${twelveWidgets.length} widgets in Chromium, ${kind}`
    // The round that warms up is not counted.
    const firstPaint = summarise(paints[kind].slice(1))
    return [
      { what: `${what}: first paint`, unit: 'ms', hedron: firstPaint, beside: null, goal: null },
      {
        what: `${what}: all widgets drawn`,
        unit: 'ms',
        hedron: measured(kind),
        beside,
        goal: null,
        isHeadline: kind === 'warm',
        note: 'From asking for the page, with a session that is exchanged on the way, to the frame in which every figure, canvas and table has its content; answers come from the cache of results. Cold: nothing in the cache of the browser.',
      },
    ] satisfies Figure[]
  })
}
