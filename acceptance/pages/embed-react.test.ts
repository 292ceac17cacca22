import { execFileSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sharedApi } from '../support/api.ts'
import { buildPages, chromiumPath, startBrowser } from '../support/browser.ts'
import { connect } from '../support/contract-client.ts'
import { createShopDashboard, type ShopDashboard } from './shop-dashboard.ts'

const api = sharedApi()
const root = fileURLToPath(new URL('../..', import.meta.url))
let browser: Browser
let shop: ShopDashboard
let folder = ''
let product: Server
let url = ''
let otherId = ''
/** Ids that the product's server gave out. */
const sessions: string[] = []

/** The page of a product, as its team would write it. */
const source = `import { HedronDashboard, type HedronEvents, type HedronFrameElement } from '@hedron/embed-react'
import { StrictMode, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { Analytics } from './analytics'

const facts: { baseUrl: string; publicId: string; otherId: string } = JSON.parse(document.querySelector('#facts')?.textContent ?? '{}')
const heard: string[] = Object.assign(window, { heard: [] as string[] }).heard

const renewSession = async (): Promise<string> => {
  const response = await fetch('/analytics-session', { method: 'POST' })
  if (!response.ok) throw new Error('the product answered ' + response.status)
  return (await response.json()).sessionId
}

function Product() {
  const [count, setCount] = useState(2)
  const [isDark, setDark] = useState(false)
  const [publicId, setPublicId] = useState(facts.publicId)
  const [zone, setZone] = useState('Europe/Berlin')
  const first = useRef<HedronFrameElement>(null)
  const say = (name: string) => (event: HedronEvents['ready'] | HedronEvents['dashboard-loaded']) =>
    heard.push(name + ' ' + event.publicId)
  return (
    <>
      <button type="button" onClick={() => setCount(0)}>none</button>
      <button type="button" onClick={() => setCount(1)}>one</button>
      <button type="button" onClick={() => setDark(true)}>dark</button>
      <button type="button" onClick={() => setZone('Asia/Tokyo')}>zone</button>
      <button type="button" onClick={() => setPublicId(facts.otherId)}>other</button>
      <button type="button" onClick={() => first.current?.setFilter('orders.category', 'Books')}>books</button>
      {Array.from({ length: count }, (_, index) => (
        <HedronDashboard
          key={index}
          ref={index === 0 ? first : null}
          className={'board-' + index}
          baseUrl={facts.baseUrl}
          publicId={index === 0 ? publicId : facts.publicId}
          renewSession={renewSession}
          colorScheme={isDark ? 'dark' : 'light'}
          theme={{ primaryColor: '#6d28d9', borderRadius: 3 }}
          timezone={zone}
          showTitle={false}
          title={'Board ' + index}
          onReady={say('ready')}
          onDashboardLoaded={say('loaded')}
        />
      ))}
    </>
  )
}
const place = document.querySelector('#root')
if (place === null) throw new Error('no root')
createRoot(place).render(<StrictMode>{location.hash === '#docs' ? <Analytics /> : <Product />}</StrictMode>)
`

/** What docs/embedding.md has a product write, with the address and the dashboard of this test. */
async function snippet(): Promise<string> {
  const page = await readFile(join(root, 'docs/embedding.md'), 'utf8')
  const [, code = ''] = /^```tsx\n(.*?)^```$/ms.exec(page) ?? []
  expect(code).toContain('https://analytics.example.com')
  return code.replace('https://analytics.example.com', api.baseUrl).replace('OwVQpbdaZmBT', shop.publicId)
}

const config = {
  compilerOptions: {
    strict: true,
    jsx: 'react-jsx',
    module: 'esnext',
    moduleResolution: 'bundler',
    target: 'es2022',
    lib: ['es2023', 'dom'],
    skipLibCheck: false,
    noEmit: true,
    types: [],
  },
  files: ['main.tsx', 'analytics.tsx'],
}

