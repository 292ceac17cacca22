import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'
import type { Scope } from '../support/scope.ts'

const programs = [process.env.HEDRON_TEST_CHROMIUM, '/usr/bin/chromium', '/usr/bin/google-chrome']

/** Headless Chromium, which reaches this machine alone. @throws where there is none */
export async function startBrowser(scope: Scope): Promise<Browser> {
  const executablePath = programs.find(path => path !== undefined && existsSync(path))
  if (executablePath === undefined) throw new Error('no Chromium: set HEDRON_TEST_CHROMIUM to one')
  const browser = await chromium.launch({
    executablePath,
    args: [
      // Its sandbox needs a user that is not root.
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-dev-shm-usage',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
    ],
  })
  scope.defer(() => browser.close())
  return browser
}

/** When a dashboard was there, in milliseconds since its page was asked for. */
export interface Drawn {
  readonly firstPaint: number
  readonly all: number
}

/**
 * Has the page note the frame in which every widget has its content: figures, canvases of charts and rows of tables.
 *
 * @param widgets how many there are
 */
export async function noteDrawing(page: Page, widgets: number): Promise<void> {
  await page.addInitScript(`window.allDrawn = new Promise(resolve => {
    const look = () => {
      const drawn = document.querySelectorAll('[data-widget]:has(canvas, .hd-kpi-value, .hd-table-body .hd-row)').length
      if (drawn >= ${widgets}) resolve(performance.now())
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })`)
}

export async function drawingOf(page: Page): Promise<Drawn> {
  // Evaluated by the debugger: the policy of the page lets nothing else run.
  const all = await page.evaluate('window.allDrawn')
  const firstPaint = await page.evaluate(`performance.getEntriesByName('first-contentful-paint')[0].startTime`)
  return { firstPaint: Number(firstPaint), all: Number(all) }
}
