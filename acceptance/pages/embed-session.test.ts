import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDeployment, sharedApi, unique } from '../support/api.ts'
import { buildPages, chromiumPath, startBrowser } from '../support/browser.ts'
import { generateSession } from '../support/embedding.ts'

const api = sharedApi()
let browser: Browser
let deploymentId = 0
beforeAll(async () => {
  if (chromiumPath === undefined) return
  buildPages()
  browser = await startBrowser()
  deploymentId = await createDeployment(api)
})
afterAll(() => browser?.close())

const session = (body: object = {}) => generateSession(api, { deploymentId, externalId: unique('viewer'), ...body })
const open = async (path: string, prepare?: (page: Page) => Promise<unknown>) => {
  const page = await browser.newPage()
  await prepare?.(page)
  await page.goto(`${api.baseUrl}${path}`)
  return page
}
const textOf = (page: Page) => page.locator('body').innerText()

describe.skipIf(chromiumPath === undefined)('the session of a frame', () => {
  test('a session id that was used says so, calmly', async () => {
    const sessionId = await session()
    const first = await open(`/embed/chat?session=${sessionId}`)
    await expect.poll(() => first.url()).not.toContain('session')
    await first.locator('.shell').waitFor({ state: 'detached' })
    const second = await open(`/embed/chat?sessionId=${sessionId}`)
    await second.getByRole('heading', { name: 'This link was already used' }).waitFor()
    expect(second.url()).not.toContain(sessionId)
    await Promise.all([first.close(), second.close()])
  })

  test('without one it says that it needs a sign-in', async () => {
    const page = await open('/embed/chat')
    await page.getByRole('heading', { name: 'Please sign in' }).waitFor()
    await page.close()
  })

  test('no page is blank, whichever request for a script fails', async () => {
    const markup = await (await fetch(`${api.baseUrl}/embed/chat`)).text()
    const paths = [...markup.matchAll(/(?:src|href)="(\/embed\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
    expect(paths.length).toBeGreaterThan(2)
    for (const broken of paths) {
      const page = await open('/embed/chat', each => each.route(`**${broken}`, route => route.abort()))
      await expect
        .poll(() => textOf(page), { timeout: 15_000 })
        .toMatch(/could not be loaded completely|Please sign in/)
      await page.close()
    }
  })

  test('no page is blank without JavaScript at all', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(`${api.baseUrl}/embed/chat`)
    expect(await textOf(page)).toContain('needs JavaScript')
    await context.close()
  })
})
