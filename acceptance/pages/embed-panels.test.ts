import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApi } from '../support/api.ts'
import { buildPages, chromiumPath, startBrowser } from '../support/browser.ts'
import { type RunningPlatform, startPlatform } from '../support/start-platform.ts'
import { createShopDashboard, type ShopDashboard } from './shop-dashboard.ts'

/** Comments are switched on for the whole account, so it is not the one that other tests share. */
let platform: RunningPlatform
let browser: Browser
let shop: ShopDashboard
const problems: string[] = []

beforeAll(async () => {
  if (chromiumPath === undefined) return
  buildPages()
  platform = await startPlatform()
  browser = await startBrowser()
  const api = createApi(platform.baseUrl, platform.apiKey)
  shop = await createShopDashboard(api)
  await api.put('/api/v1/tenant/settings', { embedding: { enableDashboardComments: true } })
})
afterAll(async () => {
  await browser?.close()
  await platform?.dispose()
})

async function open(externalId: string, body: object = {}, query = '', width = 1280): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height: 900 } })
  page.on('pageerror', error => problems.push(String(error)))
  page.on('dialog', dialog => {
    problems.push(`a script ran: ${dialog.message()}`)
    void dialog.dismiss()
  })
  const userProfile = { displayName: externalId }
  const session = await shop.session('acme', { externalId, userProfile, embedTenantName: 'acme-corp', ...body })
  await page.goto(`${platform.baseUrl}/embed/dashboard/${shop.publicId}?session=${session}${query}`)
  await page.locator('[data-widget="figure"]').waitFor()
  return page
}
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const commentsOf = (page: Page) => page.getByRole('complementary', { name: 'Comments' })
const chatOf = (page: Page) => page.getByRole('complementary', { name: 'Chat' })

describe.skipIf(chromiumPath === undefined)('beside a dashboard', () => {
  test('people of one embed tenant comment, reply, mention, edit, resolve and delete; others see nothing of it', async () => {
    const ann = await open('ann')
    await button(ann, 'Comments').click()
    await commentsOf(ann).getByText('No comments yet').waitFor()
    const hostile = 'Why did <img src=x onerror=alert(1)> fall?'
    await commentsOf(ann).getByRole('textbox', { name: 'Comment' }).fill(hostile)
    await commentsOf(ann).getByRole('textbox', { name: 'Comment' }).press('Control+Enter')
    await commentsOf(ann).getByText(hostile).waitFor()

    const ben = await open('ben')
    await button(ben, 'Comments').click()
    const root = commentsOf(ben).getByRole('article', { name: 'Comment: ann' })
    await root.getByText(hostile).waitFor()
    expect(await root.getByRole('button').count()).toBe(0)
    await button(ben, 'Reply').click()
    const reply = commentsOf(ben).getByRole('textbox', { name: 'Reply' })
    await reply.pressSequentially('Ask @an')
    await commentsOf(ben).getByRole('button', { name: 'ann', exact: true }).click()
    await reply.pressSequentially('please')
    await commentsOf(ben).getByRole('button', { name: 'Send' }).click()
    await commentsOf(ben).getByText('Ask @ann please').waitFor()
    expect(await commentsOf(ben).locator('img').count()).toBe(0)

    // What others write comes by itself.
    await commentsOf(ann).getByText('Ask @ann please').waitFor({ timeout: 30_000 })
    const own = commentsOf(ann).getByRole('article', { name: 'Comment: You' })
    await own.hover()
    await own.getByRole('button', { name: 'Edit' }).click()
    await commentsOf(ann).getByRole('textbox', { name: 'Edit' }).fill('Why did May fall?')
    await commentsOf(ann).getByRole('button', { name: 'Save' }).click()
    await commentsOf(ann).getByText('Why did May fall?').waitFor()
    await button(ann, 'Resolve').click()
    await commentsOf(ann).getByText('No comments yet').waitFor()
    await commentsOf(ann).getByLabel('Show resolved').check()
    await button(ann, 'Reopen').click()
    await button(ann, 'Resolve').waitFor()
    await own.hover()
    await own.getByRole('button', { name: 'Delete' }).click()
    await commentsOf(ann).getByText('This comment was deleted.').first().waitFor()

    const stranger = await open('zoe', { embedTenantName: 'globex-corp' })
    await button(stranger, 'Comments').click()
    await commentsOf(stranger).getByText('No comments yet').waitFor()
    for (const page of [ann, ben, stranger]) await page.close()
  })

  test('a comment that cannot be sent stays where it was typed and says why', async () => {
    const page = await open('carl')
    await button(page, 'Comments').click()
    await page.route('**/comments', route => (route.request().method() === 'POST' ? route.abort() : route.continue()))
    const box = commentsOf(page).getByRole('textbox', { name: 'Comment' })
    await box.fill('kept')
    await commentsOf(page).getByRole('button', { name: 'Send' }).click()
    await commentsOf(page).getByRole('alert').waitFor()
    expect(await box.inputValue()).toBe('kept')
    await page.close()
  })

  test('the assistant answers about the rows of who looks, beside the dashboard; Escape gives the focus back', async () => {
    const page = await open('dora')
    await button(page, 'Chat').click()
    await chatOf(page).getByPlaceholder('Ask a question…').fill('How many orders are there?')
    await page.keyboard.press('Enter')
    await chatOf(page).getByRole('button', { name: 'Good answer' }).waitFor({ timeout: 30_000 })
    expect(await chatOf(page).locator('.chat-answer').innerText()).toContain('900')
    expect(await page.getByRole('main').count()).toBe(1)
    await chatOf(page).getByPlaceholder('Ask a question…').press('Escape')
    expect(await chatOf(page).count()).toBe(0)
    await expect.poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Chat')
    await page.close()
  })

  test('neither stands where the session, the account or who looks has none of it', async () => {
    const quiet = await open('emil', { settings: { showDashboardChat: false } })
    expect([await button(quiet, 'Chat').count(), await button(quiet, 'Comments').count()]).toEqual([0, 1])
    const noAi = await open('emil', { settings: { allowAi: false } })
    expect(await button(noAi, 'Chat').count()).toBe(0)
    const alone = await open('emil', { embedTenantName: undefined })
    expect([await button(alone, 'Chat').count(), await button(alone, 'Comments').count()]).toEqual([1, 0])
    for (const page of [quiet, noAi, alone]) await page.close()
  })

  test('without a header they float, and on a narrow screen they cover the page', async () => {
    const page = await open('fred', {}, '&showDashboardHeader=false', 390)
    await button(page, 'Comments').click()
    const box = await commentsOf(page).boundingBox()
    expect([box?.x, box?.width]).toEqual([0, 390])
    await commentsOf(page).getByRole('button', { name: 'Close' }).click()
    expect(await commentsOf(page).count()).toBe(0)
    await page.close()
  })
})

