import { beforeAll, describe, expect, test } from 'vitest'
import { type Api, createDeployment, createKey, sharedApi, unique } from '../support/api.ts'
import { connect, expectRefusal } from '../support/contract-client.ts'
import { tenantName } from '../support/embed-tenants.ts'
import { openSession } from '../support/embedding.ts'

const api = sharedApi()
const client = connect(api)
let deploymentId = 0
let params: { deploymentId: number }

beforeAll(async () => {
  deploymentId = await createDeployment(api)
  params = { deploymentId }
})

const position = { x: 0, y: 0, w: 6, h: 4 }

/** A published dashboard of the account with one report, whose workbook nobody but its owner sees. */
async function publish(folderId: number | null = null) {
  const { id } = await client.createWorkbook({ params, body: { name: 'Sales', folderId, meta: { secret: 'plans' } } })
  const meta = { kind: 'kpi' as const, pythonCode: 'print(1)' }
  const made = await client.createReport({ params, body: { workbookId: id, name: 'One', sqlQuery: 'select 1', meta } })
  const widgets = [{ id: 'a', type: 'CHART' as const, position, config: { reportId: made.id } }]
  const { publicId } = await client.publishDashboard({
    params: { ...params, workbookId: id },
    body: { workbookId: id, config: { widgets } },
  })
  return { workbookId: id, publicId, reportId: made.id }
}

const session = (body: Record<string, unknown> = {}) =>
  openSession(api, { deploymentId, externalId: unique('viewer'), ...body })
const show = async (caller: Api, publicId: string) => {
  const { status, body } = await caller.get(`/api/v1/embed/dashboard/${publicId}`)
  return { status, code: body.code, body }
}
type EmbedAccess = NonNullable<Parameters<typeof client.updateEmbedAccess>[0]['body']>
const share = (workbookId: number, body: EmbedAccess) =>
  client.updateEmbedAccess({ params: { ...params, workbookId }, body })
const toAll = { allEmbedUsers: true, action: 'read' as const }
const notFound = { status: 404, code: 'dashboard_not_found' }
const off = { status: 403, code: 'dashboard_embedding_off' }

