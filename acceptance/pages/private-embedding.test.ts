import { createServer, type Server } from 'node:http'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sharedApi, unique } from '../support/api.ts'
import { buildPages, chromiumPath, startBrowser } from '../support/browser.ts'
import { connect } from '../support/contract-client.ts'
import { createVisitor } from '../support/visitor.ts'
import { createShopDashboard, type ShopDashboard } from './shop-dashboard.ts'

const api = sharedApi()
const password = 'correct horse battery'
let browser: Browser
let shop: ShopDashboard
let host: Server
let hostPort = 0
beforeAll(async () => {
  if (chromiumPath === undefined) return
  buildPages()
  browser = await startBrowser()
  shop = await createShopDashboard(api)
  host = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(`<!doctype html><script>
      window.heard = []
      addEventListener('message', event => heard.push(event.data))
      const frame = document.createElement('iframe')
      frame.src = decodeURIComponent(location.hash.slice(1)); frame.style = 'width:1200px;height:800px;border:0'
      document.documentElement.append(frame)
    </script>`)
  })
  await new Promise<void>(resolve => host.listen(0, '127.0.0.1', resolve))
  const address = host.address()
  hostPort = typeof address === 'object' ? (address?.port ?? 0) : 0
})
afterAll(async () => {
  await browser?.close()
  host?.close()
})

const pathOf = () => `/embed/dashboard/${shop.publicId}`

async function createPerson(more: object): Promise<string> {
  const name = unique('private')
  const email = `${name}@example.com`
  await connect(api).createUser({ body: { email, username: name, password, ...more } })
  return email
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

async function signedIn(email: string): Promise<BrowserContext> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${api.baseUrl}/auth/sign-in`)
  await signIn(page, email)
  await page.waitForURL(/\/auth\/account/)
  await page.close()
  return context
}

/** The page in a frame of another one, of that host name. */
async function framed(context: BrowserContext, hostName: string) {
  const page = await context.newPage()
  await page.goto(`http://${hostName}:${hostPort}/#${encodeURIComponent(api.baseUrl + pathOf())}`)
  return { page, frame: page.frameLocator('iframe').first() }
}

describe.skipIf(chromiumPath === undefined)('private embedding: somebody who is signed in, without a session', () => {
  test('is led to the sign-in and back, and sees the dashboard, with his own rights', async () => {
    const email = await createPerson({ isAdmin: true })
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(api.baseUrl + pathOf())
    await page.getByRole('link', { name: 'Sign in' }).click()
    await signIn(page, email)
    await page.waitForURL(`**${pathOf()}`)
    // The policy of the model names the customer of a session; an administrator has none, and so no rows.
    await expect.poll(() => page.locator('[data-widget="figure"] .hd-kpi-value').innerText()).toBe('0')
    await context.close()
  })

  test('who has no right on it is told nothing of it', async () => {
    const context = await signedIn(await createPerson({}))
    const page = await context.newPage()
    await page.goto(api.baseUrl + pathOf())
    await page.getByRole('heading', { name: 'You have no access to this' }).waitFor()
    expect(await page.locator('body').innerText()).not.toContain('Shop')
    await context.close()
  })

  test('creator mode is of users of a host: the app says so to whoever is signed in, and offers no sign-in', async () => {
    const context = await signedIn(await createPerson({ isAdmin: true }))
    const page = await context.newPage()
    await page.goto(`${api.baseUrl}/embed/d/1/app`)
    await page.getByRole('heading', { name: 'This is opened by a product' }).waitFor()
    expect(await page.getByRole('link').count()).toBe(0)
    await context.close()
  })

  test('in a frame of the same site the host hears of a private session; in one of another site nobody is signed in', async () => {
    const context = await signedIn(await createPerson({ isAdmin: true }))
    const { hostname } = new URL(api.baseUrl)
    const near = await framed(context, hostname)
    await near.frame.locator('[data-widget="figure"]').waitFor()
    const ready = async () =>
      (await near.page.evaluate<{ type: string; payload: object }[]>('heard')).find(
        ({ type }) => type === 'cube:event:ready',
      )
    await expect.poll(async () => (await ready())?.payload).toMatchObject({ mode: 'private', surface: 'dashboard' })
    const far = await framed(context, 'host.localhost')
    await far.frame.getByRole('heading', { name: 'Please sign in' }).waitFor()
    await context.close()
  })

  test('ends when he signs out', async () => {
    const context = await signedIn(await createPerson({ isAdmin: true }))
    const page = await context.newPage()
    const token = page.waitForResponse('**/api/v1/embed/session/token')
    await page.goto(api.baseUrl + pathOf())
    const { token: embedToken }: { token: string } = Object(await (await token).json())
    const me = () =>
      fetch(`${api.baseUrl}/api/v1/users/me`, { headers: { authorization: `Embed-Token ${embedToken}` } })
    expect((await me()).status).toBe(200)
    const account = await context.newPage()
    await account.goto(`${api.baseUrl}/auth/account`)
    await account.getByRole('button', { name: 'Sign out' }).click()
    await account.waitForURL(/\/auth\/sign-in/)
    expect((await me()).status).toBe(401)
    await context.close()
  })
})

describe('POST /embed/private-session', () => {
  const post = (headers: Record<string, string>, body: object) =>
    fetch(`${api.baseUrl}/embed/private-session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })

  test('is refused to who is not signed in, and to a request that another site’s page makes with his cookie', async () => {
    const { status } = await post({}, {})
    expect(status).toBe(401)
    const visitor = createVisitor(api.baseUrl)
    await visitor.signIn(await createPerson({ isAdmin: true }), password)
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const mine = await post({ cookie }, {})
    expect(mine.status).toBe(200)
    expect(mine.headers.get('cache-control')).toBe('no-store')
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }]) {
      expect((await post({ cookie, ...headers }, {})).status).toBe(401)
    }
  })

  test('what names no page is a bad request', async () => {
    expect((await post({}, { publicId: 7 })).status).toBe(400)
    expect((await post({}, { deploymentId: -1 })).status).toBe(400)
  })
})
