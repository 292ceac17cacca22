import { OffsetQuery, PageQuery, type Route, routeList } from '@hedron/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Answer, createDeployment, createKey, sharedApi, unique } from '../support/api.ts'
import { createContent } from '../support/content-facts.ts'
import { connect, expectContract, expectRefusal } from '../support/contract-client.ts'
import { prepareDbtSync } from '../support/dbt-sync.ts'
import { prepareEmbedTenant } from '../support/embed-tenants.ts'
import { prepareEvaluation } from '../support/evaluation.ts'
import { preparePeople } from '../support/people.ts'
import { createModeler } from '../support/project.ts'
import { type Facts, sampleRequest } from '../support/route-samples.ts'

const api = sharedApi()
const admin = connect(api)

const has = (route: Route, names: object) => Object.keys(names).every(name => name in (route.query?.shape ?? {}))
// Those of embed sessions alone are tested with comments.
const cursorLists = routeList.filter(route => has(route, PageQuery.shape) && route.access !== 'embed')
const offsetLists = routeList.filter(route => has(route, OffsetQuery.shape))
const named = (routes: readonly Route[]) => routes.map(route => [route.operationId, route] as const)

let facts: Facts
/** Sees six deployments and no others: tests that run beside these make and delete more. */
let deploymentsKey: string

/** A deployment with at least five of everything that is listed. */
beforeAll(async () => {
  const { client, params, deploymentId, ...modeler } = await createModeler(api)
  await modeler.enter()
  const names = Array.from({ length: 5 }, (_, index) => `name_${index}`)
  const files = names.flatMap(name => [`${name}.md`, `${name}/model.md`])
  await modeler.write(Object.fromEntries(files.map(path => [path, path])))
  await modeler.commit()
  for (const name of names) {
    await client.createBranch({ params, body: { name } })
    await client.setBranchStagingEnvironment({ params, body: { branchName: name, enabled: true } })
  }
  await client.setEnvVariables({ params, body: { env_variables: names.map(name => ({ name, value: name })) } })
  const folder = await client.createFolder({ params, body: { name: 'shared' } })
  for (const name of names) await client.createFolder({ params, body: { name } })
  const { items } = await client.getDeploymentEnvironments({ params, query: { type: 'production' } })
  const environmentId = Number(items[0]?.id)
  for (const team of names) {
    const body = { security_context: { team } }
    await client.createDeploymentEnvironmentToken({ params: { ...params, environmentId }, body })
  }
  const content = await createContent(api, deploymentId)
  for (const name of names) await client.createWorkbook({ params, body: { name } })
  const ids = await Promise.all(names.map(() => createDeployment(api)))
  deploymentsKey = await createKey(api, {
    policies: [{ resourceType: 'Deployment', actions: ['All'], resources: [deploymentId, ...ids].map(String) }],
  })
  const people = await preparePeople(api, 4)
  const places = { ...people.places, ...(await prepareEmbedTenant(api, { deploymentId, group: 'full' })) }
  facts = {
    deploymentId,
    environmentId,
    keyId: '',
    branchName: 'name_0',
    transactionId: '',
    freeName: '',
    places,
    evaluationId: await prepareEvaluation(api, deploymentId),
    syncJobId: await prepareDbtSync(api, deploymentId),
    ...content,
    folderId: folder.id,
  }
})

async function list(route: Route, query: Record<string, string | number>): Promise<Answer> {
  const { pathname, searchParams } = new URL(sampleRequest(route, facts).path, api.baseUrl)
  for (const [name, value] of Object.entries(query)) searchParams.set(name, String(value))
  const caller = route.operationId === 'getDeployments' ? api.with(deploymentsKey) : api
  const answer = await caller.get(`${pathname}?${searchParams}`)
  expectContract('GET', `${api.baseUrl}${pathname}`, answer.status, JSON.stringify(answer.body))
  return answer
}

