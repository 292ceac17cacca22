import { createHash, randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { createDataClient, rowsOf } from '../data-api/data-client.ts'
import { createProject, type ProjectFiles } from '../data-api/project.ts'
import { signHmac, unsigned } from '../data-api/tokens.ts'
import { type Api, createDeployment, createKey, eventually, sharedApi, unique } from '../support/api.ts'
import {
  claimsOf,
  dataClaims,
  type EmbedApi,
  exchange,
  generateSession,
  openSession,
  withToken,
} from '../support/embedding.ts'
import { ordersByTenant } from '../support/orders-of-two.ts'
import { createModeler, numbers, numbersPath } from '../support/project.ts'

const api = sharedApi()

const files: ProjectFiles = {
  'model/orders.yml': ordersByTenant('{ securityContext.company }'),
}

let deploymentId = 0
beforeAll(async () => {
  deploymentId = await createProject(api, files)
})

describe('a session', () => {
  test('goes from generate-session over its token to rows that its security context lets through', async () => {
    const externalId = unique('user')
    const sessionId = await generateSession(api, { deploymentId, externalId, securityContext: { company: 'red' } })
    expect(sessionId).toMatch(/^[0-9a-f]{64}$/)
    const { status, body } = await exchange(api, sessionId)
    expect(status).toBe(200)
    expect(claimsOf(String(body.token))).toMatchObject({ iss: 'cubecloud', deploymentId, externalId })
    const session = await openSession(api, { deploymentId, externalId, securityContext: { company: 'red' } })
    expect((await session.get('/api/v1/users/me')).body).toMatchObject({ externalId, isAdmin: false })
    const deployment = await session.get(`/api/v1/deployments/${deploymentId}`)
    expect(deployment.body).toMatchObject({ id: deploymentId, deploymentUrl: `${api.baseUrl}/data/${deploymentId}` })
    const token = await session.post(`/api/v1/deployments/${deploymentId}/token`)
    const data = await createDataClient(api, deploymentId)
    const answer = await data.load(
      { measures: ['orders.revenue'] },
      {},
      { authorization: String(token.body.cubeApiToken) },
    )
    expect(rowsOf(answer.body)).toEqual([{ 'orders.revenue': '30' }])
    expect(await dataClaims(session, deploymentId)).toMatchObject({
      company: 'red',
      cubeCloud: { username: externalId, externalId, groups: [], userAttributes: {} },
    })
  })
})

const newSession = () => generateSession(api, { deploymentId, externalId: unique('user') })
const open = (body: object = {}) => openSession(api, { deploymentId, externalId: unique('user'), ...body })
const statusOf = async (session: Api) => (await session.get('/api/v1/users/me')).status
const revoke = (sessionId: string, as: Api = api) => as.post('/api/v1/embed/session/revoke', { sessionId })

describe('a session id', () => {
  test('is 256 random bits, another one each time', async () => {
    const body = { deploymentId, externalId: unique('user') }
    const ids = await Promise.all(Array.from({ length: 20 }, () => generateSession(api, body)))
    expect(new Set(ids).size).toBe(20)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{64}$/)
  })

  test('is exchanged once: again is 401', async () => {
    const sessionId = await newSession()
    expect((await exchange(api, sessionId)).status).toBe(200)
    const again = await exchange(api, sessionId)
    expect([again.status, again.body.code]).toEqual([401, 'embed_session_spent'])
  })

  test('is exchanged once by twenty at once', async () => {
    const sessionId = await newSession()
    const answers = await Promise.all(Array.from({ length: 20 }, () => exchange(api, sessionId)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(19)
  })

  test.each([
    ['that is not known', randomBytes(32).toString('hex')],
    ['in capitals', 'A'.repeat(64)],
    ['that is no id', "' or 1=1 --"],
    ['of nothing', ''],
  ])('%s is 401', async (_, sessionId) => {
    const { status, body } = await exchange(api, sessionId)
    expect([status, body.code]).toEqual([401, 'embed_session_spent'])
  })

  test('is not its digest, which is all that is kept', async () => {
    const digest = createHash('sha256')
      .update(await newSession())
      .digest('hex')
    expect((await exchange(api, digest)).status).toBe(401)
  })

  test('is no credential, and a stray Authorization header does not matter to its exchange', async () => {
    const sessionId = await newSession()
    for (const authorization of [`Api-Key ${sessionId}`, `Bearer ${sessionId}`, `Embed-Token ${sessionId}`]) {
      const answer = await api.request('GET', '/api/v1/users/me', undefined, { authorization })
      expect(answer.status).toBe(401)
    }
    const headers = { authorization: 'Api-Key nonsense' }
    expect((await api.request('POST', '/api/v1/embed/session/token', { sessionId }, headers)).status).toBe(200)
  })

  test('is exchanged by bodies of 16 KiB at most', async () => {
    const { status, body } = await exchange(api, 'x'.repeat(20_000))
    expect([status, body.message]).toEqual([413, expect.stringContaining('16 KiB')])
  })
})

describe('revoking a session', () => {
  test('before its exchange: it can no longer be exchanged', async () => {
    const sessionId = await newSession()
    const { status, body } = await revoke(sessionId)
    expect([status, body]).toEqual([204, {}])
    expect((await exchange(api, sessionId)).status).toBe(401)
  })

  test('after its exchange: its token is refused from then on, and what it was renewed to', async () => {
    const sessionId = await newSession()
    const { body } = await exchange(api, sessionId)
    const session = withToken(api, String(body.token))
    const renewed = withToken(api, String((await session.post('/api/v1/embed/session/renew')).body.token))
    expect([await statusOf(session), await statusOf(renewed)]).toEqual([200, 200])
    await revoke(sessionId)
    expect([await statusOf(session), await statusOf(renewed)]).toEqual([401, 401])
    expect((await session.post('/api/v1/embed/session/renew')).status).toBe(401)
    expect((await session.post(`/api/v1/deployments/${deploymentId}/token`)).status).toBe(401)
  })

  test('is 204 also where it is unknown or revoked before, and 400 where it is no id', async () => {
    const sessionId = await newSession()
    for (const id of [sessionId, sessionId, randomBytes(32).toString('hex'), randomBytes(16).toString('hex')]) {
      expect((await revoke(id)).status).toBe(204)
    }
    expect((await revoke('x')).status).toBe(400)
  })

  test('is for a key that reaches its deployment', async () => {
    const sessionId = await newSession()
    const elsewhere = api.with(await createKey(api, { deploymentIds: [await createDeployment(api)] }))
    expect((await revoke(sessionId, elsewhere)).status).toBe(403)
    expect((await exchange(api, sessionId)).status).toBe(200)
    const scoped = api.with(await createKey(api, { deploymentIds: [deploymentId] }))
    expect((await revoke(sessionId, scoped)).status).toBe(204)
  })

  test('is not for the session itself', async () => {
    const sessionId = await newSession()
    const session = withToken(api, String((await exchange(api, sessionId)).body.token))
    expect((await revoke(sessionId, session)).body.code).toBe('embed_session_refused')
  })
})

describe('an embed token', () => {
  let session: EmbedApi
  beforeAll(async () => {
    session = await open({ userProfile: { displayName: 'Ann' }, settings: { allowAi: false, showAiWidgets: null } })
  })

  test('ends 24 hours after its exchange and says whose it is', async () => {
    const claims = claimsOf(session.token)
    expect(Number(claims.exp) - Number(claims.iat)).toBe(86_400)
    expect(claims).toMatchObject({
      iss: 'cubecloud',
      deploymentId,
      userProfile: { displayName: 'Ann' },
      settings: { allowAi: false },
      creatorMode: false,
      embedTenant: null,
    })
    expect(Object(claims.settings)).not.toHaveProperty('showAiWidgets')
  })

  test('keeps the security context from who holds it', async () => {
    const secret = unique('secret')
    const { token } = await open({ securityContext: { secret } })
    expect(JSON.stringify(claimsOf(token))).not.toContain(secret)
  })

  test('is renewed for the same session, and goes on being valid itself', async () => {
    const { status, body } = await session.post('/api/v1/embed/session/renew')
    expect(status).toBe(200)
    const renewed = withToken(api, String(body.token))
    expect(claimsOf(renewed.token).sid).toBe(claimsOf(session.token).sid)
    expect([await statusOf(renewed), await statusOf(session)]).toEqual([200, 200])
    expect((await api.post('/api/v1/embed/session/renew')).body.code).toBe('embed_session_required')
  })

  test.each(['Embed-Token', 'embed-token', 'EMBED-TOKEN'])('is sent as "Authorization: %s <token>"', async scheme => {
    const headers = { authorization: `${scheme} ${session.token}` }
    expect((await api.request('GET', '/api/v1/users/me', undefined, headers)).status).toBe(200)
  })

  test.each(['Bearer', 'Api-Key', 'Basic'])('is not taken as %s', async scheme => {
    const headers = { authorization: `${scheme} ${session.token}` }
    expect((await api.request('GET', '/api/v1/users/me', undefined, headers)).status).toBe(401)
  })

  test('an API key is none', async () => {
    expect(await statusOf(withToken(api, api.apiKey))).toBe(401)
  })

  describe('is refused with 401', () => {
    const parts = () => {
      const [header = '', payload = '', signature = ''] = session.token.split('.')
      return { header, payload, signature, head: JSON.parse(Buffer.from(header, 'base64url').toString()) }
    }
    const now = () => Math.floor(Date.now() / 1000)
    const claims = (): Record<string, unknown> => claimsOf(session.token)
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

    test.each<[string, () => string]>([
      ['unsigned, alg none', () => unsigned(claims(), 'none')],
      ['unsigned, alg None', () => unsigned(claims(), 'None')],
      ['unsigned with its own header', () => `${parts().header}.${parts().payload}.`],
      ['signed with another secret', () => signHmac(claims(), 'another secret', parts().head)],
      ['signed with an empty secret', () => signHmac(claims(), '', parts().head)],
      ['signed with its key id as the secret', () => signHmac(claims(), String(parts().head.kid), parts().head)],
      ['signed with the API key', () => signHmac(claims(), api.apiKey, parts().head)],
      [
        'of another algorithm',
        () => `${encode({ ...parts().head, alg: 'HS512' })}.${parts().payload}.${parts().signature}`,
      ],
      ['of RS256', () => `${encode({ ...parts().head, alg: 'RS256' })}.${parts().payload}.${parts().signature}`],
      ['with a changed session', () => `${parts().header}.${encode({ ...claims(), sid: '1' })}.${parts().signature}`],
      ['with a later end', () => `${parts().header}.${encode({ ...claims(), exp: now() + 1e6 })}.${parts().signature}`],
      [
        'with another key id',
        () => `${encode({ ...parts().head, kid: '0'.repeat(32) })}.${parts().payload}.${parts().signature}`,
      ],
      [
        'with a key id that is a path',
        () => `${encode({ ...parts().head, kid: '../../secret.key' })}.${parts().payload}.${parts().signature}`,
      ],
      [
        'with a key of its own',
        () => signHmac(claims(), 'mine', { ...parts().head, jwk: { kty: 'oct', k: 'bWluZQ' } }),
      ],
      ['with an address of keys', () => signHmac(claims(), 'mine', { ...parts().head, jku: 'http://127.0.0.1:1/' })],
      [
        'without a key id',
        () => `${encode({ alg: 'HS256', typ: 'embed+jwt' })}.${parts().payload}.${parts().signature}`,
      ],
      ['of another type', () => `${encode({ ...parts().head, typ: 'JWT' })}.${parts().payload}.${parts().signature}`],
      ['without a signature', () => `${parts().header}.${parts().payload}`],
      ['cut off', () => session.token.slice(0, -4)],
      ['of one part', () => 'abc'],
      ['of dots', () => '...'],
      [
        'with a session that is no number',
        () => `${parts().header}.${encode({ ...claims(), sid: "1' or '1'='1" })}.${parts().signature}`,
      ],
    ])('%s', async (_, make) => {
      const answer = await withToken(api, make()).get('/api/v1/users/me')
      expect([answer.status, answer.body.code]).toEqual([401, 'not_authenticated'])
    })

    test('signed with the secret of the deployment, as its data tokens are', async () => {
      const { body } = await session.post(`/api/v1/deployments/${deploymentId}/token`)
      expect(await statusOf(withToken(api, String(body.cubeApiToken)))).toBe(401)
    })
  })

  test('is none of the data API', async () => {
    const data = await createDataClient(api, deploymentId)
    const { status } = await data.post(
      'load',
      { query: { measures: ['orders.count'] } },
      { authorization: session.token },
    )
    expect(status).toBe(403)
  })

  test('opens its own deployment and what is for embed sessions, nothing else', async () => {
    const other = await createDeployment(api)
    for (const [method, path, code] of [
      ['GET', '/api/v1/users', 'embed_session_refused'],
      ['GET', '/api/v1/deployments', 'embed_session_refused'],
      ['GET', '/api/v1/regions', 'embed_session_refused'],
      ['GET', '/api/v1/api-keys', 'admin_required'],
      ['POST', '/api/v1/embed/secret/rotate', 'admin_required'],
      ['GET', `/api/v1/deployments/${other}`, 'deployment_out_of_scope'],
      ['POST', `/api/v1/deployments/${other}/token`, 'deployment_out_of_scope'],
      ['GET', `/api/v1/deployments/${deploymentId}/settings`, 'permission_missing'],
      ['GET', `/api/v1/deployments/${deploymentId}/env-vars`, 'permission_missing'],
      ['GET', `/api/v1/deployments/${deploymentId}/environments`, 'permission_missing'],
      ['GET', `/build/api/v1/deployments/${deploymentId}/data-model/files`, 'permission_missing'],
      ['DELETE', `/api/v1/deployments/${deploymentId}`, 'permission_missing'],
    ] as const) {
      const answer = await session.request(method, path)
      expect([answer.status, answer.body.code], path).toEqual([403, code])
    }
    const clone = await fetch(`${api.baseUrl}/git/${deploymentId}/info/refs?service=git-upload-pack`, {
      headers: { authorization: `Embed-Token ${session.token}` },
    })
    expect(clone.status).not.toBe(200)
  })
})

describe('the data token of a session', () => {
  test('ends after 24 hours, or as asked for, and never after the session', async () => {
    const session = await open()
    const end = Number(claimsOf(session.token).exp)
    const claims = await dataClaims(session, deploymentId)
    expect(Number(claims.exp)).toBeLessThanOrEqual(end)
    expect(Number(claims.exp) - Number(claims.iat)).toBeGreaterThan(86_390)
    const short = await dataClaims(session, deploymentId, { expiresIn: 60 })
    expect(Number(short.exp) - Number(short.iat)).toBe(60)
    const brief = await open({ isEphemeral: true, ephemeralTtlSeconds: 100 })
    const { exp, iat } = await dataClaims(brief, deploymentId)
    expect(Number(exp) - Number(iat)).toBeLessThanOrEqual(100)
  })

  test('is good for the branch of the session alone', async () => {
    const session = await open({ securityContext: { company: 'red' } })
    const modeler = await createModeler(api, deploymentId)
    const branch = await modeler.enter()
    const { body } = await session.post(`/api/v1/deployments/${deploymentId}/token`)
    const authorization = String(body.cubeApiToken)
    const data = await createDataClient(api, deploymentId)
    const query = { measures: ['orders.count'] }
    expect((await data.load(query, {}, { authorization })).status).toBe(200)
    expect((await data.load(query, {}, { authorization, branch })).status).toBe(403)
  })

  test('of a user of the account says his groups and attributes', async () => {
    const claims = await dataClaims(api, deploymentId)
    expect(claims.cubeCloud).toMatchObject({ email: 'admin@localhost', groups: [], userAttributes: {} })
  })
})

describe('a session for a branch', () => {
  test('asks the model of that branch, at the address that its deployment answers', async () => {
    const modeler = await createModeler(api)
    const params = { deploymentId: modeler.deploymentId }
    await modeler.client.createBranch({ params, body: { name: 'next' } })
    const body = { ...params, externalId: unique('user'), branchName: 'next' }
    const unserved = await api.post('/api/v1/embed/generate-session', body)
    expect([unserved.status, unserved.body.code]).toEqual([400, 'branch_not_served'])
    const own = await modeler.enter('next')
    await modeler.write({ [numbersPath]: numbers('sum') })
    const session = await openSession(api, { ...body, branchName: own })
    const { deploymentUrl } = (await session.get(`/api/v1/deployments/${modeler.deploymentId}`)).body
    expect(deploymentUrl).toBe(`${api.baseUrl}/data/${modeler.deploymentId}/dev-mode/${own}`)
    const token = await session.post(`/api/v1/deployments/${modeler.deploymentId}/token`)
    const authorization = String(token.body.cubeApiToken)
    const data = await createDataClient(api, modeler.deploymentId)
    const query = { measures: ['numbers.sum'] }
    expect(rowsOf((await data.load(query, {}, { authorization, branch: own })).body)).toEqual([{ 'numbers.sum': '12' }])
    expect((await data.load(query, {}, { authorization })).status).toBe(403)
    await modeler.client.setBranchStagingEnvironment({ params, body: { branchName: 'next', enabled: true } })
    await openSession(api, body)
    const main = await openSession(api, { ...body, branchName: 'main' })
    expect((await main.get(`/api/v1/deployments/${modeler.deploymentId}`)).body.deploymentUrl).not.toContain('dev-mode')
  })
})

describe('an ephemeral user', () => {
  test('is refused when his time is over, then removed, and comes again as another', async () => {
    const externalId = unique('brief')
    const body = { externalId, isEphemeral: true, ephemeralTtlSeconds: 2 }
    const session = await open(body)
    const { id } = (await session.get('/api/v1/users/me')).body
    expect(await statusOf(session)).toBe(200)
    await eventually(
      () => statusOf(session),
      status => status === 401,
      5_000,
    )
    const again = await open({ ...body, ephemeralTtlSeconds: 600 })
    const other = (await again.get('/api/v1/users/me')).body
    expect(other.id).not.toBe(id)
    const gone = unique('gone')
    await open({ ...body, externalId: gone })
    await eventually(
      async () => Object.keys((await api.get(`/api/v1/users?search=${gone}`)).body.items ?? {}).length,
      count => count === 0,
      45_000,
    )
  })

  test('stays when he is told to, and one who stays does not become one', async () => {
    const externalId = unique('kept')
    await open({ externalId, isEphemeral: true, ephemeralTtlSeconds: 2 })
    await open({ externalId, isEphemeral: false })
    const session = await open({ externalId, isEphemeral: true, ephemeralTtlSeconds: 1 })
    await new Promise(resolve => setTimeout(resolve, 2_500))
    expect(await statusOf(session)).toBe(200)
  })
})
