import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createProject } from '../data-api/project.ts'
import { shop } from '../data-api/shop.ts'
import { sharedApi, unique } from '../support/api.ts'
import { buildPages, chromiumPath, startBrowser } from '../support/browser.ts'
import { generateSession } from '../support/embedding.ts'
import { colorsOf } from './chart-colors.ts'

const api = sharedApi()
const viewer = unique('chatter')
let browser: Browser
let context: BrowserContext
let deploymentId = 0

beforeAll(async () => {
  if (chromiumPath === undefined) return
  buildPages()
  browser = await startBrowser()
  context = await browser.newContext({ viewport: { width: 1200, height: 900 } })
  deploymentId = await createProject(api, shop)
})
afterAll(() => browser?.close())

const stream = '**/chat/stream-chat-state'

/** The chat of a new session. `before` sees the page before it asks for anything. */
async function open(parameters = '', body: object = {}, before?: (page: Page) => Promise<unknown>): Promise<Page> {
  const session = await generateSession(api, { deploymentId, externalId: viewer, ...body })
  const page = await context.newPage()
  await before?.(page)
  await page.goto(`${api.baseUrl}/embed/chat?sessionId=${session}${parameters}`)
  return page
}

async function ask(page: Page, text: string) {
  await page.getByPlaceholder('Ask a question…').fill(text)
  await page.keyboard.press('Enter')
}

const answered = (page: Page, count = 1) =>
  expect.poll(() => page.getByRole('button', { name: 'Good answer' }).count(), { timeout: 30_000 }).toBe(count)

