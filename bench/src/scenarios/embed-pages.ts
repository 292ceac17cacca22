import { startBrowser } from '../pages/browser.ts'
import { measureBytes } from '../pages/bytes.ts'
import { measureFrames } from '../pages/frames.ts'
import { measurePaint } from '../pages/paint.ts'
import { measureScroll } from '../pages/scroll.ts'
import type { Scenario } from '../shapes.ts'
import { startPlatform } from '../support/platform.ts'

export const embedPages: Scenario = {
  name: 'embed-pages',
  describes: 'embedded dashboards in Chromium: first paint, all drawn, bytes, scrolling; 200 frames at once',
  async run({ quick, scope, say }) {
    const platform = await startPlatform(scope, { demo: true })
    const browser = await startBrowser(scope)
    say('bytes')
    const bytes = await measureBytes(platform, browser)
    say('first paint and all widgets drawn')
    const paint = await measurePaint(platform, browser, quick)
    say('scrolling')
    const scroll = await measureScroll(platform, browser)
    await browser.close()
    say('200 frames at once')
    return [...paint, ...bytes, ...scroll, ...(await measureFrames(platform, quick))]
  },
}
