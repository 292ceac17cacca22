import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { auth, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildOf, createApi, eventually, unique } from '../support/api.ts'
import { connect } from '../support/contract-client.ts'
import { createModeler, numbers, numbersPath } from '../support/project.ts'
import { type RunningPlatform, startPlatform } from '../support/start-platform.ts'
import { createVisitor, postForm, type Visitor } from '../support/visitor.ts'

const email = 'ada@example.com'
const password = 'correct horse battery'
const redirectUri = 'http://127.0.0.1:53682/callback'

let platform: RunningPlatform
let visitor: Visitor
let deploymentId: number
beforeAll(async () => {
  platform = await startPlatform({
    environment: { HEDRON_ADMIN_EMAIL: email, HEDRON_ADMIN_PASSWORD: password, HEDRON_ACCESS_TOKEN_MINUTES: '0.05' },
  })
  const modeler = await createModeler(createApi(platform.baseUrl, platform.apiKey))
  deploymentId = modeler.deploymentId
  await modeler.enter('main')
  await modeler.write({ [numbersPath]: numbers() })
  await modeler.commit()
  await buildOf(modeler.api, deploymentId, 'main')
  visitor = createVisitor(platform.baseUrl)
  expect((await visitor.signIn(email, password)).status).toBe(303)
})
afterAll(() => platform?.dispose())

/** An assistant as the SDK makes it: it keeps what it is told, and hands the person an address. */
function createAssistant(name = unique('Assistant')) {
  let known: OAuthClientInformationMixed | undefined
  let tokens: OAuthTokens | undefined
  let verifier = ''
  const sentTo: URL[] = []
  const provider: OAuthClientProvider = {
    redirectUrl: redirectUri,
    clientMetadata: {
      client_name: name,
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
    },
    state: () => 'a state of its own & more',
    clientInformation: () => known,
    saveClientInformation(given) {
      known = given
    },
    tokens: () => tokens,
    saveTokens(given) {
      tokens = given
    },
    redirectToAuthorization(url) {
      sentTo.push(url)
    },
    saveCodeVerifier(given) {
      verifier = given
    },
    codeVerifier: () => verifier,
    invalidateCredentials(kind) {
      if (kind === 'tokens') tokens = undefined
    },
  }
  return {
    name,
    provider,
    sentTo,
    tokens: () => tokens,
    clientId: () => known?.client_id ?? '',
    /** The SDK's way to a connection: 401, discovery, registration, and the person's browser. */
    async connect(): Promise<Client> {
      const client = new Client({ name, version: '1.0.0' })
      const transport = new StreamableHTTPClientTransport(new URL(`${platform.baseUrl}/mcp`), {
        authProvider: provider,
      })
      await client.connect(transport as Parameters<Client['connect']>[0])
      return client
    },
    finish: (code: string) => auth(provider, { serverUrl: `${platform.baseUrl}/mcp`, authorizationCode: code }),
  }
}
type Assistant = ReturnType<typeof createAssistant>

/** What a person's browser does with the address that it was handed. */
async function decide(person: Visitor, address: URL, decision: string): Promise<URL> {
  const shown = await person.get(`${address.pathname}${address.search}`)
  expect([shown.status, shown.text.includes('Let ')]).toEqual([200, true])
  const answered = await person.submit('/auth/oauth2/authorize', {
    ...Object.fromEntries(address.searchParams),
    decision,
  })
  expect(answered.status).toBe(303)
  return new URL(answered.location ?? '')
}

async function letIn(assistant: Assistant, person = visitor): Promise<Client> {
  await expect(assistant.connect()).rejects.toThrow(/Unauthorized/)
  const back = await decide(person, assistant.sentTo.at(-1) ?? new URL('about:blank'), 'allow')
  expect([back.origin + back.pathname, back.searchParams.get('state'), back.searchParams.get('iss')]).toEqual([
    redirectUri,
    'a state of its own & more',
    platform.baseUrl,
  ])
  expect(await assistant.finish(back.searchParams.get('code') ?? '')).toBe('AUTHORIZED')
  return assistant.connect()
}