beforeAll(async () => {
  if (chromiumPath === undefined) return
  buildPages()
  browser = await startBrowser()
  shop = await createShopDashboard(api)
  otherId = await publishOther()
  folder = await mkdtemp(join(tmpdir(), 'hedron-product-'))
  await buildProduct()
  product = createServer((request, response) => void answer(request.url ?? '/', response))
  await new Promise<void>(resolve => product.listen(0, '127.0.0.1', resolve))
  const address = product.address()
  url = `http://product.localhost:${typeof address === 'object' ? address?.port : 0}/`
})
afterAll(async () => {
  await browser?.close()
  product?.close()
  if (folder !== '') await rm(folder, { recursive: true, force: true })
})

async function publishOther(): Promise<string> {
  const client = connect(api)
  const params = { deploymentId: shop.deploymentId }
  const { id: workbookId } = await client.createWorkbook({ params, body: { name: 'Other' } })
  const place = { params: { ...params, workbookId } }
  const widgets = [
    { id: 'words', type: 'TEXT' as const, position: { x: 0, y: 0, w: 4, h: 3 }, config: { content: 'Other words' } },
  ]
  const { publicId } = await client.publishDashboard({ ...place, body: { workbookId, config: { widgets } } })
  await client.updateEmbedAccess({ ...place, body: { allEmbedUsers: true, action: 'read' } })
  return publicId
}

/** As `npm install <hedron>/packages/embed-react/dist` and a build of the product do. */
async function buildProduct(): Promise<void> {
  execFileSync(process.execPath, ['packages/embed-react/scripts/build.ts'], { cwd: root, stdio: 'inherit' })
  const modules = join(folder, 'node_modules')
  await mkdir(join(modules, '@hedron'), { recursive: true })
  await cp(join(root, 'packages/embed-react/dist'), join(modules, '@hedron/embed-react'), { recursive: true })
  await mkdir(join(modules, '@types'))
  for (const name of ['react', 'react-dom', 'scheduler', '@types/react', '@types/react-dom', 'csstype']) {
    await symlink(join(root, 'node_modules', name), join(modules, name))
  }
  const facts = JSON.stringify({ baseUrl: api.baseUrl, publicId: shop.publicId, otherId })
  const markup = `<!doctype html><script id="facts" type="application/json">${facts}</script><div id="root"></div><script type="module" src="/main.tsx"></script>`
  await Promise.all([
    writeFile(join(folder, 'main.tsx'), source),
    writeFile(join(folder, 'analytics.tsx'), await snippet()),
    writeFile(join(folder, 'index.html'), markup),
    writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config)),
    writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' })),
  ])
  const run = (name: string, ...options: string[]) =>
    execFileSync(join(root, 'node_modules/.bin', name), options, { cwd: folder, stdio: 'inherit' })
  run('tsc', '-p', '.')
  run('vite', 'build', '--logLevel', 'error')
}

async function answer(path: string, response: import('node:http').ServerResponse): Promise<void> {
  if (path === '/analytics-session') {
    const sessionId = await shop.session('acme')
    sessions.push(sessionId)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ sessionId }))
    return
  }
  const name = path === '/' ? 'index.html' : path.slice(1)
  const content = await readFile(join(folder, 'dist', name)).catch(() => null)
  const type = { '.html': 'text/html', '.js': 'text/javascript' }[extname(name)] ?? 'text/plain'
  response.writeHead(content === null ? 404 : 200, { 'content-type': type }).end(content)
}

const frameOf = (page: Page, index: number) => page.frameLocator(`.board-${index} iframe`)
const figureOf = (page: Page, index: number) =>
  frameOf(page, index).locator('[data-widget="figure"] .hd-kpi-value').innerText()
const heardOf = async (page: Page): Promise<string[]> => Array.from(Object(await page.evaluate('window.heard')))

