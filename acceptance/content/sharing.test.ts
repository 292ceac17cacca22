import { beforeAll, describe, expect, test } from 'vitest'
import { createDeployment, sharedApi, unique } from '../support/api.ts'
import { connect, expectRefusal } from '../support/contract-client.ts'
import { type EmbedApi, openSession, uniqueTenant } from '../support/embedding.ts'

const api = sharedApi()
const admin = connect(api)

let deploymentId: number
let params: { deploymentId: number }
beforeAll(async () => {
  deploymentId = await createDeployment(api)
  params = { deploymentId }
})

type Client = ReturnType<typeof connect>

/** The typed client with an embed token. */
const embedded = (session: EmbedApi): Client =>
  connect({ baseUrl: session.baseUrl, apiKey: session.token }, 'Embed-Token')

interface Creator {
  readonly client: Client
  readonly userId: number
}

/** Somebody who makes content in an embed tenant's workspace. */
async function creator(embedTenantName: string, more: Record<string, unknown> = {}): Promise<Creator> {
  const externalId = unique('user')
  const session = await openSession(api, { deploymentId, externalId, creatorMode: true, embedTenantName, ...more })
  const client = embedded(session)
  return { client, userId: (await client.getMe({})).id }
}

const folder = async ({ client }: Pick<Creator, 'client'>, parentId: number | null = null) =>
  (await client.createFolder({ params, body: { name: unique('folder'), parentId } })).id

const seen = async ({ client }: Creator) => (await client.getFolders({ params })).items.map(({ id }) => id)

const item = (resourceId: number) => ({ resourceType: 'Folder', resourceId }) as const

