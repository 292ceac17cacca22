import { createClient } from '@hedron/contract/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTwoAccounts, type TwoAccounts } from '../support/accounts.ts'
import { createDeployment, createKey, sharedApi, unique } from '../support/api.ts'
import { connect, expectRefusal } from '../support/contract-client.ts'

const api = sharedApi()
const admin = connect(api)
const everything = { policies: [{ resourceType: 'Global', actions: ['All'], resources: ['All'] }] }

const newUser = async (more: Partial<Parameters<typeof admin.createUser>[0]['body']> = {}) => {
  const username = unique('user')
  return admin.createUser({ body: { email: `${username}@example.com`, username, ...more } })
}

describe('createUser', () => {
  test('keeps what was sent and shows no secret', async () => {
    const username = unique('ada')
    const body = {
      email: `${username}@example.com`,
      username,
      firstName: 'Ada',
      picture: 'https://example.com/ada.png',
      password: 'correct horse',
      settings: { theme: 'dark', lastSeenChangelogId: 7, own: { kept: true } },
      defaultRoles: ['AIBIUser'],
    }
    const user = await admin.createUser({ body })
    const { password, settings, ...shown } = body
    expect(user).toMatchObject({ ...shown, isAdmin: false, isDeactivated: false, externalId: null })
    expect(user.settings).toEqual({ theme: 'dark', own: { kept: true } })
    expect(JSON.stringify(user)).not.toMatch(/correct horse|argon|hash/)
    const { items } = await admin.getUsers({ query: { search: username } })
    expect(items).toEqual([user])
  })

  test('of a user name or e-mail address that is taken, whatever its case, is 409', async () => {
    const { email, username } = await newUser()
    const other = unique('other')
    const body = { email: email.toUpperCase(), username: other }
    await expectRefusal(admin.createUser({ body }), 'name_taken', /e-mail address/)
    const again = { email: `${other}@example.com`, username: username.toUpperCase() }
    await expectRefusal(admin.createUser({ body: again }), 'name_taken', new RegExp(username, 'i'))
  })

  test('racing for one name makes one user', async () => {
    const username = unique('race')
    const body = { email: `${username}@example.com`, username }
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => admin.createUser({ body })))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await admin.getUsers({ query: { search: username } })).count).toBe(1)
  })

  test.each([
    [{ email: 'nobody' }, /^email/],
    [{ username: ' ' }, /^username/],
    [{ password: 'short' }, /^password/],
    [{ picture: 'javascript:alert(1)' }, /^picture/],
    [{ picture: '/ada.png' }, /^picture/],
    [{ externalId: 'x', isAdmin: true }, /^isAdmin/],
    [{ isExternal: true, password: 'long enough' }, /^password/],
    [{ externalId: 'a\u200bb' }, /^externalId/],
    [{ settings: { timezone: 'Mars' } }, /^settings.timezone/],
    [{ settings: { own: 'x'.repeat(70_000) } }, /^settings: must not be larger/],
    [{ defaultRoles: ['Nobody'] }, /no role named "Nobody"/],
  ])('of %j is 400 and makes nobody', async (wrong, message) => {
    const username = unique('bad')
    const answer = await api.post('/api/v1/users', { email: `${username}@example.com`, username, ...wrong })
    expect(answer.status).toBe(400)
    expect(String(answer.body.message)).toMatch(message)
    expect((await admin.getUsers({ query: { search: username } })).count).toBe(0)
  })

  test('takes null for every optional field', async () => {
    const user = await newUser({
      firstName: null,
      picture: null,
      password: null,
      isAdmin: null,
      defaultRoles: null,
      settings: null,
      externalId: null,
      isExternal: null,
    })
    expect(user).toMatchObject({ firstName: null, picture: null, isAdmin: false, defaultRoles: [], settings: null })
  })

  test('with an external id makes an external user, whom a session finds by it', async () => {
    const externalId = unique('Ext')
    const user = await newUser({ externalId: ` ${externalId} `, firstName: 'Eve' })
    expect(user).toMatchObject({ externalId: externalId.toLowerCase(), firstName: 'Eve', isAdmin: false })
    await expectRefusal(newUser({ externalId: externalId.toUpperCase() }), 'name_taken', /external user/)
    const deploymentId = await createDeployment(api)
    await admin.generateSession({ body: { deploymentId, externalId } })
    expect((await admin.getUsers({ query: { search: user.username } })).items).toMatchObject([{ id: user.id }])
    const params = { id: user.id }
    await expectRefusal(admin.updateUser({ params, body: { isAdmin: true } }), 'user_is_external')
    await expectRefusal(admin.updateUser({ params, body: { password: 'long enough' } }), 'user_is_external')
    await expectRefusal(admin.assignRoleToUser({ params: { roleId: 5, userId: user.id } }), 'user_is_external')
  })

  test('with the role Admin makes an administrator', async () => {
    expect(await newUser({ defaultRoles: ['Admin', 'AIBIViewer'] })).toMatchObject({
      isAdmin: true,
      defaultRoles: ['Admin', 'AIBIViewer'],
    })
  })
})