describe('GET /embed/dashboard/{publicId} in a signed session', () => {
  test('is 404 for what is not shared with the viewer, as for what nobody has, flag or not', async () => {
    const { publicId } = await publish()
    const viewer = await session()
    expect(await show(viewer, publicId)).toMatchObject(notFound)
    await client.updateDashboardEmbedding({ params: { publicId }, body: { allowEmbed: true } })
    const hidden = await show(viewer, publicId)
    const missing = await show(viewer, 'NoSuchBoard1')
    expect(hidden).toMatchObject(notFound)
    expect(JSON.stringify(hidden.body).replace(publicId, 'NoSuchBoard1')).toBe(JSON.stringify(missing.body))
  })

  test('shows what is shared with all embed users, whether signed embedding is on or off', async () => {
    const { workbookId, publicId, reportId } = await publish()
    const viewer = await session({ embedTenantName: tenantName() })
    await share(workbookId, toAll)
    const { status, body } = await show(viewer, publicId)
    expect([status, body]).toMatchObject([
      200,
      {
        publicId,
        workbookId,
        allowEmbed: false,
        fromSharedWorkspace: true,
        reportSnapshots: [{ reportId, sqlQuery: 'select 1', kind: 'kpi' }],
      },
    ])
    // Neither who made it nor code, nor rows.
    expect(body.createdBy).toBeNull()
    expect(JSON.stringify(body)).not.toContain('print(1)')
    await share(workbookId, { allEmbedUsers: true, action: 'none' })
    expect(await show(viewer, publicId)).toMatchObject(notFound)
  })

  test('shows what is shared with its embed tenant once signed embedding is on, and to no other tenant', async () => {
    const { workbookId, publicId } = await publish()
    const names = [tenantName(), tenantName()]
    const [mine, other] = await Promise.all(names.map(embedTenantName => session({ embedTenantName })))
    if (!mine || !other) throw new Error('no sessions')
    await share(workbookId, { embedTenantName: String(names[0]).toUpperCase(), action: 'read' })
    expect(await show(mine, publicId)).toMatchObject(off)
    expect(await client.updateDashboardEmbedding({ params: { publicId }, body: { allowEmbed: true } })).toEqual({
      publicId,
      allowEmbed: true,
    })
    expect((await show(mine, publicId)).status).toBe(200)
    expect(await show(other, publicId)).toMatchObject(notFound)
    await client.updateDashboardEmbedding({ params: { publicId }, body: { allowEmbed: false } })
    expect(await show(mine, publicId)).toMatchObject(off)
  })

  test('shows what is in a folder that is shared with the viewer, however deep', async () => {
    const outer = await client.createFolder({ params, body: { name: unique('outer') } })
    const inner = await client.createFolder({ params, body: { name: 'inner', parentId: outer.id } })
    const { publicId } = await publish(inner.id)
    const [viewer, stranger] = [await session(), await session()]
    const userId = Number((await viewer.get('/api/v1/users/me')).body.id)
    const folder = { resourceType: 'Folder' as const, resourceId: outer.id, action: 'FolderRead' as const }
    await client.setUserPolicy({ body: { ...folder, userId } })
    expect(await show(viewer, publicId)).toMatchObject(off)
    await client.updateDashboardEmbedding({ params: { publicId }, body: { allowEmbed: true } })
    expect((await show(viewer, publicId)).status).toBe(200)
    expect(await show(stranger, publicId)).toMatchObject(notFound)
  })

  test('shows what is in a folder for all embed users, whether signed embedding is on or off', async () => {
    const tenant = tenantName()
    const [viewer, other] = [await session({ embedTenantName: tenant }), await session()]
    const groupOf = async (body: EmbedAccess) => share((await publish()).workbookId, body)
    const all = (await groupOf(toAll)).allEmbedUsers.groupId
    const own = (await groupOf({ embedTenantName: tenant, action: 'read' })).tenants[0]?.groupId
    for (const [groupId, expected] of [
      [all, [200, 200]],
      [own, [403, 404]],
    ] as const) {
      const { id: resourceId } = await client.createFolder({ params, body: { name: unique('folder') } })
      const { workbookId, publicId } = await publish(resourceId)
      const policy = { resourceType: 'Folder' as const, resourceId, action: 'FolderRead' as const }
      await client.setGroupPolicy({ body: { ...policy, groupId: Number(groupId) } })
      expect([(await show(viewer, publicId)).status, (await show(other, publicId)).status]).toEqual(expected)
      const listed = { params: { ...params, embedTenantName: tenant }, query: { accessSource: 'folder' as const } }
      expect((await client.listEmbedTenantWorkbooks(listed)).items.map(({ id }) => id)).toContain(workbookId)
      const direct = { ...listed, query: { accessSource: 'allEmbedUsers' as const } }
      expect((await client.listEmbedTenantWorkbooks(direct)).items.map(({ id }) => id)).not.toContain(workbookId)
    }
  })

  test('of another deployment is 404, whatever it is shared with', async () => {
    const { workbookId, publicId } = await publish()
    await share(workbookId, { ...toAll, allowEmbed: true })
    const elsewhere = await session({ deploymentId: await createDeployment(api) })
    expect(await show(elsewhere, publicId)).toMatchObject(notFound)
  })

  test('of an internal user shows what is his, with the flag', async () => {
    const { publicId } = await publish()
    const me = await client.getMe({})
    const own = await openSession(api, { deploymentId, internalId: me.username })
    expect(await show(own, publicId)).toMatchObject(off)
    await client.updateDashboardEmbedding({ params: { publicId }, body: { allowEmbed: true } })
    expect((await show(own, publicId)).body).toMatchObject({ publicId, fromSharedWorkspace: false })
  })
})

