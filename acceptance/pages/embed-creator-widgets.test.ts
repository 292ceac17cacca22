import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sharedApi, unique } from '../support/api.ts'
import { buildPages, chromiumPath, startBrowser } from '../support/browser.ts'
import { colorsOf } from './chart-colors.ts'
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

/** Chooses a command of the page's menu, or of the one of a tab. */
async function addOf(page: Page, command: string, menu = 'Add'): Promise<void> {
  await page.getByRole('button', { name: menu, exact: true }).click()
  await page.getByRole('menuitem', { name: command }).click()
}

/** Drags something by the pointer onto something else. @param along how far into it, of its width. */
async function dragTo(page: Page, handle: Locator, target: Locator, along = 0.5): Promise<void> {
  await handle.hover()
  const [from, to] = [await handle.boundingBox(), await target.boundingBox()]
  if (from === null || to === null) throw new Error('there is nothing to drag, or nowhere to drag it to')
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(to.x + to.width * along, to.y + to.height / 2, { steps: 8 })
  await page.mouse.up()
}

/** What axe-core finds serious, with the elements; it was loaded into the page before. */
async function seriousOf(page: Page): Promise<unknown> {
  const { violations } = Object(await page.evaluate('axe.run()'))
  return Array.from<{ id: string; impact: string; nodes: { html: string }[] }>(violations)
    .filter(({ impact }) => ['serious', 'critical'].includes(impact))
    .map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])
}

