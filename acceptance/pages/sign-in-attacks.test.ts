import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApi, unique } from '../support/api.ts'
import { connect } from '../support/contract-client.ts'
import { type RunningPlatform, startPlatform } from '../support/start-platform.ts'
import { createVisitor, deviceGrant, logInProgram, postForm, refreshTokens, type Visitor } from '../support/visitor.ts'

const password = 'correct horse battery'
const admin = 'ada@example.com'

let platform: RunningPlatform
beforeAll(async () => {
  platform = await startPlatform({ environment: { HEDRON_ADMIN_EMAIL: admin, HEDRON_ADMIN_PASSWORD: password } })
})
afterAll(() => platform?.dispose())

const api = () => connect(createApi(platform.baseUrl, platform.apiKey))
const visit = (): Visitor => createVisitor(platform.baseUrl)
const me = (authorization: string) => fetch(`${platform.baseUrl}/api/v1/users/me`, { headers: { authorization } })

async function createPerson(more: object = {}): Promise<{ id: number; email: string }> {
  const name = unique('person')
  const email = `${name}@example.com`
  const { id } = await api().createUser({ body: { email, username: name, password, ...more } })
  return { id, email }
}

/** Signed in at a browser of his own. */
async function signedIn(email: string): Promise<Visitor> {
  const visitor = visit()
  const { status } = await visitor.signIn(email, password)
  if (status !== 303) throw new Error(`${email} was not signed in: ${status}`)
  return visitor
}

const startDevice = async () =>
  (await postForm(platform.baseUrl, '/auth/device/code', { client_id: 'hedron-cli' })).body
const poll = (deviceCode: unknown) =>
  postForm(platform.baseUrl, '/auth/device/token', {
    client_id: 'hedron-cli',
    grant_type: deviceGrant,
    device_code: String(deviceCode),
  })

describe('guessing', () => {
  test('a password: five at once, then the right one is refused too, and others are not kept out', async () => {
    const { email } = await createPerson()
    const visitor = visit()
    for (let guess = 0; guess < 5; guess++) expect((await visitor.signIn(email, `guess ${guess}`)).status).toBe(401)
    const refused = await visitor.signIn(email, password)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refused.text).toContain('Too many attempts')
    expect((await visit().signIn(admin, password)).status).toBe(303)
  })

  test('many at once are all counted', async () => {
    const { email } = await createPerson()
    const visitors = Array.from({ length: 10 }, () => createVisitor(platform.baseUrl, '198.51.100.7'))
    await Promise.all(visitors.map(visitor => visitor.get('/auth/sign-in')))
    const answers = await Promise.all(
      visitors.map(visitor => visitor.submit('/auth/sign-in', { email, password: 'guess' })),
    )
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5)
  })

  test('an unknown e-mail address answers as a known one, and takes as long', async () => {
    const { email } = await createPerson()
    const gone = await createPerson()
    await api().updateUser({ params: { id: gone.id }, body: { isDeactivated: true } })
    const without = unique('nobody')
    const wanted = [email, gone.email, `${without}@example.com`, `${without}-2@example.com`]
    const answers = wanted.map(address => ({
      address,
      visitor: visit(),
      text: '',
      milliseconds: Number.POSITIVE_INFINITY,
    }))
    // In turns, so that a busy machine is as slow for each.
    for (let round = 0; round < 5; round++) {
      for (const answer of answers) {
        const { address, visitor } = answer
        await visitor.get('/auth/sign-in')
        const secret = address === gone.email ? password : 'wrong'
        const started = performance.now()
        const { status, text } = await visitor.submit('/auth/sign-in', { email: address, password: secret })
        answer.milliseconds = Math.min(answer.milliseconds, performance.now() - started)
        answer.text = `${status} ${text.replaceAll(address, '').replace(/form_token" value="[^"]+/, '')}`
      }
    }
    const [known, ...others] = answers
    for (const other of others) {
      expect(other.text).toBe(known?.text)
      // Without the hash it would take a tenth.
      expect(other.milliseconds).toBeGreaterThan((known?.milliseconds ?? 0) * 0.3)
    }
  })

  test('user codes: a person has twenty guesses at once, his own codes included', async () => {
    const { email } = await createPerson()
    const visitor = await signedIn(email)
    const { user_code: own } = await startDevice()
    const statuses = []
    for (let guess = 0; guess < 24; guess++) {
      const code = guess % 5 === 0 ? String(own) : 'BCDFGHJK'
      statuses.push((await visitor.get(`/auth/device?user_code=${code}`)).status)
    }
    expect(statuses.slice(0, 20)).not.toContain(429)
    expect(statuses.slice(21)).toEqual([429, 429, 429])
    const decided = await visitor.submit('/auth/device/decide', { user_code: String(own), decision: 'allow' })
    expect(decided.status).toBe(429)
  })

  test('user codes: nobody who is not signed in is told anything', async () => {
    const { user_code: code } = await startDevice()
    for (const typed of [String(code), 'BCDFGHJK']) {
      const { status, location } = await visit().get(`/auth/device?user_code=${typed}`)
      expect({ status, location }).toEqual({
        status: 303,
        location: `/auth/sign-in?return=${encodeURIComponent(`/auth/device?user_code=${typed}`)}`,
      })
    }
  })
})