const namesOf = async (client: Client) => {
  const { structuredContent } = await client.callTool({ name: 'listDeployments', arguments: {} })
  return JSON.stringify(structuredContent)
}
const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')

/** A request as a program writes it by itself. */
function addressFor(clientId: string, changes: Readonly<Record<string, string | undefined>> = {}): URL {
  const url = new URL(`${platform.baseUrl}/auth/oauth2/authorize`)
  const fields = {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    code_challenge: challengeOf('v'.repeat(43)),
    code_challenge_method: 'S256',
    ...changes,
  }
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) url.searchParams.set(name, value)
  return url
}

async function newCode(clientId = 'cube-mcp-client'): Promise<string> {
  return (await decide(visitor, addressFor(clientId), 'allow')).searchParams.get('code') ?? ''
}

const exchange = (code: string, changes: Record<string, string> = {}) =>
  postForm(platform.baseUrl, '/auth/oauth2/token', {
    grant_type: 'authorization_code',
    client_id: 'cube-mcp-client',
    redirect_uri: redirectUri,
    code_verifier: 'v'.repeat(43),
    code,
    ...changes,
  })

describe('an assistant with the SDK’s own client (MCP, "Authorization")', () => {
  test('is refused, finds whom to ask, registers, is let in by a person, and asks as him', async () => {
    const assistant = createAssistant()
    const client = await letIn(assistant)
    expect(await namesOf(client)).toContain(`"deploymentId":${deploymentId}`)
    const { structuredContent } = await client.callTool({
      name: 'runQuery',
      arguments: { sqlQuery: 'SELECT MEASURE(numbers.count) AS n FROM numbers', deploymentId },
    })
    expect(structuredContent).toMatchObject({ totalRows: 1 })
    const chatted = await client.callTool({ name: 'chat', arguments: { input: 'How many numbers?', deploymentId } })
    expect([chatted.isError, JSON.stringify(chatted.structuredContent).includes('chatId')]).toEqual([undefined, true])
    await client.close()
  })

  test('renews its token by itself', async () => {
    const assistant = createAssistant()
    const client = await letIn(assistant)
    const first = assistant.tokens()?.access_token
    await new Promise(resolve => setTimeout(resolve, 3_500))
    expect(await namesOf(client)).toContain(`"deploymentId":${deploymentId}`)
    expect(assistant.tokens()?.access_token).not.toBe(first)
    await client.close()
  })

  test('stands on the person’s page by its name, and is out when he ends it', async () => {
    const assistant = createAssistant()
    const client = await letIn(assistant)
    const page = await visitor.get('/auth/account')
    expect(page.text).toContain(assistant.name)
    const [, id = ''] = new RegExp(`${assistant.name}[^]*?name="login" value="([^"]+)"`).exec(page.text) ?? []
    expect((await visitor.submit('/auth/account/end-login', { login: id })).text).toContain('The login is ended')
    await expect(client.callTool({ name: 'listDeployments', arguments: {} })).rejects.toThrow(/Unauthorized/)
  })

  test('has the rights of the person: a member without roles asks nothing', async () => {
    const admin = connect(createApi(platform.baseUrl, platform.apiKey))
    const address = `${unique('member')}@example.com`
    const user = await admin.createUser({ body: { email: address, username: address, password } })
    const person = createVisitor(platform.baseUrl)
    expect((await person.signIn(address, password)).status).toBe(303)
    const client = await letIn(createAssistant(), person)
    expect(await namesOf(client)).toContain('"deployments":[]')
    await admin.bulkUserAction({ body: { action: 'DEACTIVATE', userIds: [user.id] } })
    await expect(client.callTool({ name: 'listDeployments', arguments: {} })).rejects.toThrow(/Unauthorized/)
  })
})

