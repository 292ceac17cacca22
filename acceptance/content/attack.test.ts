import { type Route, routeList } from '@hedron/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type Api, createDeployment, type Json, sharedApi, unique } from '../support/api.ts'
import { plainDashboard } from '../support/content-facts.ts'
import { expectContract } from '../support/contract-client.ts'
import { openSession, uniqueTenant } from '../support/embedding.ts'
import { type Facts, sampleRequest } from '../support/route-samples.ts'

/*
 * Ada has content. Others, each with every right that lets them be here at all, try every operation on content, by ids, names,
 * addresses, cursors and bodies that name hers, and get nothing: no item, no name, no count, and no answer that tells an item of hers
 * from one that was never there.
 */

const admin = sharedApi()
const secret = unique('Ada-Private')
const tags = ['Folders', 'Workspace', 'Workbooks', 'Reports', 'Dashboard Embed Access', 'Resource Policies', 'Comments']
/** Parameters of a path that name an item. */
const naming = /\{(?:folderId|workbookId|reportId|publicId|slug|commentId)\}/

const routes = routeList.filter(({ tags: [tag], path }) => tags.includes(tag) || path.includes('/embed/dashboard/'))
const onItems = routes.filter(({ path }) => naming.test(path))
const upserts = ['upsertWorkbookBySlug', 'upsertReportByPublicId']

interface Victim {
  readonly api: Api
  readonly facts: Facts
  /** All that she sees of her own. */
  read(): Promise<Json>
}

let deploymentId: number
const victims = new Map<string, Victim>()
const attackers = new Map<string, Api>()
const base = () => `/api/v1/deployments/${deploymentId}`

/** Everything that content can be, with names that nobody else may read. */
async function contentOf(api: Api): Promise<Victim> {
  const post = async (path: string, body: object) => expectOk(await api.post(`${base()}${path}`, body))
  const put = async (path: string, body: object) => expectOk(await api.put(`${base()}${path}`, body))
  const folder = await post('/folders', { name: secret })
  const inside = await post('/folders', { name: secret, parentId: folder.id })
  const report = await post('/reports', { name: secret, title: secret, folderId: inside.id, sqlQuery: 'select 1' })
  const slug = secret.toLowerCase()
  const draft = { ...plainDashboard, title: secret, description: secret }
  const workbook = await put(`/workbooks/by-slug/${slug}`, { name: secret, meta: { dashboardDraft: draft } })
  await post('/reports', { name: secret, workbookId: workbook.id, meta: { kind: 'kpi', note: secret } })
  const dashboard = await post(`/workbooks/${workbook.id}/publish`, { workbookId: Number(workbook.id) })
  return {
    api,
    facts: {
      deploymentId,
      environmentId: 1,
      keyId: 'none',
      folderId: Number(inside.id),
      reportId: Number(report.id),
      reportPublicId: String(report.publicId),
      workbookId: Number(workbook.id),
      slug,
      publicId: String(dashboard.publicId),
      branchName: 'main',
      transactionId: 'none',
      freeName: unique('theirs'),
    },
    read: async () => {
      const parts = await Promise.all(
        [
          '/folders?first=1000',
          '/reports?first=1000',
          `/reports/${report.id}`,
          `/workbooks/${workbook.id}`,
          `/folders/${inside.id}/ancestors`,
        ].map(async path => [path, expectOk(await api.get(`${base()}${path}`))] as const),
      )
      return Object.fromEntries(parts)
    },
  }
}

