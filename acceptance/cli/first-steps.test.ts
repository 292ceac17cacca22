import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createHedron, type Hedron } from './hedron.ts'

let hedron: Hedron
beforeAll(async () => {
  hedron = await createHedron()
})
afterAll(() => hedron.dispose())

describe('a newcomer', () => {
  test('is told how to log in', async () => {
    const { exitCode, stdout, stderr } = await hedron.run('deployments', 'list')
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toContain('run `hedron login`')
  })

  test('logs in once, and every later run knows who asks', async () => {
    const bare = inject('baseUrl').replace('http://', '')
    const login = await hedron.succeed('login', '--url', bare, '--api-key', inject('apiKey'))
    expect(login).toMatch(/^✓ Logged in as \S+@\S+ \(context 'default', saved to .*config\.toml\)\n$/)
    expect(await hedron.succeed('whoami')).toContain('role: admin')
    expect(await hedron.json('users', 'me')).toMatchObject({ isAdmin: true })
  })

  test('a wrong key is refused and changes nothing', async () => {
    const wrong = await hedron.run('login', '--url', inject('baseUrl'), '--api-key', `sk-${'x'.repeat(40)}`)
    expect(wrong.exitCode).toBe(1)
    expect(wrong.stderr).toMatch(/^error: unauthorized \(401\): http:\S+ refused the key: The API key is not valid/)
    expect(await hedron.succeed('whoami')).toContain('role: admin')
  })

  test('asks three million flights a question', async () => {
    const listed = await hedron.succeed('deployments', 'list')
    const [, id = ''] = /^(\d+) +flights /m.exec(listed) ?? []
    const table = await hedron.succeed(
      'query',
      id,
      '--measures',
      'flight_facts.count',
      '--dimensions',
      'flight_facts.origin_city',
      '--order',
      'flight_facts.count:desc',
      '--limit',
      '2',
    )
    expect(table).toBe(
      'flight_facts.origin_city  flight_facts.count\nChicago                               190871\nDallas-Fort Worth                     157162\n',
    )
    const months = await hedron.json(
      'query',
      id,
      '--measures',
      'flight_facts.count',
      '--time-dimension',
      'flight_facts.departed_at',
      '--granularity',
      'month',
      '--filter',
      'flight_facts.origin_state equals CA,NV',
    )
    expect(months).toMatchObject({
      data: expect.arrayContaining([
        expect.objectContaining({ 'flight_facts.departed_at.month': '2001-01-01T00:00:00.000' }),
      ]),
    })

    const explained = await hedron.succeed('query', id, '--measures', 'flight_facts.count', '--explain')
    expect(explained).toContain('flights')
    const unknown = await hedron.run('query', id, '{"measures":["flight_facts.nope"]}')
    expect(unknown.exitCode).toBe(1)
    expect(unknown.stderr).toContain("'nope' not found")
  })

  test('finds the operations of the server, and sends any of them', async () => {
    expect(await hedron.succeed('spec', 'LISTREGIONS')).toContain('/api/v1/regions')
    expect(await hedron.json('api', 'GET', '/api/v1/regions', '-q', 'first=1')).toMatchObject({
      items: [{ name: 'local' }],
    })
    expect(await hedron.succeed('regions')).toContain('local')
    const nowhere = await hedron.run('api', 'GET', '/api/v1/nowhere', '--json')
    expect(nowhere.exitCode).toBe(1)
    const document: unknown = JSON.parse(nowhere.stderr.trimEnd().split('\n').at(-1) ?? '')
    expect(document).toMatchObject({ error: { code: 'route_not_found', status: 404, path: '/api/v1/nowhere' } })
  })
})
