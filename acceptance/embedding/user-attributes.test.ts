import { describe, expect, test } from 'vitest'
import { createKey, sharedApi, unique } from '../support/api.ts'
import { connect, expectRefusal } from '../support/contract-client.ts'

const api = sharedApi()
const admin = connect(api)
type Type = 'string' | 'number' | 'boolean' | 'string_array' | 'number_array'
const define = (type: Type = 'string', more = {}) =>
  admin.createUserAttribute({ body: { name: unique('attribute'), type, ...more } })
const newUser = async () => {
  const username = unique('user')
  return admin.createUser({ body: { email: `${username}@example.com`, username } })
}
const set = (userId: number, attributeId: number, value?: unknown) =>
  api.post('/api/v1/user-attribute-values', {
    userId: String(userId),
    userAttributeId: String(attributeId),
    ...(value === undefined ? {} : { value }),
  })

describe('user attributes', () => {
  test('are defined, found by name and type, changed in part, and deleted with their values', async () => {
    const made = await define('number', { displayName: 'Team', description: 'which', defaultValue: '5' })
    expect(made).toMatchObject({ type: 'number', displayName: 'Team', description: 'which', defaultValue: '5' })
    const list = await admin.getUserAttributes({ query: { name: made.name } })
    expect([list.items, list.data, list.count]).toEqual([[made], [made], 1])
    expect((await admin.getUserAttributes({ query: { name: made.name, type: 'string' } })).items).toEqual([])
    const params = { id: made.id }
    const changed = await admin.updateUserAttribute({ params, body: { displayName: 'Squad', description: null } })
    expect(changed).toEqual({ ...made, displayName: 'Squad', description: null })
    const user = await newUser()
    await set(user.id, made.id, 7)
    expect((await api.delete(`/api/v1/user-attributes/${made.id}`)).status).toBe(204)
    await expectRefusal(admin.updateUserAttribute({ params, body: {} }), 'user_attribute_not_found')
    const values = await admin.getUserAttributeValues({ params: { userId: user.id } })
    expect(values.map(({ name }) => name)).not.toContain(made.name)
  })

  test('are listed newest first; count is of all, whatever the page; offset and cursor see the same list', async () => {
    const [one, two, three] = [await define('boolean'), await define('boolean'), await define('boolean')]
    const query = { type: 'boolean' as const }
    const page = await admin.getUserAttributes({ query: { ...query, first: 2 } })
    expect(page.items).toEqual([three, two])
    expect(page.count).toBeGreaterThanOrEqual(3)
    const rest = await admin.getUserAttributes({ query: { ...query, first: 1, after: page.pageInfo.endCursor ?? '' } })
    expect(rest.items).toEqual([one])
    const window = await admin.getUserAttributes({ query: { ...query, offset: 1, limit: 2 } })
    expect([window.items, window.data]).toEqual([
      [two, one],
      [two, one],
    ])
  })

  test('racing for one name make one, and the others are 409', async () => {
    const name = unique('race')
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, () => admin.createUserAttribute({ body: { name, type: 'string' } })),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await expectRefusal(admin.createUserAttribute({ body: { name, type: 'number' } }), 'name_taken', /user attribute/)
  })

  test.each([
    [{ name: '' }],
    [{ name: 'constructor' }],
    [{ name: '__proto__' }],
    [{ type: 'date' }],
    [{ type: 'number', defaultValue: 'five' }],
    [{ type: 'string_array', defaultValue: 'a,b' }],
    [{ type: 'number_array', defaultValue: '["1"]' }],
    [{ type: 'boolean', defaultValue: '1' }],
  ])('of %j are refused', async wrong => {
    const answer = await api.post('/api/v1/user-attributes', { name: unique('bad'), type: 'string', ...wrong })
    expect(answer.status).toBe(400)
  })

  test('keep name and type, and a default of their type', async () => {
    const { id } = await define('number')
    expect((await api.put(`/api/v1/user-attributes/${id}`, { type: 'string' })).status).toBe(400)
    expect((await api.put(`/api/v1/user-attributes/${id}`, { name: 'other' })).status).toBe(400)
    const call = admin.updateUserAttribute({ params: { id }, body: { defaultValue: 'x' } })
    await expectRefusal(call, 'attribute_default_invalid')
  })
})

