import { type Permission, permissions, type Route, routeList } from '@hedron/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type Api, createDeployment, createKey, sharedApi, unique } from '../support/api.ts'
import { createContent } from '../support/content-facts.ts'
import { connect, expectContract } from '../support/contract-client.ts'
import { createConversation } from '../support/conversation.ts'
import { prepareEmbedTenant } from '../support/embed-tenants.ts'
import { prepareEvaluation } from '../support/evaluation.ts'
import { preparePeople } from '../support/people.ts'
import { type Facts, sampleMessage, sampleRequest } from '../support/route-samples.ts'

const admin = sharedApi()

const permissionsOf = ({ access }: Route): readonly Permission[] => {
  if (typeof access !== 'object') return []
  return typeof access.permission === 'string' ? [access.permission] : access.permission
}
const guarded = routeList.filter(route => permissionsOf(route).length > 0)
const onDeployments = guarded.filter(route => route.path.includes('{deploymentId}'))
const named = (routes: readonly Route[]) => routes.map(route => [route.operationId, route] as const)

async function send(api: Api, route: Route, facts: Facts): Promise<Answer> {
  const { path, body } = sampleRequest(route, facts)
  const answer = await api.request(route.method.toUpperCase(), path, body)
  const text = answer.status === 204 ? '' : JSON.stringify(answer.body)
  expectContract(route.method, `${api.baseUrl}${path}`, answer.status, text)
  return answer
}

/** A deployment with everything in it that the sample requests name. */
async function prepareDeployment() {
  const client = connect(admin)
  const deploymentId = await createDeployment(admin)
  const params = { deploymentId }
  const branchName = 'feature/shared'
  const [environments, folder, report, agents, content] = await Promise.all([
    client.getDeploymentEnvironments({ params }),
    client.createFolder({ params, body: { name: 'target' } }),
    client.createReport({ params, body: { name: 'target' } }),
    client.listAgents({ params }),
    createContent(admin, deploymentId),
    client.createBranch({ params, body: { name: branchName } }),
  ])
  return {
    deploymentId,
    branchName,
    environmentId: Number(environments.items[0]?.id),
    folderId: folder.id,
    reportId: report.id,
    reportPublicId: report.publicId,
    agentId: agents.items[0]?.id ?? 0,
    ...content,
  }
}

/** What is of the account and not of a deployment: people, an embed tenant, a key. */
async function prepareAccount() {
  const [key, { userId, attributeId, places }, ofTenant] = await Promise.all([
    connect(admin).createApiKey({ body: { name: unique('target') } }),
    preparePeople(admin),
    prepareEmbedTenant(admin),
  ])
  return { keyId: key.id, userId, attributeId, places: { ...places, ...ofTenant } }
}

type Parts = readonly [
  ofDeployment: Awaited<ReturnType<typeof prepareDeployment>>,
  ofAccount: Awaited<ReturnType<typeof prepareAccount>>,
]
const prepareParts = (): Promise<Parts> => Promise.all([prepareDeployment(), prepareAccount()])
const factsOf = ([ofDeployment, ofAccount]: Parts): Facts => ({
  ...ofDeployment,
  ...ofAccount,
  transactionId: 'unknown',
  freeName: unique('free'),
})

/** Things of its own for a test that must know what became of them. */
const prepare = async (): Promise<Facts> => factsOf(await prepareParts())

let shared: Promise<Parts> | undefined
/**
 * What a route leaves as it is, once for all of them: everything for one that reads, what is of the account for one that changes a deployment,
 * the deployment for one that changes the account. What it does change is its own.
 */
async function prepareFor(route: Route): Promise<Facts> {
  shared ??= prepareParts()
  const [ofDeployment, ofAccount] = await shared
  if (route.method === 'get') return factsOf([ofDeployment, ofAccount])
  if (route.path.includes('{deploymentId}')) return factsOf([await prepareDeployment(), ofAccount])
  return factsOf([ofDeployment, await prepareAccount()])
}

