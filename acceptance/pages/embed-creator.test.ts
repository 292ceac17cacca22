import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sharedApi, unique } from '../support/api.ts'
import { buildPages, chromiumPath, startBrowser } from '../support/browser.ts'
import { uniqueTenant } from '../support/embedding.ts'
import { type CreatorApp, createCreatorApp, makeWorkbook } from './creator-app.ts'

const api = sharedApi()
let browser: Browser
let app: CreatorApp
beforeAll(async () => {
  if (chromiumPath === undefined) return
  buildPages()
  browser = await startBrowser()
  app = await createCreatorApp(api, browser)
})
afterAll(() => browser?.close())

describe.skipIf(chromiumPath === undefined)('creator mode', () => {
  test('a workbook is made, laid out by keys and pointer, published and shared inside the embed tenant alone', async () => {
    const name = unique('sales')
    const maker = await app.open()
    await makeWorkbook(maker, name)
    const widget = maker.locator('.creator-widget')
    const columns = () => maker.locator('.board-cell').evaluate(element => element.style.gridColumn)
    await widget.focus()
    await widget.press('ArrowRight')
    await widget.press('Shift+ArrowRight')
    await expect.poll(columns).toBe('2 / span 7')
    const corner = await maker.locator('.creator-corner').boundingBox()
    await maker.mouse.move((corner?.x ?? 0) + 8, (corner?.y ?? 0) + 8)
    await maker.mouse.down()
    await maker.mouse.move((corner?.x ?? 0) + 220, (corner?.y ?? 0) + 100, { steps: 5 })
    await maker.mouse.up()
    await expect.poll(columns).toBe('2 / span 9')
    await expect.poll(() => maker.locator('.creator-state').first().innerText()).toBe('Saved')
    await maker.getByText('Draft, not published').waitFor()
    await maker.getByRole('button', { name: 'Publish' }).click()
    await maker.getByText('Published', { exact: true }).waitFor()
    await widget.focus()
    await widget.press('ArrowDown')
    await maker.getByText('Changes are not published').waitFor()
    await maker.getByRole('button', { name: 'Undo' }).click()
    await maker.getByText('Published', { exact: true }).waitFor()

    const colleague = await app.open()
    await colleague.getByText('Shared with you').waitFor()
    expect(await colleague.getByText(name).count()).toBe(0)
    await maker.getByRole('button', { name: 'Share' }).click()
    await maker.getByRole('button', { name: 'Share with everyone here' }).click()
    await maker.getByRole('button', { name: 'Stop sharing' }).waitFor()

    const other = await app.open()
    await other.getByText(name).click()
    await expect.poll(() => other.locator('.board').innerText()).toContain('Books')
    expect(await other.getByRole('button', { name: 'Publish' }).count()).toBe(0)

    const stranger = await app.open(uniqueTenant())
    await stranger.getByText('Shared with you').waitFor()
    expect(await stranger.getByText(name).count()).toBe(0)
    for (const page of [maker, colleague, other, stranger]) await page.close()
  })

  test('dashboards for all embed users stand in every workspace and open as they were published', async () => {
    const page = await app.open()
    await page.getByRole('button', { name: /^Shop/ }).click()
    await expect.poll(() => page.locator('[data-widget="figure"]').innerText()).toContain('900')
    await page.goBack()
    await page.getByRole('button', { name: 'New workbook' }).waitFor()
    await page.close()
  })

  test('a workbook survives the frame: what was saved is there in the next session', async () => {
    const externalId = unique('maker')
    const name = unique('kept')
    const first = await app.open(app.tenant, { externalId })
    await makeWorkbook(first, name)
    await expect.poll(() => first.locator('.creator-state').first().innerText()).toBe('Saved')
    const address = new URL(first.url()).pathname
    await first.close()
    const second = await browser.newPage()
    const sessionId = await app.shop.session('acme', { externalId, creatorMode: true, embedTenantName: app.tenant })
    await second.goto(`${api.baseUrl}${address}?session=${sessionId}`)
    await expect.poll(() => second.locator('.creator-widget').innerText()).toContain('Books')
    expect(await second.getByLabel('Name', { exact: true }).inputValue()).toBe(name)
    await second.close()
  })

  test('a report has conditions of the kind of its member, values to choose of, an order and a limit; and is opened again as it was', async () => {
    const page = await app.open()
    await makeWorkbook(page, unique('conditions'))
    const widget = page.locator('.creator-widget')
    await widget.hover()
    await widget.getByRole('button', { name: 'Edit' }).click()
    const editor = page.getByRole('dialog')
    await editor.getByLabel('Add filter…').selectOption({ label: 'Category' })
    const condition = editor.getByRole('group', { name: 'Category' })
    expect(await condition.getByLabel('Comparison: Category').locator('option').allInnerTexts()).toContain(
      'starts with',
    )
    await condition.getByRole('combobox', { name: 'Category', exact: true }).focus()
    await expect
      .poll(() =>
        condition
          .locator('datalist option')
          .evaluateAll(options => options.map(option => option.getAttribute('value'))),
      )
      .toEqual(expect.arrayContaining(['Books', 'Games']))
    await condition.getByRole('combobox', { name: 'Category', exact: true }).fill('Games')
    await condition.getByRole('combobox', { name: 'Category', exact: true }).press('Enter')
    await expect.poll(() => editor.locator('.creator-preview').innerText()).not.toContain('Books')
    await editor.getByLabel('Add filter…').selectOption({ label: 'Orders' })
    const least = editor.getByRole('group', { name: 'Orders' })
    await least.getByLabel('Comparison: Orders').selectOption({ label: 'at least' })
    await least.getByRole('textbox', { name: 'Orders' }).fill('many')
    await least.getByRole('alert').waitFor()
    await least.getByRole('textbox', { name: 'Orders' }).fill('10')
    await editor.getByLabel('Sort by').selectOption({ label: 'Orders ↓' })
    await editor.getByLabel('Rows at most').fill('5')
    const [request] = await Promise.all([
      page.waitForRequest(each => /reports\/\d+$/.test(each.url()) && each.method() === 'PUT'),
      editor.getByRole('button', { name: 'Save' }).click(),
    ])
    expect(JSON.parse(JSON.parse(request.postData() ?? '').jsonQuery)).toMatchObject({
      filters: [
        { member: 'orders.category', operator: 'equals', values: ['Games'] },
        { member: 'orders.count', operator: 'gte', values: ['10'] },
      ],
      order: { 'orders.count': 'desc' },
      limit: 5,
    })
    await editor.waitFor({ state: 'detached' })
    await widget.focus()
    await widget.press('Enter')
    await editor.getByRole('button', { name: 'Delete: Games' }).waitFor()
    expect(await editor.getByLabel('Sort by').inputValue()).toBe('orders.count desc')
    await page.close()
  })

  test('a report is written in SQL and drawn; a wrong statement says why and is not saved', async () => {
    const page = await app.open()
    await page.getByRole('button', { name: 'New workbook' }).click()
    await page.getByRole('button', { name: 'Add chart' }).first().click()
    const editor = page.getByRole('dialog')
    await editor.getByRole('radio', { name: 'SQL' }).check()
    const statement = editor.getByRole('textbox', { name: 'SQL' })
    await statement.fill('SELECT nothing FROM orders')
    await statement.press('Control+Enter')
    await editor.getByRole('alert').waitFor()
    expect(await editor.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await statement.fill('SELECT category, MEASURE(count) AS n FROM orders GROUP BY 1')
    await statement.press('Control+Enter')
    await editor.locator('canvas').waitFor()
    await editor.getByRole('button', { name: 'Save' }).click()
    await page.locator('.creator-widget canvas').waitFor()
    await page.close()
  })

  test('what was changed is taken back and done again, by buttons and by keys', async () => {
    const page = await app.open()
    await makeWorkbook(page, unique('undo'))
    const widget = page.locator('.creator-widget')
    const columns = () => page.locator('.board-cell').evaluate(element => element.style.gridColumn)
    await widget.focus()
    await page.waitForTimeout(800)
    await widget.press('ArrowRight')
    await expect.poll(columns).toBe('2 / span 6')
    await widget.press('Control+z')
    await expect.poll(columns).toBe('1 / span 6')
    await page.getByRole('button', { name: 'Redo' }).click()
    await expect.poll(columns).toBe('2 / span 6')
    await widget.focus()
    await page.waitForTimeout(800)
    await widget.press('Delete')
    await widget.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await widget.waitFor()
    await page.close()
  })

  test('controls of each kind are added and change what the draft shows', async () => {
    const page = await app.open()
    await makeWorkbook(page, unique('controls'))
    const add = async (kind: string, member: string) => {
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Add control' }).click()
      const sheet = page.getByRole('dialog')
      await sheet.getByLabel('Kind of control').selectOption({ label: kind })
      await sheet.getByLabel('Member').selectOption({ label: member })
      return sheet
    }
    const filter = await add('Filters', 'Orders Category')
    await filter.getByLabel('Comparison').selectOption({ label: 'is not' })
    await filter.getByRole('button', { name: 'Save' }).click()
    const field = await add('Field', 'Orders Orders')
    expect(await field.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await field.getByLabel('Revenue').check()
    await field.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('combobox', { name: 'Category' }).fill('Games')
    await page.getByRole('combobox', { name: 'Category' }).press('Enter')
    await expect.poll(() => page.locator('.creator-widget').first().innerText()).not.toContain('Games')
    await page.close()
  })

  test('folders are made, gone into, renamed and moved into; what is deleted is asked for by its name', async () => {
    const page = await app.open()
    const [outer, inner, name] = [unique('outer'), unique('inner'), unique('kept')]
    const folder = async (text: string) => {
      await page.getByRole('button', { name: 'New folder' }).click()
      await page.getByRole('dialog').getByLabel('Name').fill(text)
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
      await page.getByRole('button', { name: text }).first().waitFor()
    }
    const choose = async (item: string, command: string) => {
      await page.getByRole('button', { name: `More: ${item}` }).click()
      await page.getByRole('menuitem', { name: command }).click()
    }
    await folder(outer)
    await page.getByRole('button', { name: outer }).first().click()
    await folder(inner)
    await choose(inner, 'Rename')
    await page.getByRole('dialog').getByLabel('Name').fill(`${inner}-2`)
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: `More: ${inner}-2` }).waitFor()
    await page.getByRole('navigation').getByRole('button', { name: 'Workspace' }).click()
    await makeWorkbook(page, name)
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('Published', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Back' }).click()
    await choose(name, 'Move')
    const sheet = page.getByRole('dialog')
    await sheet.getByRole('button', { name: outer }).click()
    await sheet.getByRole('button', { name: `${inner}-2` }).click()
    await sheet.getByRole('button', { name: 'Move here' }).click()
    await sheet.waitFor({ state: 'detached' })
    await expect.poll(() => page.getByRole('button', { name: `More: ${name}` }).count()).toBe(0)
    await page.getByRole('searchbox', { name: 'Search' }).fill(name)
    await page.getByRole('button', { name: `More: ${name}` }).waitFor()
    await choose(name, 'Delete')
    const last = page.getByRole('dialog')
    expect(await last.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true)
    await last.getByRole('textbox').fill(name)
    await last.getByRole('button', { name: 'Delete' }).click()
    await expect.poll(() => page.getByRole('button', { name: `More: ${name}` }).count()).toBe(0)
    await page.close()
  })

  test('a summary is written for each viewer of his own rows, and kept nowhere', async () => {
    const page = await app.open()
    await makeWorkbook(page, unique('summary'))
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Add AI summary' }).click()
    await page
      .getByRole('dialog')
      .getByLabel(/What should it be about/)
      .fill('How many orders are there?')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Write a summary' }).click()
    await expect.poll(() => page.locator('.summary').innerText(), { timeout: 30_000 }).toContain('900')
    await expect.poll(() => page.locator('.creator-state').first().innerText()).toBe('Saved')
    const sessionId = await app.shop.session('globex', {
      creatorMode: true,
      embedTenantName: app.tenant,
      externalId: unique('other'),
    })
    await page.getByRole('button', { name: 'Share' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('Published', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Share' }).click()
    await page.getByRole('button', { name: 'Share with everyone here' }).click()
    await page.getByRole('button', { name: 'Stop sharing' }).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'View published' }).click()
    await page.locator('.board').waitFor()
    const path = new URL(page.url()).pathname.replace(/.*\/dashboard\//, '/embed/dashboard/')
    const other = await browser.newPage()
    await other.goto(`${api.baseUrl}${path}?session=${sessionId}`)
    await other.getByRole('button', { name: 'Write a summary' }).click()
    await expect.poll(() => other.locator('.summary').innerText(), { timeout: 30_000 }).toContain('300')
    for (const each of [page, other]) await each.close()
  })

  test.each([
    ['showDashboardSettings', 'Dashboard settings'],
    ['showWorkbookShare', 'Share'],
    ['showWorkbookChat', 'Chat'],
    ['allowAi', 'Chat'],
  ])('%s: false takes the button away', async (setting, name) => {
    for (const [value, count] of [
      [undefined, 1],
      [false, 0],
    ] as const) {
      const page = await app.open(app.tenant, value === undefined ? {} : { settings: { [setting]: value } })
      await page.getByRole('button', { name: 'New workbook' }).click()
      await page.getByRole('button', { name: 'Publish' }).waitFor()
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(count)
      await page.close()
    }
  })

  test('showMemberNames, showGroupByCube and showAiWidgets take their switches and commands away', async () => {
    const settings = { showMemberNames: false, showGroupByCube: false, showAiWidgets: false }
    const counts: number[][] = []
    for (const session of [{}, { settings }]) {
      const page = await app.open(app.tenant, session)
      await page.getByRole('button', { name: 'New workbook' }).click()
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      const summaries = await page.getByRole('menuitem', { name: 'Add AI summary' }).count()
      await page.getByRole('menuitem', { name: 'Add chart' }).click()
      await page.getByRole('dialog').getByLabel('Category', { exact: true }).waitFor()
      const names = await page.getByLabel('Technical names').count()
      counts.push([summaries, names, await page.getByLabel('Group by source').count()])
      if (names === 1) {
        await page.getByLabel('Technical names').check()
        await page.getByText('orders.category').waitFor()
      }
      await page.close()
    }
    expect(counts).toEqual([
      [1, 1, 1],
      [0, 0, 0],
    ])
  })

  test('flows between two columns are drawn, told to screen readers, and shown as a table by a key', async () => {
    const page = await app.open()
    await page.getByRole('button', { name: 'New workbook' }).click()
    await page.getByRole('button', { name: 'Add chart' }).first().click()
    const editor = page.getByRole('dialog')
    for (const name of ['Orders', 'Category', 'Status']) await editor.getByLabel(name, { exact: true }).check()
    await editor.getByLabel('Shown as').selectOption({ label: 'Flows' })
    const flows = editor.getByRole('img', { name: /Books → paid/ })
    await flows.waitFor()
    expect(await flows.locator('path').count()).toBe(6)
    await flows.press('t')
    await editor.getByRole('grid').waitFor()
    await page.close()
  })

  test('a workbook is shared with one person of the embed tenant, who is found by name; nobody of another tenant is', async () => {
    const own = uniqueTenant()
    const [friend, stranger, name] = [unique('friend'), unique('stranger'), unique('for-one')]
    await (await app.open(own, { externalId: friend, userProfile: { displayName: friend } })).close()
    await (await app.open(uniqueTenant(), { externalId: stranger, userProfile: { displayName: stranger } })).close()
    const page = await app.open(own)
    await makeWorkbook(page, name)
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('Published', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Share' }).click()
    const sheet = page.getByRole('dialog')
    await sheet.getByRole('searchbox', { name: 'Person or group' }).fill(stranger)
    await sheet.getByText('No matching values').waitFor()
    await sheet.getByRole('searchbox', { name: 'Person or group' }).fill(friend)
    await sheet.getByRole('button', { name: new RegExp(friend) }).click()
    await sheet.getByLabel(new RegExp(`Share: .*${friend}`)).waitFor()
    const other = await app.open(own, { externalId: friend })
    await other.getByText(name).waitFor()
    await sheet.getByRole('button', { name: /^Delete: / }).click()
    await expect.poll(() => sheet.getByLabel(/Share: /).count()).toBe(0)
    for (const each of [page, other]) await each.close()
  })

  test('settings of a dashboard hold for its viewers', async () => {
    const page = await app.open()
    await makeWorkbook(page, unique('settings'))
    await page.getByRole('button', { name: 'Dashboard settings' }).click()
    const sheet = page.getByRole('dialog')
    await sheet.getByLabel('Refresh every').selectOption('30')
    await sheet.getByLabel('Time zone').selectOption('Asia/Tokyo')
    const [request] = await Promise.all([
      // What was drawn before may still be on its way too.
      page.waitForRequest(
        each =>
          each.url().endsWith('/dashboard') && each.method() === 'PUT' && /"settings"/.test(each.postData() ?? ''),
      ),
      sheet.getByRole('button', { name: 'Save' }).click(),
    ])
    expect(JSON.parse(request.postData() ?? '').dashboardDraft.settings).toEqual({
      refreshInterval: 30,
      timezone: 'Asia/Tokyo',
    })
    await page.close()
  })

  test('a session for looking makes nothing, and another deployment is not opened', async () => {
    const looking = await app.open(app.tenant, { creatorMode: false })
    await looking.getByText('This session is for looking only.').waitFor()
    await looking.close()
    const page = await browser.newPage()
    const sessionId = await app.shop.session('acme', { creatorMode: true, embedTenantName: app.tenant })
    await page.goto(`${api.baseUrl}/embed/d/1/app?session=${sessionId}`)
    await page.getByRole('heading', { name: 'You have no access to this' }).waitFor()
    await page.close()
  })

  test('and no script of these pages has failed', () => {
    expect(app.problems).toEqual([])
  })
})