describe('GET /embed/dashboard/{publicId} of a user of the account', () => {
  test('needs no flag, but a right: on the deployment and the workbook, or EmbedDashboardRead', async () => {
    const { publicId } = await publish()
    const id = (await client.getDashboard({ params: { publicId } })).id
    const caller = async (resourceType: string, actions: string[], resources: unknown[]) =>
      api.with(await createKey(api, { policies: [{ resourceType, actions, resources: resources.map(String) }] }))
    for (const [expected, given] of [
      [200, caller('Deployment', ['DeploymentRead'], [deploymentId])],
      [404, caller('Report', ['ReportRead'], ['All'])],
      [200, caller('Dashboard', ['EmbedDashboardRead'], [id])],
      [200, caller('Dashboard', ['EmbedDashboardRead'], [publicId])],
      [404, caller('Dashboard', ['EmbedDashboardRead'], [id + 1])],
      [200, caller('Deployment', ['EmbedDashboardRead'], [deploymentId])],
      [404, caller('Deployment', ['EmbedDashboardRead'], [deploymentId + 1])],
      [200, caller('Global', ['EmbedDashboardRead'], ['All'])],
    ] as const) {
      expect((await show(await given, publicId)).status).toBe(expected)
    }
    const scoped = api.with(await createKey(api, { deploymentIds: [await createDeployment(api)] }))
    expect(await show(scoped, publicId)).toMatchObject(notFound)
  })

  test('Python analysis is refused to who sees the dashboard, and the dashboard hidden from who does not', async () => {
    const { publicId, reportId } = await publish()
    const body = { reportId, reportVersionId: 1, sqlQuery: 'select 1' }
    await expectRefusal(client.postDashboardPythonRun({ params: { publicId }, body }), 'python_not_enabled')
    const viewer = await session()
    const answer = await viewer.post(`/api/v1/embed/dashboard/${publicId}/python-run`, body)
    expect([answer.status, answer.body.code]).toEqual([404, 'dashboard_not_found'])
  })
})

describe('embed access', () => {
  test('is a share with the sharing groups, granted and taken away, and says who has it', async () => {
    const { workbookId, publicId } = await publish()
    const [one, two] = [tenantName(), tenantName()].sort()
    for (const embedTenantName of [one, two]) await session({ embedTenantName })
    await share(workbookId, { embedTenantName: two ?? '', action: 'read' })
    const all = await share(workbookId, { ...toAll, allowEmbed: true })
    await share(workbookId, { embedTenantName: one ?? '', action: 'read' })
    const shown = await client.getEmbedAccess({ params: { ...params, workbookId } })
    expect(shown).toMatchObject({
      allowEmbed: true,
      allEmbedUsers: { enabled: true, action: 'read', groupId: all.allEmbedUsers.groupId },
      tenants: [{ embedTenantName: one }, { embedTenantName: two }],
    })
    expect((await client.getDashboard({ params: { publicId } })).allowEmbed).toBe(true)
    await share(workbookId, { embedTenantName: two ?? '', action: 'none' })
    const rest = await share(workbookId, { allEmbedUsers: true, action: 'none', allowEmbed: false })
    expect(rest).toMatchObject({ allowEmbed: false, allEmbedUsers: { enabled: false, action: 'none', groupId: null } })
    expect(rest.tenants.map(({ embedTenantName }) => embedTenantName)).toEqual([one])
  })

  test('granted by sixteen at once is granted once', async () => {
    const { workbookId } = await publish()
    const embedTenantName = tenantName()
    await session({ embedTenantName })
    await Promise.all(Array.from({ length: 16 }, () => share(workbookId, { embedTenantName, action: 'read' })))
    const { tenants } = await client.getEmbedAccess({ params: { ...params, workbookId } })
    expect(tenants).toHaveLength(1)
  })

  test.each([
    ['no change', {}, /no change/],
    ['two targets', { embedTenantName: 'some-tenant', allEmbedUsers: true, action: 'read' }, /one target/],
    ['a target without an action', { allEmbedUsers: true }, /action: is required/],
    ['an action without a target', { action: 'read' }, /needs a target/],
    ['no target and an action', { allEmbedUsers: false, action: 'read' }, /needs a target/],
  ])('with %s is refused with 400', async (_, body, message) => {
    const { workbookId } = await publish()
    const path = `/api/v1/deployments/${deploymentId}/workbooks/${workbookId}/embed-access`
    const answer = await api.put(path, body)
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request'])
    expect(String(answer.body.message)).toMatch(message)
  })

  test('needs a published dashboard for allowEmbed, and a tenant that there is', async () => {
    const { id } = await client.createWorkbook({ params })
    await expectRefusal(share(id, { allowEmbed: true }), 'dashboard_not_published')
    await expectRefusal(share(id, { embedTenantName: tenantName(), action: 'read' }), 'embed_tenant_not_found')
  })

  test('tells a viewer in a frame of no other customer', async () => {
    const { workbookId } = await publish()
    const [mine, other] = [tenantName(), tenantName()]
    const viewer = await session({ embedTenantName: mine })
    await session({ embedTenantName: other })
    for (const embedTenantName of [mine, other]) await share(workbookId, { embedTenantName, action: 'read' })
    const path = `/api/v1/deployments/${deploymentId}/workbooks/${workbookId}/embed-access`
    const { status, body } = await viewer.get(path)
    expect([status, body.tenants]).toMatchObject([200, [{ embedTenantName: mine }]])
    expect(JSON.stringify(body)).not.toContain(other)
    expect((await viewer.put(path, { ...toAll })).status).toBe(403)
  })

  test('lists what a tenant reaches, by way', async () => {
    const embedTenantName = tenantName()
    await session({ embedTenantName })
    const [own, both, none] = [await publish(), await publish(), await publish()]
    for (const { workbookId } of [own, both]) await share(workbookId, { embedTenantName, action: 'read' })
    await share(both.workbookId, toAll)
    const list = async (query: object) => {
      const { items } = await client.listEmbedTenantWorkbooks({ params: { ...params, embedTenantName }, query })
      return items.map(({ id }) => id)
    }
    expect(await list({ accessSource: 'tenant' })).toEqual([own.workbookId, both.workbookId])
    const all = await list({ accessSource: 'allEmbedUsers' })
    expect(all).toContain(both.workbookId)
    expect(all).not.toContain(own.workbookId)
    const union = await list({})
    expect(union.filter(id => id === both.workbookId)).toHaveLength(1)
    expect(union).not.toContain(none.workbookId)
    const params2 = { ...params, embedTenantName: tenantName() }
    await expectRefusal(client.listEmbedTenantWorkbooks({ params: params2 }), 'embed_tenant_not_found')
  })
})

