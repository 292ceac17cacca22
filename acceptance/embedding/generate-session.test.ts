import { createServer } from 'node:http'
import { beforeAll, describe, expect, test } from 'vitest'
import { createDeployment, createKey, type Json, sharedApi, unique } from '../support/api.ts'
import { dataClaims, exchange, generateSession, openSession, uniqueTenant } from '../support/embedding.ts'

const api = sharedApi()
const path = '/api/v1/embed/generate-session'
const administrator = 'admin@localhost'

let deploymentId = 0
beforeAll(async () => {
  deploymentId = await createDeployment(api)
})

const post = (body: object) => api.post(path, { deploymentId, ...body })

async function expectRefused(body: object, code: string, message: RegExp): Promise<void> {
  const answer = await post(body)
  expect([answer.status, answer.body.code], JSON.stringify(answer.body)).toEqual([400, code])
  expect(answer.body.message).toMatch(message)
}

const cloudOf = async (body: object): Promise<Json> => {
  const claims = await dataClaims(await openSession(api, { deploymentId, ...body }), deploymentId)
  return Object(claims.cubeCloud)
}

describe('who a session is for', () => {
  test.each([
    ['neither externalId nor internalId', {}],
    ['both', { externalId: 'a', internalId: administrator }],
    ['both null', { externalId: null, internalId: null }],
  ])('%s is refused: exactly one of them', (_, body) =>
    expectRefused(body, 'invalid_request', /externalId, internalId: exactly one/),
  )

  test('externalId is trimmed and put in lower case: ids that differ in case are one user', async () => {
    const id = unique('Ünïcode É')
    const ids = [id, ` ${id.toUpperCase()}\t`, id.toLowerCase().normalize('NFD')]
    const users = []
    for (const externalId of ids) {
      users.push((await (await openSession(api, { deploymentId, externalId })).get('/api/v1/users/me')).body)
    }
    expect(new Set(users.map(user => user.id)).size).toBe(1)
    expect(users[0]?.externalId).toBe(id.toLowerCase().normalize('NFC'))
  })

  test.each([
    ['nothing', ''],
    ['blanks alone', ' \t '],
    ['a control character', 'a\u0007b'],
    ['a zero-width space', 'a\u200bb'],
    ['a zero-width joiner', 'a\u200db'],
    ['an override of direction', 'a\u202eb'],
    ['a soft hyphen', 'a\u00adb'],
    ['a Hangul filler', 'a\u3164b'],
    ['256 characters', 'x'.repeat(256)],
  ])('externalId of %s is refused', (_, externalId) =>
    expectRefused({ externalId }, 'invalid_request', /^externalId: must not/),
  )

  test('the same externalId in the account and in an embed tenant are two users', async () => {
    const externalId = unique('user')
    const one = await openSession(api, { deploymentId, externalId })
    const other = await openSession(api, { deploymentId, externalId, embedTenantName: uniqueTenant() })
    const ids = await Promise.all([one, other].map(async session => (await session.get('/api/v1/users/me')).body.id))
    expect(new Set(ids).size).toBe(2)
  })

  test('internalId names an internal user, whose permissions apply on that deployment and nowhere else', async () => {
    const session = await openSession(api, { deploymentId, internalId: administrator.toUpperCase() })
    const me = (await session.get('/api/v1/users/me')).body
    expect(me).toMatchObject({ username: administrator, isAdmin: false, externalId: null })
    expect((await session.get(`/api/v1/deployments/${deploymentId}/settings`)).status).toBe(200)
    const other = await createDeployment(api)
    expect((await session.get(`/api/v1/deployments/${other}`)).body.code).toBe('deployment_out_of_scope')
    expect((await session.get('/api/v1/api-keys')).body.code).toBe('admin_required')
    const again = await session.post(path, { deploymentId, externalId: 'x' })
    expect([again.status, again.body.code]).toEqual([403, 'embed_session_refused'])
  })

  test('internalId that nobody has, or an external user has, is not found', async () => {
    const externalId = unique('external')
    await generateSession(api, { deploymentId, externalId })
    for (const internalId of ['nobody@nowhere.example', externalId]) {
      const answer = await post({ internalId })
      expect([answer.status, answer.body.code]).toEqual([404, 'internal_user_not_found'])
    }
  })

  test.each([
    ['email', 'a@b.example'],
    ['userProfile', { displayName: 'x' }],
    ['userAttributes', []],
    ['groups', []],
    ['tenantGroups', []],
    ['userAttributeDefinitions', []],
    ['groupDefinitions', []],
    ['tenantGroupDefinitions', []],
    ['securityContext', {}],
    ['isEphemeral', true],
  ])('%s is not allowed with internalId', (field, value) =>
    expectRefused(
      { internalId: administrator, [field]: value },
      'invalid_request',
      new RegExp(`^${field}: not allowed`),
    ),
  )

  test('every optional field may be null', async () => {
    const nothing = Object.fromEntries(
      [
        ...['internalId', 'email', 'userProfile', 'embedTenantName', 'embedTenantProfile', 'creatorMode', 'groups'],
        ...['userAttributes', 'tenantGroups', 'userAttributeDefinitions', 'groupDefinitions', 'securityContext'],
        ...[
          'tenantGroupDefinitions',
          'settings',
          'embedTheme',
          'branchName',
          'publicDashboardId',
          'roles',
          'isEphemeral',
        ],
      ].map(name => [name, null]),
    )
    await generateSession(api, { deploymentId, externalId: unique('user'), ...nothing })
  })
})