describe('user attribute values', () => {
  test.each([
    ['string', 'a', 'a'],
    ['number', 1.5, '1.5'],
    ['boolean', false, 'false'],
    ['string_array', ['a', 'b'], 'a, b'],
    ['string_array', [], ''],
    ['number_array', [1, 2], '1, 2'],
  ] as const)('of type %s: %j is kept, overwritten, and cleared by null', async (type, value, formattedValue) => {
    const [user, attribute] = [await newUser(), await define(type, { displayName: 'Shown' })]
    const expected = {
      userId: user.id,
      userAttributeId: attribute.id,
      name: attribute.name,
      type,
      displayName: 'Shown',
    }
    for (let time = 0; time < 2; time++) {
      expect((await set(user.id, attribute.id, value)).body).toMatchObject({ ...expected, value, formattedValue })
    }
    const read = async () =>
      (await admin.getUserAttributeValues({ params: { userId: user.id } })).find(({ name }) => name === attribute.name)
    expect(await read()).toMatchObject({ ...expected, value, formattedValue })
    expect((await set(user.id, attribute.id)).body).toMatchObject({ value })
    expect((await set(user.id, attribute.id, null)).body).toMatchObject({ value: null, formattedValue: null })
    expect(await read()).toMatchObject({ ...expected, value: null })
  })

  test.each([
    ['string', 1, /takes a string or null, not a number/],
    ['number', '1', /takes a number or null, not a string/],
    ['boolean', 'true', /takes a boolean/],
    ['string_array', 'a', /takes a string_array/],
    ['string_array', ['a', 1], /array of string and number/],
    ['number_array', ['1'], /array of string/],
    ['number', 2 ** 53, /exactly/],
    ['number_array', [1, 2 ** 60], /exactly/],
  ] as const)('of type %s refuse %j, naming attribute and type', async (type, value, message) => {
    const [user, attribute] = [await newUser(), await define(type)]
    const { status, body } = await set(user.id, attribute.id, value)
    expect([status, body.code]).toEqual([400, 'attribute_value_invalid'])
    expect(String(body.message)).toMatch(message)
    expect(String(body.message)).toContain(attribute.name)
  })

  test('are set for external users too, and reach what their sessions know of them', async () => {
    const attribute = await define('string_array')
    const { body: made } = await api.post('/build/api/v1/deployments', { name: unique('deployment') })
    const deploymentId = Number(made.id)
    const { sessionId } = await admin.generateSession({ body: { deploymentId, externalId: unique('ext') } })
    const { token } = await admin.postTokenBySessionId({ body: { sessionId } })
    const headers = { authorization: `Embed-Token ${token}` }
    const { body: me } = await api.request('GET', '/api/v1/users/me', undefined, headers)
    expect((await set(Number(me.id), attribute.id, ['north'])).status).toBe(200)
    const { body: answer } = await api.request('POST', `/api/v1/deployments/${deploymentId}/token`, {}, headers)
    const claims = JSON.parse(Buffer.from(String(answer.cubeApiToken).split('.')[1] ?? '', 'base64url').toString())
    expect(claims.cubeCloud.userAttributes[attribute.name]).toEqual(['north'])
  })

  test('of an unknown user or attribute are 404, and ids are texts of digits', async () => {
    const [user, attribute] = [await newUser(), await define()]
    expect((await set(987_654_321, attribute.id, 'x')).body.code).toBe('user_not_found')
    expect((await set(user.id, 987_654_321, 'x')).body.code).toBe('user_attribute_not_found')
    await expectRefusal(admin.getUserAttributeValues({ params: { userId: 987_654_321 } }), 'user_not_found')
    for (const userId of ['', 'x', '0', '1e3', '-1', '9'.repeat(30)]) {
      const body = { userId, userAttributeId: String(attribute.id), value: 'x' }
      expect((await api.post('/api/v1/user-attribute-values', body)).status, userId).toBe(400)
    }
  })

  test('are set by administrators alone; others read their own', async () => {
    const [user, attribute] = [await newUser(), await define()]
    const least = { policies: [{ resourceType: 'Report', actions: ['ReportRead'], resources: ['1'] }] }
    const limited = api.with(await createKey(api, least))
    const answer = await limited.post('/api/v1/user-attribute-values', {
      userId: String(user.id),
      userAttributeId: String(attribute.id),
      value: 'x',
    })
    expect(answer.body.code).toBe('admin_required')
    await expectRefusal(connect(limited).getUserAttributeValues({ params: { userId: user.id } }), 'admin_required')
    const { id } = await connect(limited).getMe({})
    const own = await connect(limited).getUserAttributeValues({ params: { userId: id } })
    expect(own.map(({ name }) => name)).toContain(attribute.name)
  })
})
