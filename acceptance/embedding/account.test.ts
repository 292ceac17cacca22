import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type Api, createApi, createDeployment, type Json, unique } from '../support/api.ts'
import { dataClaims, exchange, generateSession, openSession, uniqueTenant, withToken } from '../support/embedding.ts'
import { type RunningPlatform, startPlatform } from '../support/start-platform.ts'

/** A platform of its own: what is tried here holds for a whole account. */
let platform: RunningPlatform
let api: Api
let deploymentId = 0
beforeAll(async () => {
  platform = await startPlatform()
  api = createApi(platform.baseUrl, platform.apiKey)
  deploymentId = await createDeployment(api)
})
afterAll(() => platform?.dispose())

const path = '/api/v1/embed/generate-session'
const post = (body: object) => api.post(path, { deploymentId, ...body })
const set = async (settings: object) => {
  const { status, body } = await api.put('/api/v1/tenant/settings', settings)
  if (status !== 200) throw new Error(JSON.stringify(body))
}
const itemsOf = ({ body }: Answer): readonly Json[] => Object.values(body.items ?? {}).map(item => Object(item))
const externalUsers = async (search: string) => itemsOf(await api.get(`/api/v1/users?search=${search}`))
const statuses = (answers: readonly Answer[]) =>
  Object.groupBy(answers, ({ status, body }) => (status === 200 ? '200' : `${status} ${body.code}`))
const countOf = (answers: readonly Answer[]) =>
  Object.fromEntries(Object.entries(statuses(answers)).map(([status, list]) => [status, list?.length]))
const many = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))

describe('racing requests', () => {
  test('for one new user, tenant, group and attribute make one row of each', async () => {
    const [externalId, embedTenantName] = [unique('racer'), uniqueTenant()]
    const names = ['a', 'b', 'c', 'd']
    const answers = await many(40, index => {
      // In every order, which would have requests wait for each other in a circle if they did not agree on one.
      const order = index % 2 === 0 ? names : [...names].reverse()
      return post({
        externalId: index % 3 === 0 ? externalId.toUpperCase() : externalId,
        embedTenantName,
        creatorMode: true,
        groupDefinitions: order.map(name => ({ name, description: `by ${index}` })),
        userAttributeDefinitions: order.map(name => ({ name, type: 'number', displayName: `by ${index}` })),
        groups: order,
        userAttributes: order.map(name => ({ name, value: index })),
      })
    })
    expect(countOf(answers)).toEqual({ 200: 40 })
    expect(await externalUsers(externalId)).toHaveLength(1)
    const tenant = `/api/v1/embed-tenants/${embedTenantName}`
    const groups = itemsOf(await api.get(`${tenant}/groups`))
    expect(groups.map(({ name }) => name).sort()).toEqual(names)
    const attributes = itemsOf(await api.get(`${tenant}/user-attributes`))
    expect(attributes.map(({ name }) => name).sort()).toEqual(names)
    const session = await openSession(api, { deploymentId, externalId, embedTenantName, creatorMode: true })
    const { userAttributes } = Object((await dataClaims(session, deploymentId)).cubeCloud)
    // Values of one request, not a mixture of several.
    expect(new Set(Object.values(userAttributes)).size).toBe(1)
  })

  test('that replace the groups of one user leave those of one of them', async () => {
    const who = { externalId: unique('racer'), embedTenantName: uniqueTenant(), creatorMode: true }
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    await post({ ...who, groupDefinitions: names.map(name => ({ name })) })
    const sets = [['a', 'b'], ['c', 'd'], ['e', 'f'], []]
    const answers = await many(24, index => post({ ...who, groups: sets[index % sets.length] }))
    expect(countOf(answers)).toEqual({ 200: 24 })
    const session = await openSession(api, { deploymentId, ...who })
    const { groups } = Object((await dataClaims(session, deploymentId)).cubeCloud)
    const left = Object.values<string>(groups).map(name => name.split(':').at(-1))
    expect(sets).toContainEqual(left)
  })

  test('that define one attribute by two types: one type holds, the others are told so', async () => {
    const embedTenantName = uniqueTenant()
    const answers = await many(20, index =>
      post({
        externalId: unique('racer'),
        embedTenantName,
        creatorMode: true,
        userAttributeDefinitions: [{ name: 'thing', type: index % 2 === 0 ? 'string' : 'number' }],
      }),
    )
    expect(countOf(answers)).toEqual({ 200: 10, '400 attribute_type_immutable': 10 })
    expect(itemsOf(await api.get(`/api/v1/embed-tenants/${embedTenantName}/user-attributes`))).toHaveLength(1)
  })
})

