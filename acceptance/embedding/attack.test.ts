import { type Route, routeList } from '@hedron/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createProject } from '../data-api/project.ts'
import { startTwoAccounts, type TwoAccounts } from '../support/accounts.ts'
import { type Answer, type Api, createDeployment, type Json, unique } from '../support/api.ts'
import { plainDashboard } from '../support/content-facts.ts'
import { expectContract } from '../support/contract-client.ts'
import { type EmbedApi, generateSession, openSession, uniqueTenant, withToken } from '../support/embedding.ts'
import { numbers, numbersPath } from '../support/project.ts'
import { type Facts, sampleRequest } from '../support/route-samples.ts'

/** Is in everything that customer B has, and in nothing else. */
const canary = `canary${Date.now().toString(36)}`

let accounts: TwoAccounts
let deploymentId = 0
/** Customer B, who has content, groups and attributes; and what is his. */
let victim: EmbedApi
let facts: Facts
let before: Readonly<Record<string, Json>>
/** Ids of B by the name of the field or parameter that takes one. */
let stolen: Readonly<Record<string, string | number>>
const attackers: Record<string, Api> = {}

beforeAll(async () => {
  accounts = await startTwoAccounts()
  const { ada, eve } = accounts
  deploymentId = await createProject(ada, { [numbersPath]: numbers('sum') })
  const embedTenantName = `${uniqueTenant()}b`
  const person = { deploymentId, externalId: unique('same'), embedTenantName, creatorMode: true }
  victim = await openSession(ada, {
    ...person,
    email: `${canary}@b.example`,
    userProfile: { displayName: `${canary} person` },
    embedTenantProfile: { displayName: `${canary} tenant` },
    groupDefinitions: [{ name: `${canary} group`, description: canary }],
    userAttributeDefinitions: [{ name: `${canary} attribute`, type: 'string', defaultValue: canary }],
    groups: [`${canary} group`],
    securityContext: { secret: canary },
  })
  const content = await makeContent(victim)
  const groups = await ada.get(`/api/v1/embed-tenants/${embedTenantName}/groups`)
  const me = await victim.get('/api/v1/users/me')
  const [group] = itemsOf(groups)
  stolen = {
    ...content,
    embedTenantName,
    userId: Number(me.body.id),
    embedUserId: Number(me.body.id),
    groupId: Number(group?.id),
    parentId: content.folderId,
    externalId: person.externalId,
  }
  facts = {
    deploymentId,
    environmentId: 1,
    keyId: '0'.repeat(32),
    branchName: 'main',
    transactionId: '0'.repeat(32),
    freeName: unique('free'),
    folderId: content.folderId,
    reportId: content.reportId,
    reportPublicId: content.reportPublicId,
    workbookId: content.workbookId,
    slug: content.slug,
    publicId: content.publicId,
    places: {
      '/api/v1/embed-tenants/{embedTenantName}': embedTenantName,
      '/api/v1/deployments/{deploymentId}/embed-tenants/{embedTenantName}': embedTenantName,
      '/api/v1/embed-tenants/{embedTenantName}/groups/{id}': Number(group?.id),
      '/api/v1/users/{id}': Number(me.body.id),
      '/api/v1/roles/{roleId}': 1,
      '/api/v1/roles/{roleId}/users/{userId}': Number(me.body.id),
    },
  }
  const a = { deploymentId, externalId: unique('a') }
  const own = uniqueTenant()
  attackers['a creator of another tenant'] = await openSession(ada, { ...a, embedTenantName: own, creatorMode: true })
  attackers['a reader of another tenant'] = await openSession(ada, { ...a, embedTenantName: own })
  attackers['a reader of the same tenant'] = await openSession(ada, { ...a, embedTenantName })
  const roles = ['EmbedUser', 'Developer']
  attackers['a reader of another tenant with roles'] = await openSession(ada, { ...a, embedTenantName: own, roles })
  attackers['a reader of another tenant, for that dashboard'] = await openSession(ada, {
    ...a,
    embedTenantName: own,
    publicDashboardId: content.publicId,
  })
  attackers['a reader of no tenant'] = await openSession(ada, a)
  attackers['a creator of no tenant'] = await openSession(ada, { ...a, externalId: unique('a'), creatorMode: true })
  attackers['the same id in another tenant'] = await openSession(ada, { ...person, embedTenantName: own })
  attackers['the same id and tenant in another account'] = await openSession(eve, {
    ...person,
    deploymentId: await createDeployment(eve),
  })
  const { body } = await victim.post(`/api/v1/deployments/${deploymentId}/token`)
  attackers['a data token for an embed token'] = withToken(ada, String(body.cubeApiToken))
  before = await seenByVictim()
})
afterAll(() => accounts?.dispose())

const itemsOf = ({ body }: Answer): readonly Json[] => Object.values(body.items ?? {}).map(item => Object(item))

async function must(answer: Promise<Answer>): Promise<Json> {
  const { status, body } = await answer
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}

/** One of everything that a customer can make. */
async function makeContent(session: EmbedApi) {
  const base = `/api/v1/deployments/${deploymentId}`
  const slug = unique('slug')
  const folder = await must(session.post(`${base}/folders`, { name: `${canary} folder` }))
  const dashboardDraft = { ...plainDashboard, title: `${canary} dashboard` }
  const workbook = await must(
    session.put(`${base}/workbooks/by-slug/${slug}`, { name: `${canary} workbook`, meta: { dashboardDraft } }),
  )
  const workbookId = Number(workbook.id)
  const published = await must(session.post(`${base}/workbooks/${workbookId}/publish`, { workbookId }))
  const report = await must(session.post(`${base}/reports`, { name: `${canary} report`, description: canary }))
  return {
    folderId: Number(folder.id),
    workbookId,
    slug,
    publicId: String(published.publicId),
    reportId: Number(report.id),
    reportPublicId: String(report.publicId),
  }
}