describe.skipIf(chromiumPath === undefined)('the chat of a frame', () => {
  test('answers in words, with the rows that it asked for and each step to unfold', async () => {
    const page = await open()
    await page.getByRole('heading', { name: 'What would you like to know?' }).waitFor()
    await ask(page, 'How many orders are there by status?')
    await answered(page)
    const turn = page.getByRole('article')
    expect(await turn.locator('.chat-question p').innerText()).toBe('How many orders are there by status?')
    expect((await turn.locator('.chat-answer').innerText()).length).toBeGreaterThan(20)
    const step = turn.locator('details', { hasText: 'Asked:' }).first()
    expect(await step.getAttribute('open')).toBeNull()
    await step.locator('summary').click()
    expect(await step.locator('code').first().innerText()).toMatch(/select/i)
    await expect.poll(() => turn.locator('figure canvas, figure [role=grid]').count()).toBeGreaterThan(0)
    await step.locator('summary').click()
    await page.close()
  })

  test('a comparison of two periods is drawn, a colour for each', async () => {
    const page = await open()
    await ask(page, 'Compare orders in January 2024 with February 2024 by state of the order')
    await answered(page)
    await expect.poll(() => colorsOf(page, 'figure canvas'), { timeout: 30_000 }).toBe(2)
    await page.close()
  })

  test('the end of an answer stays in sight while it grows, and whoever reads above is left alone until he asks', async () => {
    const page = await open('', { externalId: unique('reader') })
    await page.setViewportSize({ width: 900, height: 600 })
    const seen = () =>
      page.locator('.chat-scroll').evaluate(box => {
        const { scrollTop, scrollHeight, clientHeight } = Object(box)
        return { top: Number(scrollTop), below: Number(scrollHeight) - clientHeight - scrollTop }
      })
    const drawn = (count: number) =>
      expect.poll(() => page.locator('figure canvas').count(), { timeout: 30_000 }).toBe(count)
    const toEnd = page.getByRole('button', { name: 'To the end' })
    for (const count of [1, 2]) {
      await ask(page, 'How many orders are there by status?')
      await answered(page, count)
      await drawn(count)
      await expect.poll(async () => (await seen()).below).toBeLessThan(2)
    }
    await page.locator('.chat-scroll').hover()
    await page.mouse.wheel(0, -5_000)
    await expect.poll(seen).toMatchObject({ top: 0 })
    await toEnd.waitFor()
    // What grows below does not take the reader there.
    await page
      .getByRole('article')
      .last()
      .locator('details summary')
      .last()
      .evaluate(step => Object(step).click())
    await page.waitForTimeout(300)
    expect(await seen()).toMatchObject({ top: 0 })
    await ask(page, 'How many orders are there by status?')
    await answered(page, 3)
    await drawn(3)
    await expect.poll(async () => (await seen()).below).toBeLessThan(2)
    expect(await toEnd.count()).toBe(0)
    await page.close()
  })

  test('keeps threads: a new one, the history, one that is opened again, one that is deleted and brought back', async () => {
    const page = await open('', { externalId: unique('historian') })
    await ask(page, 'How many orders are there?')
    await answered(page)
    await ask(page, 'And by status?')
    await answered(page, 2)
    await page.getByRole('button', { name: 'New chat' }).click()
    await page.getByRole('heading', { name: 'What would you like to know?' }).waitFor()
    await page.getByRole('button', { name: 'Chat history' }).click()
    const history = page.getByRole('navigation', { name: 'Chat history' })
    await history.getByRole('button', { name: /How many orders/ }).click()
    await expect.poll(() => page.getByRole('article').count()).toBe(2)
    await history.getByRole('button', { name: 'Delete chat' }).click()
    await expect.poll(() => history.getByRole('listitem').count()).toBe(0)
    await history.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => history.getByRole('listitem').count()).toBe(1)
    await page.close()
  })

  test('a line that is cut off is found again by the same message, and nothing is said twice', async () => {
    const sent: unknown[] = []
    const page = await open('', { externalId: unique('traveller') }, each =>
      each.route(stream, async route => {
        sent.push(route.request().postDataJSON())
        if (sent.length > 1) return route.continue()
        const response = await route.fetch()
        const lines = (await response.text()).split('\n')
        await route.fulfill({ response, body: `${lines.slice(0, 4).join('\n')}\n` })
      }),
    )
    await ask(page, 'How many orders are there?')
    await answered(page)
    const [first, second] = sent
    expect(sent).toHaveLength(2)
    expect(second).toMatchObject({ messageId: Object(first).messageId, input: 'How many orders are there?' })
    expect(await page.getByRole('article').count()).toBe(1)
    expect(await page.locator('.chat-question').count()).toBe(1)
    await page.close()
  })

  test('an answer that was suspended goes on by its button; one that was refused says why', async () => {
    let turns = 0
    const page = await open('', { externalId: unique('patient') }, each =>
      each.route(stream, async route => {
        turns += 1
        const { messageId } = Object(route.request().postDataJSON())
        const lines =
          turns === 1
            ? [
                {
                  id: '__suspended__',
                  type: 'suspend',
                  code: 'chat_suspended',
                  retryable: true,
                  messageId,
                  error: 'restart',
                },
              ]
            : [{ error: 'Streaming for thread is in progress' }]
        if (turns > 2) return route.continue()
        const body = [
          { id: '__cutoff__', role: 'assistant', state: { isStreaming: false, chatId: 'x' } },
          ...lines,
          { id: '__usage__' },
        ]
        return route.fulfill({
          contentType: 'application/json',
          body: body.map(line => JSON.stringify(line)).join('\n'),
        })
      }),
    )
    await ask(page, 'How many orders are there?')
    await page.getByText('The answer was interrupted.').waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Streaming for thread is in progress').waitFor()
    await page.close()
  })

  test('hostile words, thoughts, titles and charts are inert', async () => {
    const hostile =
      '<script>alert(1)</script> [x](javascript:alert(1)) ![i](https://evil.example/i.png) <img src=x onerror=alert(1)>'
    const asked: string[] = []
    const problems: string[] = []
    const page = await open('', {}, async each => {
      each.on('request', request => asked.push(request.url()))
      each.on('dialog', dialog => {
        problems.push(dialog.message())
        void dialog.dismiss()
      })
      each.on('pageerror', error => problems.push(String(error)))
      const result = {
        sqlQuery: 'SELECT 1',
        queryTitle: hostile,
        description: hostile,
        schema: [
          { name: hostile, column_type: 'String' },
          { name: 'n', column_type: 'Int64' },
        ],
        data: [
          [hostile, '1'],
          ['b', '2'],
        ],
        totalRows: 2,
        vegaSpec: JSON.stringify({
          usermeta: { embedOptions: { loader: {}, actions: true } },
          data: { url: 'https://evil.example/data.json' },
          mark: { type: 'bar', href: 'javascript:alert(1)' },
          encoding: { x: { field: 'n', type: 'quantitative' }, url: { value: 'https://evil.example/p.png' } },
        }),
      }
      const agent = { role: 'assistant', graphPath: ['service_data_analyst_agent'] }
      const lines = [
        { id: '__cutoff__', role: 'assistant', state: { isStreaming: false, chatId: 'x' } },
        { ...agent, id: 'A', content: 'one moment', thinking: hostile, isDelta: true },
        { ...agent, id: 'B', toolCall: { name: 'serviceSqlApi', input: '{}', result: JSON.stringify(result) } },
        { ...agent, id: 'C', toolCall: { name: hostile, input: hostile, result: '{not json' } },
        { id: 'F', role: 'assistant', content: hostile, graphPath: ['final'] },
        { id: '__usage__' },
      ]
      await each.route(stream, route => route.fulfill({ body: lines.map(line => JSON.stringify(line)).join('\n') }))
    })
    await ask(page, hostile)
    await answered(page)
    await page.getByText('Thinking').click()
    await expect.poll(() => page.locator('figure canvas').count()).toBe(1)
    expect(await page.locator('article img, article script, article [href^="javascript"]').count()).toBe(0)
    expect(asked.filter(url => url.includes('evil'))).toEqual([])
    expect(problems).toEqual([])
    await page.close()
  })

  test.each([
    ['&showNewChat=false', 'New chat', 'Chat history'],
    ['&showChatHistory=false', 'Chat history', 'New chat'],
    ['&hideNewChat=true', 'New chat', 'Chat history'],
  ])('%s hides %j and leaves %j', async (parameters, hidden, shown) => {
    const page = await open(parameters)
    await page.getByRole('button', { name: shown }).waitFor()
    expect(await page.getByRole('button', { name: hidden }).count()).toBe(0)
    await page.close()
  })

  test('asks in the time zone of the frame', async () => {
    const page = await open('&timezone=Asia/Tokyo')
    const [request] = await Promise.all([page.waitForRequest(stream), ask(page, 'How many orders are there?')])
    expect(request.postDataJSON()).toMatchObject({ sessionSettings: { timezone: 'Asia/Tokyo' } })
    await answered(page)
    await page.close()
  })

  test('showChatInput=false is for reading; other literals do nothing', async () => {
    const page = await open('&showChatInput=false')
    await page.getByText('This conversation is read-only.').waitFor()
    expect(await page.locator('textarea').count()).toBe(0)
    await page.close()
    const other = await open('&showChatInput=False&showNewChat=0&showChatHistory')
    await other.locator('textarea').waitFor()
    expect(await other.getByRole('button', { name: /New chat|Chat history/ }).count()).toBe(2)
    await other.close()
  })

  test('a session without AI says that chat is off', async () => {
    const page = await open('', { settings: { allowAi: false } })
    await page.getByText('Chat is switched off here.').waitFor()
    await page.close()
  })

  test('speaks the language of the frame and has no serious finding of axe, in light and dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await open('&locale=de', {}, each => each.emulateMedia({ colorScheme }))
      await page.getByPlaceholder('Frage stellen…').fill('How many orders are there by status?')
      await page.getByRole('button', { name: 'Senden' }).click()
      await page.getByRole('button', { name: 'Gute Antwort' }).waitFor()
      await page.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'))
      const { violations } = await page.evaluate<{
        violations: { id: string; impact: string; nodes: { html: string }[] }[]
      }>('axe.run()')
      const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
      expect(serious.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 200))])).toEqual([])
      await page.close()
    }
  })

  test('tells its host what is asked and how it went', async () => {
    const session = await generateSession(api, { deploymentId, externalId: viewer })
    const page = await context.newPage()
    const host = createServer((_, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(`<script>window.heard = []; addEventListener('message', event => window.heard.push(event.data))</script>
        <iframe src="${api.baseUrl}/embed/chat?sessionId=${session}" width="900" height="700"></iframe>`)
    })
    await new Promise<void>(resolve => host.listen(0, '127.0.0.1', resolve))
    const { port } = Object(host.address())
    await page.goto(`http://host.localhost:${port}/`)
    const frame = page.frameLocator('iframe')
    await frame.getByPlaceholder('Ask a question…').fill('How many orders are there?')
    await frame.getByRole('button', { name: 'Send' }).click()
    await frame.getByRole('button', { name: 'Good answer' }).waitFor()
    const told = async () => {
      const heard = await page.evaluate<{ type: string; surface: string; payload: object }[]>('window.heard')
      const queries = heard.filter(({ type }) => type === 'cube:event:ai-query')
      return queries.map(({ surface, payload }) => ({ surface, ...payload }))
    }
    // The answer is drawn before the line that it came over has ended.
    await expect.poll(told).toEqual([
      { surface: 'chat', query: 'How many orders are there?', status: 'submitted', agentId: expect.any(String) },
      {
        surface: 'chat',
        query: 'How many orders are there?',
        status: 'completed',
        agentId: expect.any(String),
        chatId: expect.any(String),
      },
    ])
    await page.close()
    host.closeAllConnections()
    host.close()
  })
})
