import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import * as z from 'zod'
import type { Figure } from '../shapes.ts'
import { openDemo } from '../support/data-client.ts'
import type { Platform } from '../support/platform.ts'
import { summarise } from '../support/statistics.ts'
import { openSession, publishBoard, twelveWidgets } from './flights-board.ts'

const crowd = 200
/** Lines of a browser to one server, and questions that a frame has under way (`packages/embed`, `data-client.ts`). */
const lines = 6
const atOnce = 5

const Token = z.object({ token: z.string() })
const DataToken = z.object({ cubeApiToken: z.string() })
const Snapshots = z.object({ reportSnapshots: z.array(z.object({ jsonQuery: z.string() })) })
const Deployment = z.object({ deploymentUrl: z.string() })

/**
 * Two hundred frames opened at the same moment. They are driven over HTTP, since so many pages of Chromium do not fit into the memory of a small
 * machine: each asks what a page with an empty cache asks, in its order and over as many lines.
 */
export async function measureFrames(platform: Platform, quick: boolean): Promise<readonly Figure[]> {
  const { deploymentId } = await openDemo(platform)
  const publicId = await publishBoard(platform, deploymentId, twelveWidgets)
  const open = (user: number) => openFrame(platform, deploymentId, publicId, `viewer-${user}`)
  const alone: number[] = []
  for (let round = 0; round < (quick ? 5 : 20); round++) alone.push(await open(round))
  const began = performance.now()
  const together = await Promise.all(Array.from({ length: crowd }, (_, user) => open(user)))
  const seconds = (performance.now() - began) / 1000
  return [
    {
      what: `${crowd} frames opened at once, each to its last answer`,
      unit: 'ms',
      hedron: summarise(together),
      beside: { what: 'one frame alone', summary: summarise(alone) },
      goal: null,
      note: `All were there after ${seconds.toFixed(1)} s and none failed: ${crowd} sessions, and for each the page with its files, the exchange, the settings, the dashboard, its data token and ${twelveWidgets.length} queries. Driven over HTTP as a browser with an empty cache does, ${lines} lines each, not in Chromium. Without the limit of requests a second (HEDRON_DATA_RATE_LIMIT=0): with the default of 100 the ${crowd * twelveWidgets.length} queries take ${(crowd * twelveWidgets.length) / 100} s and frames wait for their turn.`,
    },
  ]
}

/** @returns milliseconds to its last answer. @throws where anything is refused */
async function openFrame(platform: Platform, deploymentId: number, publicId: string, user: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: lines })
  const began = performance.now()
  try {
    const sessionId = await openSession(platform, deploymentId, user)
    const page = await ask('GET', `/embed/dashboard/${publicId}?session=${sessionId}`)
    // As a browser asks for them; scripts that scripts ask for stand in the page as well.
    const files = [...page.matchAll(/(?:src|href)="(\/embed\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
    const [, { token }] = await Promise.all([
      Promise.all(files.map(path => ask('GET', path))),
      ask('POST', '/api/v1/embed/session/token', {}, { sessionId }).then(read(Token)),
    ])
    const session = { authorization: `Embed-Token ${token}` }
    const [, { reportSnapshots }] = await Promise.all([
      ask('GET', '/api/v1/app-config', session),
      ask('GET', `/api/v1/embed/dashboard/${publicId}`, session).then(read(Snapshots)),
    ])
    const [{ deploymentUrl }, { cubeApiToken }] = await Promise.all([
      ask('GET', `/api/v1/deployments/${deploymentId}`, session).then(read(Deployment)),
      ask('POST', `/api/v1/deployments/${deploymentId}/token`, session).then(read(DataToken)),
    ])
    const path = `${new URL(deploymentUrl).pathname}/cubejs-api/v1/load`
    const queries = reportSnapshots.map(({ jsonQuery }) => jsonQuery)
    const client = async () => {
      for (let query = queries.shift(); query !== undefined; query = queries.shift()) {
        const body = { query: JSON.parse(query), cache: 'stale-if-slow' }
        while ((await ask('POST', path, { authorization: cubeApiToken }, body)).includes('"Continue wait"'));
      }
    }
    await Promise.all(Array.from({ length: atOnce }, client))
    return performance.now() - began
  } finally {
    agent.destroy()
  }

  function ask(method: string, path: string, headers: Record<string, string> = {}, body?: object): Promise<string> {
    const payload = body === undefined ? undefined : JSON.stringify(body)
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const more = payload === undefined ? {} : { 'content-type': 'application/json', 'content-length': payload.length }
    const options = { method, agent, timeout: 120_000, headers: { ...headers, ...more } }
    const sent = request(`${platform.baseUrl}${path}`, options, response => {
      text(response).then(answer => {
        if (response.statusCode === 200) resolve(answer)
        else reject(new Error(`${method} ${path} answered ${response.statusCode}: ${answer.slice(0, 300)}`))
      }, reject)
    })
    sent.once('timeout', () => sent.destroy(new Error(`${method} ${path} was not answered in time`)))
    sent.once('error', reject)
    sent.end(payload)
    return promise
  }
}

const read =
  <T>(schema: z.ZodType<T>) =>
  (answer: string): T =>
    schema.parse(JSON.parse(answer))