/** What B sees of his own, to be found again as it was. */
async function seenByVictim(): Promise<Readonly<Record<string, Json>>> {
  const base = `/api/v1/deployments/${deploymentId}`
  const paths = [
    `${base}/folders`,
    `${base}/workbooks`,
    `${base}/workbooks/${stolen.workbookId}`,
    `${base}/reports`,
    `${base}/reports/${stolen.reportId}`,
    `/api/v1/embed/dashboard/${stolen.publicId}`,
    '/api/v1/users/me',
  ]
  const seen: Record<string, Json> = {}
  for (const path of paths) seen[path] = await must(victim.get(path))
  return seen
}

/** Requests of one operation that name things of B: as the contract says, and with his ids in every field that takes one. */
function requestsOf(route: Route): { path: string; body: object | undefined }[] {
  const sample = sampleRequest(route, facts)
  if (sample.body instanceof FormData) return [sample]
  const fields = route.body !== undefined && 'shape' in route.body ? Object.keys(Object(route.body.shape)) : []
  const named = fields.filter(name => name in stolen).map(name => [name, stolen[name]] as const)
  const search = route.query === undefined ? [] : Object.keys(route.query.shape)
  const query = new URLSearchParams()
  if (search.includes('search')) query.set('search', canary)
  if (search.includes('first')) query.set('first', '1000')
  for (const name of search.filter(name => name in stolen)) query.set(name, String(stolen[name]))
  const joined = sample.path.includes('?') ? sample.path : `${sample.path}?${query}`
  return [
    sample,
    ...(query.size > 0 ? [{ ...sample, path: joined }] : []),
    ...named.map(([name, value]) => ({ ...sample, body: { ...sample.body, [name]: value } })),
    ...(named.length > 1 ? [{ ...sample, body: { ...sample.body, ...Object.fromEntries(named) } }] : []),
  ]
}

/** Paths that lead to something of B alone. */
const leadsToVictim = (route: Route): boolean =>
  /\{(workbookId|folderId|reportId|publicId|embedTenantName|userId)\}/.test(route.path) &&
  !/by-public-id/.test(route.path)

describe('nobody but B gets, changes or removes what is his, by any operation of the contract', () => {
  test('B sees what he has made, and the canary is in all of it', () => {
    for (const [path, body] of Object.entries(before)) expect(JSON.stringify(body), path).toContain(canary)
  })

  test.each(routeList.map(route => [route.operationId, route] as const))('%s', async (_, route) => {
    for (const [name, attacker] of Object.entries(attackers)) {
      for (const { path, body } of requestsOf(route)) {
        const answer = await attacker.request(route.method.toUpperCase(), path, body)
        const text = JSON.stringify(answer.body)
        const where = `${name}: ${route.method} ${path} -> ${answer.status} ${text.slice(0, 300)}`
        expectContract(
          route.method,
          `${attacker.baseUrl}${path}`,
          answer.status,
          Object.keys(answer.body).length === 0 ? '' : text,
        )
        // A refusal may repeat what was asked for.
        if (answer.status < 300) expect(text, where).not.toContain(canary)
        if (leadsToVictim(route)) expect([400, 401, 403, 404], where).toContain(answer.status)
      }
    }
  })

  test('and B finds all of it as it was', async () => {
    expect(await seenByVictim()).toEqual(before)
  })

  test("cursors of B's lists lead others to nothing of his", async () => {
    const base = `/api/v1/deployments/${deploymentId}`
    for (const list of ['workbooks', 'reports', 'folders']) {
      const { body } = await victim.get(`${base}/${list}?first=1`)
      for (const cursor of [body.pageInfo?.startCursor, body.pageInfo?.endCursor]) {
        for (const [name, attacker] of Object.entries(attackers)) {
          const answer = await attacker.get(`${base}/${list}?first=10&after=${encodeURIComponent(String(cursor))}`)
          expect(JSON.stringify(answer.body), `${name} ${list}`).not.toContain(canary)
        }
      }
    }
  })

  test("B's data token opens no other deployment, and no other account's opens his", async () => {
    const { ada, eve } = accounts
    const { body } = await victim.post(`/api/v1/deployments/${deploymentId}/token`)
    const other = await createDeployment(ada)
    const ask = async (id: number, token: string) =>
      (await ada.request('GET', `/data/${id}/cubejs-api/v1/meta`, undefined, { authorization: token })).status
    expect(await ask(deploymentId, String(body.cubeApiToken))).toBe(200)
    expect(await ask(other, String(body.cubeApiToken))).toBe(403)
    const foreign = await createDeployment(eve)
    const session = await openSession(eve, { deploymentId: foreign, externalId: 'x' })
    const { body: theirs } = await session.post(`/api/v1/deployments/${foreign}/token`)
    expect(await ask(deploymentId, String(theirs.cubeApiToken))).toBe(403)
  })

  test("another account's key can neither generate sessions here nor revoke them", async () => {
    const { ada, eve } = accounts
    const body = { deploymentId, externalId: 'x' }
    expect((await eve.post('/api/v1/embed/generate-session', body)).body.code).toBe('deployment_not_found')
    const sessionId = await generateSession(ada, body)
    expect((await eve.post('/api/v1/embed/session/revoke', { sessionId })).status).toBe(204)
    const { status } = await ada.request('POST', '/api/v1/embed/session/token', { sessionId })
    expect(status).toBe(200)
  })
})