describe('updateUser', () => {
  test('changes what was sent and leaves the rest', async () => {
    const user = await newUser({ firstName: 'Ada', settings: { theme: 'dark', locale: 'de-DE' } })
    const params = { id: user.id }
    const changed = await admin.updateUser({
      params,
      body: {
        title: 'Analyst',
        notifications: ['alerts'],
        settings: { locale: null, timezone: 'Asia/Tokyo' },
        lastLogin: '2026-01-02T03:04:05Z',
        tosAccepted: { version: 2 },
      },
    })
    expect(changed).toMatchObject({
      firstName: 'Ada',
      title: 'Analyst',
      notifications: { alerts: true },
      settings: { theme: 'dark', timezone: 'Asia/Tokyo' },
      lastLogin: '2026-01-02T03:04:05.000Z',
      tosAccepted: { version: 2 },
    })
    expect(changed.settings).not.toHaveProperty('locale')
    const cleared = await admin.updateUser({ params, body: { firstName: null, title: null, settings: null } })
    expect(cleared).toMatchObject({ firstName: null, title: null, settings: null, notifications: { alerts: true } })
  })

  test('of a user who is not there is 404', async () => {
    const params = { id: 987_654_321 }
    await expectRefusal(admin.updateUser({ params, body: {} }), 'user_not_found', /987654321/)
    await expectRefusal(admin.deleteUser({ params }), 'user_not_found')
  })

  test('does not take what belongs to embed sessions', async () => {
    const { id } = await newUser()
    for (const body of [{ securityContext: { team: 'a' } }, { embedTheme: {} }]) {
      const answer = await api.put(`/api/v1/users/${id}`, body)
      expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining('generate-session')])
    }
  })
})

describe('users/me/settings', () => {
  test('merges; sheets field by field; null clears; the id of a changelog is not kept', async () => {
    const first = await admin.updateMySettings({
      body: { theme: 'dark', lastSeenChangelogId: 3, sheets: { revealSheetOnOpen: true, showAppliedFilters: false } },
    })
    expect(first.settings).toMatchObject({
      theme: 'dark',
      sheets: { revealSheetOnOpen: true, showAppliedFilters: false },
    })
    expect(first.settings).not.toHaveProperty('lastSeenChangelogId')
    const second = await admin.updateMySettings({ body: { sheets: { revealSheetOnOpen: null } } })
    expect(second.settings).toMatchObject({ theme: 'dark', sheets: { showAppliedFilters: false } })
    expect(JSON.stringify(second.settings)).not.toContain('revealSheetOnOpen')
    const third = await admin.updateMySettings({ body: { sheets: null, theme: null } })
    expect(third.settings).not.toHaveProperty('sheets')
    expect((await admin.getMe({})).settings).toEqual(third.settings)
  })

  test('of a deployment that is not there is refused', async () => {
    const call = admin.updateMySettings({ body: { defaultDeploymentId: 987_654_321 } })
    await expectRefusal(call, 'deployment_not_found')
  })
})