const keys = new Map<string, Promise<string>>()
/** A key with these policies, the same one for all who ask for the same. */
async function keyWith(limit: Record<string, unknown>): Promise<Api> {
  const text = JSON.stringify(limit)
  const known = keys.get(text) ?? createKey(admin, limit)
  keys.set(text, known)
  return admin.with(await known)
}

/** With a chat thread of the keys' own user, for a route that names one. */
async function withThread(facts: Facts, route: Route): Promise<Facts> {
  if (!route.path.includes('{chatThreadId}')) return facts
  const { body } = await admin.get('/api/v1/users/me')
  const chat = await createConversation(admin, facts.deploymentId, { internalId: body.email })
  const { chatId } = await chat.ask({ input: 'How many orders are there?', messageId: sampleMessage })
  return { ...facts, chatThreadId: chatId }
}

/** With an evaluation, and questions for another, for a route that needs them. */
async function withEvaluation(facts: Facts, route: Route): Promise<Facts> {
  if (!route.path.includes('/evaluations')) return facts
  return { ...facts, evaluationId: await prepareEvaluation(admin, facts.deploymentId) }
}

const policyOn = (deploymentId: number, actions: readonly Permission[]) => ({
  policies: [{ resourceType: 'Deployment', actions, resources: [String(deploymentId)] }],
})

describe('a key without the permission is refused with 403 that names it', () => {
  let facts: Facts
  let elsewhere: Api
  beforeAll(async () => {
    facts = await prepare()
    elsewhere = admin.with(await createKey(admin, policyOn(facts.deploymentId + 1_000_000, ['All'])))
  })

  test.each(named(guarded))('%s', async (_, route) => {
    const needed = permissionsOf(route)
    const others = permissions.filter(permission => permission !== 'All' && !needed.includes(permission))
    const api = await keyWith(policyOn(facts.deploymentId, others))
    const { status, body } = await send(api, route, facts)
    expect([status, body.code]).toEqual([403, 'permission_missing'])
    for (const permission of needed) expect(body.message).toContain(permission)
  })

  test.each(named(onDeployments))('%s, also with the permission on another deployment', async (_, route) => {
    const { status, body } = await send(elsewhere, route, facts)
    expect([status, body.code]).toEqual([403, 'permission_missing'])
    expect(body.message).toContain(`on deployment ${facts.deploymentId}`)
  })

  test('and nothing came of it', async () => {
    const client = connect(admin)
    const params = { deploymentId: facts.deploymentId }
    expect((await client.listBranches({ params })).items.map(({ name }) => name)).toEqual(['main', facts.branchName])
    expect((await client.getDeployment({ params })).creationStep).toBe('project')
    expect((await client.getEnvVariables({ params })).items.map(({ name }) => name)).toEqual(['CUBEJS_API_SECRET'])
    expect((await client.getDeploymentEnvironments({ params })).items).toHaveLength(1)
    expect((await client.getDeployments({})).items.map(({ name }) => name)).not.toContain(facts.freeName)
  })
})

describe('a key with exactly the permission may', () => {
  const cases = guarded.flatMap(route =>
    permissionsOf(route).map(permission => [`${route.operationId} by ${permission}`, route, permission] as const),
  )

  test.each(cases)('%s', async (_, route, permission) => {
    const facts = await withEvaluation(await withThread(await prepareFor(route), route), route)
    const isOnDeployment = route.path.includes('{deploymentId}')
    const policies = isOnDeployment
      ? policyOn(facts.deploymentId, [permission])
      : { policies: [{ resourceType: 'Deployment', actions: [permission], resources: ['All'] }] }
    const api = await keyWith(policies)
    const params = { deploymentId: facts.deploymentId }
    const path = 'model/sample.yml'
    if (route.tags[0].startsWith('Data Model') && permission !== 'SchemaRead') {
      // Files and uploads go to the key's own dev branch, forked from the shared branch.
      const own = permissionsOf(route).includes('SchemaUpdateDevBranches')
      if (own) await connect(api).startDevMode({ params, body: { branchName: facts.branchName } })
      if (own && route.method !== 'put') {
        await connect(api).updateFiles({ params, body: { files: [{ path, content: 'cubes: []\n' }] } })
      }
    }
    const isUpload = ['uploadFile', 'finishUpload', 'planUpload'].includes(route.operationId)
    const transaction = isUpload
      ? (await connect(api).startUpload({ params })).transaction
      : { id: facts.transactionId }
    const { status, body } = await send(api, route, { ...facts, transactionId: transaction.id })
    // There is no sync; who may not ask is refused before that is looked up (above).
    if (route.path.includes('{syncJobId}')) expect([status, body.code]).toEqual([404, 'dbt_sync_not_found'])
    else expect(status, JSON.stringify(body)).toBe(route.status ?? 200)
  })

  test.each(named(onDeployments))('%s by All', async (_, route) => {
    const facts = await prepareFor(route)
    const api = await keyWith(policyOn(facts.deploymentId, ['All']))
    const { body } = await send(api, route, facts)
    expect(body.code).not.toBe('permission_missing')
  })
})

