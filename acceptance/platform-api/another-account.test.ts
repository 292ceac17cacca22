import { routeList } from '@hedron/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTwoAccounts, type TwoAccounts } from '../support/accounts.ts'
import { createDeployment, createKey, tokenOf } from '../support/api.ts'
import { createContent } from '../support/content-facts.ts'
import { connect, expectContract, expectRefusal } from '../support/contract-client.ts'
import { createModeler, sha1 } from '../support/project.ts'
import { type Facts, sampleRequest } from '../support/route-samples.ts'

let accounts: TwoAccounts
/** Of Ada's account. */
let facts: Facts

beforeAll(async () => {
  accounts = await startTwoAccounts()
  const { client, params, ...modeler } = await createModeler(accounts.ada)
  await client.createBranch({ params, body: { name: 'feature' } })
  await modeler.enter()
  const { transaction } = await client.startUpload({ params })
  const { items } = await client.getDeploymentEnvironments({ params })
  const { id } = await connect(accounts.ada).createApiKey({ body: { name: 'target' } })
  facts = {
    ...params,
    environmentId: Number(items[0]?.id),
    keyId: id,
    branchName: 'feature',
    transactionId: transaction.id,
    freeName: 'free',
    ...(await createContent(accounts.ada, params.deploymentId)),
  }
})
afterAll(() => accounts?.dispose())

describe("another account's deployment is not there: 404, never 403", () => {
  const routes = routeList.filter(route => route.path.includes('{deploymentId}'))

  test.each(routes.map(route => [route.operationId, route] as const))('%s', async (_, route) => {
    const { eve } = accounts
    const mine = await createDeployment(eve)
    const keys = [
      eve.apiKey,
      await createKey(eve, { deploymentIds: [mine] }),
      await createKey(eve, { policies: [{ resourceType: 'Global', actions: ['All'], resources: ['All'] }] }),
      await createKey(eve, { policies: [{ resourceType: 'Report', actions: ['ReportRead'], resources: ['1'] }] }),
      await createKey(eve, {
        policies: [{ resourceType: 'Deployment', actions: ['All'], resources: [String(facts.deploymentId)] }],
      }),
    ]
    for (const key of keys) {
      const { path, body } = sampleRequest(route, facts)
      const answer = await eve.with(key).request(route.method.toUpperCase(), path, body)
      expectContract(route.method, `${eve.baseUrl}${path}`, answer.status, JSON.stringify(answer.body))
      expect([answer.status, answer.body.code]).toEqual([404, 'deployment_not_found'])
    }
    // Exactly as for one that nobody has.
    const { path, body } = sampleRequest(route, { ...facts, deploymentId: 987_654_321 })
    const nobodys = await eve.request(route.method.toUpperCase(), path, body)
    expect([nobodys.status, nobodys.body.code]).toEqual([404, 'deployment_not_found'])
  })

  test('and all of that changed nothing there', async () => {
    const ada = connect(accounts.ada)
    const params = { deploymentId: facts.deploymentId }
    const { items } = await ada.listBranches({ params })
    expect(items.map(({ name }) => name)).toEqual(expect.arrayContaining(['main', 'feature']))
    expect((await ada.getDeployment({ params })).creationStep).toBe('project')
    expect((await ada.getEnvVariables({ params })).items.map(({ name }) => name)).toEqual(['CUBEJS_API_SECRET'])
  })
})