describe('an account of two administrators', () => {
  let accounts: TwoAccounts
  beforeAll(async () => {
    accounts = await startTwoAccounts()
  })
  afterAll(() => accounts?.dispose())

  test('a deactivated user is refused at once, and back at once when activated; sessions and keys alike', async () => {
    const [ada, bob] = [connect(accounts.ada), connect(accounts.bob)]
    const extra = connect(accounts.bob.with(await createKey(accounts.bob, everything)))
    const { id } = await bob.getMe({})
    expect((await ada.updateUser({ params: { id }, body: { isDeactivated: true } })).isDeactivated).toBe(true)
    await expectRefusal(bob.getMe({}), 'not_authenticated', /deactivated/)
    await expectRefusal(extra.getMe({}), 'not_authenticated', /deactivated/)
    await ada.updateUser({ params: { id }, body: { isDeactivated: false } })
    expect((await bob.getMe({})).id).toBe(id)
    expect((await extra.getMe({})).id).toBe(id)
  })

  test('an administrator who is one no more keeps with his keys what his roles grant, and no more', async () => {
    const [ada, bob] = [connect(accounts.ada), connect(accounts.bob)]
    const { id } = await bob.getMe({})
    await ada.updateUser({ params: { id }, body: { isAdmin: false } })
    expect(await bob.getMe({})).toMatchObject({ isAdmin: false, userPolicies: [] })
    await expectRefusal(bob.createApiKey({ body: { name: 'no' } }), 'admin_required')
    await expectRefusal(bob.createDeployment({ body: { name: unique('no') } }), 'permission_missing')
    const role = await ada.createRole({
      body: {
        name: 'maker',
        policies: [{ resourceType: 'Global', actions: ['DeploymentCreate'], resources: ['All'] }],
      },
    })
    await ada.assignRoleToUser({ params: { roleId: role.id, userId: id } })
    expect(await bob.getMe({})).toMatchObject({ userPolicies: role.policies, defaultRoles: ['maker'] })
    await bob.createDeployment({ body: { name: unique('yes') } })
    await ada.deleteRole({ params: { roleId: role.id } })
    await expectRefusal(bob.createDeployment({ body: { name: unique('no') } }), 'permission_missing')
    await ada.updateUser({ params: { id }, body: { isAdmin: true } })
  })

  test('keeps an administrator: who would remove the last, or himself, is refused', async () => {
    const [ada, bob] = [connect(accounts.ada), connect(accounts.bob)]
    const [hers, his] = [(await ada.getMe({})).id, (await bob.getMe({})).id]
    await expectRefusal(
      ada.updateUser({ params: { id: hers }, body: { isDeactivated: true } }),
      'own_account_deactivated',
    )
    await expectRefusal(ada.deleteUser({ params: { id: hers } }), 'own_account_deleted')
    const bulk = (action: 'DEACTIVATE' | 'DELETE', userIds: number[]) =>
      ada.bulkUserAction({ body: { action, userIds } })
    expect((await bulk('DEACTIVATE', [hers])).failed).toMatchObject([{ userId: hers, error: { status: 403 } }])
    expect((await bulk('DELETE', [hers])).failed).toMatchObject([{ userId: hers, error: { status: 400 } }])
    await ada.updateUser({ params: { id: his }, body: { isDeactivated: true } })
    await expectRefusal(ada.updateUser({ params: { id: hers }, body: { isAdmin: false } }), 'last_admin')
    await ada.updateUser({ params: { id: his }, body: { isDeactivated: false } })
  })

  test('keeps one also when both demote each other at once', async () => {
    const [ada, bob] = [connect(accounts.ada), connect(accounts.bob)]
    const [hers, his] = [(await ada.getMe({})).id, (await bob.getMe({})).id]
    for (let round = 0; round < 5; round++) {
      const outcomes = await Promise.allSettled([
        ada.updateUser({ params: { id: his }, body: { isAdmin: false } }),
        bob.updateUser({ params: { id: hers }, body: { isAdmin: false } }),
      ])
      expect(outcomes.map(({ status }) => status)).toContain('fulfilled')
      const admins = (await connect(accounts.ada).getUsers({})).items.filter(({ isAdmin }) => isAdmin)
      expect(admins).toHaveLength(1)
      const left = admins[0]?.id === hers ? ada : bob
      await left.updateUser({ params: { id: left === ada ? his : hers }, body: { isAdmin: true } })
    }
  })

  test('does not reach the users and roles of another', async () => {
    const [ada, eve] = [connect(accounts.ada), connect(accounts.eve)]
    const { id } = await ada.getMe({})
    const role = await ada.createRole({ body: { name: 'hers', policies: [] } })
    await expectRefusal(eve.updateUser({ params: { id }, body: { isDeactivated: true } }), 'user_not_found')
    await expectRefusal(eve.deleteUser({ params: { id } }), 'user_not_found')
    const { failed } = await eve.bulkUserAction({ body: { action: 'DELETE', userIds: [id] } })
    expect(failed).toMatchObject([{ userId: id, error: { status: 404 } }])
    const params = { roleId: role.id }
    const mine = (await eve.getMe({})).id
    await expectRefusal(eve.getRole({ params }), 'role_not_found')
    await expectRefusal(eve.updateRole({ params, body: { name: 'mine' } }), 'role_not_found')
    await expectRefusal(eve.deleteRole({ params }), 'role_not_found')
    await expectRefusal(eve.assignRoleToUser({ params: { ...params, userId: mine } }), 'role_not_found')
    await expectRefusal(eve.assignRoleToUser({ params: { roleId: 5, userId: id } }), 'user_not_found')
    await expectRefusal(eve.removeRoleFromUser({ params: { ...params, userId: id } }), 'user_not_found')
    expect((await eve.getRoles({})).items).toEqual([])
    await eve.createRole({ body: { name: 'hers', policies: [] } })
    expect(await ada.getRole({ params })).toEqual(role)
  })

  test('does not reach the groups, attributes, values and settings of another', async () => {
    const [ada, eve] = [connect(accounts.ada), connect(accounts.eve)]
    const [hers, his] = [(await ada.getMe({})).id, (await eve.getMe({})).id]
    const group = await ada.createUserGroup({ body: { name: 'hers' } })
    const attribute = await ada.createUserAttribute({ body: { name: 'hers', type: 'string' } })
    const params = { id: group.id }
    const add = (userId: number) => ({ params, body: { members: [{ userId }] } })
    await expectRefusal(eve.getUserGroup({ params }), 'group_not_found')
    await expectRefusal(eve.updateUserGroup({ params, body: { name: 'his' } }), 'group_not_found')
    await expectRefusal(eve.deleteUserGroup({ params }), 'group_not_found')
    await expectRefusal(eve.deleteGroupByOlderPath({ params }), 'group_not_found')
    await expectRefusal(eve.listUserGroupMembers({ params }), 'group_not_found')
    await expectRefusal(eve.addUserGroupMembers(add(his)), 'group_not_found')
    await expectRefusal(ada.addUserGroupMembers(add(his)), 'user_not_found')
    await expectRefusal(eve.removeUserGroupMembers(add(hers)), 'group_not_found')
    await expectRefusal(eve.assignRoleToGroup({ params: { roleId: 5, groupId: group.id } }), 'group_not_found')
    const place = { params: { id: attribute.id } }
    await expectRefusal(eve.updateUserAttribute({ ...place, body: {} }), 'user_attribute_not_found')
    await expectRefusal(eve.deleteUserAttribute(place), 'user_attribute_not_found')
    await expectRefusal(eve.getUserAttributeValues({ params: { userId: hers } }), 'user_not_found')
    const set = (userId: number) =>
      eve.upsertUserAttributeValue({
        body: { userId: String(userId), userAttributeId: String(attribute.id), value: 'x' },
      })
    await expectRefusal(set(hers), 'user_not_found')
    await expectRefusal(set(his), 'user_attribute_not_found')
    const { pageInfo } = await ada.listUserGroups({ query: { first: 1 } })
    const mine = await eve.createUserGroup({ body: { name: 'hers' } })
    const after = pageInfo.endCursor ?? ''
    expect((await eve.listUserGroups({ query: { after } })).items.map(({ id }) => id)).not.toContain(group.id)
    expect((await eve.listUserGroups({})).items).toEqual([mine])
    expect((await eve.getUserAttributes({})).items).toEqual([])
    await ada.updateTenantSettings({ body: { useCreatorMode: false } })
    expect((await eve.getTenantSettings({})).useCreatorMode).toBe(true)
    await ada.updateTenantSettings({ body: { useCreatorMode: null } })
  })

  test('a user who is deleted is gone with his keys', async () => {
    const [ada, bob] = [connect(accounts.ada), connect(accounts.bob)]
    const { id } = await bob.getMe({})
    expect(await ada.deleteUser({ params: { id } })).toEqual({ success: true })
    await expectRefusal(bob.getMe({}), 'not_authenticated')
    await expectRefusal(ada.deleteUser({ params: { id } }), 'user_not_found')
    expect((await ada.getUsers({})).items.map(user => user.id)).not.toContain(id)
  })
})

