import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApi } from '../support/api.ts'
import { type RunningPlatform, startPlatform, temporaryDirectory } from '../support/start-platform.ts'
import { runCommand } from './run-command.ts'

/** The lines of a command that goes on over ends with a backslash, as they stand in what was printed. */
function commandIn(output: string, beginning: RegExp): string {
  const lines = output.split('\n')
  const first = lines.findIndex(line => beginning.test(line))
  if (first < 0) throw new Error(`no command ${beginning} in:\n${output}`)
  const end = lines.findIndex((line, index) => index >= first && !line.endsWith('\\'))
  return lines.slice(first, end + 1).join('\n')
}

const environment = { HEDRON_DEMO: '1', HEDRON_BOOTSTRAP_API_KEY: '' }
let home = ''
let platform: RunningPlatform
beforeAll(async () => {
  home = await temporaryDirectory()
  platform = await startPlatform({ environment })
})
afterAll(async () => {
  await platform?.dispose()
  await rm(home, { recursive: true, force: true })
})

const keyIn = (output: string) => /bootstrap key +(sk-\S+)/.exec(output)?.[1]

describe('what a first start says', () => {
  test('is where it is, who administers it, and a key that is shown once', async () => {
    const said = platform.output()
    expect(said).toMatch(/Hedron is ready at http:\/\/localhost:\d+ +\(in \d+\.\d s\)/)
    expect(said).toMatch(/administrator +admin@localhost +password \S{16,}/)
    const key = keyIn(said) ?? ''
    expect(key).toMatch(/^sk-\S{32,}$/)
    expect(said).toContain('shown this once')
    const { status, body } = await createApi(platform.baseUrl, key).get('/api/v1/users/me')
    expect([status, body.email, body.isAdmin]).toEqual([200, 'admin@localhost', true])
  })

  test('is for people: no structured logs among it, and no fault', () => {
    expect(platform.output()).not.toMatch(/"level":(40|50|60)/)
  })

  test('is a curl that answers when it is copied', async () => {
    const { code, stdout, stderr } = await runCommand(commandIn(platform.output(), /^\s+curl /), home)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const { data } = JSON.parse(stdout)
    expect(data).toHaveLength(5)
    expect(data[0]).toEqual({
      'flight_facts.origin_city': expect.stringMatching(/^[A-Z]/),
      'flight_facts.count': expect.stringMatching(/^\d{5,}$/),
      'flight_facts.share_delayed': expect.stringMatching(/^0\.\d+$/),
    })
  })

  test('is a hedron that answers when it is copied', async () => {
    const { code, stdout } = await runCommand(
      commandIn(platform.output(), /^\s+HEDRON_API_URL=.* HEDRON_API_KEY=/),
      home,
    )
    expect(code).toBe(0)
    const [header, ...rows] = stdout.trimEnd().split('\n')
    expect(header).toMatch(/flight_facts\.origin_city.*flight_facts\.count.*flight_facts\.average_delay/)
    expect(rows).toHaveLength(5)
    for (const row of rows) expect(row).toMatch(/\S.* \d{5,} .*\d/)
  })

  test('is where a dashboard is, with reports that name members of the model', async () => {
    const [, publicId] = /\/embed\/dashboard\/([0-9A-Za-z]{12})\n/.exec(platform.output()) ?? []
    expect(publicId).toBeDefined()
    const api = createApi(platform.baseUrl, keyIn(platform.output()) ?? '')
    const { status, body } = await api.get(`/api/v1/embed/dashboard/${publicId}`)
    expect([status, body.title]).toEqual([200, 'Flights of 2001'])
    const { body: deployments } = await api.get('/api/v1/deployments')
    const { id: deploymentId } = Object(deployments.items)[0]
    const { body: token } = await api.post(`/api/v1/deployments/${deploymentId}/token`, {})
    const { body: reports } = await api.get(`/api/v1/deployments/${deploymentId}/reports`)
    const items: { name: string; jsonQuery: string }[] = Object(reports.items)
    expect(items).toHaveLength(8)
    for (const { name, jsonQuery } of items) {
      const answer = await fetch(`${platform.baseUrl}/data/${deploymentId}/cubejs-api/v1/load`, {
        method: 'POST',
        headers: { authorization: String(token.cubeApiToken), 'content-type': 'application/json' },
        body: JSON.stringify({ query: JSON.parse(jsonQuery) }),
      })
      expect([name, answer.status]).toEqual([name, 200])
    }
  })

  test('the page at / says what runs', async () => {
    const response = await fetch(`${platform.baseUrl}/`)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/html/)])
    expect(await response.text()).toMatch(/hedron/i)
  })
})

describe('a second start', () => {
  test('has what was there, and shows neither key nor password again', async ({ annotate }) => {
    const first = platform.output()
    const key = keyIn(first) ?? ''
    const [, password = ''] = /password (\S+)/.exec(first) ?? []
    expect(await platform.stop()).toBe(0)

    const { dataDirectory, database } = platform
    const startedAt = performance.now()
    const again = await startPlatform({ dataDirectory, database, environment })
    await annotate(`ready after ${Math.round(performance.now() - startedAt)} ms on data that was there`)
    try {
      const said = again.output()
      expect(said).toMatch(/bootstrap key +\(shown at the first start/)
      expect(said).not.toContain(key)
      expect(said).not.toContain(password)
      expect(said).not.toMatch(/sk-|Making a new database|Applied the database migration/)
      const api = createApi(again.baseUrl, key)
      expect((await api.get('/api/v1/users/me')).status).toBe(200)
      const { body } = await api.get('/api/v1/deployments')
      expect(Object(body.items).map(({ name }: { name: string }) => name)).toEqual(['flights'])

      const { code, stdout } = await runCommand(commandIn(said, /^\s+curl /), home)
      expect([code, JSON.parse(stdout).data.length]).toEqual([0, 5])
      const command = commandIn(said, /^\s+HEDRON_API_URL=/).replace('<your API key>', key)
      expect((await runCommand(command, home)).code).toBe(0)
    } finally {
      await again.stop()
    }
  })

  test('with a key given from outside has that one too', async () => {
    const { dataDirectory, database } = platform
    const given = `sk-${'given'.repeat(10)}`
    const again = await startPlatform({ dataDirectory, database, environment: { HEDRON_BOOTSTRAP_API_KEY: given } })
    try {
      expect((await createApi(again.baseUrl, given).get('/api/v1/users/me')).status).toBe(200)
      expect((await createApi(again.baseUrl, keyIn(platform.output()) ?? '').get('/api/v1/users/me')).status).toBe(200)
      expect((await createApi(again.baseUrl, `${given}x`).get('/api/v1/users/me')).status).toBe(401)
      expect(again.output()).not.toContain(given)
    } finally {
      await again.stop()
    }
  })
})
