import { beforeAll, describe, expect, test } from 'vitest'
import { createDeployment, sharedApi, unique } from '../support/api.ts'
import { connect, expectRefusal } from '../support/contract-client.ts'
import { openSession, uniqueTenant } from '../support/embedding.ts'

const api = sharedApi()
const admin = connect(api)
type Client = ReturnType<typeof connect>

let deploymentId: number
let params: { deploymentId: number }
beforeAll(async () => {
  deploymentId = await createDeployment(api)
  params = { deploymentId }
})

const folderOf = async (client: Client) => {
  const { id } = await client.createFolder({ params, body: { name: unique('folder') } })
  return { resourceType: 'Folder', resourceId: id } as const
}

/** Somebody in a frame, and the user that he is. */
async function person(more: Record<string, unknown>): Promise<{ client: Client; userId: number; externalId: string }> {
  const externalId = unique('user')
  const session = await openSession(api, { deploymentId, externalId, ...more })
  const client = connect({ baseUrl: session.baseUrl, apiKey: session.token }, 'Embed-Token')
  return { client, userId: (await client.getMe({})).id, externalId }
}

describe('whom an item of an embed tenant can be shared with', () => {
  test('are the users and groups of that tenant and nobody else; what is listed can be shared with', async () => {
    const embedTenantName = uniqueTenant()
    const creator = { embedTenantName, creatorMode: true }
    const groupDefinitions = [{ name: 'editors' }, { name: 'auditors' }]
    const ada = await person({ ...creator, groupDefinitions, userProfile: { displayName: 'Ada of Sales' } })
    const ben = await person({ embedTenantName, email: `${unique('ben')}@example.com` })
    await person({ embedTenantName: uniqueTenant(), creatorMode: true, groupDefinitions })
    await person({})
    const item = await folderOf(ada.client)
    const users = await ada.client.listShareableUsers({ query: item })
    expect(users.items.map(({ id }) => id).sort()).toEqual([ada.userId, ben.userId].sort())
    const groups = await ada.client.listShareableGroups({ query: item })
    expect(groups.items).toMatchObject([
      { name: 'auditors', kind: 'custom' },
      { name: 'editors', kind: 'custom' },
    ])
    const names = async (search: string) =>
      (await ada.client.listShareableUsers({ query: { ...item, search } })).items.map(({ username }) => username)
    expect(await names('of sales')).toEqual([ada.externalId])
    expect(await names('@EXAMPLE')).toEqual([ben.externalId])
    expect(await names('%')).toEqual([])
    for (const { id } of users.items) {
      await ada.client.setUserPolicy({ body: { ...item, userId: id, action: 'FolderRead' } })
    }
    for (const { id } of groups.items) {
      await ada.client.setGroupPolicy({ body: { ...item, groupId: id, action: 'FolderEdit' } })
    }
  })

  test('come by cursor, which leads nobody into another tenant', async () => {
    const tenant = { embedTenantName: uniqueTenant(), creatorMode: true }
    const ada = await person({ ...tenant, groupDefinitions: ['a', 'b', 'c'].map(name => ({ name })) })
    const others = [await person(tenant), await person(tenant)]
    const eve = await person({ embedTenantName: uniqueTenant(), creatorMode: true })
    const item = await folderOf(ada.client)
    const walked: string[] = []
    let after: string | undefined
    do {
      const query = { ...item, first: 1, ...(after === undefined ? {} : { after }) }
      const { items, pageInfo } = await ada.client.listShareableUsers({ query })
      walked.push(...items.map(({ username }) => username))
      after = pageInfo.hasNextPage ? (pageInfo.endCursor ?? undefined) : undefined
    } while (after !== undefined)
    expect(walked).toEqual([ada, ...others].map(({ externalId }) => externalId).sort())
    const first = await ada.client.listShareableGroups({ query: { ...item, first: 2 } })
    const cursor = first.pageInfo.endCursor ?? ''
    const rest = await ada.client.listShareableGroups({ query: { ...item, after: cursor } })
    expect([...first.items, ...rest.items].map(({ name }) => name)).toEqual(['a', 'b', 'c'])
    const own = await folderOf(eve.client)
    expect((await eve.client.listShareableGroups({ query: { ...own, after: cursor } })).items).toEqual([])
    await expectRefusal(eve.client.listShareableUsers({ query: { ...own, after: cursor } }), 'cursor_invalid')
  })

  test('are told to who manages it: others see it without, or do not see it at all', async () => {
    const tenant = { embedTenantName: uniqueTenant(), creatorMode: true }
    const [ada, ben] = [await person(tenant), await person(tenant)]
    const eve = await person({ embedTenantName: uniqueTenant(), creatorMode: true })
    const item = await folderOf(ada.client)
    await ada.client.setUserPolicy({ body: { ...item, userId: ben.userId, action: 'FolderEdit' } })
    for (const list of ['listShareableUsers', 'listShareableGroups'] as const) {
      await expectRefusal(ben.client[list]({ query: item }), 'content_level_missing')
      await expectRefusal(eve.client[list]({ query: item }), 'folder_not_found')
      await expectRefusal(admin[list]({ query: item }), 'folder_not_found')
    }
  })

  test('where the creator has no tenant, are those without one and the groups that he is in', async () => {
    const [mine, other] = [unique('mine'), unique('other')]
    for (const name of [mine, other]) await admin.createUserGroup({ body: { name } })
    const reader = await person({ groups: [mine] })
    const customer = await person({ embedTenantName: uniqueTenant() })
    const ada = await person({ creatorMode: true })
    const { items } = await admin.listUserGroups({ query: { search: mine } })
    const members = [{ userId: ada.userId }]
    await admin.addUserGroupMembers({ params: { id: items[0]?.id ?? 0 }, body: { members } })
    const item = await folderOf(ada.client)
    const named = async (search: string) => (await ada.client.listShareableUsers({ query: { ...item, search } })).items
    expect((await named(reader.externalId)).map(({ id }) => id)).toEqual([reader.userId])
    expect(await named(customer.externalId)).toEqual([])
    expect(await named('admin@localhost')).toEqual([])
    const groups = await ada.client.listShareableGroups({ query: item })
    expect(groups.items.map(({ name }) => name)).toEqual([mine])
  })
})

describe("whom an item of the account's own can be shared with", () => {
  test('are its active users and its groups, those of embed users among them', async () => {
    const name = unique('colleague')
    const colleague = await admin.createUser({ body: { email: `${name}@example.com`, username: name } })
    const gone = await admin.createUser({ body: { email: `${name}-2@example.com`, username: `${name}-2` } })
    await admin.updateUser({ params: { id: gone.id }, body: { isDeactivated: true } })
    const external = await person({ email: `${name}-3@example.com` })
    const group = await admin.createUserGroup({ body: { name } })
    const item = await folderOf(admin)
    const { items } = await admin.listShareableUsers({ query: { ...item, search: name } })
    expect(items.map(({ id }) => id)).toEqual([colleague.id])
    expect(items.map(({ id }) => id)).not.toContain(external.userId)
    const groups = await admin.listShareableGroups({ query: { ...item, search: name } })
    expect(groups.items).toEqual([{ id: group.id, name, kind: 'custom' }])
  })
})
