/**
 * Takes the pictures of the embedded pages in `docs/images/`: starts a platform of its own with the example product beside it, and looks at both
 * with Debian's Chromium. `npm run build:pages` first; `node acceptance/pages/take-screenshots.ts`.
 */
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { startBrowser } from '../support/browser.ts'
import { startPlatform } from '../support/start-platform.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'hedron-pictures-'))
const platform = await startPlatform({ dataDirectory: folder })
const product = spawn(process.execPath, ['examples/embedding/src/main.ts'], {
  cwd: root,
  env: { ...process.env, HEDRON_API_URL: platform.baseUrl, HEDRON_API_KEY: platform.apiKey, EXAMPLE_PORT: '0' },
  stdio: ['ignore', 'pipe', 'inherit'],
})
let browser: Browser | null = null
try {
  const url = await addressOf()
  browser = await startBrowser()
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 960 }, colorScheme })
    await signIn(page, url)
    await shoot(page, `embed-host-${colorScheme}`)
    await page.close()
  }
  const session = await sessionOf(url, browser)
  for (const [name, width, colorScheme] of [
    ['embed-dashboard-light', 1280, 'light'],
    ['embed-dashboard-dark', 1280, 'dark'],
    ['embed-dashboard-narrow', 390, 'light'],
  ] as const) {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme })
    await page.goto(`${platform.baseUrl}${session.path}?session=${await session.next()}&allowExport=true`)
    await page.locator('[data-widget="months"] canvas').waitFor()
    await shoot(page, name)
    await page.close()
  }
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ viewport: { width: 1200, height: 900 }, colorScheme })
    await page.goto(`${platform.baseUrl}/embed/chat?sessionId=${await session.next()}`)
    await page.getByPlaceholder('Ask a question…').fill('Revenue by month')
    await page.keyboard.press('Enter')
    await page.locator('figure canvas').waitFor({ timeout: 60_000 })
    await page.getByRole('button', { name: 'Good answer' }).waitFor({ timeout: 60_000 })
    // A field that waits for the next question has a ring around it.
    await page.getByPlaceholder('Ask a question…').blur()
    await shoot(page, `chat-${colorScheme}`)
    await page.close()
  }
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme })
    await page.goto(`${platform.baseUrl}/embed/d/${session.deploymentId}/app?session=${await session.next(true)}`)
    await page.getByRole('button', { name: 'New workbook' }).click()
    await page.getByRole('button', { name: 'Add chart' }).first().click()
    const editor = page.getByRole('dialog')
    await editor.getByLabel('Revenue', { exact: true }).check()
    await editor.getByLabel('Category', { exact: true }).check()
    await editor.locator('canvas').waitFor()
    await shoot(page, `embed-creator-${colorScheme}`)
    await page.close()
  }
} finally {
  await browser?.close()
  product.kill()
  await platform.stop()
  await rm(folder, { recursive: true, force: true })
}

/** Where the product says that it is. */
async function addressOf(): Promise<string> {
  let said = ''
  for await (const text of product.stdout) {
    said += text
    const [url] = /http:\/\/localhost:\d+/.exec(said) ?? []
    if (url !== undefined) return url
  }
  throw new Error(`the example did not start: ${said}`)
}

async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.fill('[name=email]', 'ann@acme.example')
  await page.fill('[name=password]', 'acme')
  await page.click('main button')
  await page.frameLocator('hedron-dashboard iframe').locator('[data-widget="months"] canvas').waitFor()
}

/** Sessions for the dashboard of the example, as its server would ask for them. */
async function sessionOf(url: string, chromium: Browser) {
  const page = await chromium.newPage()
  await signIn(page, url)
  const path = new URL(page.frames()[1]?.url() ?? '').pathname
  await page.close()
  const ask = async (method: string, address: string, body?: object) => {
    const response = await fetch(`${platform.baseUrl}${address}`, {
      method,
      headers: { authorization: `Api-Key ${platform.apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer: Record<string, unknown> = Object(await response.json())
    return answer
  }
  const { deploymentId } = await ask('GET', `/api/v1${path}`)
  const next = async (creatorMode = false) => {
    const person = { externalId: 'ann', embedTenantName: 'acme-corp', securityContext: { customer: 'acme-corp' } }
    return String(
      (await ask('POST', '/api/v1/embed/generate-session', { deploymentId, creatorMode, ...person })).sessionId,
    )
  }
  return { path, deploymentId: Number(deploymentId), next }
}

/** Waits until nothing moves any more. */
async function shoot(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(1500)
  await page.screenshot({ path: join(root, 'docs/images', `${name}.png`) })
  console.log(`docs/images/${name}.png`)
}