describe('two accounts', () => {
  test("see their own deployments, keys and users, and not each other's", async () => {
    const { ada, eve } = accounts
    const [hers, his] = [connect(ada), connect(eve)]
    expect((await his.getDeployments({})).items.map(({ id }) => id)).not.toContain(facts.deploymentId)
    expect((await hers.getDeployments({})).items.map(({ id }) => id)).toContain(facts.deploymentId)
    expect((await his.getUsers({})).items.map(({ email }) => email)).toEqual(['eve@second.example'])
    expect((await his.listApiKeys({})).items.map(({ id }) => id)).not.toContain(facts.keyId)
    await expectRefusal(his.getApiKey({ params: { id: facts.keyId } }), 'api_key_not_found')
    await expectRefusal(his.revokeApiKey({ params: { id: facts.keyId } }), 'api_key_not_found')
    expect((await hers.getApiKey({ params: { id: facts.keyId } })).id).toBe(facts.keyId)
    const scopedThere = his.createApiKey({ body: { name: 'x', deploymentIds: [facts.deploymentId] } })
    await expectRefusal(scopedThere, 'deployment_not_found')
  })

  test('may use the same names', async () => {
    const [hers, his] = [connect(accounts.ada), connect(accounts.eve)]
    const body = { name: 'the same name' }
    const ids = [await hers.createDeployment({ body }), await his.createDeployment({ body })].map(({ id }) => id)
    expect(new Set(ids).size).toBe(2)
  })

  test("do not use each other's cursors to see more", async () => {
    const { pageInfo } = await connect(accounts.ada).getDeployments({ query: { first: 1 } })
    const { items } = await connect(accounts.eve).getDeployments({ query: { after: pageInfo.endCursor ?? '' } })
    expect(items.map(({ id }) => id)).not.toContain(facts.deploymentId)
  })

  test("do not use each other's upload transactions", async () => {
    const { eve } = accounts
    const params = { deploymentId: await createDeployment(eve) }
    const content = 'cubes: []\n'
    const body = { transaction: { id: facts.transactionId }, files: { 'a.yml': { hash: sha1(content) } } }
    await expectRefusal(connect(eve).finishUpload({ params, body }), 'upload_not_found')
  })

  test("do not use each other's data-API tokens", async () => {
    const { ada, eve } = accounts
    const token = await tokenOf(eve, await createDeployment(eve))
    const response = await fetch(`${ada.baseUrl}/data/${facts.deploymentId}/cubejs-api/v1/meta`, {
      headers: { authorization: token },
    })
    expect(response.status).toBe(403)
  })

  test("do not clone each other's models", async () => {
    const response = await fetch(
      `${accounts.eve.baseUrl}/git/${facts.deploymentId}/info/refs?service=git-upload-pack`,
      { headers: { authorization: `Basic ${btoa(`x:${accounts.eve.apiKey}`)}` } },
    )
    expect(response.status).toBe(404)
  })
})

describe('users of one account', () => {
  test('are each who their key says, and both are listed', async () => {
    const [ada, bob] = [connect(accounts.ada), connect(accounts.bob)]
    expect((await ada.getMe({})).email).toBe('ada@first.example')
    expect((await bob.getMe({})).email).toBe('bob@first.example')
    const { items, count } = await bob.getUsers({})
    expect(items.map(({ email }) => email)).toEqual(['ada@first.example', 'bob@first.example'])
    expect(count).toBe(2)
  })

  test('are found by a part of an address, and the number is of those found', async () => {
    const { items, count } = await connect(accounts.ada).getUsers({ query: { search: 'BOB@' } })
    expect(items.map(({ email }) => email)).toEqual(['bob@first.example'])
    expect(count).toBe(1)
  })

  test('come in pages, a search with them', async () => {
    const ada = connect(accounts.ada)
    for (const query of [{ first: 1 }, { first: 1, search: 'first.example' }]) {
      const one = await ada.getUsers({ query })
      expect(one).toMatchObject({ count: 2, pageInfo: { hasNextPage: true, hasPreviousPage: false } })
      const two = await ada.getUsers({ query: { ...query, after: one.pageInfo.endCursor ?? '' } })
      expect(two.items.map(({ email }) => email)).toEqual(['bob@first.example'])
      expect(two.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true })
    }
  })

  test('work on the same deployments, each on a dev branch of their own', async () => {
    const [ada, bob] = [connect(accounts.ada), connect(accounts.bob)]
    const params = { deploymentId: facts.deploymentId }
    const hers = await ada.startDevMode({ params })
    const his = await bob.startDevMode({ params })
    expect(his.branchName).not.toBe(hers.branchName)
    const files = [{ path: 'model/a.yml', content: 'cubes: []\n' }]
    const onHers = bob.updateFiles({ params, body: { files, branchName: hers.branchName } })
    await expectRefusal(onHers, 'branch_not_yours', new RegExp(String(hers.branchName)))
    const target = { branchName: hers.branchName }
    await expectRefusal(bob.startDevMode({ params, body: target }), 'branch_not_yours')
    await expectRefusal(bob.startUpload({ params, body: target }), 'branch_not_yours')
    await expectRefusal(bob.commitChanges({ params, body: target }), 'branch_not_yours')
    await expectRefusal(bob.pull({ params, body: target }), 'branch_not_yours')
    await expectRefusal(bob.mergeToDefaultBranch({ params, body: target }), 'branch_not_yours')
    const read = await bob.listFiles({ params, query: { branchName: String(hers.branchName) } })
    expect(read.items.length).toBeGreaterThan(0)
  })
})
