import { describe, expect, test } from 'vitest'
import { createKey, sharedApi, unique } from '../support/api.ts'
import { connect, expectRefusal } from '../support/contract-client.ts'

const api = sharedApi()
const admin = connect(api)
const newGroup = (more = {}) => admin.createUserGroup({ body: { name: unique('group'), ...more } })
const newUsers = (count: number) =>
  Promise.all(
    Array.from({ length: count }, () => {
      const username = unique('member')
      return admin.createUser({ body: { email: `${username}@example.com`, username } })
    }),
  )
const membersOf = (users: readonly { id: number }[]) => ({ members: users.map(({ id }) => ({ userId: id })) })

describe('user groups', () => {
  test('are created, read, found, changed in part, and deleted under both paths', async () => {
    const group = await newGroup({ description: 'first' })
    expect(group).toMatchObject({ description: 'first', userCount: 0, kind: 'custom' })
    const params = { id: group.id }
    expect(await admin.getUserGroup({ params })).toEqual(group)
    expect((await admin.listUserGroups({ query: { search: group.name.toUpperCase() } })).items).toEqual([group])
    const renamed = await admin.updateUserGroup({ params, body: { name: `${group.name}-2` } })
    expect(renamed).toEqual({ ...group, name: `${group.name}-2` })
    expect((await admin.updateUserGroup({ params, body: { description: null } })).description).toBeNull()
    expect((await api.delete(`/api/v1/groups/${group.id}`)).status).toBe(204)
    await expectRefusal(admin.getUserGroup({ params }), 'group_not_found')
    const other = await newGroup()
    expect((await api.delete(`/api/v1/user-groups/${other.id}`)).status).toBe(204)
    expect((await api.delete(`/api/v1/user-groups/${other.id}`)).status).toBe(404)
  })

  test('have unique names: 409 on creating and renaming, also when racing', async () => {
    const [one, two] = [await newGroup(), await newGroup()]
    await expectRefusal(newGroup({ name: one.name }), 'name_taken')
    const rename = admin.updateUserGroup({ params: { id: two.id }, body: { name: one.name } })
    await expectRefusal(rename, 'name_taken', new RegExp(one.name))
    const name = unique('race')
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => newGroup({ name })))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test.each(['system:x', 'System:tenant:a:*', 'all_embed_users', '*'])('cannot be named %s', async name => {
    await expectRefusal(newGroup({ name }), 'group_name_reserved')
    const { id } = await newGroup()
    await expectRefusal(admin.updateUserGroup({ params: { id }, body: { name } }), 'group_name_reserved')
  })

  test('are listed newest first, by cursor, with the number of members, while groups come and go', async () => {
    const prefix = unique('listed')
    const groups = []
    for (let index = 0; index < 4; index++) groups.push(await newGroup({ name: `${prefix}-${index}` }))
    const [first, second] = groups
    await admin.addUserGroupMembers({ params: { id: groups[3]?.id ?? 0 }, body: membersOf(await newUsers(2)) })
    const page = await admin.listUserGroups({ query: { search: prefix, first: 2 } })
    expect(page.items.map(({ name, userCount }) => [name, userCount])).toEqual([
      [`${prefix}-3`, 2],
      [`${prefix}-2`, 0],
    ])
    await newGroup({ name: `${prefix}-4` })
    await admin.deleteUserGroup({ params: { id: second?.id ?? 0 } })
    const rest = await admin.listUserGroups({ query: { search: prefix, after: page.pageInfo.endCursor ?? '' } })
    expect(rest.items.map(({ id }) => id)).toEqual([first?.id])
    await expectRefusal(admin.getUsers({ query: { after: page.pageInfo.endCursor ?? '' } }), 'cursor_invalid')
  })
})

