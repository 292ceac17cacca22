import type { Browser, Page } from 'playwright-core'
import type { Figure } from '../shapes.ts'
import { openDemo } from '../support/data-client.ts'
import type { Platform } from '../support/platform.ts'
import { summarise } from '../support/statistics.ts'
import { noteDrawing } from './browser.ts'
import { addressOf, manyRows, publishBoard } from './flights-board.ts'

/** Pixels a frame: about fifty rows a second and, in the faster run, a screen every three frames. */
const speeds = [
  ['as by a wheel', 30],
  ['as by dragging the bar', 300],
] as const
const frames = 300
/** A frame at 60 a second, and what timers are off by. */
const goalMilliseconds = 16.7 + 1

/** Scrolls a table of over 100,000 rows and takes the time between frames, beside an empty page that is scrolled in the same way. */
export async function measureScroll(platform: Platform, browser: Browser): Promise<readonly Figure[]> {
  const { deploymentId } = await openDemo(platform)
  const publicId = await publishBoard(platform, deploymentId, [manyRows])
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  await noteDrawing(page, 1)
  await page.goto(await addressOf(platform, deploymentId, publicId))
  await page.locator('.hd-link').click({ timeout: 60_000 })
  await page.evaluate(`new Promise(resolve => {
    const look = () => {
      if (Number(document.querySelector('[role=grid]')?.getAttribute('aria-rowcount')) > 100000) resolve()
      else setTimeout(look, 50)
    }
    look()
  })`)
  const rows = Number(await page.locator('[role=grid]').getAttribute('aria-rowcount')) - 1
  const empty = await context.newPage()
  await empty.setContent(
    '<div class="hd-table-scroller" style="height:500px;overflow:auto"><div style="height:3000000px">',
  )
  const figures: Figure[] = []
  for (const [how, pixels] of speeds) {
    await page.bringToFront()
    const deltas = await scroll(page, pixels)
    await empty.bringToFront()
    const limit = await scroll(empty, pixels)
    const at95 = percentile95(deltas)
    figures.push({
      what: `scroll of ${rows.toLocaleString('en-US')} rows, ${how}: 95th percentile of frames`,
      unit: 'ms',
      hedron: summarise([at95]),
      beside: { what: 'an empty page', summary: summarise([percentile95(limit)]) },
      goal: { text: '60 frames a second', met: at95 <= goalMilliseconds },
      note: `${frames} frames, ${pixels} pixels each; Chromium without a graphics card. The longest took ${Math.max(...deltas).toFixed(0)} ms.`,
    })
  }
  await context.close()
  return figures
}

/** Milliseconds between the frames of a scroll. */
async function scroll(page: Page, pixels: number): Promise<readonly number[]> {
  const deltas = await page.evaluate(`new Promise(resolve => {
    const box = document.querySelector('.hd-table-scroller')
    const deltas = []
    let before
    requestAnimationFrame(function step(now) {
      if (before !== undefined) deltas.push(now - before)
      before = now
      box.scrollTop += ${pixels}
      if (deltas.length < ${frames}) requestAnimationFrame(step)
      else resolve(deltas)
    })
  })`)
  return Array.isArray(deltas) ? deltas.map(Number) : []
}

function percentile95(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Number.NaN
}