function expectOk({ status, body }: Answer): Json {
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

beforeAll(async () => {
  deploymentId = await createDeployment(admin)
  const [hers, other] = [uniqueTenant(), uniqueTenant()]
  const creator = (embedTenantName: string) =>
    openSession(admin, { deploymentId, externalId: unique('creator'), creatorMode: true, embedTenantName })
  const user = unique('ben')
  const policies = [
    { resourceType: 'Deployment', actions: ['DeploymentRead', 'AIBIDeveloper'], resources: [String(deploymentId)] },
  ]
  const role = expectOk(await admin.post('/api/v1/roles', { name: unique('role'), policies }))
  const ben = expectOk(await admin.post('/api/v1/users', { email: `${user}@example.com`, username: user }))
  expect((await admin.put(`/api/v1/roles/${role.id}/users/${ben.id}`)).status).toBe(204)
  victims.set("the account's workspace", await contentOf(admin))
  victims.set("an embed tenant's workspace", await contentOf(await creator(hers)))
  attackers.set(
    'a user of the account',
    await openSession(admin, { deploymentId, internalId: user, creatorMode: true }),
  )
  attackers.set('an embed viewer', await openSession(admin, { deploymentId, externalId: unique('viewer') }))
  attackers.set(
    'an embed viewer of the tenant',
    await openSession(admin, { deploymentId, externalId: unique('viewer'), embedTenantName: hers }),
  )
  attackers.set('another creator of the tenant', await creator(hers))
  attackers.set('a creator of another tenant', await creator(other))
  attackers.set('an administrator elsewhere', await elsewhere())
})

/** A key of everything on another deployment alone. */
async function elsewhere(): Promise<Api> {
  const ids = [await createDeployment(admin)]
  const { token } = expectOk(await admin.post('/api/v1/api-keys', { name: unique('key'), deploymentIds: ids }))
  return admin.with(String(token))
}

const victimNames = ["the account's workspace", "an embed tenant's workspace"]
const attackerNames = [
  'a user of the account',
  'an embed viewer',
  'an embed viewer of the tenant',
  'another creator of the tenant',
  'a creator of another tenant',
  'an administrator elsewhere',
]
const pairs = victimNames.flatMap(victim => attackerNames.map(attacker => [attacker, victim] as const))
const pair = (attacker: string, victim: string): { api: Api; victim: Victim } => {
  const [api, hers] = [attackers.get(attacker), victims.get(victim)]
  if (!api || !hers) throw new Error('not prepared')
  return { api, victim: hers }
}

async function send(api: Api, route: Route, facts: Facts): Promise<{ answer: Answer; text: string; where: string }> {
  const { path, body } = sampleRequest(route, facts)
  const answer = await api.request(route.method.toUpperCase(), path, body)
  const text = JSON.stringify(answer.body)
  expectContract(route.method, `${api.baseUrl}${path}`, answer.status, answer.status === 204 ? '' : text)
  return { answer, text, where: `${route.operationId}: ${answer.status} ${text.slice(0, 300)}` }
}

/** Status, code and sentence without the ids and names that the request itself said. */
function refusalOf({ status, body }: Answer, { slug, publicId, reportPublicId = '' }: Facts): string {
  const names = [slug, publicId, reportPublicId]
  const message = names.reduce((text, name) => text.replaceAll(name, '#'), String(body.message))
  return `${status} ${body.code} ${message.replaceAll(/\d+/g, '#')}`
}

const nowhere = (facts: Facts): Facts => ({
  ...facts,
  folderId: 987_654_321,
  reportId: 987_654_321,
  workbookId: 987_654_321,
  slug: 'nowhere-at-all',
  publicId: 'NoSuchOne123',
  reportPublicId: 'NoSuchOne456',
})

test.each(victimNames)('what is tried on others is answered to Ada herself: in %s', async name => {
  const { api, facts } = pair('an embed viewer', name).victim
  // Comments are switched off unless an account switches them on; their own tests do.
  for (const route of onItems.filter(({ method, path }) => method === 'get' && !path.includes('/comments'))) {
    const { answer, where } = await send(api, route, facts)
    expect(answer.status, where).toBe(200)
  }
  for (const path of ['folders', 'workbooks', 'reports']) {
    expect(JSON.stringify((await api.get(`${base()}/${path}`)).body)).toContain(secret)
  }
})

describe.each(pairs)('%s, at content in %s', (attacker, victimName) => {
  test('gets 404, or 403 by role, from every operation that names an item, the same as for one that never was', async () => {
    const { api, victim } = pair(attacker, victimName)
    const before = await victim.read()
    for (const route of onItems.filter(({ operationId }) => !upserts.includes(operationId))) {
      const hit = await send(api, route, victim.facts)
      expect([403, 404], hit.where).toContain(hit.answer.status)
      expect(hit.text, hit.where).not.toContain(secret)
      const missing = await send(api, route, nowhere(victim.facts))
      expect(refusalOf(hit.answer, victim.facts), hit.where).toBe(refusalOf(missing.answer, nowhere(victim.facts)))
    }
    expect(await victim.read()).toEqual(before)
  })

  test('changes nothing by upserting under her slug and her publicId', async () => {
    const { api, victim } = pair(attacker, victimName)
    const before = await victim.read()
    for (const route of onItems.filter(({ operationId }) => upserts.includes(operationId))) {
      const { answer, text, where } = await send(api, route, victim.facts)
      expect(text, where).not.toContain(secret)
      // A slug is of a workspace, so that his own can have the same.
      const hers = route.operationId === 'upsertWorkbookBySlug' ? victim.facts.workbookId : victim.facts.reportId
      if (answer.status === 200) expect(answer.body.id, where).not.toBe(hers)
      else expect([403, 404, 409], where).toContain(answer.status)
    }
    expect(await victim.read()).toEqual(before)
  })

  test('sees nothing in lists, searches, filters, counts and pages, also with her cursors', async () => {
    const { api, victim } = pair(attacker, victimName)
    const { folderId, workbookId } = victim.facts
    const lists = routes.filter(({ method, path, query }) => method === 'get' && query && !naming.test(path))
    for (const route of lists) {
      const fields = Object.keys(route.query?.shape ?? {})
      const { path } = sampleRequest(route, victim.facts)
      const address = path.split('?', 1)[0]
      const own = await victim.api.get(`${address}?first=1`)
      const cursor = Object(own.body.pageInfo).endCursor
      const queries: Record<string, string>[] = [
        {},
        { first: '1000' },
        { search: secret },
        { search: 'Private' },
        { folderId: String(folderId) },
        { parentId: String(folderId) },
        { workbookId: String(workbookId) },
        { page: '1', limit: '1000' },
        ...['name', 'createdAt', 'updatedAt', 'lastViewedAt'].map(sortBy => ({ sortBy })),
        ...(cursor ? [{ first: '1000', after: String(cursor) }] : []),
      ]
      for (const query of queries.filter(names => Object.keys(names).every(name => fields.includes(name)))) {
        const answer = await api.get(`${address}?${new URLSearchParams(query)}`)
        const text = JSON.stringify(answer.body)
        const where = `${route.operationId} ${JSON.stringify(query)}: ${answer.status} ${text.slice(0, 300)}`
        expect(answer.status, where).toBeLessThan(500)
        expect(text, where).not.toContain(secret)
        if (answer.status === 200 && 'search' in query) {
          expect(answer.body.items ?? answer.body.data, where).toEqual([])
          expect(answer.body.count ?? 0, where).toBe(0)
        }
      }
    }
  })

  test('cannot put anything of his into what is hers, nor move or share hers', async () => {
    const { api, victim } = pair(attacker, victimName)
    const { folderId = 0, reportId = 0, workbookId } = victim.facts
    const before = await victim.read()
    const me = (await api.get('/api/v1/users/me')).body.id ?? 1
    const items = [
      { type: 'REPORT', id: reportId },
      { type: 'WORKBOOK', id: workbookId },
      { type: 'FOLDER', id: folderId },
    ]
    const requests: readonly (readonly [string, string, object?])[] = [
      ['POST', `${base()}/workspace/bulk-delete`, { items }],
      ['POST', `${base()}/workspace/bulk-move`, { items, folderId: null }],
      ...items.map(item => ['POST', `${base()}/workspace/move`, item] as const),
      ['POST', `${base()}/folders`, { name: unique('x'), parentId: folderId }],
      ['POST', `${base()}/workbooks`, { name: 'x', folderId }],
      ['POST', `${base()}/reports`, { name: 'x', folderId }],
      ['POST', `${base()}/reports`, { name: 'x', workbookId }],
      ['PUT', `${base()}/reports/${reportId}`, { folderId: null, workbookId: null }],
      ['PUT', `${base()}/workbooks/${workbookId}`, { folderId: null }],
      ...(['Folder', 'Workbook', 'Report'] as const).flatMap(resourceType => {
        const resourceId = { Folder: folderId, Workbook: workbookId, Report: reportId }[resourceType]
        const share = { resourceType, resourceId, action: `${resourceType}Manage` }
        const path = '/api/v1/resource-policies'
        return [
          ['GET', `${path}?resourceType=${resourceType}&resourceId=${resourceId}`],
          ['PUT', `${path}/user`, { ...share, userId: me }],
          ['PUT', `${path}/group`, { ...share, groupId: 1 }],
        ] as const
      }),
    ]
    for (const [method, path, body] of requests) {
      const answer = await api.request(method, path, body)
      const where = `${method} ${path} ${JSON.stringify(body)}: ${answer.status} ${JSON.stringify(answer.body)}`
      // Of several items each is answered for itself.
      if (answer.status === 200) expect(answer.body.deleted ?? answer.body.moved, where).toEqual([])
      else expect([403, 404], where).toContain(answer.status)
      expect(JSON.stringify(answer.body), where).not.toContain(secret)
    }
    expect(await victim.read()).toEqual(before)
  })
})

test('an item that is not his takes as long to be refused as one that never was', async () => {
  const { api, victim } = pair('another creator of the tenant', "an embed tenant's workspace")
  const timed = async (path: string) => {
    const started = performance.now()
    expect((await api.get(path)).status).toBe(404)
    return performance.now() - started
  }
  const times: Record<'hers' | 'none', number[]> = { hers: [], none: [] }
  for (let round = 0; round < 40; round++) {
    times.hers.push(await timed(`${base()}/reports/${victim.facts.reportId}`))
    times.none.push(await timed(`${base()}/reports/987654321`))
  }
  const middle = (values: number[]) => values.sort((a, b) => a - b)[values.length / 2] ?? 0
  const [hers, none] = [middle(times.hers), middle(times.none)]
  // Both ask the same statements; what is left is chance, and more of it on a busy machine.
  expect(Math.abs(hers - none)).toBeLessThan(Math.max(4, Math.min(hers, none)))
})