describe.skipIf(chromiumPath === undefined)('creator mode: what a dashboard holds', () => {
  test('a report that was edited after publishing is told to its maker, who sees what differs; viewers see what was published', async () => {
    const page = await app.open()
    await makeWorkbook(page, unique('edited'))
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('Published', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'What changed' }).count()).toBe(0)
    const widget = page.locator('.creator-widget')
    await widget.focus()
    await widget.press('Enter')
    const editor = page.getByRole('dialog')
    await editor.getByLabel('Status', { exact: true }).check()
    await editor.getByRole('button', { name: 'Save' }).click()
    await editor.waitFor({ state: 'detached' })
    await expect.poll(() => widget.innerText()).toContain('paid')
    await page.getByText('Changes are not published').waitFor()

    await page.getByRole('button', { name: 'View published' }).click()
    await expect.poll(() => page.locator('.board').innerText()).toContain('Books')
    expect(await page.locator('.board').innerText()).not.toContain('paid')
    await page.getByRole('button', { name: 'Edit' }).click()

    await page.getByRole('button', { name: 'What changed' }).click()
    const sheet = page.getByRole('dialog')
    expect(await sheet.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/^Orders by category\s+Changed$/),
    ])
    await sheet.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('Published', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'View published' }).click()
    await expect.poll(() => page.locator('.board').innerText()).toContain('paid')
    await page.close()
  })

  test('tabs are made, widgets go between them by keys and by pointer, and viewers see them', async () => {
    const page = await app.open()
    await makeWorkbook(page, unique('tabs'))
    await addOf(page, 'Add tabs')
    const sheet = page.getByRole('dialog')
    await sheet.getByRole('textbox', { name: 'Tab 1' }).fill('First')
    await sheet.getByRole('textbox', { name: 'Tab 2' }).fill('Second')
    await sheet.getByRole('button', { name: 'Save' }).click()
    const tabs = page.getByRole('tab')
    await expect.poll(() => tabs.allInnerTexts()).toEqual(['First', 'Second'])
    await page.getByText('Nothing in this tab yet').waitFor()

    // By keys: the tools of a widget come after it.
    const chart = page.getByRole('group', { name: /^Orders by category/ })
    await chart.focus()
    await chart.getByRole('button', { name: 'Move to…' }).press('Enter')
    await sheet.getByRole('button', { name: 'Tabs: First' }).press('Enter')
    const panel = page.getByRole('tabpanel')
    await expect.poll(() => panel.innerText()).toContain('Books')
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toMatch(/^Orders by category/)

    // By pointer: dropped on the other tab, which is shown then.
    await dragTo(page, chart.locator('> .creator-tools .creator-grip'), tabs.nth(1))
    await expect.poll(() => tabs.nth(1).getAttribute('aria-selected')).toBe('true')
    await expect.poll(() => panel.innerText()).toContain('Books')
    await tabs.nth(0).click()
    await page.getByText('Nothing in this tab yet').waitFor()

    await addOf(page, 'Add text', 'Add: First')
    await sheet.getByRole('textbox').fill('Words in the first tab')
    await sheet.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => panel.innerText()).toContain('Words in the first tab')

    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('Published', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'View published' }).click()
    await page.locator('.board').waitFor()
    await expect.poll(() => panel.innerText()).toContain('Words in the first tab')
    await tabs.nth(0).press('ArrowRight')
    await expect.poll(() => panel.innerText()).toContain('Books')
    expect(await page.locator('.creator-tools').count()).toBe(0)
    await page.close()
  })

  test('tabs are named, put in order by keys, by pointer and in a list, and deleted with what is in them once that is confirmed', async () => {
    const page = await app.open()
    await makeWorkbook(page, unique('order'))
    await addOf(page, 'Add tabs')
    const sheet = page.getByRole('dialog')
    await sheet.getByRole('button', { name: 'Add tab' }).click()
    for (const [at, name] of ['A', 'Long name of B', 'C'].entries())
      await sheet.getByRole('textbox', { name: `Tab ${at + 1}` }).fill(name)
    await sheet.getByRole('button', { name: 'Move up: C' }).click()
    await sheet.getByRole('button', { name: 'Save' }).click()
    const tabs = page.getByRole('tab')
    await expect.poll(() => tabs.allInnerTexts()).toEqual(['A', 'C', 'Long name of B'])
    await tabs.nth(0).press('Shift+ArrowRight')
    await expect.poll(() => tabs.allInnerTexts()).toEqual(['C', 'A', 'Long name of B'])
    await dragTo(
      page,
      page.getByRole('tab', { name: 'C', exact: true }),
      page.getByRole('tab', { name: 'Long name of B' }),
      0.9,
    )
    await expect.poll(() => tabs.allInnerTexts()).toEqual(['A', 'Long name of B', 'C'])

    const chart = page.getByRole('group', { name: /^Orders by category/ })
    await dragTo(
      page,
      chart.locator('> .creator-tools .creator-grip'),
      page.getByRole('tab', { name: 'A', exact: true }),
    )
    await expect.poll(() => page.getByRole('tabpanel').innerText()).toContain('Books')
    const container = page.getByRole('group', { name: /^Tabs/ })
    await container.focus()
    await container.press('Enter')
    await sheet.getByRole('button', { name: 'Delete: A' }).click()
    expect(await sheet.getByRole('alert').innerText()).toContain('Orders by category')
    expect(await sheet.getByRole('textbox', { name: /^Tab / }).count()).toBe(3)
    await sheet.getByRole('button', { name: 'Delete with everything in it' }).click()
    expect(await sheet.getByRole('textbox', { name: /^Tab / }).count()).toBe(2)
    await sheet.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => tabs.allInnerTexts()).toEqual(['Long name of B', 'C'])
    await chart.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => tabs.allInnerTexts()).toEqual(['A', 'Long name of B', 'C'])
    await chart.waitFor()

    // All of it: asked for, because of what it holds, and brought back by a key.
    await container.focus()
    await container.press('Delete')
    expect(await sheet.innerText()).toContain('Orders by category')
    await sheet.getByRole('button', { name: 'Delete with everything in it' }).click()
    await container.waitFor({ state: 'detached' })
    expect(await chart.count()).toBe(0)
    // The focus can have gone with what had it.
    await page.evaluate('document.activeElement?.blur()')
    await page.keyboard.press('Control+z')
    await chart.waitFor()
    await page.close()
  })

  test('text, HTML, space and lines are added, edited, moved and taken away; HTML stays without effect', async () => {
    const page = await app.open()
    await makeWorkbook(page, unique('words'))
    const sheet = page.getByRole('dialog')
    await addOf(page, 'Add text')
    await sheet.getByRole('textbox').fill('## Heading')
    await sheet.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Heading' }).waitFor()
    const text = page.getByRole('group', { name: /^Text/ })
    await text.focus()
    await text.press('Enter')
    expect(await sheet.getByRole('textbox').inputValue()).toBe('## Heading')
    await sheet.getByRole('textbox').fill('## Another')
    await sheet.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Another' }).waitFor()

    await addOf(page, 'Add HTML')
    await sheet.getByLabel('Name').fill('Page')
    await sheet
      .getByLabel('HTML', { exact: true })
      .fill(
        '<h3>Written</h3><script>window.ran = 1</script><img src="https://evil.example/x.png" onerror="window.ran = 2">',
      )
    await sheet.getByRole('heading', { name: 'Written' }).waitFor()
    await sheet.getByRole('button', { name: 'Save' }).click()
    const html = page.getByRole('group', { name: /^Page/ })
    await html.getByRole('heading', { name: 'Written' }).waitFor()
    await html.focus()
    await html.press('Enter')
    await expect.poll(() => sheet.getByLabel('HTML', { exact: true }).inputValue()).toContain('<h3>Written</h3>')
    expect(await sheet.getByLabel('HTML', { exact: true }).inputValue()).not.toContain('script')
    await sheet.getByLabel('HTML', { exact: true }).fill('<h3>Anew</h3>')
    await sheet.getByRole('button', { name: 'Save' }).click()
    await html.getByRole('heading', { name: 'Anew' }).waitFor()
    expect(await page.evaluate('window.ran')).toBeUndefined()

    for (const [command, name] of [
      ['Add space', /^Space/],
      ['Add line', /^Line/],
    ] as const) {
      await addOf(page, command)
      const widget = page.getByRole('group', { name })
      const row = () => widget.locator('xpath=..').evaluate(({ style }) => style.gridRow)
      const before = await row()
      await widget.focus()
      await widget.press('ArrowDown')
      await expect.poll(row).not.toBe(before)
    }
    await page.getByRole('group', { name: /^Space/ }).press('Delete')
    await page.getByRole('group', { name: /^Space/ }).waitFor({ state: 'detached' })
    await expect.poll(() => page.locator('.creator-state').first().innerText()).toBe('Saved')
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('Published', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'View published' }).click()
    const board = page.locator('.board')
    for (const name of ['Another', 'Anew']) await board.getByRole('heading', { name }).waitFor()
    expect(await board.getByRole('separator').count()).toBe(1)
    await page.close()
  })

  test('with tabs and their editor open it has no serious finding of axe-core, in light and dark', async () => {
    const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
    const page = await app.open()
    await makeWorkbook(page, unique('axe'))
    const sheet = page.getByRole('dialog')
    await addOf(page, 'Add tabs')
    await sheet.getByRole('button', { name: 'Save' }).click()
    for (const command of ['Add space', 'Add line']) await addOf(page, command)
    await addOf(page, 'Add line', 'Add: Tab 1')
    for (const [colorScheme, opens] of [
      ['light', ''],
      ['dark', ''],
      ['light', 'Enter'],
      ['dark', 'Delete: Tab 1'],
    ] as const) {
      await page.emulateMedia({ colorScheme })
      if (opens === 'Enter') {
        const container = page.getByRole('group', { name: /^Tabs/ })
        await container.focus()
        await container.press('Enter')
        await sheet.waitFor()
      }
      if (opens.startsWith('Delete')) await sheet.getByRole('button', { name: opens }).click()
      await page.evaluate(axe)
      // Colors go over into each other for a moment.
      await expect.poll(() => seriousOf(page), { message: `${colorScheme} ${opens}` }).toEqual([])
    }
    await page.close()
  })

  test('speaks the language of the frame in all of it', async () => {
    const page = await app.open(app.tenant, { settings: { locale: 'de-DE' } })
    await page.getByRole('button', { name: 'Neue Arbeitsmappe' }).click()
    await page.getByRole('button', { name: 'Hinzufügen', exact: true }).click()
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual([
      'Diagramm hinzufügen',
      'Text hinzufügen',
      'HTML hinzufügen',
      'Steuerelement hinzufügen',
      'KI-Zusammenfassung hinzufügen',
      'Register hinzufügen',
      'Abstand hinzufügen',
      'Linie hinzufügen',
    ])
    await page.getByRole('menuitem', { name: 'Register hinzufügen' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Speichern' }).click()
    await expect.poll(() => page.getByRole('tab').allInnerTexts()).toEqual(['Register 1', 'Register 2'])
    await page.getByRole('group', { name: /^Register\. Pfeiltasten/ }).waitFor()
    await page.getByText('Noch nichts in diesem Register').waitFor()
    await page.close()
  })

  test('a chart shows a series for each measure, and the second of two categories by color', async () => {
    const page = await app.open()
    await page.getByRole('button', { name: 'New workbook' }).click()
    await page.getByRole('button', { name: 'Add chart' }).first().click()
    const editor = page.getByRole('dialog')
    const preview = editor.locator('.creator-preview')
    for (const name of ['Orders', 'Revenue', 'Category']) await editor.getByLabel(name, { exact: true }).check()
    const said = () => preview.locator('.hd-chart-frame p').textContent()
    for (const kind of ['Bars', 'Horizontal bars', 'Lines', 'Areas']) {
      await editor.getByLabel('Shown as').selectOption({ label: kind })
      await expect.poll(said).toMatch(/Orders and Revenue by Category/)
      await expect.poll(() => colorsOf(page, '.creator-preview canvas')).toBeGreaterThan(1)
      expect(await preview.getByText('This kind shows the first measure').count()).toBe(0)
    }
    await editor.getByLabel('Shown as').selectOption({ label: 'Bars' })
    await editor.getByLabel('Status', { exact: true }).check()
    await preview.getByText('This kind shows the first measure').waitFor()
    await editor.getByLabel('Revenue', { exact: true }).uncheck()
    await preview.getByText('This kind shows the first measure').waitFor({ state: 'detached' })
    await expect.poll(said).toMatch(/2 series: .*paid/)
    await expect.poll(() => colorsOf(page, '.creator-preview canvas')).toBeGreaterThan(1)
    await editor.getByLabel('Status', { exact: true }).uncheck()
    await expect.poll(() => colorsOf(page, '.creator-preview canvas')).toBe(1)
    await editor.getByLabel('Status', { exact: true }).check()
    await expect.poll(said).toMatch(/2 series: .*paid/)
    const [request] = await Promise.all([
      page.waitForRequest(each => each.url().endsWith('/reports') && each.method() === 'POST'),
      editor.getByRole('button', { name: 'Save' }).click(),
    ])
    expect(JSON.parse(request.postData() ?? '').meta.spec).toMatchObject({
      mark: 'bar',
      encoding: { x: { field: 'orders.category' }, y: { field: 'orders.count' }, color: { field: 'orders.status' } },
    })
    await page.locator('.creator-widget canvas').waitFor()
    await page.close()
  })

  test('and no script of these pages has failed', () => {
    expect(app.problems).toEqual([])
  })
})
