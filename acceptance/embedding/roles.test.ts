import { describe, expect, test } from 'vitest'
import { sharedApi, unique } from '../support/api.ts'
import { connect, expectRefusal } from '../support/contract-client.ts'

const api = sharedApi()
const admin = connect(api)
const policies = [
  { resourceType: 'Deployment' as const, actions: ['DeploymentRead' as const], resources: ['1', 'All'] },
]
const newRole = (more = {}) => admin.createRole({ body: { name: unique('role'), policies, ...more } })
const newUser = async () => {
  const username = unique('user')
  return admin.createUser({ body: { email: `${username}@example.com`, username } })
}

describe('roles', () => {
  test('are created, read, listed newest first, changed in part, and deleted', async () => {
    const one = await newRole({ description: 'first' })
    const two = await newRole()
    expect(await admin.getRole({ params: { roleId: one.id } })).toEqual(one)
    const ids = (await admin.getRoles({})).items.map(({ id }) => id).filter(id => [one.id, two.id].includes(id))
    expect(ids).toEqual([two.id, one.id])
    const params = { roleId: one.id }
    const renamed = await admin.updateRole({ params, body: { name: `${one.name}-2` } })
    expect(renamed).toEqual({ ...one, name: `${one.name}-2` })
    expect(await admin.updateRole({ params, body: { policies: [], description: null } })).toEqual({
      ...renamed,
      policies: [],
      description: null,
    })
    expect((await api.delete(`/api/v1/roles/${one.id}`)).status).toBe(204)
    await expectRefusal(admin.getRole({ params }), 'role_not_found')
    await expectRefusal(admin.deleteRole({ params }), 'role_not_found')
  })

  test('have unique names: 409 on creating and renaming, also when racing', async () => {
    const [one, two] = [await newRole(), await newRole()]
    await expectRefusal(newRole({ name: one.name }), 'name_taken')
    await expectRefusal(admin.updateRole({ params: { roleId: two.id }, body: { name: one.name } }), 'name_taken')
    const name = unique('race')
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => newRole({ name })))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test.each(['Admin', 'Developer', 'AIBIDeveloper', 'D3User', 'AIBIUser', 'AIBIViewer', 'Guest', 'EmbedUser', 'admin'])(
    'cannot have the built-in name %s',
    async name => {
      await expectRefusal(newRole({ name }), 'role_name_reserved')
      const { id } = await newRole()
      await expectRefusal(admin.updateRole({ params: { roleId: id }, body: { name } }), 'role_name_reserved')
    },
  )

  test('may be named None and All', async () => {
    for (const name of ['None', 'All']) {
      const { id } = await newRole({ name })
      await admin.deleteRole({ params: { roleId: id } })
    }
  })

  test.each([
    [{ resourceType: 'Deployment', actions: [], resources: ['All'] }, /policies\[0\].actions/],
    [{ resourceType: 'Deployment', actions: ['All'], resources: [] }, /policies\[0\].resources/],
    [{ resourceType: 'Deployment', actions: ['All'], resources: ['sales'] }, /policies\[0\].resources\[0\].*id of a/],
    [{ resourceType: 'Deployment', actions: ['All'], resources: ['0'] }, /policies\[0\].resources\[0\]/],
    [{ resourceType: 'Planet', actions: ['All'], resources: ['All'] }, /policies\[0\].resourceType/],
  ])('refuse the policy %j', async (policy, message) => {
    const answer = await api.post('/api/v1/roles', { name: unique('bad'), policies: [policy] })
    expect(answer.status).toBe(400)
    expect(String(answer.body.message)).toMatch(message)
  })

  test('refuse null for name and policies, and keep an id of a deployment that is not there', async () => {
    const { id } = await newRole({ policies: [{ ...policies[0], resources: ['987654321'] }] })
    expect((await api.put(`/api/v1/roles/${id}`, { name: null })).status).toBe(400)
    expect((await api.put(`/api/v1/roles/${id}`, { policies: null })).status).toBe(400)
  })

  test('that are built in are read, and neither listed, changed nor deleted', async () => {
    expect(await admin.getRole({ params: { roleId: 5 } })).toMatchObject({ name: 'AIBIUser' })
    expect((await admin.getRoles({})).items.filter(({ id }) => id < 1001)).toEqual([])
    await expectRefusal(admin.updateRole({ params: { roleId: 5 }, body: { name: 'x' } }), 'role_built_in')
    await expectRefusal(admin.deleteRole({ params: { roleId: 5 } }), 'role_built_in')
  })
})

describe('assignments', () => {
  test('are idempotent both ways and answer 204', async () => {
    const [role, user] = [await newRole(), await newUser()]
    const path = `/api/v1/roles/${role.id}/users/${user.id}`
    const names = async () => (await admin.getUsers({ query: { search: user.username } })).items[0]?.defaultRoles
    for (let time = 0; time < 2; time++) expect((await api.put(path)).status).toBe(204)
    expect(await names()).toEqual([role.name])
    for (let time = 0; time < 2; time++) expect((await api.delete(path)).status).toBe(204)
    expect(await names()).toEqual([])
  })

  test('take built-in roles but for Admin, whose id is 404', async () => {
    const user = await newUser()
    const params = { roleId: 6, userId: user.id }
    await admin.assignRoleToUser({ params })
    const { items } = await admin.getUsers({ query: { search: user.username } })
    expect(items[0]).toMatchObject({ isAdmin: false, defaultRoles: ['AIBIViewer'] })
    await admin.removeRoleFromUser({ params })
    await expectRefusal(admin.assignRoleToUser({ params: { ...params, roleId: 1 } }), 'role_not_found')
    await expectRefusal(admin.removeRoleFromUser({ params: { ...params, roleId: 1 } }), 'role_not_found')
  })

  test('of an unknown user or role are 404', async () => {
    const user = await newUser()
    const role = await newRole()
    const nobody = { roleId: role.id, userId: 987_654_321 }
    await expectRefusal(admin.assignRoleToUser({ params: nobody }), 'user_not_found')
    await expectRefusal(admin.removeRoleFromUser({ params: nobody }), 'user_not_found')
    const nothing = { roleId: 987_654_321, userId: user.id }
    await expectRefusal(admin.assignRoleToUser({ params: nothing }), 'role_not_found')
    await admin.removeRoleFromUser({ params: nothing })
  })

  test('go with the role', async () => {
    const [role, user] = [await newRole(), await newUser()]
    await admin.assignRoleToUser({ params: { roleId: role.id, userId: user.id } })
    await admin.deleteRole({ params: { roleId: role.id } })
    expect((await admin.getUsers({ query: { search: user.username } })).items[0]?.defaultRoles).toEqual([])
  })
})
