import cube from '@cubejs-client/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type Api, createApi } from '../support/api.ts'
import { type RunningPlatform, startPlatform } from '../support/start-platform.ts'
import { createDataClient, type DataClient, rowsOf } from './data-client.ts'
import { createProject } from './project.ts'

/** A hundred million pairs: most of a second's work, and one number at the end. */
const slow = (name: string, salt: number, outcome: string) => `cubes:
  - name: ${name}
    sql: SELECT hash(a.range, b.range, ${salt}) AS value FROM range(10000) AS a CROSS JOIN range(10000) AS b
    measures:
      - name: most
        sql: "${outcome}"
        type: number
`

const number = expect.stringMatching(/^\d{10,}$/)

let platform: RunningPlatform
let api: Api
let data: DataClient
beforeAll(async () => {
  platform = await startPlatform({ environment: { HEDRON_CONTINUE_WAIT_SECONDS: '0.1' } })
  api = createApi(platform.baseUrl, platform.apiKey)
  const files = Object.fromEntries(
    ['polled', 'shared', 'uncached', 'left', 'published', 'beside'].map((name, salt) => [
      `model/${name}.yml`,
      slow(name, salt, 'max({CUBE}.value)'),
    ]),
  )
  const failing = slow('failing', 9, "CASE WHEN max({CUBE}.value) > 0 THEN error('it went wrong at the end') END")
  data = await createDataClient(api, await createProject(api, { ...files, 'model/failing.yml': failing }))
})
afterAll(() => platform?.dispose())

const ask = (name: string, more = {}) => data.post('load', { query: { measures: [`${name}.most`] }, ...more })
const isWaiting = ({ status, body }: Answer) => status === 200 && String(body.error) === 'Continue wait'

/** @returns how often it was told to wait, and the answer at last. */
async function poll(request: () => Promise<Answer>): Promise<{ waits: number; answer: Answer }> {
  for (let waits = 0; waits < 200; waits++) {
    const answer = await request()
    if (!isWaiting(answer)) return { waits, answer }
  }
  throw new Error('the query never ended')
}

describe('a slow query', () => {
  test('is answered by Continue wait with 200, and the same request gets its result', async () => {
    const first = await ask('polled')
    expect([first.status, first.body.error]).toEqual([200, 'Continue wait'])
    expect(first.body).not.toHaveProperty('data')
    const { answer } = await poll(() => ask('polled'))
    expect([answer.status, rowsOf(answer.body)]).toEqual([200, [{ 'polled.most': number }]])
    const again = await ask('polled')
    expect(again.body.lastRefreshTime, 'now it is kept').toBe(answer.body.lastRefreshTime)
  })

  test('of several statements, none of which may come from the cache, ends: what is there already waits for the rest', async () => {
    const parts = slow('parts', 11, 'max({CUBE}.value)').replace(
      '    measures:',
      '    dimensions: [{ name: kind, sql: "{CUBE}.value % 3", type: number }]\n    measures:',
    )
    // One after the other, so that they are never there at the same time.
    const one = await createProject(api, { 'model/parts.yml': parts }, { CUBEJS_CONCURRENCY: '1' })
    const client = await createDataClient(api, one)
    const query = { measures: ['parts.most'], dimensions: ['parts.kind'], total: true }
    const { answer, waits } = await poll(() => client.post('load', { query, cache: 'no-cache' }))
    expect([rowsOf(answer.body).length, String(answer.body.total)]).toEqual([3, '3'])
    expect(waits).toBeGreaterThan(3)
    const again = await client.post('load', { query, cache: 'no-cache' })
    expect(isWaiting(again), 'it was given out once').toBe(true)
  })

  test('runs once for all who ask', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => poll(() => ask('shared'))))
    expect(answers.every(({ waits }) => waits > 0)).toBe(true)
    expect(new Set(answers.map(({ answer }) => answer.body.lastRefreshTime)).size).toBe(1)
  })

  test('gets to its end without the cache, too', async () => {
    const { waits, answer } = await poll(() => ask('uncached', { cache: 'no-cache' }))
    expect(waits).toBeGreaterThan(0)
    expect(rowsOf(answer.body)).toEqual([{ 'uncached.most': number }])
  })

  test('goes on while whoever asked is away', async () => {
    const leaving = AbortSignal.timeout(50)
    const gone = fetch(`${data.url()}/load`, {
      method: 'POST',
      headers: { authorization: data.token, 'content-type': 'application/json' },
      body: JSON.stringify({ query: { measures: ['left.most'] } }),
      signal: leaving,
    })
    await expect(gone).rejects.toThrow()
    const { answer } = await poll(() => ask('left'))
    expect(rowsOf(answer.body)).toEqual([{ 'left.most': number }])
  })

  test('that fails at its end says so to whoever waited', async () => {
    const { waits, answer } = await poll(() => ask('failing'))
    expect(waits).toBeGreaterThan(0)
    expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining('it went wrong at the end')])
  })

  test('keeps nobody from asking what needs no database', async () => {
    const running = poll(() => ask('beside'))
    for (const action of ['sql', 'dry-run'] as const) {
      const { status } = await data.post(action, { query: { measures: ['beside.most'] } })
      expect(status).toBe(200)
    }
    expect((await data.get('meta', {})).status).toBe(200)
    expect((await running).waits).toBeGreaterThan(0)
  })

  test('is waited for by the client that npm has', async () => {
    let progress = 0
    const client = cube(data.token, { apiUrl: data.url() })
    const counting = { progressCallback: () => progress++ }
    const result = await client.load({ measures: ['published.most'] }, counting)
    expect(progress).toBeGreaterThan(0)
    expect(result.rawData()).toEqual([{ 'published.most': number }])
  })
})