describe('in the workspace of an embed tenant', () => {
  test('what somebody makes is his until he shares it', async () => {
    const tenant = uniqueTenant()
    const [ada, ben] = [await creator(tenant), await creator(tenant)]
    const id = await folder(ada)
    expect(await seen(ada)).toEqual([id])
    expect(await seen(ben)).toEqual([])
    expect((await admin.getFolders({ params })).items.map(each => each.id)).not.toContain(id)
    const where = { ...params, folderId: id }
    await expectRefusal(ben.client.getFolderAncestors({ params: where }), 'folder_not_found')
    await expectRefusal(ben.client.getResourcePolicies({ query: item(id) }), 'folder_not_found')
    await expectRefusal(admin.getResourcePolicies({ query: item(id) }), 'folder_not_found')
  })

  test('a share with a user gives what it says, and ends when the action is left out', async () => {
    const tenant = uniqueTenant()
    const [ada, ben] = [await creator(tenant), await creator(tenant)]
    const id = await folder(ada)
    const where = { ...params, folderId: id }
    const share = (action?: 'FolderRead' | 'FolderEdit' | 'FolderManage' | null) =>
      ada.client.setUserPolicy({
        body: { ...item(id), userId: ben.userId, ...(action === undefined ? {} : { action }) },
      })
    const rename = () => ben.client.updateFolder({ params: where, body: { name: unique('renamed') } })

    expect((await share('FolderRead')).userPolicies).toEqual([
      {
        userId: ben.userId,
        action: 'FolderRead',
        actions: ['FolderRead'],
        user: { id: ben.userId, email: '', firstName: null, picture: null },
      },
    ])
    expect(await seen(ben)).toEqual([id])
    await expectRefusal(rename(), 'content_level_missing', /edit access to folder/)

    expect((await share('FolderEdit')).userPolicies).toMatchObject([{ actions: ['FolderRead', 'FolderEdit'] }])
    await rename()
    const inside = await folder(ben, id)
    await expectRefusal(ben.client.deleteFolder({ params: where }), 'content_level_missing', /manage/)
    await expectRefusal(ben.client.getResourcePolicies({ query: item(id) }), 'content_level_missing', /manage/)
    await expectRefusal(
      ben.client.setUserPolicy({ body: { ...item(id), userId: ben.userId, action: 'FolderManage' } }),
      'content_level_missing',
    )

    await share('FolderManage')
    expect(await ben.client.getResourcePolicies({ query: item(inside) })).toMatchObject({
      owner: { id: ben.userId },
      userPolicies: [],
      inheritedUserPolicies: [
        { resourceType: 'Folder', resourceId: id, userId: ada.userId, action: 'FolderManage' },
        { resourceId: id, userId: ben.userId, actions: ['FolderRead', 'FolderEdit', 'FolderManage'] },
      ],
    })

    for (const action of [undefined, null, undefined]) expect((await share(action)).userPolicies).toEqual([])
    await expectRefusal(rename(), 'content_level_missing')
    await ben.client.deleteFolder({ params: { ...params, folderId: inside } })
    // It led to what he owned in it.
    expect(await seen(ben)).toEqual([])
    await expectRefusal(rename(), 'folder_not_found')
  })

  test('a share with a group of the tenant is for its members, as long as they are', async () => {
    const tenant = uniqueTenant()
    const groups = { groups: ['team'], groupDefinitions: [{ name: 'team', description: 'The team' }] }
    const externalId = unique('member')
    const [ada, member] = [await creator(tenant), await creator(tenant, { ...groups, externalId })]
    const { items } = await admin.getGroups({ params: { embedTenantName: tenant } })
    const groupId = items.find(({ name }) => name === 'team')?.id ?? 0
    const id = await folder(ada)
    const policies = await ada.client.setGroupPolicy({ body: { ...item(id), groupId, action: 'FolderEdit' } })
    expect(policies.groupPolicies).toMatchObject([{ groupId, group: { id: groupId, name: 'team', userCount: 1 } }])
    expect(await seen(member)).toEqual([id])
    expect(await seen(await creator(tenant))).toEqual([])
    // The same user, now without the group.
    const same = await creator(tenant, { externalId, groups: [] })
    expect(same.userId).toBe(member.userId)
    expect(await seen(same)).toEqual([])
  })

  test('nobody of another tenant or of the account can be shared with: 404, as if there was nobody', async () => {
    const tenant = uniqueTenant()
    const [ada, eve] = [await creator(tenant), await creator(uniqueTenant())]
    const id = await folder(ada)
    const otherTenant = uniqueTenant()
    const other = await admin.createGroup({ params: { embedTenantName: otherTenant }, body: { name: 'team' } })
    const me = await admin.getMe({})
    for (const userId of [eve.userId, me.id, 987_654_321]) {
      const share = ada.client.setUserPolicy({ body: { ...item(id), userId, action: 'FolderRead' } })
      await expectRefusal(share, 'share_target_not_found', new RegExp(`user ${userId} `))
    }
    for (const groupId of [other.id, 987_654_321]) {
      const share = ada.client.setGroupPolicy({ body: { ...item(id), groupId, action: 'FolderRead' } })
      await expectRefusal(share, 'share_target_not_found', new RegExp(`group ${groupId} `))
    }
    expect(await ada.client.getResourcePolicies({ query: item(id) })).toMatchObject({
      userPolicies: [],
      groupPolicies: [],
    })
    expect(await seen(eve)).toEqual([])
  })

  test('an item of another tenant is not there, whether it is read, shared or filled', async () => {
    const [ada, eve] = [await creator(uniqueTenant()), await creator(uniqueTenant())]
    const id = await folder(ada)
    const { client } = eve
    const where = { ...params, folderId: id }
    await expectRefusal(client.getFolders({ params, query: { parentId: id } }), 'folder_not_found')
    await expectRefusal(client.getFolderAncestors({ params: where }), 'folder_not_found')
    await expectRefusal(client.updateFolder({ params: where, body: { name: 'mine' } }), 'folder_not_found')
    await expectRefusal(client.deleteFolder({ params: where }), 'folder_not_found')
    await expectRefusal(client.createFolder({ params, body: { name: 'x', parentId: id } }), 'folder_not_found')
    await expectRefusal(client.getResourcePolicies({ query: item(id) }), 'folder_not_found')
    for (const action of ['FolderManage', null] as const) {
      const share = client.setUserPolicy({ body: { ...item(id), userId: eve.userId, action } })
      await expectRefusal(share, 'folder_not_found')
    }
    const group = client.setGroupPolicy({ body: { ...item(id), groupId: 1, action: 'FolderManage' } })
    await expectRefusal(group, 'folder_not_found')
    expect(await seen(ada)).toEqual([id])
  })

  test('two tenants may use the same names', async () => {
    const [ada, eve] = [await creator(uniqueTenant()), await creator(uniqueTenant())]
    for (const { client } of [ada, eve]) await client.createFolder({ params, body: { name: 'The same' } })
    await expectRefusal(ada.client.createFolder({ params, body: { name: 'The same' } }), 'name_taken')
  })

  test('shares of one item made at once are one share each', async () => {
    const tenant = uniqueTenant()
    const [ada, ben] = [await creator(tenant), await creator(tenant)]
    const id = await folder(ada)
    const actions = ['FolderRead', 'FolderEdit', 'FolderManage'] as const
    await Promise.all(
      [...actions, ...actions].map(action =>
        ada.client.setUserPolicy({ body: { ...item(id), userId: ben.userId, action } }),
      ),
    )
    const { userPolicies } = await ada.client.getResourcePolicies({ query: item(id) })
    expect(userPolicies).toHaveLength(1)
    expect(actions).toContain(userPolicies[0]?.action)
  })
})

