import { beforeAll, describe, expect, test } from 'vitest'
import { type Api, createDeployment, type Json, sharedApi, unique } from '../support/api.ts'
import { connect } from '../support/contract-client.ts'
import { tenantName } from '../support/embed-tenants.ts'
import { openSession, withToken } from '../support/embedding.ts'

const api = sharedApi()
const client = connect(api)
const path = '/api/v1/embed/generate-session'
let deploymentId = 0
let params: { deploymentId: number }

beforeAll(async () => {
  deploymentId = await createDeployment(api)
  params = { deploymentId }
})

/** A published dashboard of the account, for signed sessions, with a report; shared with nobody. */
async function publish(folderId: number | null = null) {
  const { id } = await client.createWorkbook({ params, body: { name: unique('workbook'), folderId } })
  const report = await client.createReport({ params, body: { workbookId: id, name: 'One', sqlQuery: 'select 1' } })
  const config = { widgets: [] }
  const { publicId, id: dashboardId } = await client.publishDashboard({
    params: { ...params, workbookId: id },
    body: { workbookId: id, config, allowEmbed: true },
  })
  return { workbookId: id, publicId, dashboardId, reportId: report.id }
}
const toAll = (workbookId: number) =>
  client.updateEmbedAccess({ params: { ...params, workbookId }, body: { allEmbedUsers: true, action: 'read' } })

const session = (body: Record<string, unknown> = {}) =>
  openSession(api, { deploymentId, externalId: unique('viewer'), ...body })
const show = async (caller: Api, publicId: string) => {
  const { status, body } = await caller.get(`/api/v1/embed/dashboard/${publicId}`)
  return [status, body.code]
}
const [seen, hidden] = [
  [200, undefined],
  [404, 'dashboard_not_found'],
]
const me = async (caller: Api): Promise<Json> => (await caller.get('/api/v1/users/me')).body
const refusal = async (body: object) => {
  const answer = await api.post(path, { deploymentId, ...body })
  return [answer.status, answer.body.code, answer.body.message]
}
const onDashboards = (resources: readonly string[]) => [
  { resourceType: 'Dashboard' as const, actions: ['EmbedDashboardRead' as const], resources: [...resources] },
]

describe('roles of a session', () => {
  test('are not allowed with internalId', async () => {
    const [status, code, message] = await refusal({ internalId: 'admin@localhost', roles: [] })
    expect([status, code]).toEqual([400, 'invalid_request'])
    expect(message).toMatch(/^roles: not allowed with internalId/)
  })

  test('that nobody has are refused by name, and nothing is written', async () => {
    const externalId = unique('nobody')
    const [status, code, message] = await refusal({ externalId, roles: ['EmbedUser', 'no-such'] })
    expect([status, code]).toEqual([400, 'roles_not_found'])
    expect(message).toContain('"no-such"')
    expect((await client.getUsers({ query: { search: externalId } })).items).toEqual([])
  })

  test('never make an administrator: Admin is refused', async () => {
    const [status, code, message] = await refusal({ externalId: 'x', roles: ['EmbedUser', 'Admin'] })
    expect([status, code]).toEqual([400, 'invalid_request'])
    expect(message).toMatch(/^roles: Admin cannot be given/)
  })

  test('let it look at what they name, are of that session alone, and hold as they are now', async () => {
    const [one, two] = [await publish(), await publish()]
    const name = unique('plan')
    const role = await client.createRole({ body: { name, policies: onDashboards([one.publicId]) } })
    const externalId = unique('viewer')
    const viewer = await session({ externalId, roles: [name, name] })
    expect([await show(viewer, one.publicId), await show(viewer, two.publicId)]).toEqual([seen, hidden])
    expect((await me(viewer)).defaultRoles).toEqual([name])
    const later = await session({ externalId })
    expect(await show(later, one.publicId)).toEqual(hidden)
    expect((await me(later)).defaultRoles).toEqual([])

    const params = { roleId: role.id }
    await client.updateRole({ params, body: { policies: onDashboards([String(two.dashboardId)]) } })
    expect([await show(viewer, one.publicId), await show(viewer, two.publicId)]).toEqual([hidden, seen])
    await client.deleteRole({ params })
    expect(await show(viewer, two.publicId)).toEqual(hidden)
    expect((await me(viewer)).defaultRoles).toEqual([])
  })

  test('of every right let it administer, make and change nothing', async () => {
    const name = unique('everything')
    const all = { actions: ['All' as const], resources: ['All'] }
    const types = ['Global', 'Deployment', 'Dashboard', 'Workbook', 'Folder'] as const
    await client.createRole({ body: { name, policies: types.map(resourceType => ({ resourceType, ...all })) } })
    const { publicId, workbookId } = await publish()
    const viewer = await session({ roles: [name, 'Developer', 'AIBIUser'] })
    expect((await me(viewer)).isAdmin).toBe(false)
    expect(await show(viewer, publicId)).toEqual(seen)
    const base = `/api/v1/deployments/${deploymentId}`
    const refused = [
      await viewer.post(path, { deploymentId, externalId: 'other' }),
      await viewer.get('/api/v1/users'),
      await viewer.post('/api/v1/roles', { name: unique('mine'), policies: onDashboards(['All']) }),
      await viewer.post(`${base}/folders`, { name: 'mine' }),
      await viewer.post(`${base}/workbooks`, { name: 'mine' }),
      await viewer.get(`${base}/workbooks/${workbookId}`),
      await viewer.get(`${base}/environment-variables`),
      await viewer.get(`/build/api/v1/deployments/${deploymentId}/data-model/files`),
      await viewer.put(base, { name: 'mine' }),
      await viewer.delete(base),
    ]
    for (const { status } of refused) expect([403, 404]).toContain(status)
  })

  test('reach no content of another embed tenant', async () => {
    const embedTenantName = tenantName()
    const maker = await session({ embedTenantName, creatorMode: true })
    const base = `/api/v1/deployments/${deploymentId}/workbooks`
    const made = await maker.post(base, { name: 'theirs', meta: { dashboardDraft: { widgets: [] } } })
    const published = await maker.post(`${base}/${made.body.id}/publish`, { workbookId: made.body.id })
    const publicId = String(published.body.publicId)
    expect(await show(maker, publicId)).toEqual(seen)
    const roles = ['EmbedUser']
    for (const body of [{ roles }, { roles, embedTenantName: tenantName() }]) {
      expect(await show(await session(body), publicId)).toEqual(hidden)
    }
  })
})

