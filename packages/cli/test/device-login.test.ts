import { readFile, stat, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { administrator, refusal } from './support/fixtures.ts'
import { useBench } from './support/run-hedron.ts'

const bench = useBench()
const me = 'GET /api/v1/users/me'
const codeRoute = 'POST /auth/device/code'
const tokenRoute = 'POST /auth/device/token'
const refreshRoute = 'POST /auth/oauth2/refresh'
const revokeRoute = 'POST /auth/oauth2/revoke'

const pending = { status: 400, body: { error: 'authorization_pending' } }
const tokens = { access_token: 'hda_1', refresh_token: 'hdr_1', token_type: 'Bearer', expires_in: 900 }

function offerCode(more: object = {}): void {
  const uri = `${bench.server.url}/auth/device`
  bench.server.on(codeRoute, {
    body: { device_code: 'hdd_1', user_code: 'BCDF-GHJK', verification_uri: uri, ...more },
  })
}

const logIn = (more: readonly string[] = [], options = {}) =>
  bench.run(['login', '--url', bench.server.url, ...more], { anonymous: true, ...options })

const fieldsOf = (index: number) => Object.fromEntries(new URLSearchParams(String(bench.server.requests[index]?.body)))

/** Logs in, so that a context with tokens is saved. */
async function haveLogin(): Promise<void> {
  offerCode()
  bench.server.on(tokenRoute, { body: tokens })
  bench.server.on(me, { body: administrator })
  expect(await logIn()).toMatchObject({ exitCode: 0 })
}

describe('login through the browser', () => {
  test('shows address and code, waits for the decision, saves both tokens', async () => {
    const complete = `${bench.server.url}/auth/device?user_code=BCDF-GHJK`
    offerCode({ verification_uri_complete: complete, expires_in: 900, interval: 5 })
    bench.server.on(tokenRoute, [pending, pending, { body: tokens }])
    bench.server.on(me, { body: administrator })
    const result = await logIn([], { browser: true })
    expect(result).toMatchObject({ exitCode: 0, stderr: '', sleeps: [5000, 5000, 5000], opened: [complete] })
    expect(result.stdout).toBe(
      [
        '',
        'To authorize this CLI, open the following URL in your browser:',
        `  ${complete}`,
        '',
        'and confirm this code:  BCDF-GHJK',
        '',
        'Opened your browser automatically…',
        'Waiting for authorization…',
        `✓ Logged in as admin@localhost (context 'default', saved to ${bench.configPath})`,
        '',
      ].join('\n'),
    )
    expect(bench.server.requests[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded')
    expect(fieldsOf(0)).toEqual({ client_id: 'hedron-cli' })
    expect(fieldsOf(1)).toEqual({
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: 'hdd_1',
      client_id: 'hedron-cli',
    })
    expect(bench.server.requests.at(-1)?.headers.authorization).toBe('Bearer hda_1')
    expect(await readFile(bench.configPath, 'utf8')).toBe(
      `default_context = "default"\n\n[contexts.default]\nurl = "${bench.server.url}"\napi_key = "hda_1"\nrefresh_token = "hdr_1"\n`,
    )
  })

  test('with --json the standard output is one document', async () => {
    offerCode()
    bench.server.on(tokenRoute, { body: { accessToken: 'hda_2' } })
    bench.server.on(me, { body: administrator })
    const { stdout, stderr } = await logIn(['--json', '--without-browser', '--name', 'other'], { browser: true })
    expect(JSON.parse(stdout)).toMatchObject({ context: 'other', email: 'admin@localhost', url: bench.server.url })
    expect(stderr).toContain('and confirm this code:  BCDF-GHJK')
    expect(stderr).not.toContain('Opened your browser')
  })

  test('asks more rarely when told to, and goes on through what passes by itself', async () => {
    offerCode({ interval: 2 })
    const blip = { status: 502, text: '<html>Bad Gateway</html>' }
    const slowDown = { status: 400, body: { error: 'slow_down' } }
    bench.server.on(tokenRoute, [pending, slowDown, blip, { truncated: true, body: tokens }, { body: tokens }])
    bench.server.on(me, { body: administrator })
    expect(await logIn()).toMatchObject({ exitCode: 0, sleeps: [2000, 2000, 7000, 7000, 7000] })
  })

  test.each([
    ['access_denied', 'error: authorization was denied in the browser\n'],
    ['expired_token', 'error: device code expired before it was authorized; run `hedron login` again\n'],
    ['invalid_grant', 'error: authorization failed: invalid_grant (no such code)\n'],
  ])('%s ends it and saves nothing', async (error, stderr) => {
    offerCode()
    bench.server.on(tokenRoute, { status: 400, body: { error, error_description: 'no such \u001b[2Jcode' } })
    const result = await logIn()
    expect(result.exitCode).toBe(1)
    expect(result.stderr.replace('[2J', '')).toBe(stderr)
    await expect(stat(bench.configPath)).rejects.toThrow('ENOENT')
  })

  test('gives up when the code has expired', async () => {
    offerCode({ expires_in: 12, interval: 5 })
    bench.server.on(tokenRoute, pending)
    expect(await logIn()).toMatchObject({
      exitCode: 1,
      stderr: 'error: device code expired before it was authorized; run `hedron login` again\n',
    })
  })

  test('a server without it is said to be one', async () => {
    const result = await logIn()
    expect(result.exitCode).toBe(1)
    expect(result.stderr).toContain('run `hedron login --url <url> --api-key <key>`')
  })

  test('a refusal to begin is shown with its body', async () => {
    bench.server.on(codeRoute, { status: 401, body: { error: 'invalid_client' } })
    expect((await logIn()).stderr).toBe(
      `error: device authorization request failed (401) at ${bench.server.url}/auth/device/code: {"error":"invalid_client"}\n`,
    )
  })

  test('client, secret and scope come from the environment', async () => {
    offerCode()
    bench.server.on(tokenRoute, { body: tokens })
    bench.server.on(me, { body: administrator })
    const environment = {
      HEDRON_OAUTH_CLIENT_ID: 'mine',
      HEDRON_OAUTH_CLIENT_SECRET: 's',
      HEDRON_OAUTH_SCOPE: 'all',
    }
    await logIn([], { environment })
    expect(fieldsOf(0)).toEqual({ client_id: 'mine', client_secret: 's', scope: 'all' })
  })
})

describe('an access token that has ended', () => {
  test('is renewed once, for the request and for later runs', async () => {
    await haveLogin()
    bench.server.on(refreshRoute, { body: { access_token: 'hda_2', refresh_token: 'hdr_2' } })
    bench.server.on(me, ({ headers }) =>
      headers.authorization === 'Bearer hda_2' ? { body: administrator } : refusal(401, 'not_authenticated', 'Ended.'),
    )
    expect(await bench.run(['whoami'], { anonymous: true })).toMatchObject({ exitCode: 0, stderr: '' })
    expect(await readFile(bench.configPath, 'utf8')).toContain('api_key = "hda_2"\nrefresh_token = "hdr_2"')
    expect(await bench.run(['whoami'], { anonymous: true })).toMatchObject({ exitCode: 0 })
    expect(bench.server.requests.filter(({ path }) => path === '/auth/oauth2/refresh')).toHaveLength(1)
  })

  test('is renewed by one of many runs side by side', async () => {
    await haveLogin()
    bench.server.on(refreshRoute, [
      { body: { access_token: 'hda_2', refresh_token: 'hdr_2' } },
      { status: 400, body: { error: 'invalid_grant' } },
    ])
    bench.server.on(me, ({ headers }) =>
      headers.authorization === 'Bearer hda_2' ? { body: administrator } : refusal(401, 'not_authenticated', 'Ended.'),
    )
    const runs = await Promise.all(Array.from({ length: 6 }, () => bench.run(['whoami'], { anonymous: true })))
    expect(runs.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual(runs.map(() => [0, '']))
    expect(bench.server.requests.filter(({ path }) => path === '/auth/oauth2/refresh')).toHaveLength(1)
  })

  test('that cannot be renewed is reported as what it was', async () => {
    await haveLogin()
    bench.server.on(refreshRoute, { status: 400, body: { error: 'invalid_grant' } })
    bench.server.on(me, refusal(401, 'not_authenticated', 'The access token is not valid.'))
    const result = await bench.run(['whoami'], { anonymous: true })
    expect(result.exitCode).toBe(1)
    expect(result.stderr).toBe(
      'warning: token refresh failed: (400): {"error":"invalid_grant"}\n' +
        'error: unauthorized (401): session expired — run `hedron login` (or set HEDRON_API_KEY). The access token is not valid.\n',
    )
  })

  test('is not renewed at an address that another server may have', async () => {
    await haveLogin()
    bench.server.on(me, refusal(401, 'not_authenticated', 'Ended.'))
    const config = (await readFile(bench.configPath, 'utf8')).replace(bench.server.url, 'http://127.0.0.1:1')
    await writeFile(bench.configPath, config)
    await bench.run(['whoami', '--api-url', bench.server.url], { anonymous: true })
    expect(bench.server.requests.some(({ path }) => path === '/auth/oauth2/refresh')).toBe(false)
  })
})

describe('logout', () => {
  test('ends the login on the server', async () => {
    await haveLogin()
    bench.server.on(revokeRoute, { body: {} })
    const result = await bench.run(['logout', '--json'], { anonymous: true })
    expect(JSON.parse(result.stdout)).toEqual({ context: 'default', removed: true, revoked: true })
    expect(fieldsOf(bench.server.requests.length - 1)).toEqual({ token: 'hdr_1', client_id: 'hedron-cli' })
  })

  test('forgets it even when the server cannot be told', async () => {
    await haveLogin()
    const result = await bench.run(['logout'], { anonymous: true })
    expect(result).toMatchObject({ exitCode: 0, stdout: "✓ Removed context 'default'\n" })
    expect(result.stderr).toContain('warning: the login could not be ended on the server')
    expect(await readFile(bench.configPath, 'utf8')).not.toContain('hda_1')
  })
})