describe('what a permission on dev branches does not reach', () => {
  test('is production: neither a commit to it, nor an upload, nor a merge', async () => {
    const facts = await prepare()
    const params = { deploymentId: facts.deploymentId }
    const api = admin.with(await createKey(admin, policyOn(facts.deploymentId, ['SchemaUpdateDevBranches'])))
    const client = connect(api)
    await client.startDevMode({ params })
    await client.updateFiles({ params, body: { files: [{ path: 'model/a.yml', content: 'cubes: []\n' }] } })
    const base = `/build/api/v1/deployments/${facts.deploymentId}`
    for (const [path, body] of [
      [`${base}/commit`, {}],
      [`${base}/data-model/upload/start`, { branchName: 'main' }],
      [`${base}/merge`, {}],
      [`${base}/merge-to-default`, {}],
      [`${base}/merge`, { branchName: facts.branchName }],
    ] as const) {
      const answer = await api.post(path, body)
      expect([answer.status, answer.body.code], path).toEqual([403, 'permission_missing'])
      expect(answer.body.message).toContain('SchemaUpdate')
    }
    expect(JSON.stringify(await connect(admin).fileHashes({ params, query: { branchName: 'main' } }))).not.toContain(
      'model/a.yml',
    )
  })
})

describe('administrators alone', () => {
  const routes = routeList.filter(route => route.access === 'admin')

  test.each(named(routes))('may %s', async (_, route) => {
    const made = await prepareFor(route)
    // Each makes users, of whom an account can have so many.
    const isOfTenant = route.path.startsWith('/api/v1/embed-tenants/')
    const facts = isOfTenant ? { ...made, places: await prepareEmbedTenant(admin, made) } : made
    const everything = { policies: [{ resourceType: 'Global', actions: ['All'], resources: ['All'] }] }
    for (const limit of [everything, { deploymentIds: [facts.deploymentId] }]) {
      const { status, body } = await send(await keyWith(limit), route, facts)
      expect([status, body.code]).toEqual([403, 'admin_required'])
    }
    expect((await send(admin, route, facts)).status).toBe(route.status ?? 200)
  })
})

describe('a key scoped to other deployments', () => {
  let facts: Facts
  let scoped: Api
  beforeAll(async () => {
    facts = await prepare()
    scoped = admin.with(await createKey(admin, { deploymentIds: [await createDeployment(admin)] }))
  })

  test.each(named(onDeployments))('is refused %s with 403 that says so', async (_, route) => {
    const { status, body } = await send(scoped, route, facts)
    expect([status, body.code]).toEqual([403, 'deployment_out_of_scope'])
    expect(body.message).toContain(String(facts.deploymentId))
  })
})

describe('any credential', () => {
  const routes = routeList.filter(route => route.access === 'caller')

  test.each(named(routes))('may %s', async (_, route) => {
    const facts = await prepareFor(route)
    const least = { policies: [{ resourceType: 'Report', actions: ['ReportRead'], resources: ['1'] }] }
    const { status } = await send(await keyWith(least), route, facts)
    // What a path names may be out of its sight.
    expect(route.params === undefined ? [200] : [200, 404]).toContain(status)
  })
})