describe('members of a group', () => {
  test('are added idempotently, listed most recently added first, and removed idempotently', async () => {
    const { id } = await newGroup()
    const params = { id }
    const [one, two, three] = await newUsers(3)
    if (!one || !two || !three) throw new Error('no users')
    const first = await admin.addUserGroupMembers({ params, body: membersOf([one, one]) })
    expect(first.addedMembers.map(user => user.id)).toEqual([one.id])
    const second = await admin.addUserGroupMembers({ params, body: membersOf([one, two]) })
    expect([second.addedMembers, second.unchangedMembers].map(list => list.map(user => user.id))).toEqual([
      [two.id],
      [one.id],
    ])
    await admin.addUserGroupMembers({ params, body: membersOf([three]) })
    const page = await admin.listUserGroupMembers({ params, query: { first: 2 } })
    expect(page.items.map(user => user.id)).toEqual([three.id, two.id])
    expect(page.items[0]).toMatchObject({ username: three.username, email: three.email, externalId: null })
    const rest = await admin.listUserGroupMembers({ params, query: { after: page.pageInfo.endCursor ?? '' } })
    expect(rest.items.map(user => user.id)).toEqual([one.id])
    for (let time = 0; time < 2; time++) await admin.removeUserGroupMembers({ params, body: membersOf([one, two]) })
    expect((await admin.getUserGroup({ params })).userCount).toBe(1)
  })

  test('are added all or none: an unknown user is 404', async () => {
    const { id } = await newGroup()
    const [user] = await newUsers(1)
    const body = { members: [{ userId: user?.id ?? 0 }, { userId: 987_654_321 }] }
    await expectRefusal(admin.addUserGroupMembers({ params: { id }, body }), 'user_not_found', /987654321/)
    expect((await admin.getUserGroup({ params: { id } })).userCount).toBe(0)
  })

  test('racing additions put everyone in once', async () => {
    const { id } = await newGroup()
    const body = membersOf(await newUsers(3))
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => admin.addUserGroupMembers({ params: { id }, body })),
    )
    expect(answers.flatMap(({ addedMembers }) => addedMembers)).toHaveLength(3)
  })

  test.each([
    [{ members: [] }],
    [{ members: Array.from({ length: 1001 }, (_, index) => ({ userId: index + 1 })) }],
    [{ members: [{ externalId: 'x' }] }],
  ])('%# are refused with 400', async body => {
    const { id } = await newGroup()
    expect((await api.post(`/api/v1/user-groups/${id}/users`, body)).status).toBe(400)
  })

  test('have the roles of their group, and those only while they are in it', async () => {
    const group = await newGroup()
    const [user] = await newUsers(1)
    const userId = user?.id ?? 0
    const username = user?.username ?? ''
    const params = { id: group.id }
    await admin.addUserGroupMembers({ params, body: { members: [{ userId }] } })
    const path = `/api/v1/roles/6/groups/${group.id}`
    for (let time = 0; time < 2; time++) expect((await api.put(path)).status).toBe(204)
    const { body: made } = await api.post('/build/api/v1/deployments', { name: unique('deployment') })
    const deploymentId = Number(made.id)
    const { sessionId } = await admin.generateSession({ body: { deploymentId, internalId: username } })
    const { token } = await admin.postTokenBySessionId({ body: { sessionId } })
    const read = async () => {
      const headers = { authorization: `Embed-Token ${token}` }
      return (await fetch(`${api.baseUrl}/api/v1/deployments/${deploymentId}`, { headers })).status
    }
    expect(await read()).toBe(200)
    await admin.removeUserGroupMembers({ params, body: { members: [{ userId }] } })
    expect(await read()).toBe(403)
    await admin.addUserGroupMembers({ params, body: { members: [{ userId }] } })
    expect(await read()).toBe(200)
    for (let time = 0; time < 2; time++) expect((await api.delete(path)).status).toBe(204)
    expect(await read()).toBe(403)
  })
})

test('groups are listed by any credential and changed by administrators alone', async () => {
  const group = await newGroup()
  const least = { policies: [{ resourceType: 'Report', actions: ['ReportRead'], resources: ['1'] }] }
  const limited = connect(api.with(await createKey(api, least)))
  expect((await limited.listUserGroups({ query: { search: group.name } })).items).toEqual([group])
  await expectRefusal(limited.deleteUserGroup({ params: { id: group.id } }), 'admin_required')
  await expectRefusal(limited.listUserGroupMembers({ params: { id: group.id } }), 'admin_required')
})