describe("in the account's own workspace", () => {
  test('a session without creator mode sees what is shared with its user, without who owns it, administrator or not', async () => {
    const email = `${unique('ben')}@example.com`
    const ben = await admin.createUser({ body: { email, username: email, isAdmin: true } })
    const outer = await folder({ client: admin })
    const inner = await folder({ client: admin }, outer)
    const sibling = await folder({ client: admin }, outer)
    const deepest = await folder({ client: admin }, inner)
    await admin.setUserPolicy({ body: { ...item(inner), userId: ben.id, action: 'FolderManage' } })
    const client = embedded(await openSession(api, { deploymentId, internalId: email }))
    const list = async (parentId?: number) =>
      (await client.getFolders({ params, query: parentId === undefined ? {} : { parentId } })).items
    expect(await list()).toMatchObject([{ id: outer, user: null, updatedBy: null }])
    expect((await list(outer)).map(({ id }) => id)).toEqual([inner])
    expect((await list(inner)).map(({ id }) => id)).toEqual([deepest])
    expect(JSON.stringify([await list(), await list(outer)])).not.toContain('createdBy')
    await expectRefusal(list(sibling), 'folder_not_found')
    const change = client.updateFolder({ params: { ...params, folderId: inner }, body: { name: 'x' } })
    await expectRefusal(change, 'content_level_missing')
    const make = client.createFolder({ params, body: { name: 'x', parentId: inner } })
    await expect(make).rejects.toMatchObject({ status: 403 })
  })

  test('an external user can be shared with as well, and sees it in frames of his', async () => {
    const externalId = unique('customer')
    const client = embedded(await openSession(api, { deploymentId, externalId }))
    const { id: userId } = await client.getMe({})
    const id = await folder({ client: admin })
    expect((await client.getFolders({ params })).items).toEqual([])
    await admin.setUserPolicy({ body: { ...item(id), userId, action: 'FolderRead' } })
    expect((await client.getFolders({ params })).items).toMatchObject([{ id, user: null }])
    await admin.setUserPolicy({ body: { ...item(id), userId } })
    expect((await client.getFolders({ params })).items).toEqual([])
  })
})

describe('a share', () => {
  test.each([
    [{ resourceType: 'Agent' }, 'invalid_request', /^resourceType: .*Folder/],
    [{ resourceType: 'Workbook', resourceId: 987_654_321, action: 'WorkbookRead' }, 'workbook_not_found', /./],
    [{ resourceType: 'Report', resourceId: 987_654_321, action: 'ReportRead' }, 'report_not_found', /./],
    [{ resourceId: 0 }, 'invalid_request', /^resourceId: /],
    [{ resourceId: 987_654_321 }, 'folder_not_found', /987654321/],
    [{ action: 'WorkbookRead' }, 'invalid_request', /^action: .*FolderRead, FolderEdit, FolderManage/],
    [{ action: 'FolderOwn' }, 'invalid_request', /^action: /],
    [{ userId: undefined }, 'invalid_request', /^userId: /],
    [{ userId: 'me' }, 'invalid_request', /^userId: /],
    [{ groupId: 1 }, 'invalid_request', /groupId/],
  ] as const)('of %j is refused', async (changes, code, message) => {
    const id = await folder({ client: admin })
    const me = await admin.getMe({})
    const body = { ...item(id), userId: me.id, action: 'FolderRead', ...changes }
    const answer = await api.put('/api/v1/resource-policies/user', body)
    expect([answer.body.code, answer.body.message]).toEqual([code, expect.stringMatching(message)])
  })

  test('is read and written with a slash at the end of the address too', async () => {
    const id = await folder({ client: admin })
    const answer = await api.get(`/api/v1/resource-policies/?resourceType=Folder&resourceId=${id}`)
    expect([answer.status, answer.body.resourceId]).toEqual([200, id])
  })
})
