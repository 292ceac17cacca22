import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createHedron, type Hedron } from '../cli/hedron.ts'
import { createApi, unique } from '../support/api.ts'
import { chromiumPath, startBrowser } from '../support/browser.ts'
import { connect } from '../support/contract-client.ts'
import { type RunningPlatform, startPlatform } from '../support/start-platform.ts'

const password = 'correct horse battery'
const email = 'ada@example.com'

let platform: RunningPlatform
let browser: Browser
let axe: string
const opened: { dispose(): Promise<void> }[] = []

beforeAll(async () => {
  if (chromiumPath === undefined) return
  platform = await startPlatform({
    environment: { HEDRON_ADMIN_EMAIL: email, HEDRON_ADMIN_PASSWORD: password, HEDRON_ACCESS_TOKEN_MINUTES: '0.05' },
  })
  browser = await startBrowser()
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
})
afterAll(async () => {
  for (const each of opened) await each.dispose()
  await browser?.close()
  await platform?.dispose()
})

async function openHedron(): Promise<Hedron> {
  const hedron = await createHedron()
  opened.push(hedron)
  return hedron
}

async function openBrowserOf(options: Parameters<Browser['newContext']>[0] = {}): Promise<BrowserContext> {
  const context = await browser.newContext(options)
  opened.push({ dispose: () => context.close() })
  return context
}

async function signIn(page: Page, address: string, secret = password): Promise<void> {
  await page.getByLabel('E-mail').fill(address)
  await page.getByLabel('Password').fill(secret)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Rules that a page breaks, as axe-core finds them. Its own script is let in past the page's policy by the debugger alone. */
async function broken(page: Page): Promise<string[]> {
  const found = await page.evaluate(`${axe}; axe.run().then(({ violations }) => violations.map(({ id }) => id))`)
  return found as string[]
}

describe.skipIf(chromiumPath === undefined)('logging in through the browser', () => {
  test('a person confirms the code, and the command line is him, with a token that renews itself', async () => {
    const hedron = await openHedron()
    const login = hedron.start('login', '--url', platform.baseUrl, '--without-browser')
    const address = await login.said(/^ {2}(http\S+)$/m)
    const code = await login.said(/confirm this code: {2}(\S+)/)
    expect(address).toBe(`${platform.baseUrl}/auth/device?user_code=${code}`)

    const page = await (await openBrowserOf()).newPage()
    await page.goto(address)
    await signIn(page, email)
    await page.getByRole('heading', { name: 'Allow Hedron command line?' }).waitFor()
    expect(await page.locator('#device-code').textContent()).toBe(code)
    const text = (await page.locator('main').textContent()) ?? ''
    expect(text).toContain(email)
    expect(text).toContain('hedron-cli/')
    expect(text).toContain('127.0.0.1')
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByRole('heading', { name: 'Allowed' }).waitFor()

    const { exitCode, stdout } = await login.ended
    expect(exitCode).toBe(0)
    expect(stdout).toContain(`✓ Logged in as ${email}`)
    expect(await hedron.succeed('whoami')).toContain(email)

    // The access token of this platform lives three seconds.
    await new Promise(resolve => setTimeout(resolve, 3_200))
    const runs = await Promise.all(Array.from({ length: 4 }, () => hedron.run('whoami')))
    expect(runs.map(run => [run.exitCode, run.stderr])).toEqual(runs.map(() => [0, '']))

    await page.goto(`${platform.baseUrl}/auth/account`)
    await page.getByRole('button', { name: /End the login of Hedron command line/ }).click()
    await page.getByText('The login is ended.').waitFor()
    const after = await hedron.run('whoami')
    expect(after.exitCode).toBe(1)
    expect(after.stderr).toContain('run `hedron login`')
  })

  test('with the keyboard alone he types the code himself and denies', async () => {
    const hedron = await openHedron()
    const login = hedron.start('login', '--url', platform.baseUrl, '--without-browser', '--json')
    const context = await openBrowserOf({ colorScheme: 'dark' })
    const page = await context.newPage()
    await page.goto(`${platform.baseUrl}/auth/device`)
    // A browser on a busy machine puts the cursor into the first field a moment after the page is there.
    await page.locator('input:focus').waitFor()
    await page.keyboard.type(email)
    await page.keyboard.press('Tab')
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Log in a program' }).waitFor()
    const code = (await login.said(/confirm this code: {2}(\S+)/)).replace('-', '').toLowerCase()
    await page.keyboard.type(code)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: /^Allow / }).waitFor()
    await page.getByRole('button', { name: 'Deny' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Denied' }).waitFor()
    const { exitCode, stdout, stderr } = await login.ended
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toContain('authorization was denied in the browser')
  })

  test('a new user chooses his password by a link that works once', async () => {
    const api = connect(createApi(platform.baseUrl, platform.apiKey))
    const name = unique('grace')
    const user = await api.createUser({ body: { email: `${name}@example.com`, username: name } })
    const admin = await createHedron(platform)
    opened.push(admin)
    const url = (await admin.succeed('users', 'sign-in-link', String(user.id))).trim()

    const page = await (await openBrowserOf()).newPage()
    await page.goto(url)
    await page.getByLabel('New password', { exact: true }).fill('a new password')
    await page.getByLabel('New password again').fill('another password')
    await page.getByRole('button', { name: 'Save and sign in' }).click()
    await page.getByText('The two new passwords differ.').waitFor()
    await page.getByLabel('New password', { exact: true }).fill('a new password')
    await page.getByLabel('New password again').fill('a new password')
    await page.getByRole('button', { name: 'Save and sign in' }).click()
    await page.getByRole('heading', { name: 'Your account' }).waitFor()

    const other = await (await openBrowserOf()).newPage()
    expect((await other.goto(url))?.status()).toBe(404)
    await other.goto(`${platform.baseUrl}/auth/sign-in`)
    await signIn(other, `${name}@example.com`, 'a new password')
    await other.getByRole('heading', { name: 'Your account' }).waitFor()

    // A change ends the other session and keeps this one.
    await page.getByLabel('Current password').fill('a new password')
    await page.getByLabel('New password', { exact: true }).fill('yet another one')
    await page.getByLabel('New password again').fill('yet another one')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('The password is changed.').waitFor()
    await other.reload()
    await other.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  test.each(['light', 'dark'] as const)('the pages have no fault that axe-core knows (%s)', async colorScheme => {
    const context = await openBrowserOf({ colorScheme, bypassCSP: true, viewport: { width: 360, height: 740 } })
    const page = await context.newPage()
    const problems: string[] = []
    page.on('console', message => {
      // The page that refuses a password answers 401, which the browser notes too.
      if (message.type() === 'error' && !message.text().includes('401')) problems.push(message.text())
    })
    const check = async () => problems.push(...(await broken(page)))
    await page.goto(`${platform.baseUrl}/auth/sign-in?return=/auth/device`)
    await check()
    await signIn(page, email, 'wrong')
    await page.getByRole('alert').waitFor()
    await check()
    await signIn(page, email)
    await page.getByRole('heading', { name: 'Log in a program' }).waitFor()
    await check()
    const form = new URLSearchParams({ client_id: 'cube-cli' })
    const started = await fetch(`${platform.baseUrl}/auth/device/code`, { method: 'POST', body: form })
    const { verification_uri_complete: uri } = (await started.json()) as { verification_uri_complete: string }
    await page.goto(uri)
    await check()
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await page.getByRole('button', { name: 'Allow' }).click()
    await check()
    await page.goto(`${platform.baseUrl}/auth/account`)
    await check()
    expect(problems).toEqual([])
  })
})