/** Items and page of a list; both are there as the contract test of `list` has seen. */
async function pageOf(route: Route, query: Record<string, string | number>) {
  const { status, body } = await list(route, query)
  expect(status, JSON.stringify(body)).toBe(200)
  const pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor?: string; endCursor?: string } =
    JSON.parse(JSON.stringify(body.pageInfo))
  const items: unknown[] = JSON.parse(JSON.stringify(body.items))
  return { items, pageInfo, body }
}

/** All pages of a size, from the first to the last. */
async function walk(route: Route, first: number): Promise<unknown[]> {
  const all: unknown[] = []
  for (let after = '', pages = 0; pages < 1000; pages++) {
    const { items, pageInfo } = await pageOf(route, after === '' ? { first } : { first, after })
    expect(items.length).toBeLessThanOrEqual(first)
    expect(pageInfo.hasPreviousPage).toBe(after !== '')
    all.push(...items)
    if (!pageInfo.hasNextPage) return all
    expect(items).toHaveLength(first)
    after = pageInfo.endCursor ?? ''
    expect(after).not.toBe('')
  }
  throw new Error(`${route.operationId} has no last page`)
}

/** What names an item of a list, whichever it is. */
const identity = (item: unknown): string => {
  const { id, name, path, token, version, releaseChannel, type, questionName } = Object(item)
  return JSON.stringify([id, name, path, token, version, releaseChannel, type, questionName])
}

describe('cursor pages', () => {
  test('are on every list of the contract', () => {
    expect(cursorLists.map(route => route.operationId)).toEqual(
      expect.arrayContaining(['getDeployments', 'getUsers', 'listApiKeys', 'listBranches', 'listFiles', 'listRegions']),
    )
    for (const route of routeList) {
      if ('first' in (route.query?.shape ?? {})) expect(has(route, PageQuery.shape), route.operationId).toBe(true)
    }
  })

  // Without a cursor logs are the end of a list that grows with every request.
  test.each(named(cursorLists.filter(({ operationId }) => operationId !== 'logs')))(
    'of %s give each item once, in the same order, whatever their size',
    async (_, route) => {
      const whole = await walk(route, 1000)
      const known = new Set(whole.map(identity))
      expect(known.size).toBe(whole.length)
      // Of a list that other tests have made long, small pages would be a thousand requests.
      for (const size of whole.length > 300 ? [97, 100] : [1, 2, 3]) {
        // Other tests make and revoke keys meanwhile.
        const walked = (await walk(route, size)).map(identity)
        expect(new Set(walked).size).toBe(walked.length)
        expect(walked.filter(item => known.has(item)).length).toBeGreaterThanOrEqual(whole.length - 5)
        const order = whole.map(identity).filter(item => walked.includes(item))
        expect(walked.filter(item => known.has(item))).toEqual(order)
      }
    },
  )

  // Lists that never had another name for their items have none.
  const withTwin = cursorLists.filter(({ response }) => 'shape' in response && 'data' in Object(response.shape))

  test.each(named(withTwin))('of %s have the deprecated twin of items', async (operationId, route) => {
    for (const query of [{}, { first: 2 }]) {
      const { items, body } = await pageOf(route, query)
      if (operationId === 'listRegions') expect(Object(body.data)).toHaveLength(1)
      else expect(body.data).toEqual(items)
    }
  })

  test.each(named(cursorLists))(
    'of %s: a cursor of another list, a broken or a forged one is refused',
    async (_, route) => {
      const another = cursorLists[(cursorLists.indexOf(route) + 1) % cursorLists.length] ?? route
      const foreign = (await pageOf(another, { first: 1 })).pageInfo.endCursor ?? ''
      const own = (await pageOf(route, { first: 1 })).pageInfo.endCursor ?? ''
      // A list with nothing in it has no cursors of its own.
      const [name] = own === '' ? ['none'] : JSON.parse(Buffer.from(own, 'base64url').toString())
      const forged = [
        [],
        [name],
        [name, null],
        [name, { a: 1 }],
        [name, -1],
        [name, 1e300],
        [name, '1 or 1=1', 'x', 'y'],
        [name, 'a\0b', 'x'],
        [name, '0'.repeat(3), 'no date'],
      ].map(parts => Buffer.from(JSON.stringify(parts)).toString('base64url'))
      const broken = own === '' ? [] : [own.slice(1), `${own.slice(0, 3)}A${own.slice(4)}`]
      for (const after of ['x', '....', '%00', 'é', ...broken, ...forged, ...(foreign === '' ? [] : [foreign])]) {
        const { status, body } = await list(route, { first: 2, after })
        const text = Buffer.from(after, 'base64url').toString()
        // A text key may be any text: a forged one names a place between items and is harmless.
        if (status === 200) expect(text.startsWith(`["${name}","`), text).toBe(true)
        else expect([status, body.code], text).toEqual([400, 'cursor_invalid'])
      }
    },
  )

  test.each(named(cursorLists))('of %s hold at most 1,000, and at least one', async (_, route) => {
    expect((await list(route, { first: 1_000_000 })).status).toBe(200)
    for (const first of ['0', '-1', '1.5', 'ten', '1e3', 'NaN', '99999999999999999999']) {
      const { status, body } = await list(route, { first })
      expect([status, body.code], first).toEqual([400, 'invalid_request'])
      expect(body.message).toMatch(/^first: /)
    }
    const { path } = sampleRequest(route, facts)
    const { status, body } = await api.get(`${path}${path.includes('?') ? '&' : '?'}first=1&first=2`)
    expect([status, body.code]).toEqual([400, 'invalid_request'])
  })

  test.each(named(cursorLists))(
    'of %s: an empty first and after are none, and an unknown parameter is refused',
    async (_, route) => {
      expect((await list(route, { first: '', after: '' })).status).toBe(200)
      const { status, body } = await list(route, { frist: '1' })
      expect([status, body.code]).toEqual([400, 'invalid_request'])
      expect(body.message).toContain('"frist"')
    },
  )
})