describe.skipIf(chromiumPath === undefined)('creatorMode.showGeneratedSql of the account', () => {
  const openEditor = async (showGeneratedSql: boolean | null) => {
    await createApi(platform.baseUrl, platform.apiKey).put('/api/v1/tenant/settings', {
      creatorMode: { showGeneratedSql },
    })
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    page.on('pageerror', error => problems.push(String(error)))
    const session = await shop.session('acme', { creatorMode: true, embedTenantName: 'acme-corp', externalId: 'maker' })
    await page.goto(`${platform.baseUrl}/embed/d/${shop.deploymentId}/app?session=${session}`)
    await page.getByRole('button', { name: 'New workbook' }).click()
    await page.getByRole('button', { name: 'Add chart' }).first().click()
    const editor = page.getByRole('dialog')
    await editor.getByLabel('Orders', { exact: true }).check()
    await editor.getByLabel('Category', { exact: true }).check()
    await editor.locator('canvas').waitFor({ timeout: 60_000 })
    return { page, editor }
  }

  test('shows the statement that a report becomes, under the policy of its maker', async () => {
    const { page, editor } = await openEditor(true)
    await editor.getByText('Generated SQL').click()
    const sql = editor.locator('.creator-generated pre')
    await expect.poll(() => sql.innerText()).toMatch(/count\(.*customer.*GROUP BY/is)
    await editor.getByLabel('Category', { exact: true }).uncheck()
    await expect.poll(() => sql.innerText()).not.toMatch(/GROUP BY/)
    await editor.getByRole('radio', { name: 'SQL' }).check()
    await editor
      .getByRole('textbox', { name: 'SQL' })
      .fill('SELECT status, MEASURE(revenue) AS r FROM orders GROUP BY 1')
    await editor.getByRole('textbox', { name: 'SQL' }).press('Control+Enter')
    await editor.getByText('Generated SQL').click()
    await expect.poll(() => sql.innerText()).toMatch(/sum\(.*customer.*GROUP BY/is)
    await page.close()
  })

  test('left out, it shows none', async () => {
    const { page, editor } = await openEditor(null)
    expect(await editor.getByText('Generated SQL').count()).toBe(0)
    await page.close()
  })

  test('and no script of these pages has failed', () => {
    expect(problems).toEqual([])
  })
})
