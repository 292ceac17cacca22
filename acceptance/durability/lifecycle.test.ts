import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApi, eventually } from '../support/api.ts'
import { launchPlatform, type RunningPlatform, type StartOptions, startPlatform } from '../support/start-platform.ts'
import { databaseServerOf } from './orphan.ts'

const isEmbedded = !process.env.HEDRON_TEST_DATABASE_URL

/** Starts what must not come up. @returns its exit code and all that it said. */
async function refusal(options: StartOptions): Promise<{ code: number | null; output: string }> {
  const launched = await launchPlatform(options)
  try {
    const deadline = setTimeout(() => void launched.kill(), 60_000)
    const code = await launched.exited
    clearTimeout(deadline)
    // What was written last may still be on its way through the pipe.
    await new Promise(resolve => setTimeout(resolve, 100))
    expect(await databaseServerOf(launched.dataDirectory), 'no database server is left').toBeNull()
    return { code, output: launched.output() }
  } finally {
    await launched.dispose()
  }
}

/** What is said for people about a start that fails: no stack, no JSON, and the reason. */
function expectReason({ code, output }: { code: number | null; output: string }, reason: RegExp): void {
  expect({ code, output }).toEqual({ code: 1, output: expect.stringMatching(reason) })
  expect(output).not.toMatch(/^\s+at /m)
  expect(output).not.toMatch(/^\{/m)
  expect(output).not.toMatch(/is ready/)
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return address.port
}

async function connectTo(baseUrl: string): Promise<void> {
  const { hostname, port } = new URL(baseUrl)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect').finally(() => socket.destroy())
}

describe('SIGTERM', () => {
  const slow = `cubes:
  - name: slow
    sql: SELECT hash(a.range, b.range) AS value FROM range(10000) AS a CROSS JOIN range(15000) AS b
    measures:
      - name: most
        sql: value
        type: max
`

  test('lets a running request end, frees the port, leaves nothing behind, and exits 0', async () => {
    // However busy the machine is, the answer is that of the request which ran.
    const platform = await startPlatform({ environment: { HEDRON_CONTINUE_WAIT_SECONDS: '60' } })
    try {
      const api = createApi(platform.baseUrl, platform.apiKey)
      const { body: created } = await api.post('/build/api/v1/deployments', { name: 'slow' })
      const id = Number(created.id)
      const dev = await api.post(`/build/api/v1/deployments/${id}/dev-mode`, {})
      const branchName = String(dev.body.branchName)
      await api.put(`/build/api/v1/deployments/${id}/data-model/files`, {
        branchName,
        files: [{ path: 'model/slow.yml', content: slow }],
      })
      const { body } = await api.post(`/api/v1/deployments/${id}/token`)
      const ask = (measure: string) =>
        api.request(
          'POST',
          `/data/${id}/dev-mode/${branchName}/cubejs-api/v1/load`,
          { query: { measures: [measure] } },
          { authorization: String(body.cubeApiToken) },
        )
      expect((await ask('example_orders.count')).status).toBe(200)
      const server = await databaseServerOf(platform.dataDirectory)
      if (isEmbedded) expect(server).not.toBeNull()

      const running = ask('slow.most')
      await new Promise(resolve => setTimeout(resolve, 200))
      const stopped = platform.stop()
      const attempt = () =>
        connectTo(platform.baseUrl).then(
          () => 'let in',
          error => String(error),
        )
      // The signal takes its time to arrive on a busy machine.
      await expect
        .poll(attempt, { message: 'nobody new is let in', interval: 20, timeout: 20_000 })
        .toContain('ECONNREFUSED')
      const { status } = await fetch(`${platform.baseUrl}/readyz`).catch(() => ({ status: 503 }))
      expect(status, 'a line that was open is told').toBe(503)
      const answer = await running
      expect([answer.status, answer.body.data]).toEqual([200, [{ 'slow.most': expect.stringMatching(/^\d+$/) }]])
      const answered = performance.now()
      expect(await stopped).toBe(0)
      expect(performance.now() - answered, 'and waits for nothing else').toBeLessThan(8_000)
      expect(await databaseServerOf(platform.dataDirectory)).toBeNull()
      await new Promise<void>((resolve, reject) => {
        const probe = createServer().once('error', reject)
        probe.listen(Number(new URL(platform.baseUrl).port), '127.0.0.1', () => probe.close(() => resolve()))
      })
      expect(platform.output()).not.toMatch(/"level":50|did not stop cleanly/)
    } finally {
      await platform.dispose()
    }
  })

  test('during the start ends it, with nothing left behind', { timeout: 300_000 }, async () => {
    for (const delay of [0, 400, 1_000, 1_800]) {
      const launched = await launchPlatform({ environment: { HEDRON_DEMO: '1' } })
      try {
        await eventually(
          async () => launched.output(),
          said => said !== '',
          60_000,
        )
        await new Promise(resolve => setTimeout(resolve, delay))
        const code = await launched.stop()
        expect({ delay, code, output: launched.output() }).toMatchObject({ code: 0 })
        expect(launched.output()).not.toMatch(/could not start|did not stop/)
        expect(await databaseServerOf(launched.dataDirectory)).toBeNull()
      } finally {
        await launched.dispose()
      }
    }
  })
})

describe('beside another', () => {
  let first: RunningPlatform
  beforeAll(async () => {
    first = await startPlatform()
  })
  afterAll(() => first?.dispose())

  test.runIf(isEmbedded)('a second platform on the same data is refused, and the first goes on', async () => {
    const launched = await launchPlatform({ dataDirectory: first.dataDirectory })
    const code = await launched.exited
    await new Promise(resolve => setTimeout(resolve, 100))
    expectReason({ code, output: launched.output() }, new RegExp(`in use.*|${first.pid}`))
    expect(launched.output(), 'who has it, and where').toContain(first.dataDirectory)
    expect(launched.output()).toContain(String(first.pid))
    expect((await createApi(first.baseUrl, first.apiKey).get('/api/v1/users/me')).status).toBe(200)
    expect((await fetch(`${first.baseUrl}/readyz`)).status).toBe(200)
  })

  test('a second platform on the same port is told to take another', async () => {
    const { port } = new URL(first.baseUrl)
    expectReason(
      await refusal({ environment: { HEDRON_PORT: port } }),
      new RegExp(`EADDRINUSE.*:${port}\\. .*HEDRON_PORT`),
    )
  })

  test('a port that belongs to something else is the same', async () => {
    const stranger = createServer()
    const port = await listen(stranger)
    try {
      expectReason(await refusal({ environment: { HEDRON_PORT: String(port) } }), /HEDRON_PORT/)
    } finally {
      stranger.close()
    }
  })
})

describe('an environment that cannot be', () => {
  test.each<[environment: Readonly<Record<string, string>>]>([
    [
      {
        HEDRON_PORT: 'http',
        HEDRON_BASE_URL: 'ftp://example.com',
        HEDRON_BOOTSTRAP_API_KEY: 'short',
        HEDRON_ADMIN_EMAIL: 'nobody',
        HEDRON_ADMIN_PASSWORD: 'short',
        HEDRON_DEMO: 'maybe',
        HEDRON_SECRET_KEY: 'abc',
        HEDRON_LOG_LEVEL: 'loud',
        HEDRON_CONTINUE_WAIT_SECONDS: 'soon',
      },
    ],
    [{ HEDRON_PORT: '65536' }],
    [{ HEDRON_PORT: '80.5', HEDRON_DEMO: 'y' }],
  ])('%o: all that is wrong is named at once, and nothing else', async environment => {
    const said = await refusal({ environment })
    const names = Object.keys(environment)
    for (const name of names) expectReason(said, new RegExp(`^ {2}${name}: \\S`, 'm'))
    expect(said.output.trim().split('\n')).toHaveLength(1 + names.length)
  })
})

describe('a database that cannot be', () => {
  const secret = 'a-password-to-keep'
  const at = (place: string) => `postgres://hedron:${secret}@${place}/hedron`
  const refused = async (url: string, reason: RegExp) => {
    const said = await refusal({ environment: { HEDRON_DATABASE_URL: url } })
    expectReason(said, reason)
    expect(said.output).not.toContain(secret)
  }

  test('of another kind, or no address at all, is named by its variable', async () => {
    await refused(`mysql://hedron:${secret}@localhost/hedron`, /HEDRON_DATABASE_URL: must begin with postgres:/)
    await refused('somewhere', /HEDRON_DATABASE_URL: must begin with postgres:/)
    await refused(`postgres://hedron:${secret}@:x/y:z`, /URL/)
  })

  test('is waited for a while, and then named by its place', async () => {
    const stranger = createServer((_, response) => response.end('I am no database'))
    const port = await listen(stranger)
    try {
      await Promise.all([
        refused(at('127.0.0.1:1'), /127\.0\.0\.1:1\b/),
        refused(at('no-such-host.invalid'), /no-such-host\.invalid/),
        refused(at(`127.0.0.1:${port}`), new RegExp(`127\\.0\\.0\\.1:${port}`)),
      ])
    } finally {
      stranger.closeAllConnections()
      stranger.close()
    }
  })

  test.runIf(!isEmbedded)('is named where it does not exist', async () => {
    const wrong = new URL(process.env.HEDRON_TEST_DATABASE_URL ?? '')
    wrong.pathname = '/hedron_no_such_database'
    await refused(wrong.href, /hedron_no_such_database/)
  })
})