describe('offset pages of older clients', () => {
  test.each(named(offsetLists))('of %s are windows of the same list', async (_, route) => {
    const { items: all, body } = await pageOf(route, { offset: 0, limit: 1000 })
    expect(body.pagination).toMatchObject({ total: all.length, offset: 0, limit: 1000 })
    const { items, body: window, pageInfo } = await pageOf(route, { offset: 1, limit: 2 })
    expect(items).toEqual(all.slice(1, 3))
    expect(window.pagination).toMatchObject({ offset: 1, limit: 2 })
    expect(pageInfo).toMatchObject({ hasPreviousPage: true, hasNextPage: all.length > 3 })
    expect((await pageOf(route, { offset: 0, limit: 1 })).pageInfo.hasPreviousPage).toBe(false)
    const none = await pageOf(route, { limit: 0 })
    expect(none.items).toEqual([])
    expect(none.pageInfo.hasNextPage).toBe(true)
    const beyond = await pageOf(route, { offset: 1_000_000 })
    expect(beyond.items).toEqual([])
    expect(beyond.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true })
  })

  test.each(named(offsetLists))('of %s cannot be mixed with cursors', async (_, route) => {
    for (const query of [
      { offset: 1, first: 1 },
      { limit: 1, after: 'x' },
      { limit: 1, offset: 0, first: 5 },
    ]) {
      const { status, body } = await list(route, query)
      expect([status, body.code]).toEqual([400, 'invalid_request'])
      expect(body.message).toMatch(/offset and limit cannot be combined with first and after/)
    }
  })

  test.each(named(offsetLists))('of %s go on by cursor from where they end', async (_, route) => {
    const { pageInfo } = await pageOf(route, { offset: 0, limit: 2 })
    const { items: all } = await pageOf(route, { offset: 0, limit: 3 })
    const next = await pageOf(route, { first: 1, after: pageInfo.endCursor ?? '' })
    expect(next.items).toEqual(all.slice(2, 3))
  })

  test('of deployments hold 20 where no limit is given', async () => {
    const { pagination } = await admin.getDeployments({ query: { offset: 0 } })
    expect(pagination.limit).toBe(20)
  })
})