describe('embed sessions of a user', () => {
  const embedded = (token: string) => createClient({ baseUrl: api.baseUrl, authorization: `Embed-Token ${token}` })
  const open = async (who: { externalId: string } | { internalId: string }) => {
    const deploymentId = await createDeployment(api)
    const { sessionId } = await admin.generateSession({ body: { deploymentId, ...who } })
    const { token } = await admin.postTokenBySessionId({ body: { sessionId } })
    return { deploymentId, client: embedded(token) }
  }

  test('end when he is deactivated, for good, and when he is deleted', async () => {
    const externalId = unique('ext')
    const one = await open({ externalId })
    const { id } = await one.client.getMe({})
    await admin.updateUser({ params: { id }, body: { isDeactivated: true } })
    await expectRefusal(one.client.getMe({}), 'not_authenticated')
    await admin.updateUser({ params: { id }, body: { isDeactivated: false } })
    await expectRefusal(one.client.getMe({}), 'not_authenticated')
    const two = await open({ externalId })
    expect((await two.client.getMe({})).id).toBe(id)
    await admin.deleteUser({ params: { id } })
    await expectRefusal(two.client.getMe({}), 'not_authenticated')
  })

  test('of an internal user have what his roles grant, on their deployment alone', async () => {
    const user = await newUser()
    const { client, deploymentId } = await open({ internalId: user.username })
    const params = { deploymentId }
    await expectRefusal(client.getDeployment({ params }), 'permission_missing')
    const assignment = { params: { roleId: 6, userId: user.id } }
    await admin.assignRoleToUser(assignment)
    expect((await client.getDeployment({ params })).id).toBe(deploymentId)
    const other = { deploymentId: await createDeployment(api) }
    await expectRefusal(client.getDeployment({ params: other }), 'deployment_out_of_scope')
    await admin.removeRoleFromUser(assignment)
    await expectRefusal(client.getDeployment({ params }), 'permission_missing')
  })

  test('read app-config with what they were minted with, and nothing of the administration', async () => {
    const deploymentId = await createDeployment(api)
    const settings = { showDashboardChat: false, locale: 'de-DE', timezone: 'Nowhere/Else' }
    const { sessionId } = await admin.generateSession({ body: { deploymentId, externalId: unique('ext'), settings } })
    const client = embedded((await admin.postTokenBySessionId({ body: { sessionId } })).token)
    const { embedding } = await client.getAppConfig({})
    expect(embedding).toMatchObject({
      showDashboardChat: false,
      showWorkbookChat: true,
      locale: 'de-DE',
      timezone: null,
    })
    await expectRefusal(client.getTenantSettings({}), 'admin_required')
    await expectRefusal(client.getUsers({}), 'embed_session_refused')
    await expectRefusal(client.listUserGroups({}), 'embed_session_refused')
    await expectRefusal(client.getUserAttributes({}), 'embed_session_refused')
    await expectRefusal(client.getUserAttributeValues({ params: { userId: 1 } }), 'embed_session_refused')
    await expectRefusal(client.getRoles({}), 'admin_required')
    const { settings: own } = await client.updateMySettings({ body: { timezone: 'Asia/Tokyo' } })
    expect(own).toEqual({ timezone: 'Asia/Tokyo' })
  })
})

describe('bulkUserAction', () => {
  test('applies one by one, each id once, and lists what failed as the single operation would answer', async () => {
    const ids = [(await newUser()).id, (await newUser()).id]
    const [first = 0, second = 0] = ids
    const userIds = [first, 987_654_321, second, first]
    const bulk = (action: 'DEACTIVATE' | 'ACTIVATE' | 'DELETE') => admin.bulkUserAction({ body: { action, userIds } })
    for (const action of ['DEACTIVATE', 'DEACTIVATE', 'ACTIVATE', 'DELETE'] as const) {
      expect(await bulk(action)).toMatchObject({
        action,
        succeeded: ids,
        failed: [{ userId: 987_654_321, error: { status: 404, message: expect.stringContaining('987654321') } }],
      })
    }
    expect((await bulk('DELETE')).succeeded).toEqual([])
  })

  test.each([
    [{ action: 'DELETE', userIds: [] }],
    [{ action: 'DELETE', userIds: Array.from({ length: 101 }, (_, index) => index + 1) }],
    [{ action: 'BAN', userIds: [1] }],
  ])('of %j is refused', async body => {
    expect((await api.post('/api/v1/users/bulk', body)).status).toBe(400)
  })
})