describe('who may generate one', () => {
  test('a key scoped to the deployment, and to others is 403', async () => {
    const body = { deploymentId, externalId: unique('user') }
    const scoped = api.with(await createKey(api, { deploymentIds: [deploymentId] }))
    expect((await scoped.post(path, body)).status).toBe(200)
    const elsewhere = api.with(await createKey(api, { deploymentIds: [await createDeployment(api)] }))
    const answer = await elsewhere.post(path, body)
    expect([answer.status, answer.body.code]).toEqual([403, 'deployment_out_of_scope'])
  })

  test('a key that is no administrator on the deployment is 403', async () => {
    const policies = [{ resourceType: 'Deployment', actions: ['DeploymentRead'], resources: ['All'] }]
    const reader = api.with(await createKey(api, { policies }))
    const answer = await reader.post(path, { deploymentId, externalId: 'x' })
    expect([answer.status, answer.body.code]).toEqual([403, 'permission_missing'])
  })

  test('a deployment that is not there is 404', async () => {
    expect((await api.post(path, { deploymentId: 987_654_321, externalId: 'x' })).body.code).toBe(
      'deployment_not_found',
    )
  })
})

describe('the profile of an external user', () => {
  const me = async (body: object) =>
    (await (await openSession(api, { deploymentId, ...body })).get('/api/v1/users/me')).body

  test('is stored, kept where it is left out, and overwritten where it is sent', async () => {
    const externalId = unique('user')
    const picture = 'https://pictures.example/a.png?x=1#y'
    const first = { displayName: '<script>alert(1)</script>', picture }
    const email = 'one@example.com'
    expect(await me({ externalId, email, userProfile: first })).toMatchObject({
      email,
      firstName: first.displayName,
      picture,
    })
    expect(await me({ externalId })).toMatchObject({ email, firstName: first.displayName, picture })
    expect(await me({ externalId, userProfile: { displayName: 'Two' } })).toMatchObject({
      email,
      firstName: 'Two',
      picture,
    })
    expect(await me({ externalId, email: 'two@example.com', userProfile: { displayName: null } })).toMatchObject({
      email: 'two@example.com',
      firstName: 'Two',
    })
  })

  test.each([
    '',
    'a.png',
    '//host/a.png',
    '/a.png',
    'ftp://host/a.png',
    'javascript:alert(1)',
    'data:image/png;base64,AA',
    'http:a',
    'https://',
  ])('picture %j is no absolute http(s) URL', picture =>
    expectRefused(
      { externalId: 'x', userProfile: { picture } },
      'invalid_request',
      /^userProfile.picture: must be an absolute/,
    ),
  )

  test('picture is not fetched, neither when it is given nor when it is shown', async () => {
    let fetched = 0
    const listener = createServer((_request, response) => {
      fetched += 1
      response.end()
    })
    await new Promise<void>(resolve => listener.listen(0, '127.0.0.1', resolve))
    const address = listener.address()
    const picture = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/me.png`
    expect(await me({ externalId: unique('user'), userProfile: { picture } })).toMatchObject({ picture })
    // Whoever fetched it in the background would have done so by now.
    await new Promise(resolve => setTimeout(resolve, 300))
    listener.close()
    expect(fetched).toBe(0)
    const nobody = 'http://127.0.0.1:1/nothing.png'
    expect(await me({ externalId: unique('user'), userProfile: { picture: nobody } })).toMatchObject({
      picture: nobody,
    })
  })

  test('two users may have one e-mail address', async () => {
    const email = 'shared@example.com'
    const users = [await me({ externalId: unique('user'), email }), await me({ externalId: unique('user'), email })]
    expect(users[0]?.id).not.toBe(users[1]?.id)
  })
})

describe('in creator mode', () => {
  const person = () => ({ externalId: unique('user'), embedTenantName: uniqueTenant(), creatorMode: true })
  const plan = { name: 'plan', type: 'string', defaultValue: 'free' }

  test('definitions are made first, and groups and attributes resolve to them', async () => {
    const who = person()
    const cloud = await cloudOf({
      ...who,
      groupDefinitions: [{ name: 'editors' }],
      tenantGroupDefinitions: [{ name: 'auditors', description: 'who look' }],
      userAttributeDefinitions: [plan, { name: 'seats', type: 'number' }, { name: 'regions', type: 'string_array' }],
      groups: ['editors'],
      tenantGroups: ['auditors'],
      userAttributes: [
        { name: 'seats', value: 7 },
        { name: 'regions', value: ['eu', 'us'] },
      ],
    })
    const prefix = `system:tenant:${who.embedTenantName}:group:`
    expect(cloud).toMatchObject({
      externalId: who.externalId,
      embedTenant: who.embedTenantName,
      groups: [`${prefix}auditors`, `${prefix}editors`],
      userAttributes: { plan: 'free', seats: 7, regions: ['eu', 'us'] },
    })
  })

  test('groups left out are kept, [] clears all, and a list replaces', async () => {
    const who = person()
    const groupDefinitions = ['a', 'b', 'c'].map(name => ({ name }))
    const groupsOf = async (body: object) =>
      Object.values(Object((await cloudOf({ ...who, ...body })).groups)).map(name => String(name).split(':').at(-1))
    expect(await groupsOf({ groupDefinitions, groups: ['a', 'b', 'a'] })).toEqual(['a', 'b'])
    expect(await groupsOf({})).toEqual(['a', 'b'])
    expect(await groupsOf({ groups: null })).toEqual(['a', 'b'])
    expect(await groupsOf({ groups: ['c', 'b'] })).toEqual(['b', 'c'])
    expect(await groupsOf({ groups: [] })).toEqual([])
  })

  test('values are kept, overwritten by name, and cleared by null, so that the default shows', async () => {
    const who = person()
    const attributes = async (body: object) => (await cloudOf({ ...who, ...body })).userAttributes
    const userAttributeDefinitions = [plan, { name: 'seats', type: 'number' }]
    const userAttributes = [
      { name: 'plan', value: 'paid' },
      { name: 'seats', value: 1 },
    ]
    expect(await attributes({ userAttributeDefinitions, userAttributes })).toEqual({ plan: 'paid', seats: 1 })
    expect(await attributes({})).toEqual({ plan: 'paid', seats: 1 })
    expect(await attributes({ userAttributes: [{ name: 'seats', value: 2.5 }] })).toEqual({ plan: 'paid', seats: 2.5 })
    expect(await attributes({ userAttributes: [{ name: 'plan', value: null }, { name: 'seats' }] })).toEqual({
      plan: 'free',
    })
  })

  test('the same request again has the same end', async () => {
    const body = {
      ...person(),
      groupDefinitions: [{ name: 'a', description: 'first' }],
      userAttributeDefinitions: [plan],
      groups: ['a'],
      userAttributes: [{ name: 'plan', value: 'x' }],
    }
    expect(await cloudOf(body)).toEqual(await cloudOf(body))
  })

  test('another type for an attribute is refused with "cannot change type", and nothing is upserted', async () => {
    const who = person()
    const never = unique('never')
    await generateSession(api, { deploymentId, ...who, userAttributeDefinitions: [plan] })
    const definitions = [
      { name: 'new', type: 'number' },
      { ...plan, type: 'number', defaultValue: '1' },
    ]
    await expectRefused(
      {
        ...who,
        externalId: never,
        groupDefinitions: [{ name: 'never' }],
        userAttributeDefinitions: definitions,
      },
      'attribute_type_immutable',
      /cannot change type/,
    )
    await expectRefused({ ...who, groups: ['never'] }, 'groups_not_found', /^Groups with names never not found/)
    const userAttributes = [{ name: 'new', value: 1 }]
    await expectRefused({ ...who, userAttributes }, 'user_attributes_not_found', /User attributes not found.*new/)
    const { body } = await api.get(`/api/v1/users?search=${never}`)
    expect(Object.values(body.items ?? {})).toEqual([])
  })

  test.each([
    ['groupDefinitions', [{ name: 'a' }, { name: 'a' }]],
    ['tenantGroupDefinitions', [{ name: 'a' }, { name: 'a', description: 'x' }]],
    ['userAttributeDefinitions', [plan, plan]],
  ])('a name twice in %s is refused', (field, definitions) =>
    expectRefused({ ...person(), [field]: definitions }, 'definition_duplicate', /more than once/),
  )

  test.each(['groupDefinitions', 'userAttributeDefinitions', 'tenantGroupDefinitions', 'tenantGroups'])(
    '%s needs creatorMode and embedTenantName',
    async field => {
      const value =
        field === 'tenantGroups'
          ? ['a']
          : [{ name: 'a', type: 'string' }].map(({ name, type }) => ({
              name,
              ...(field === 'userAttributeDefinitions' ? { type } : {}),
            }))
      const message = /needs "creatorMode": true and an embedTenantName/
      for (const body of [
        {},
        { creatorMode: true },
        { embedTenantName: uniqueTenant() },
        { creatorMode: false, embedTenantName: uniqueTenant() },
      ]) {
        await expectRefused({ externalId: 'x', ...body, [field]: value }, 'invalid_request', message)
      }
    },
  )

  test.each([
    ['string', 5, 'a number'],
    ['string', ['a'], 'an array of string'],
    ['number', '5', 'a string'],
    ['number', true, 'a boolean'],
    ['boolean', 'true', 'a string'],
    ['string_array', 'a', 'a string'],
    ['string_array', [1], 'an array of number'],
    ['number_array', ['1'], 'an array of string'],
  ])('a value of the wrong type for %s is refused, naming attribute and type: %j', (type, value, given) =>
    expectRefused(
      { ...person(), userAttributeDefinitions: [{ name: 'thing', type }], userAttributes: [{ name: 'thing', value }] },
      'attribute_value_invalid',
      new RegExp(`thing.*${type}.*${given}`),
    ),
  )

  test('a default that is none of its type is refused when it is defined', () =>
    expectRefused(
      { ...person(), userAttributeDefinitions: [{ name: 'n', type: 'number', defaultValue: 'many' }] },
      'attribute_default_invalid',
      /many/,
    ))

  test("a tenant's group is never known by the name of a group of the account", async () => {
    const cloud = await cloudOf({ ...person(), groupDefinitions: [{ name: 'admin' }], groups: ['admin'] })
    expect(Object.values(cloud.groups ?? {})).not.toContain('admin')
    await expectRefused({ ...person(), groupDefinitions: [{ name: 'system:x' }] }, 'group_name_reserved', /system:/)
  })

  test("groups of one tenant are not found in another's", async () => {
    const one = person()
    await generateSession(api, { deploymentId, ...one, groupDefinitions: [{ name: 'mine' }], groups: ['mine'] })
    await expectRefused({ ...person(), groups: ['mine'] }, 'groups_not_found', /Groups with names mine not found/)
  })
})

describe('in read-only mode', () => {
  const externalId = unique('user')

  test("names resolve to the account's groups and attributes, which reach the data token as they are called", async () => {
    const [group, other, attribute] = [unique('group'), unique('other'), unique('attribute')]
    for (const name of [group, other]) expect((await api.post('/api/v1/user-groups', { name })).status).toBe(200)
    const definition = { name: attribute, type: 'number_array', defaultValue: '[0]' }
    expect((await api.post('/api/v1/user-attributes', definition)).status).toBe(200)
    const who = { externalId: unique('user') }
    const rights = async (body: object) => {
      const cloud = await cloudOf({ ...who, ...body })
      return [Object.values(cloud.groups ?? {}), Object(cloud.userAttributes)[attribute]]
    }
    const first = { groups: [group], userAttributes: [{ name: attribute, value: [1, 2] }] }
    expect(await rights(first)).toEqual([[group], [1, 2]])
    expect(await rights({})).toEqual([[group], [1, 2]])
    expect(await rights({ groups: [other, group] })).toEqual([[group, other].sort(), [1, 2]])
    expect(await rights({ groups: [], userAttributes: [{ name: attribute, value: null }] })).toEqual([[], [0]])
    const userAttributes = [{ name: attribute, value: ['1'] }]
    await expectRefused({ ...who, groups: [group], userAttributes }, 'attribute_value_invalid', /number_array/)
    expect(await rights({}), 'nothing of the refused request was kept').toEqual([[], [0]])
    // In creator mode neither is there.
    await generateSession(api, { deploymentId, ...who, ...first })
    const tenant = { ...who, embedTenantName: uniqueTenant(), creatorMode: true }
    await expectRefused({ ...tenant, groups: [group] }, 'groups_not_found', /not found/)
    await expectRefused({ ...tenant, userAttributes: first.userAttributes }, 'user_attributes_not_found', /not found/)
  })

  test('an attribute that the account does not have: User attributes not found', () =>
    expectRefused(
      { externalId, userAttributes: [{ name: 'no such', value: 1 }] },
      'user_attributes_not_found',
      /^User attributes not found.*no such/,
    ))

  test('groups that the account does not have: Groups with names <missing> not found', () =>
    expectRefused({ externalId, groups: ['no', 'such'] }, 'groups_not_found', /^Groups with names no, such not found/))

  test('groups that the platform made cannot be joined', () =>
    expectRefused({ externalId, groups: ['all_embed_users'] }, 'groups_not_found', /all_embed_users/))

  test('a refused request made no user', async () => {
    const { body } = await api.get(`/api/v1/users?search=${externalId}`)
    expect(Object.values(body.items ?? {})).toEqual([])
  })

  test('an attribute twice is refused', () =>
    expectRefused(
      {
        externalId,
        userAttributes: [
          { name: 'a', value: 1 },
          { name: 'a', value: 1 },
        ],
      },
      'attribute_duplicate',
      /more than once/,
    ))
})

describe('embedTenantName', () => {
  test.each([
    'abcd',
    'a'.repeat(37),
    '1abcd',
    '-abcd',
    'abcd-',
    'Abcde',
    'ab_cd',
    'äbcde',
    'ab cd',
    'abcde\n',
    'abc:de',
  ])('%j is refused', embedTenantName =>
    expectRefused({ externalId: 'x', embedTenantName }, 'invalid_request', /^embedTenantName: /),
  )

  test.each(['abcde', 'a'.repeat(36), 'a1-b2'])('%j is accepted', async embedTenantName => {
    await generateSession(api, { deploymentId, externalId: unique('x'), embedTenantName })
  })
})

describe('securityContext', () => {
  const context = async (securityContext: unknown) => {
    const { cubeCloud, iat, exp, ...rest } = await dataClaims(
      await openSession(api, { deploymentId, externalId: unique('user'), securityContext }),
      deploymentId,
    )
    expect([typeof cubeCloud, typeof iat, typeof exp]).toEqual(['object', 'number', 'number'])
    return rest
  }

  test('arrives in the data token as it was sent: numbers, text and depth', async () => {
    const given = {
      id: 9007199254740991,
      price: 0.1,
      tiny: 5e-324,
      text: '12345678901234567890',
      list: [1, '2', null, true, { deep: { deeper: ['x'] } }],
      'a key with "quotes"': { '': '' },
      sub: 'kept',
      groups: ['kept too'],
    }
    expect(await context(given)).toEqual(given)
  })

  test.each(['cubeCloud', 'iat', 'exp', 'nbf', 'jti', 'scope', 'u'])('cannot set %s of the token', name =>
    expectRefused(
      { externalId: 'x', securityContext: { [name]: 1 } },
      'invalid_request',
      new RegExp(`securityContext: ${name} cannot be set`),
    ),
  )

  test.each(['12345678901234567890', '1e400', '-9007199254740993'])(
    'number %s, which cannot be kept exactly, is refused',
    async number => {
      const body = `{"deploymentId":${deploymentId},"externalId":"x","securityContext":{"a":[{"b":${number}}]}}`
      const answer = await api.post(path, body)
      expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request'])
      expect(answer.body.message).toMatch(/too large to be kept exactly/)
    },
  )

  test('keys that pollute a prototype are inert at every depth', async () => {
    const securityContext =
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"a":[{"__proto__":{"polluted":1}}]}'
    const sent = await api.post(
      path,
      `{"deploymentId":${deploymentId},"externalId":"${unique('x')}","securityContext":${securityContext}}`,
    )
    expect(sent.status).toBe(200)
    const { body } = await exchange(api, String(sent.body.sessionId))
    const text = Buffer.from(String(body.token).split('.')[1] ?? '', 'base64url').toString()
    expect(text).not.toContain('__proto__')
    expect(Object('x').polluted).toBeUndefined()
  })

  test('of 5 MB is refused with 413, and one of a megabyte is not', async () => {
    const answer = await post({ externalId: unique('x'), securityContext: { a: 'x'.repeat(5_000_000) } })
    expect([answer.status, answer.body.code]).toEqual([413, 'security_context_too_large'])
    expect((await post({ externalId: unique('x'), securityContext: { a: 'x'.repeat(1_000_000) } })).status).toBe(200)
  })
})

describe('settings and looks', () => {
  test('settings have three states, and unknown ones are refused', async () => {
    const settings = {
      showDashboardChat: false,
      allowAi: true,
      showAiWidgets: null,
      locale: 'de-DE',
      timezone: 'nowhere',
    }
    await generateSession(api, { deploymentId, externalId: unique('x'), settings })
    await expectRefused({ externalId: 'x', settings: { showEverything: true } }, 'invalid_request', /showEverything/)
    await expectRefused(
      { externalId: 'x', settings: { showDashboardChat: 'no' } },
      'invalid_request',
      /settings.showDashboardChat/,
    )
    await expectRefused({ externalId: 'x', embedTheme: { colour: 'red' } }, 'invalid_request', /colour/)
  })

  test('a branch that is not there is 404', async () => {
    const branch = await post({ externalId: 'x', branchName: 'no-such' })
    expect([branch.status, branch.body.code]).toEqual([404, 'branch_not_found'])
  })
})