describe('pages stay right while rows come and go', () => {
  test('deployments: the one that a cursor names is deleted, others come', async () => {
    const ids: number[] = []
    for (let count = 0; count < 4; count++) ids.push(await createDeployment(api))
    const [first = 0, second = 0, third = 0, fourth = 0] = ids
    const after = await cursorAt('getDeployments', first)
    await admin.deleteDeployment({ params: { deploymentId: first } })
    await admin.deleteDeployment({ params: { deploymentId: third } })
    const added = await createDeployment(api)
    const { items } = await admin.getDeployments({ query: { after } })
    const rest = items.map(({ id }) => id)
    expect(rest.filter(id => [...ids, added].includes(id))).toEqual([second, fourth, added])
  })

  test('branches, environments and variables', async () => {
    const { client, params } = await createModeler(api)
    const names = ['a', 'b', 'c', 'd']
    for (const name of names) {
      await client.createBranch({ params, body: { name } })
      await client.setBranchStagingEnvironment({ params, body: { branchName: name, enabled: true } })
    }
    const branches = await client.listBranches({ params, query: { first: 3 } })
    const environments = await client.getDeploymentEnvironments({ params, query: { first: 3 } })
    expect(branches.items.map(({ name }) => name)).toEqual(['main', 'a', 'b'])
    await client.removeBranch({ params, query: { branchName: 'b' } })
    await client.createBranch({ params, body: { name: 'e' } })
    const restOfBranches = await client.listBranches({ params, query: { after: branches.pageInfo.endCursor ?? '' } })
    expect(restOfBranches.items.map(({ name }) => name)).toEqual(['c', 'd', 'e'])
    const after = environments.pageInfo.endCursor ?? ''
    const restOfEnvironments = await client.getDeploymentEnvironments({ params, query: { after } })
    expect(restOfEnvironments.items.map(({ branch }) => branch)).toEqual(['c', 'd'])
  })

  test('files and folders at the top', async () => {
    const modeler = await createModeler(api)
    const { client, params } = modeler
    await modeler.enter()
    await modeler.write({ 'a/x.md': '', 'c/x.md': '', 'b.md': '', 'd.md': '' })
    const page = await client.listFiles({ params, query: { first: 1 } })
    expect(page.items.map(({ path }) => path)).toEqual(['/a'])
    await modeler.remove('a/x.md')
    const rest = await client.listFiles({ params, query: { after: page.pageInfo.endCursor ?? '' } })
    expect(rest.items.map(({ path }) => path)).toEqual(['/c', '/model', '/b.md', '/d.md'])
  })

  test('API keys', async () => {
    const made: string[] = []
    for (let count = 0; count < 3; count++) made.push((await admin.createApiKey({ body: { name: unique('page') } })).id)
    const after = await cursorAt('listApiKeys', made[0] ?? '')
    await admin.revokeApiKey({ params: { id: made[0] ?? '' } })
    await admin.revokeApiKey({ params: { id: made[1] ?? '' } })
    const { items } = await admin.listApiKeys({ query: { after } })
    expect(items.map(({ id }) => id).filter(id => made.includes(id))).toEqual([made[2]])
    await expectRefusal(admin.getUsers({ query: { after } }), 'cursor_invalid')
  })

  /** The cursor that ends at an item, found by walking. */
  async function cursorAt(operation: 'getDeployments' | 'listApiKeys', id: number | string): Promise<string> {
    for (let after: string | undefined, pages = 0; pages < 100; pages++) {
      const from = after === undefined ? {} : { after }
      const { items, pageInfo } = await admin[operation]({ query: from })
      const place = items.findIndex(item => item.id === id)
      if (place >= 0) {
        const upToIt = await admin[operation]({ query: { ...from, first: place + 1 } })
        return upToIt.pageInfo.endCursor ?? ''
      }
      if (!pageInfo.hasNextPage || !pageInfo.endCursor) break
      after = pageInfo.endCursor
    }
    throw new Error(`${id} is not in the list`)
  }
})
