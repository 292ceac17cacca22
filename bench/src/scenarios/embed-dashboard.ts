import * as z from 'zod'
import type { Scenario } from '../shapes.ts'
import { type DataClient, openDemo } from '../support/data-client.ts'
import { exchange } from '../support/http.ts'
import { interleave, timed } from '../support/interleave.ts'
import { type Platform, startPlatform } from '../support/platform.ts'
import { cachedQueries } from './load-cached.ts'

const widgets = 12
const Made = z.object({ id: z.number() })
const Published = z.object({ publicId: z.string() })
const Session = z.object({ sessionId: z.string() })
const Token = z.object({ token: z.string() })
const DataToken = z.object({ cubeApiToken: z.string() })

export const embedDashboard: Scenario = {
  name: 'embed-dashboard',
  describes: `a dashboard of ${widgets} widgets in a frame: read, then asked`,
  async run({ quick, scope, say }) {
    const platform = await startPlatform(scope, { demo: true })
    const demo = await openDemo(platform)
    say('a published dashboard and a viewer')
    const queries = twelveQueries()
    const publicId = await publish(platform, demo.deploymentId, queries)
    const viewer = await openViewer(platform, demo)
    const read = () =>
      viewer.get(`/api/v1/embed/dashboard/${publicId}`).then(text => {
        const { reportSnapshots } = Snapshots.parse(JSON.parse(text))
        return reportSnapshots.map(({ jsonQuery }) => jsonQuery)
      })
    const ask = (list: readonly string[]) => Promise.all(list.map(query => viewer.load(`{"query":${query}}`)))
    const measured = await interleave(
      { rounds: quick ? 20 : 100, warmUps: 5 },
      {
        dashboard: () => timed(async () => ask(await read())),
        loads: () => timed(() => ask(queries)),
        read: () => timed(read),
      },
    )
    const [whole, loads] = [measured('dashboard'), measured('loads')]
    return [
      {
        what: `a dashboard of ${widgets} widgets in a frame`,
        unit: 'ms',
        hedron: whole,
        beside: { what: `its ${widgets} queries alone`, summary: loads },
        goal: { text: 'at most 10 ms more', met: whole.median <= loads.median + 10 },
        note: `Read with an embed token, then all queries at once with the viewer's own data token, answered from the cache. Reading alone: ${measured('read').median.toFixed(1)} ms.`,
      },
    ]
  },
}

const Snapshots = z.object({ reportSnapshots: z.array(z.object({ jsonQuery: z.string() })) })

/** Different ones, so that none shares the answer of another. */
function twelveQueries(): string[] {
  const base = Object.values(cachedQueries)
  return Array.from({ length: widgets }, (_, index) =>
    JSON.stringify({ ...base[index % base.length], limit: 200 + index }),
  )
}

/** @returns the address of a dashboard that every embed user sees. */
async function publish(platform: Platform, deploymentId: number, queries: readonly string[]): Promise<string> {
  const base = `/api/v1/deployments/${deploymentId}`
  const { id: workbookId } = await platform.call(Made, 'POST', `${base}/workbooks`, { name: 'Flights' })
  const config = { widgets: [] as object[] }
  for (const [index, jsonQuery] of queries.entries()) {
    const body = { workbookId, name: `Report ${index}`, jsonQuery, meta: { kind: 'table' } }
    const { id: reportId } = await platform.call(Made, 'POST', `${base}/reports`, body)
    const position = { x: 6 * (index % 2), y: 4 * Math.floor(index / 2), w: 6, h: 4 }
    config.widgets.push({ id: `w${index}`, type: 'CHART', position, config: { reportId } })
  }
  const one = `${base}/workbooks/${workbookId}`
  const { publicId } = await platform.call(Published, 'POST', `${one}/publish`, { workbookId, config })
  await platform.call(z.unknown(), 'PUT', `${one}/embed-access`, { allEmbedUsers: true, action: 'read' })
  return publicId
}

/** An external user in a frame, with the tokens that the frame gets. */
async function openViewer(platform: Platform, { deploymentId, loadUrl }: DataClient) {
  const { sessionId } = await platform.call(Session, 'POST', '/api/v1/embed/generate-session', {
    deploymentId,
    externalId: 'viewer',
  })
  const { token } = await platform.call(Token, 'POST', '/api/v1/embed/session/token', { sessionId })
  const headers = { authorization: `Embed-Token ${token}` }
  const send = async (method: string, url: string, more: Record<string, string>, body?: string) => {
    for (;;) {
      const { status, text } = await exchange(method, url, more, body)
      if (text === '{"error":"Continue wait"}') continue
      if (status === 200 && !text.startsWith('{"error"')) return text
      throw new Error(`${url} answered ${status}: ${text.slice(0, 500)}`)
    }
  }
  const { cubeApiToken } = DataToken.parse(
    JSON.parse(await send('POST', `${platform.baseUrl}/api/v1/deployments/${deploymentId}/token`, headers)),
  )
  const data = { authorization: cubeApiToken, 'content-type': 'application/json' }
  return {
    get: (path: string) => send('GET', `${platform.baseUrl}${path}`, headers),
    load: (body: string) => send('POST', loadUrl, data, body),
  }
}