describe('the limit of external users', () => {
  test('is exact under racing requests, holds nobody up who is known, and counts tenants in', async () => {
    const known = unique('known')
    await generateSession(api, { deploymentId, externalId: known })
    const before = itemsOf(await api.get('/api/v1/users?first=1000')).filter(
      ({ externalId }) => externalId !== null,
    ).length
    await set({ externalUserLimit: before + 7 })
    const prefix = unique('limit')
    const answers = await many(30, index => {
      const embedTenantName = index % 2 === 0 ? uniqueTenant() : null
      return post({ externalId: `${prefix}-${index % 15}`, embedTenantName })
    })
    expect(countOf(answers)).toEqual({ 200: 7, '429 external_user_limit': 23 })
    expect(await externalUsers(prefix)).toHaveLength(7)
    expect((await post({ externalId: known })).status).toBe(200)
    const refused = await post({ externalId: unique('one-more') })
    expect([refused.status, refused.body.message]).toEqual([429, expect.stringContaining(String(before + 7))])
    expect(platform.output()).toContain('80 % of its')
    await set({ externalUserLimit: null })
    expect((await post({ externalId: unique('one-more') })).status).toBe(200)
  })
})

describe('where the account', () => {
  test('has embedding switched off, nothing of it works, until it is switched on again', async () => {
    const session = await openSession(api, { deploymentId, externalId: unique('user') })
    const sessionId = await generateSession(api, { deploymentId, externalId: unique('user') })
    await set({ embeddingEnabled: false })
    const refused = [
      await post({ externalId: 'x' }),
      await exchange(api, sessionId),
      await api.post('/api/v1/embed/session/revoke', { sessionId }),
    ]
    for (const { status, body } of refused) expect([status, body.code]).toEqual([403, 'embedding_disabled'])
    expect((await session.get('/api/v1/users/me')).status).toBe(401)
    await set({ embeddingEnabled: true })
    expect((await exchange(api, sessionId)).status).toBe(200)
    expect((await session.get('/api/v1/users/me')).status).toBe(200)
  })

  test('has useCreatorMode switched off, creator mode and definitions are refused', async () => {
    const body = { externalId: unique('user'), embedTenantName: uniqueTenant(), creatorMode: true }
    const creator = await openSession(api, { deploymentId, ...body })
    const reader = await openSession(api, { deploymentId, ...body, creatorMode: false })
    await set({ useCreatorMode: false })
    for (const more of [{}, { groupDefinitions: [{ name: 'a' }] }]) {
      const { status, body: answer } = await post({ ...body, ...more })
      expect([status, answer.code]).toEqual([403, 'creator_mode_disabled'])
    }
    expect((await creator.get('/api/v1/users/me')).status).toBe(401)
    expect((await reader.get('/api/v1/users/me')).status).toBe(200)
    await set({ useCreatorMode: true })
    expect((await creator.get('/api/v1/users/me')).status).toBe(200)
  })
})

describe('the embed secret', () => {
  test('that is rotated signs no more; what it signed stays valid, unless it is revoked', async () => {
    const open = () => openSession(api, { deploymentId, externalId: unique('user') })
    const status = async (session: Api) => (await session.get('/api/v1/users/me')).status
    const first = await open()
    const { body: rotated } = await api.post('/api/v1/embed/secret/rotate')
    const second = await open()
    const kid = (token: string) => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid
    expect(kid(second.token)).toBe(rotated.secretId)
    expect(kid(first.token)).not.toBe(rotated.secretId)
    expect([await status(first), await status(second)]).toEqual([200, 200])
    await api.post('/api/v1/embed/secret/rotate', { revokeExisting: true })
    expect([await status(first), await status(second), await status(await open())]).toEqual([401, 401, 200])
  })

  test('is one, however many sessions are exchanged at once after a rotation', async () => {
    const rotations = await many(8, () => api.post('/api/v1/embed/secret/rotate', {}))
    expect(countOf(rotations)).toEqual({ 200: 8 })
    const sessions = await many(8, () => openSession(api, { deploymentId, externalId: unique('user') }))
    for (const session of sessions) expect((await session.get('/api/v1/users/me')).status).toBe(200)
  })
})

test('a restart ends no session, neither one that waits for its exchange', async () => {
  const externalId = unique('user')
  const waiting = await generateSession(api, { deploymentId, externalId })
  const { token } = await openSession(api, { deploymentId, externalId })
  await platform.stop()
  const { dataDirectory, database } = platform
  const restarted = await startPlatform({
    dataDirectory,
    database,
    environment: { HEDRON_BOOTSTRAP_API_KEY: platform.apiKey },
  })
  try {
    expect((await withToken(restarted, token).get('/api/v1/users/me')).body).toMatchObject({ externalId })
    expect((await exchange(restarted, waiting)).status).toBe(200)
  } finally {
    await restarted.stop()
  }
})