describe('a form from elsewhere', () => {
  const actions = [
    ['/auth/device/decide', { decision: 'allow' }],
    ['/auth/account/password', { current: password, next: 'a new password', again: 'a new password' }],
    ['/auth/account/end-login', { login: 'x' }],
    ['/auth/sign-out', {}],
  ] as const

  test.each(actions)('%s does nothing', async (path, fields) => {
    const { email } = await createPerson()
    const visitor = await signedIn(email)
    const { user_code: code, device_code: device } = await startDevice()
    await visitor.get('/auth/account')
    const all = { user_code: String(code), ...fields }
    const other = await signedIn(admin)
    await other.get('/auth/account')
    const foreign = /form_token" value="([^"]+)/.exec((await other.get('/auth/account')).text)?.[1] ?? ''
    for (const attempt of [
      await visitor.submit(path, { ...all, form_token: '' }),
      await visitor.submit(path, { ...all, form_token: foreign }),
      await visitor.submit(path, all, { 'sec-fetch-site': 'cross-site' }),
      await visitor.submit(path, all, { 'sec-fetch-site': 'same-site' }),
      await visitor.submit(path, all, { origin: 'https://evil.example' }),
      await visitor.submit(path, all, { origin: 'null' }),
    ]) {
      expect(attempt.status).toBe(403)
    }
    expect((await visitor.get('/auth/account')).status).toBe(200)
    expect((await poll(device)).body.error).toBe('authorization_pending')
    expect((await visit().signIn(email, password)).status).toBe(303)
  })

  test('signs nobody in, so that nobody works in an attacker’s account unawares', async () => {
    const visitor = visit()
    await visitor.get('/auth/sign-in')
    const given = { email: admin, password }
    expect((await visitor.submit('/auth/sign-in', { ...given, form_token: 'x' })).status).toBe(403)
    expect((await visitor.submit('/auth/sign-in', given, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    const stranger = visit()
    expect((await stranger.submit('/auth/sign-in', given)).status).toBe(403)
    expect((await visitor.get('/auth/account')).status).toBe(303)
  })

  test('the pages may be framed by nobody and run nothing', async () => {
    const { headers, text } = await visit().get('/auth/sign-in')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('script-src')
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(text).not.toMatch(/<script|\son\w+=|style=/)
  })
})

describe('the session', () => {
  test('a planted cookie is not the one that is signed in', async () => {
    const { email } = await createPerson()
    const attacker = await signedIn(email)
    const planted = attacker.cookies.get('hedron-session') ?? ''
    const victim = visit()
    victim.cookies.set('hedron-session', 'hds_planted')
    await victim.get('/auth/sign-in')
    expect((await victim.submit('/auth/sign-in', { email: admin, password })).status).toBe(303)
    expect(victim.cookies.get('hedron-session')).not.toBe('hds_planted')
    // One who was signed in with it is not any more.
    const second = visit()
    second.cookies.set('hedron-session', planted)
    expect((await second.get('/auth/sign-in')).status).toBe(303)
  })

  test('ends at sign-out, for the cookie and for every copy of it', async () => {
    const { email } = await createPerson()
    const visitor = await signedIn(email)
    const copy = visit()
    copy.cookies.set('hedron-session', visitor.cookies.get('hedron-session') ?? '')
    expect((await copy.get('/auth/account')).status).toBe(200)
    await visitor.get('/auth/account')
    await visitor.submit('/auth/sign-out')
    expect(visitor.cookies.has('hedron-session')).toBe(false)
    expect((await copy.get('/auth/account')).status).toBe(303)
  })

  test('is no credential of the API', async () => {
    const secret = (await signedIn(admin)).cookies.get('hedron-session') ?? ''
    expect((await me(`Bearer ${secret}`)).status).toBe(401)
    const cookie = `hedron-session=${secret}`
    expect((await fetch(`${platform.baseUrl}/api/v1/users/me`, { headers: { cookie } })).status).toBe(401)
  })

  test.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    '/\t/evil.example',
    'javascript:alert(1)',
    '/%0d%0aset-cookie:x=1\r\nx: y',
    '\\\\evil.example',
    'evil.example',
  ])('after it nobody is led to %j', async place => {
    const visitor = visit()
    await visitor.get(`/auth/sign-in?return=${encodeURIComponent(place)}`)
    const { status, location } = await visitor.submit('/auth/sign-in', { email: admin, password, return: place })
    expect({ status, location }).toEqual({ status: 303, location: '/auth/account' })
    expect((await visitor.get(`/auth/sign-in?return=${encodeURIComponent(place)}`)).location).toBe('/auth/account')
  })
})

describe('tokens', () => {
  test('a refresh token works once; its reuse ends the whole login', async () => {
    const { email } = await createPerson()
    const visitor = await signedIn(email)
    const first = await logInProgram(platform.baseUrl, visitor)
    const second = await refreshTokens(platform.baseUrl, first.refresh)
    expect(second.status).toBe(200)
    // An answer that got lost: the same tokens again.
    expect((await refreshTokens(platform.baseUrl, first.refresh)).body).toMatchObject({
      access_token: second.body.access_token,
      refresh_token: second.body.refresh_token,
    })
    const third = await refreshTokens(platform.baseUrl, String(second.body.refresh_token))
    expect(third.status).toBe(200)
    expect((await me(`Bearer ${third.body.access_token}`)).status).toBe(200)

    const stolen = await refreshTokens(platform.baseUrl, first.refresh)
    expect({ status: stolen.status, error: stolen.body.error }).toEqual({ status: 400, error: 'invalid_grant' })
    for (const token of [third.body.access_token, first.access]) {
      expect((await me(`Bearer ${token}`)).status).toBe(401)
    }
    expect((await refreshTokens(platform.baseUrl, String(third.body.refresh_token))).body.error).toBe('invalid_grant')
  })

  test('many refreshes at once get one and the same pair', async () => {
    const { email } = await createPerson()
    const tokens = await logInProgram(platform.baseUrl, await signedIn(email))
    const answers = await Promise.all(Array.from({ length: 8 }, () => refreshTokens(platform.baseUrl, tokens.refresh)))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.refresh_token}`)).size).toBe(1)
  })

  test('revoking one ends its login; an unknown one is no error', async () => {
    const { email } = await createPerson()
    const tokens = await logInProgram(platform.baseUrl, await signedIn(email))
    const revoke = (token: string) =>
      postForm(platform.baseUrl, '/auth/oauth2/revoke', { client_id: 'hedron-cli', token })
    expect((await revoke('hdr_unknown')).status).toBe(200)
    expect((await revoke(tokens.refresh)).status).toBe(200)
    expect((await me(`Bearer ${tokens.access}`)).status).toBe(401)
  })

  test('a login has the rights of its user as they are now, and ends with him', async () => {
    const { id, email } = await createPerson()
    const tokens = await logInProgram(platform.baseUrl, await signedIn(email))
    const list = () =>
      fetch(`${platform.baseUrl}/api/v1/api-keys`, { headers: { authorization: `Bearer ${tokens.access}` } })
    expect((await list()).status).toBe(403)
    await api().updateUser({ params: { id }, body: { isAdmin: true } })
    expect((await list()).status).toBe(200)
    await api().updateUser({ params: { id }, body: { isDeactivated: true } })
    expect((await list()).status).toBe(401)
    await api().updateUser({ params: { id }, body: { isDeactivated: false } })
    expect((await list()).status).toBe(401)
    expect((await refreshTokens(platform.baseUrl, tokens.refresh)).body.error).toBe('invalid_grant')
  })

  test('a refresh token, a device code and a link are no access tokens', async () => {
    const { id, email } = await createPerson()
    const tokens = await logInProgram(platform.baseUrl, await signedIn(email))
    const { url } = await api().createSignInLink({ params: { id } })
    const { device_code: device } = await startDevice()
    for (const secret of [tokens.refresh, url.split('/').at(-1), device, 'hda_x', `hda_${tokens.refresh.slice(4)}`]) {
      expect((await me(`Bearer ${secret}`)).status).toBe(401)
    }
    expect((await refreshTokens(platform.baseUrl, tokens.access)).body.error).toBe('invalid_grant')
  })
})

describe('the device flow', () => {
  test('a code is decided once and exchanged once', async () => {
    const { email } = await createPerson()
    const visitor = await signedIn(email)
    const device = await startDevice()
    const code = String(device.user_code)
    await visitor.get(`/auth/device?user_code=${code}`)
    const decisions = await Promise.all(
      ['allow', 'deny', 'allow'].map(decision => visitor.submit('/auth/device/decide', { user_code: code, decision })),
    )
    expect(decisions.map(({ status }) => status).sort()).toEqual([200, 404, 404])
    const [first, second] = await Promise.all([poll(device.device_code), poll(device.device_code)])
    // Whichever was asked first is answered, and the other, at the same moment from the same place, with the same.
    expect(second.body.refresh_token).toBe(first.body.refresh_token)
  })

  test('asking too often is slowed down', async () => {
    const { device_code: device } = await startDevice()
    expect((await poll(device)).body.error).toBe('authorization_pending')
    const again = await poll(device)
    expect({ status: again.status, error: again.body.error }).toEqual({ status: 400, error: 'slow_down' })
  })

  test.each([
    ['/auth/device/code', {}, 400, 'invalid_request'],
    ['/auth/device/code', { scope: 'all' }, 401, 'invalid_client'],
    ['/auth/device/code', { client_id: 'evil' }, 401, 'invalid_client'],
    ['/auth/device/code', { client_id: 'hedron-cli', client_secret: 'x' }, 401, 'invalid_client'],
    ['/auth/device/code', { client_id: 'hedron-cli', scope: 'admin' }, 400, 'invalid_scope'],
    ['/auth/device/token', { client_id: 'hedron-cli', device_code: 'x' }, 400, 'invalid_request'],
    [
      '/auth/device/token',
      { client_id: 'hedron-cli', device_code: 'x', grant_type: 'password' },
      400,
      'unsupported_grant_type',
    ],
    [
      '/auth/device/token',
      { client_id: 'hedron-cli', device_code: 'hdd_x', grant_type: deviceGrant },
      400,
      'invalid_grant',
    ],
    ['/auth/oauth2/refresh', { client_id: 'hedron-cli', grant_type: 'refresh_token' }, 400, 'invalid_request'],
    [
      '/auth/oauth2/refresh',
      { client_id: 'hedron-cli', grant_type: 'refresh_token', refresh_token: 'hdr_x' },
      400,
      'invalid_grant',
    ],
  ])('%s with %j answers in the words of OAuth', async (path, fields, status, error) => {
    const answer = await postForm(platform.baseUrl, path, fields)
    expect({ status: answer.status, error: answer.body.error }).toEqual({ status, error })
    expect(typeof answer.body.error_description).toBe('string')
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  test('what is no form is refused in its words too', async () => {
    for (const [type, body] of [
      ['application/json', '{"client_id":"hedron-cli"}'],
      ['application/x-www-form-urlencoded', 'client_id=hedron-cli&client_id=cube-cli'],
      ['application/x-www-form-urlencoded', `client_id=${'x'.repeat(20_000)}`],
      ['text/plain', 'client_id=hedron-cli'],
    ] as const) {
      const headers = { 'content-type': type }
      const response = await fetch(`${platform.baseUrl}/auth/device/code`, { method: 'POST', headers, body })
      expect(response.status).toBeGreaterThanOrEqual(400)
      expect(response.status).toBeLessThan(500)
      expect(await response.json()).toMatchObject({ error: 'invalid_request' })
    }
  })

  test('what a program says of itself is shown as text', async () => {
    const visitor = await signedIn((await createPerson()).email)
    const form = new URLSearchParams({ client_id: 'hedron-cli' })
    const headers = { 'user-agent': '<script>alert(1)</script> hedron' }
    const response = await fetch(`${platform.baseUrl}/auth/device/code`, { method: 'POST', body: form, headers })
    const { user_code: code } = (await response.json()) as { user_code: string }
    const { text } = await visitor.get(`/auth/device?user_code=${code}`)
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt; hedron')
    expect(text).not.toContain('<script')
  })
})