describe('publicDashboardId of a session', () => {
  test('that is not there is 404', async () => {
    expect((await refusal({ externalId: 'x', publicDashboardId: 'OwVQpbdaZmBT' })).slice(0, 2)).toEqual(hidden)
  })

  test('limits it to that dashboard, its workbook and its reports', async () => {
    const folder = await client.createFolder({ params, body: { name: unique('folder') } })
    const [mine, other] = [await publish(folder.id), await publish(folder.id)]
    await Promise.all([toAll(mine.workbookId), toAll(other.workbookId)])
    const alone = await client.createReport({ params, body: { name: unique('report'), sqlQuery: 'select 2' } })
    const externalId = unique('viewer')
    const free = await session({ externalId })
    const userId = Number((await me(free)).id)
    const shares = [
      { resourceType: 'Folder', resourceId: folder.id, action: 'FolderRead' },
      { resourceType: 'Report', resourceId: alone.id, action: 'ReportRead' },
    ] as const
    for (const body of shares) await client.setUserPolicy({ body: { ...body, userId } })
    const limited = await session({ externalId, publicDashboardId: mine.publicId })

    const base = `/api/v1/deployments/${deploymentId}`
    const idsOf = (body: Json) => Object.values(Object(body.items)).map(item => Number(Object(item).id))
    const look = async (caller: Api) => ({
      dashboards: [await show(caller, mine.publicId), await show(caller, other.publicId)],
      workbooks: idsOf((await caller.get(`${base}/workbooks`)).body).sort(),
      reports: idsOf((await caller.get(`${base}/reports`)).body).sort(),
      folders: idsOf((await caller.get(`${base}/folders`)).body),
      workspace: idsOf((await caller.get(`${base}/workspace?flatten=true`)).body).sort(),
      each: [
        (await caller.get(`${base}/workbooks/${mine.workbookId}`)).status,
        (await caller.get(`${base}/workbooks/${other.workbookId}`)).status,
        (await caller.get(`${base}/reports/${mine.reportId}`)).status,
        (await caller.get(`${base}/reports/${other.reportId}`)).status,
        (await caller.get(`${base}/reports/${alone.id}`)).status,
      ],
    })
    const [whole, part] = [await look(free), await look(limited)]
    expect(whole).toMatchObject({
      dashboards: [seen, seen],
      folders: [folder.id],
      each: [200, 200, 200, 200, 200],
    })
    expect(whole.workbooks).toEqual([mine.workbookId, other.workbookId])
    expect(part).toMatchObject({ dashboards: [seen, hidden], folders: [], each: [200, 404, 200, 404, 404] })
    expect([part.workbooks, part.reports]).toEqual([
      [mine.workbookId],
      whole.reports.filter(id => id === mine.reportId),
    ])
    expect(part.workspace.filter(id => id === other.workbookId || id === alone.id)).toEqual([])
    expect((await limited.post(`${base}/token`)).status).toBe(200)
  })

  test('shows nothing that its user may not see, by itself', async () => {
    const { publicId } = await publish()
    expect(await show(await session({ publicDashboardId: publicId }), publicId)).toEqual(hidden)
  })

  test('holds for roles, for internal users and after the token was renewed', async () => {
    const [mine, other] = [await publish(), await publish()]
    const roles = ['EmbedUser']
    const external = await session({ publicDashboardId: mine.publicId, roles })
    const internal = await openSession(api, {
      deploymentId,
      internalId: 'admin@localhost',
      publicDashboardId: mine.publicId,
    })
    for (const caller of [external, internal]) {
      expect([await show(caller, mine.publicId), await show(caller, other.publicId)]).toEqual([seen, hidden])
    }
    const { body } = await external.post('/api/v1/embed/session/renew')
    const renewed = withToken(api, String(body.token))
    expect([await show(renewed, mine.publicId), await show(renewed, other.publicId)]).toEqual([seen, hidden])
  })

  test('does not limit creator mode, which is the whole app', async () => {
    const [mine, other] = [await publish(), await publish()]
    await Promise.all([toAll(mine.workbookId), toAll(other.workbookId)])
    const creator = await session({
      publicDashboardId: mine.publicId,
      creatorMode: true,
      embedTenantName: tenantName(),
    })
    expect([await show(creator, mine.publicId), await show(creator, other.publicId)]).toEqual([seen, seen])
  })
})