describe('its token', () => {
  test('is good at /mcp and nowhere else', async () => {
    const { body } = await exchange(await newCode())
    expect(body).toMatchObject({ token_type: 'Bearer', scope: 'mcp-agent-access' })
    const api = createApi(platform.baseUrl, String(body.access_token))
    const bearer = { authorization: `Bearer ${String(body.access_token)}` }
    for (const path of ['/api/v1/users/me', '/api/v1/deployments', '/api/v1/api-keys']) {
      expect((await api.request('GET', path, undefined, bearer)).status, path).toBe(401)
    }
    const chat = await fetch(
      `${platform.baseUrl}/api/v1/public/hedron/deployments/${deploymentId}/chat/stream-chat-state`,
      {
        method: 'POST',
        headers: { ...bearer, 'content-type': 'application/json' },
        body: '{"input":"x"}',
      },
    )
    expect(JSON.parse(await chat.text())).toMatchObject({ jsonrpc: '2.0' })
    const refresh = {
      client_id: 'cube-mcp-client',
      grant_type: 'refresh_token',
      refresh_token: String(body.refresh_token),
    }
    const more = await postForm(platform.baseUrl, '/auth/oauth2/token', { ...refresh, scope: 'all' })
    expect([more.status, more.body.error]).toEqual([400, 'invalid_scope'])
    const again = await postForm(platform.baseUrl, '/auth/oauth2/token', refresh)
    expect([again.status, again.body.scope]).toEqual([200, 'mcp-agent-access'])
    await postForm(platform.baseUrl, '/auth/oauth2/revoke', {
      client_id: 'cube-mcp-client',
      token: String(again.body.access_token),
    })
    const over = await fetch(`${platform.baseUrl}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${String(again.body.access_token)}` },
    })
    expect([over.status, over.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringContaining(
        `resource_metadata="${platform.baseUrl}/.well-known/oauth-protected-resource/mcp", error="invalid_token"`,
      ),
    ])
  })

  test('comes of a code once: shown again, the code ends the login', async () => {
    const code = await newCode()
    const first = await exchange(code)
    expect(first.status).toBe(200)
    expect((await exchange(code)).body.error).toBe('invalid_grant')
    const refresh = {
      client_id: 'cube-mcp-client',
      grant_type: 'refresh_token',
      refresh_token: String(first.body.refresh_token),
    }
    expect((await postForm(platform.baseUrl, '/auth/oauth2/token', refresh)).body.error).toBe('invalid_grant')
  })

  test('comes of the right code, verifier, address and program alone', async () => {
    const code = await newCode()
    for (const [changes, error] of [
      [{ code_verifier: 'w'.repeat(43) }, 'invalid_grant'],
      [{ code_verifier: 'short' }, 'invalid_grant'],
      [{ redirect_uri: 'http://127.0.0.1:1/other' }, 'invalid_grant'],
      [{ client_id: 'hedron-mcp' }, 'invalid_grant'],
      [{ client_id: 'hedron-cli' }, 'invalid_client'],
      [{ client_id: randomBytes(8).toString('hex') }, 'invalid_client'],
      [{ code: `hdc_${'x'.repeat(43)}` }, 'invalid_grant'],
      [{ resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
      [{ grant_type: 'password' }, 'unsupported_grant_type'],
    ] as const) {
      expect((await exchange(code, changes)).body.error, JSON.stringify(changes)).toBe(error)
    }
    expect((await exchange(code, { resource: `${platform.baseUrl}/mcp` })).status).toBe(200)
  })
})