describe('a session in creator mode', () => {
  test('sees of what the account shares no more than is published, and changes none of it', async () => {
    const { workbookId, publicId } = await publish()
    await share(workbookId, toAll)
    const creator = await session({ embedTenantName: tenantName(), creatorMode: true })
    const path = `/api/v1/deployments/${deploymentId}/workbooks/${workbookId}`
    const { body } = await creator.get(path)
    expect(body).toMatchObject({ user: null, meta: {}, dashboardDraft: null, publishedDashboard: { publicId } })
    expect(JSON.stringify(body)).not.toContain('plans')
    for (const [method, address, sent] of [
      ['PUT', path, { name: 'Mine' }],
      ['DELETE', path, undefined],
      ['PUT', `${path}/dashboard`, { dashboardDraft: {} }],
      ['POST', `${path}/publish`, { workbookId }],
      ['PUT', `${path}/embed-access`, { allEmbedUsers: true, action: 'none' }],
    ] as const) {
      const answer = await creator.request(method, address, sent)
      expect([answer.status, answer.body.code], address).toEqual([403, 'content_level_missing'])
    }
    // A plain copy would hold the draft; only what is published may be copied.
    expect((await creator.post(`${path}/duplicate`, {})).body.code).toBe('workbook_not_found')
  })

  test('copies a shared dashboard into its own workspace: what is published, re-published', async () => {
    const { workbookId, reportId } = await publish()
    await client.updateReport({ params: { ...params, reportId }, body: { sqlQuery: 'select 2' } })
    const tenant = tenantName()
    const creator = await session({ embedTenantName: tenant, creatorMode: true })
    const path = `/api/v1/deployments/${deploymentId}/workbooks`
    const copy = () => creator.post(`${path}/${workbookId}/duplicate`, { shared: true })
    expect((await copy()).body.code).toBe('workbook_not_found')
    await share(workbookId, { embedTenantName: tenant, action: 'read' })
    const { status, body } = await copy()
    expect(status, JSON.stringify(body)).toBe(200)
    const copied = Number(body.publishedDashboard?.reportSnapshots?.[0]?.reportId)
    expect(copied).not.toBe(reportId)
    expect(body).toMatchObject({
      name: 'Copy of Sales',
      folderId: null,
      dashboardDraft: { widgets: [{ config: { reportId: copied } }] },
      publishedDashboard: { allowEmbed: false, versionNumber: 1, reportSnapshots: [{ sqlQuery: 'select 1' }] },
    })
    expect(JSON.stringify(body)).not.toContain('plans')
    // His own needs no flag; another tenant and the account do not see it.
    const publicId = String(body.publishedDashboard?.publicId)
    expect((await show(creator, publicId)).body).toMatchObject({ publicId, fromSharedWorkspace: false })
    const stranger = await session({ embedTenantName: tenantName(), creatorMode: true })
    for (const caller of [stranger, api]) {
      expect(await show(caller, publicId)).toMatchObject(notFound)
      expect((await caller.get(`${path}/${String(body.id)}`)).body.code).toBe('workbook_not_found')
    }
    expect(JSON.stringify((await stranger.get(path)).body)).not.toContain('Copy of Sales')
  })

  test('refuses to copy as shared what has no published dashboard', async () => {
    const { id } = await client.createWorkbook({ params })
    await share(id, toAll)
    const creator = await session({ embedTenantName: tenantName(), creatorMode: true })
    const answer = await creator.post(`/api/v1/deployments/${deploymentId}/workbooks/${id}/duplicate`, { shared: true })
    expect([answer.status, answer.body.code]).toEqual([400, 'dashboard_not_published'])
  })

  test('has slugs of its own, apart from those of other tenants', async () => {
    const slug = unique('slug')
    const path = `/api/v1/deployments/${deploymentId}/workbooks/by-slug/${slug}`
    const tenants = [tenantName(), tenantName()]
    const creators = await Promise.all(tenants.map(name => session({ embedTenantName: name, creatorMode: true })))
    const answers = await Promise.all([api, ...creators].map(caller => caller.put(path, { name: 'x' })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(answers.map(({ body }) => Number(body.id))).size).toBe(3)
  })

  test('shares inside its tenant alone', async () => {
    const [mine, other] = [tenantName(), tenantName()]
    await session({ embedTenantName: other })
    const creator = await session({ embedTenantName: mine, creatorMode: true })
    const colleague = await session({ embedTenantName: mine, creatorMode: true })
    const path = `/api/v1/deployments/${deploymentId}/workbooks`
    const { body } = await creator.post(path, { name: 'Ours' })
    const one = `${path}/${String(body.id)}`
    expect((await colleague.get(one)).status).toBe(404)
    const access = `${one}/embed-access`
    expect((await creator.put(access, { embedTenantName: other, action: 'read' })).body.code).toBe(
      'embed_tenant_not_found',
    )
    expect((await creator.put(access, toAll)).status).toBe(400)
    expect((await creator.put(access, { embedTenantName: mine, action: 'read' })).status).toBe(200)
    expect((await colleague.get(one)).status).toBe(200)
    expect((await colleague.put(one, { name: 'Mine' })).status).toBe(403)
  })
})

describe('a session that only reads', () => {
  test('makes nothing', async () => {
    const viewer = await session()
    const path = `/api/v1/deployments/${deploymentId}/workbooks`
    for (const [method, address] of [
      ['POST', path],
      ['PUT', `${path}/by-slug/${unique('new')}`],
    ] as const) {
      expect((await viewer.request(method, address, {})).status, address).toBe(403)
    }
    const { workbookId } = await publish()
    const { body } = await viewer.get(path)
    expect(Object.values(body.items ?? {}).map(item => item?.id)).not.toContain(workbookId)
    expect((await viewer.get(`${path}/${workbookId}`)).status).toBe(404)
  })
})