describe.skipIf(chromiumPath === undefined)('@hedron/embed-react in a product', () => {
  test('two on a page in StrictMode: a session and a frame each, told of once; props and methods reach them', async () => {
    sessions.length = 0
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    const problems: string[] = []
    page.on('pageerror', error => problems.push(String(error)))
    // What React has to say of the components; one widget's member is not in the model, and its answer is an error.
    page.on('console', message => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load')) problems.push(message.text())
    })
    await page.goto(url)
    await expect.poll(() => figureOf(page, 0)).toBe('900')
    await expect.poll(() => figureOf(page, 1)).toBe('900')
    expect([sessions.length, await page.locator('iframe').count()]).toEqual([2, 2])
    expect(await page.locator('.board-1 iframe').getAttribute('title')).toBe('Board 1')
    await expect
      .poll(async () => (await heardOf(page)).toSorted())
      .toEqual(['loaded', 'loaded', 'ready', 'ready'].map(name => `${name} ${shop.publicId}`))
    expect(await frameOf(page, 0).getByRole('heading', { level: 1 }).count()).toBe(0)

    await page.getByRole('button', { name: 'dark', exact: true }).click()
    for (const index of [0, 1]) {
      await expect.poll(() => frameOf(page, index).locator('.hd-root').getAttribute('data-scheme')).toBe('dark')
    }
    const radius = () =>
      frameOf(page, 0)
        .locator('.hd-root')
        .evaluate(element => element.style.getPropertyValue('--hd-radius'))
    await expect.poll(radius).toBe('3px')
    await page.getByRole('button', { name: 'books', exact: true }).click()
    await expect.poll(() => figureOf(page, 0)).toBe('300')
    expect(await figureOf(page, 1)).toBe('900')
    const zones = page.waitForRequest(request => (request.postData() ?? '').includes('Asia/Tokyo'))
    await page.getByRole('button', { name: 'zone', exact: true }).click()
    await zones
    expect(problems).toEqual([])
    await page.close()
  })

  test('a session that has ended is renewed by the callback, with what was chosen', async () => {
    sessions.length = 0
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    await page.goto(url)
    await page.getByRole('button', { name: 'one', exact: true }).click()
    await expect.poll(() => figureOf(page, 0)).toBe('900')
    await page.getByRole('button', { name: 'books', exact: true }).click()
    await expect.poll(() => figureOf(page, 0)).toBe('300')
    const before = sessions.length
    for (const sessionId of sessions) await api.post('/api/v1/embed/session/revoke', { sessionId })
    await page.evaluate(`document.querySelector('.board-0').refresh()`)
    await expect.poll(() => sessions.length).toBe(before + 1)
    await frameOf(page, 0).locator('.page-cover').waitFor({ state: 'detached' })
    await expect.poll(() => figureOf(page, 0)).toBe('300')
    await page.close()
  })

  test('another dashboard in the same component is another frame; what is taken away leaves nothing behind', async () => {
    sessions.length = 0
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    await page.goto(url)
    await page.getByRole('button', { name: 'one', exact: true }).click()
    await expect.poll(() => figureOf(page, 0)).toBe('900')
    const before = sessions.length
    await page.getByRole('button', { name: 'other', exact: true }).click()
    await expect.poll(() => frameOf(page, 0).locator('[data-widget="words"]').innerText()).toContain('Other words')
    expect([sessions.length, await page.locator('iframe').count()]).toEqual([before + 1, 1])

    await page.getByRole('button', { name: 'none', exact: true }).click()
    await expect.poll(() => page.locator('iframe, hedron-dashboard').count()).toBe(0)
    // The browser tells of a frame's end a moment after its element is gone.
    await expect.poll(() => page.frames().length).toBe(1)
    const heard = (await heardOf(page)).length
    await page.waitForTimeout(500)
    expect((await heardOf(page)).length).toBe(heard)
    await page.getByRole('button', { name: 'one', exact: true }).click()
    await expect.poll(() => frameOf(page, 0).locator('[data-widget="words"]').innerText()).toContain('Other words')
    await page.close()
  })

  test('the component of docs/embedding.md shows a dashboard, in the colours that it asks for, and says when', async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    const said: string[] = []
    page.on('console', message => said.push(message.text()))
    await page.goto(`${url}#docs`)
    const frame = page.frameLocator('iframe')
    await expect.poll(() => frame.locator('[data-widget="figure"] .hd-kpi-value').innerText()).toBe('900')
    expect(await frame.locator('.hd-root').getAttribute('data-scheme')).toBe('dark')
    await expect.poll(() => said.some(text => /^\d+$/.test(text)), { timeout: 20_000 }).toBe(true)
    await page.close()
  })
})