describe('whoever asks wrongly', () => {
  test.each([
    ['no program', { client_id: 'nobody' }],
    ['another address', { redirect_uri: 'https://evil.example/callback' }],
    ['no address', { redirect_uri: undefined }],
  ])('with %s is sent nowhere', async (_, changes) => {
    const { pathname, search } = addressFor('cube-mcp-client', changes)
    const answer = await visitor.get(`${pathname}${search}`)
    expect([answer.status, answer.location]).toEqual([400, null])
    const posted = await visitor.submit(pathname, {
      ...Object.fromEntries(new URLSearchParams(search)),
      decision: 'allow',
    })
    expect([posted.status, posted.location]).toEqual([400, null])
  })

  test.each([
    ['unsupported_response_type', { response_type: 'token' }],
    ['invalid_request', { code_challenge: undefined }],
    ['invalid_request', { code_challenge_method: 'plain' }],
    ['invalid_scope', { scope: 'all' }],
    ['invalid_target', { resource: 'https://elsewhere.example/' }],
  ])('hears %s where it may be answered', async (error, changes) => {
    const { pathname, search } = addressFor('cube-mcp-client', { ...changes, state: 's' })
    const answer = await visitor.get(`${pathname}${search}`)
    const back = new URL(answer.location ?? '')
    expect([back.origin, back.searchParams.get('error'), back.searchParams.get('state')]).toEqual([
      'http://127.0.0.1:53682',
      error,
      's',
    ])
  })

  test('who is not signed in signs in first; a form of another site and a denial give no code', async () => {
    const stranger = createVisitor(platform.baseUrl)
    const { pathname, search } = addressFor('cube-mcp-client')
    const first = await stranger.get(`${pathname}${search}`)
    expect([first.status, first.location]).toEqual([
      303,
      `/auth/sign-in?return=${encodeURIComponent(`${pathname}${search}`)}`,
    ])
    const forged = { ...Object.fromEntries(new URLSearchParams(search)), decision: 'allow', form_token: 'x' }
    const other = await visitor.submit(pathname, forged)
    expect([other.status, other.location]).toEqual([403, null])
    const denied = await decide(visitor, addressFor('cube-mcp-client'), 'deny')
    expect([denied.searchParams.get('error'), denied.searchParams.get('code')]).toEqual(['access_denied', null])
  })

  test.each([
    ['plain http elsewhere', ['http://evil.example/x'], 'invalid_redirect_uri'],
    ['a script', ['javascript:alert(1)'], 'invalid_redirect_uri'],
    ['a fragment', ['https://a.example/#x'], 'invalid_redirect_uri'],
    ['a user', ['https://a@b.example/'], 'invalid_redirect_uri'],
    ['no address', [], 'invalid_client_metadata'],
  ])('can’t register with %s', async (_, redirects, error) => {
    const response = await fetch(`${platform.baseUrl}/auth/oauth2/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: redirects, client_name: 'x' }),
    })
    expect([response.status, JSON.parse(await response.text()).error]).toEqual([400, error])
  })
})

test('the commands of docs/mcp.md do what it says', async () => {
  const page = await readFile(new URL('../../docs/mcp.md', import.meta.url), 'utf8')
  const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
    .map(([, text = '']) => text)
    .filter(text => text.includes('curl'))
  expect(blocks).toHaveLength(2)
  const run = async (script: string) => {
    const text = `set -e\n${script.replaceAll('http://localhost:4000', platform.baseUrl).replaceAll('curl ', 'curl -sf -w "\\n" ')}`
    const { stdout } = await promisify(execFile)('bash', ['-c', text], {
      env: { PATH: process.env.PATH, HEDRON_API_KEY: platform.apiKey },
    })
    return stdout
  }
  const [tool = '', discovery = ''] = await Promise.all(blocks.map(run))
  expect(tool).toContain('"totalRows":1')
  const documents = discovery
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(documents).toMatchObject([
    { resource: `${platform.baseUrl}/mcp` },
    { issuer: platform.baseUrl },
    { client_name: 'My assistant', token_endpoint_auth_method: 'none' },
  ])
})

test('what clients read first: RFC 9728 and RFC 8414 documents that name each other', async () => {
  const read = async (path: string) => JSON.parse(await (await fetch(`${platform.baseUrl}${path}`)).text())
  for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp']) {
    expect(await read(path)).toMatchObject({
      resource: `${platform.baseUrl}/mcp`,
      authorization_servers: [platform.baseUrl],
    })
  }
  expect(await read('/.well-known/oauth-authorization-server')).toMatchObject({
    issuer: platform.baseUrl,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
  })
  await eventually(
    async () => (await fetch(`${platform.baseUrl}/mcp`, { method: 'POST' })).status,
    status => status === 401,
  )
})
