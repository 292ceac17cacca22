import { describe, expect, test, vi } from 'vitest'
import { createDeployment, createKey, sharedApi } from '../support/api.ts'
import { connect, expectRefusal } from '../support/contract-client.ts'

const api = sharedApi()
const client = connect(api)

/**
 * The number is that of all users, of which a page shows the first thousand. Both are counted one after the other while other
 * tests make users: asked again, they agree.
 */
function expectCount({ items, count, pageInfo }: Awaited<ReturnType<typeof client.getUsers>>): void {
  if (pageInfo.hasNextPage) expect(count).toBeGreaterThan(items.length)
  else expect(count).toBe(items.length)
}

describe('users/me', () => {
  test('is the user of the key, with what the key may do', async () => {
    const me = await client.getMe({})
    expect(me).toMatchObject({ email: 'admin@localhost', isAdmin: true, isDeactivated: false, defaultRoles: ['Admin'] })
    expect(me.id).toBeGreaterThan(0)
    expect(new Date(me.createdAt).toISOString()).toBe(me.createdAt)
  })

  test('shows the effective policies of a limited key, whoever made it', async () => {
    const policies = [{ resourceType: 'Deployment', actions: ['SchemaRead'], resources: ['All'] }]
    const limited = await connect(api.with(await createKey(api, { policies }))).getMe({})
    expect(limited).toMatchObject({ email: 'admin@localhost', isAdmin: false, userPolicies: policies })
    const deploymentId = await createDeployment(api)
    const scoped = await connect(api.with(await createKey(api, { deploymentIds: [deploymentId] }))).getMe({})
    expect(scoped).toMatchObject({
      isAdmin: false,
      userPolicies: [{ resourceType: 'Deployment', actions: ['All'], resources: [String(deploymentId)] }],
    })
  })

  test('holds no secret', async () => {
    expect(JSON.stringify(await client.getMe({}))).not.toMatch(/password|digest|argon|sk-/i)
  })
})

describe('the list of users', () => {
  test('has the items twice and their number, for older clients', async () => {
    await vi.waitFor(async () => {
      const list = await client.getUsers({})
      expect(list.data).toEqual(list.items)
      expectCount(list)
    })
  })

  test.each(['admin@local', 'ADMIN', 'localhost', ''])('is searched by part of a name or address: %j', async search => {
    await vi.waitFor(async () => {
      const list = await client.getUsers({ query: { search } })
      // Other tests make more users than one page holds.
      if (search !== '') expect(list.items.map(user => user.email)).toContain('admin@localhost')
      expectCount(list)
    })
  })

  test.each(['nobody at all', '%', 'admin_localhost', '\\', "' or 1=1 --"])('%j finds nobody', async search => {
    expect(await client.getUsers({ query: { search } })).toMatchObject({ items: [], count: 0 })
  })

  test('_ stands for itself, and for no other character', async () => {
    const { items } = await client.getUsers({ query: { search: '_' } })
    const said = items.map(({ email, username, firstName }) => `${email} ${username} ${firstName}`)
    expect(said.filter(text => !text.includes('_'))).toEqual([])
    expect(items.map(({ email }) => email)).not.toContain('admin@localhost')
  })

  test('a search that no name could match is refused, not a failure', async () => {
    await expectRefusal(client.getUsers({ query: { search: 'x'.repeat(256) } }), 'invalid_request', /search/)
    await expectRefusal(client.getUsers({ query: { search: 'a\0b' } }), 'invalid_request', /search/)
  })
})
