import { describe, expect, test } from 'vitest'
import { buildOf, sharedApi } from '../support/api.ts'
import { expectRefusal } from '../support/contract-client.ts'
import { createModeler, type Modeler } from '../support/project.ts'

const api = sharedApi()
const find = async ({ client, params }: Modeler, name: string) =>
  (await client.listBranches({ params })).items.find(branch => branch.name === name)

describe('branches', () => {
  test('are listed with id, parent, newest commit and staging', async () => {
    const modeler = await createModeler(api)
    const { client, params } = modeler
    await client.createBranch({ params, body: { name: 'feature/one' } })
    const dev = await modeler.enter('feature/one')
    const { items, data } = await client.listBranches({ params })
    expect(data).toEqual(items)
    expect(items.map(({ name, parentBranch }) => [name, parentBranch])).toEqual([
      ['main', null],
      ['feature/one', 'main'],
      [dev, 'feature/one'],
    ])
    for (const branch of items) {
      expect(branch.lastHash).toMatch(/^[0-9a-f]{40}$/)
      expect(branch.isStagingEnvironmentEnabled).toBe(false)
    }
  })

  test('start from the deploy branch, or from the branch named, with what is committed there', async () => {
    const modeler = await createModeler(api)
    const { client, params } = modeler
    await client.createBranch({ params, body: { name: 'one' } })
    const dev = await modeler.enter('one')
    await modeler.write({ 'committed.md': '' })
    await modeler.commit()
    await modeler.write({ 'edit.md': '' })
    expect(await client.createBranch({ params, body: { name: 'two', from: 'one' } })).toMatchObject({
      parentBranch: 'one',
    })
    expect(await client.createBranch({ params, body: { name: 'three', from: dev } })).toMatchObject({
      parentBranch: 'one',
    })
    expect(await client.createBranch({ params, body: { name: 'four' } })).toMatchObject({ parentBranch: 'main' })
    expect(Object.keys(await modeler.files('two'))).toContain('committed.md')
    expect(Object.keys(await modeler.files('four'))).not.toContain('committed.md')
    expect(await modeler.head('two')).toBe(await modeler.head('one'))
  })

  test('are unique by name, also for those that race', async () => {
    const modeler = await createModeler(api)
    const { client, params } = modeler
    const create = (name: string) => client.createBranch({ params, body: { name } })
    await create('one')
    await expectRefusal(create('one'), 'branch_exists', /"one"/)
    await expectRefusal(create('main'), 'branch_exists', /"main"/)
    const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => create('race')))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await modeler.branchNames()).filter(name => name === 'race')).toHaveLength(1)
  })

  test('from a branch that is not there are not made', async () => {
    const { client, params } = await createModeler(api)
    const call = client.createBranch({ params, body: { name: 'one', from: 'nowhere' } })
    await expectRefusal(call, 'branch_not_found', /"nowhere"/)
  })

  test.each(['feature/deep/er', 'ünï-数据-🚀', 'v1.2.3', 'a_b', 'A', '#1', 'x'.repeat(244)])(
    'can be named %s',
    async name => {
      const modeler = await createModeler(api)
      const { client, params } = modeler
      await client.createBranch({ params, body: { name } })
      expect(await modeler.branchNames()).toContain(name)
      const dev = await modeler.enter(name)
      await modeler.write({ 'a.md': 'a' })
      await modeler.commit()
      expect(await modeler.files(name)).toHaveProperty(['a.md'], 'a')
      expect((await client.buildStatus({ params, query: { branchName: name } })).branchName).toBe(name)
      await client.removeBranch({ params, query: { branchName: dev } })
      await client.removeBranch({ params, query: { branchName: name } })
      expect(await modeler.branchNames()).toEqual(['main'])
    },
  )

  test.each([
    ['', /empty/],
    ['  ', /empty/],
    ['dev-mine', /reserved for personal branches/],
    ['a b', /space/],
    ['a..b', /two dots/],
    ['a~1', /one of/],
    ['a:b', /one of/],
    ['a\\b', /one of/],
    ['a\nb', /control character/],
    ['a@{b', /@\{/],
    ['@', /something else/],
    ['HEAD', /something else/],
    ['-a', /dash/],
    ['/a', /slash/],
    ['a/', /slash/],
    ['a//b', /slash/],
    ['.a', /dot/],
    ['a/.b', /dot/],
    ['a.', /dot/],
    ['a.lock', /lock/],
    ['a.lock/b', /lock/],
    ['refs/heads/a', /refs/],
    ['x'.repeat(245), /244 bytes/],
    ['ä'.repeat(123), /244 bytes/],
    ['main/below', /main/],
  ])('cannot be named %j', async (name, reason) => {
    const modeler = await createModeler(api)
    const call = modeler.client.createBranch({ params: modeler.params, body: { name } })
    await expectRefusal(call, 'branch_name_invalid', reason)
    expect(await modeler.branchNames()).toEqual(['main'])
  })
})

describe('deleting a branch', () => {
  const remove = ({ client, params }: Modeler, branchName: string) =>
    client.removeBranch({ params, query: { branchName } })

  test("gives its children its parent, and ends the sessions on it: they are on the deploy branch's", async () => {
    const modeler = await createModeler(api)
    const { client, params } = modeler
    await client.createBranch({ params, body: { name: 'a/b' } })
    await client.createBranch({ params, body: { name: 'child', from: 'a/b' } })
    const dev = await modeler.enter('a/b')
    const viewer = await createModeler(api, modeler.deploymentId)
    await viewer.client.createBranch({ params, body: { name: 'viewed', from: 'a/b', activate: true } })
    expect(await remove(modeler, 'a/b')).toEqual({ success: true })
    expect(await find(modeler, 'child')).toMatchObject({ parentBranch: 'main' })
    expect(await find(modeler, dev)).toMatchObject({ parentBranch: 'main' })
    expect(await modeler.branchNames()).not.toContain('a/b')
    await remove(modeler, 'viewed')
    expect(await viewer.client.buildStatus({ params })).toMatchObject({ branchName: 'main', mode: 'production' })
    await remove(modeler, dev)
    expect(await client.buildStatus({ params })).toMatchObject({ branchName: 'main' })
  })

  test('is refused for the deploy branch and for one that is not there', async () => {
    const modeler = await createModeler(api)
    await expectRefusal(remove(modeler, 'main'), 'branch_is_deploy_branch', /deployBranchName/)
    await expectRefusal(remove(modeler, 'nowhere'), 'branch_not_found', /"nowhere"/)
    await expectRefusal(remove(modeler, ''), 'invalid_request', /^branchName/)
    const { body } = await api.delete(`/build/api/v1/deployments/${modeler.deploymentId}/branches`)
    expect(body).toMatchObject({ code: 'invalid_request', message: expect.stringMatching(/^branchName: is required/) })
  })

  test('twice at once deletes it once', async () => {
    const modeler = await createModeler(api)
    await modeler.client.createBranch({ params: modeler.params, body: { name: 'one' } })
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => remove(modeler, 'one')))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('takes removeOnUpstream, which has nothing to do where no provider is connected', async () => {
    const { client, params } = await createModeler(api)
    await client.createBranch({ params, body: { name: 'one' } })
    const query = { branchName: 'one', removeOnUpstream: true }
    expect(await client.removeBranch({ params, query })).toEqual({ success: true })
  })

  test('frees its name', async () => {
    const modeler = await createModeler(api)
    const { client, params } = modeler
    await client.createBranch({ params, body: { name: 'one' } })
    await remove(modeler, 'one')
    await client.createBranch({ params, body: { name: 'one/below' } })
    expect(await modeler.branchNames()).toEqual(['main', 'one/below'])
  })
})

describe('the staging environment of a branch', () => {
  const set = ({ client, params }: Modeler, body: { branchName?: string; branchId?: number; enabled: boolean }) =>
    client.setBranchStagingEnvironment({ params, body })

  test('is switched on and off, and listed exactly while it is on', async () => {
    const modeler = await createModeler(api)
    const { client, params } = modeler
    await client.createBranch({ params, body: { name: 'one' } })
    const staging = async () =>
      (await client.getDeploymentEnvironments({ params, query: { type: 'staging' } })).items.map(({ branch }) => branch)
    for (const enabled of [true, true, false, false, true]) {
      const { data } = await set(modeler, { branchName: 'one', enabled })
      expect(data).toMatchObject({ name: 'one', isStagingEnvironmentEnabled: enabled })
      expect(await find(modeler, 'one')).toMatchObject({ isStagingEnvironmentEnabled: enabled })
      expect(await staging()).toEqual(enabled ? ['one'] : [])
    }
    const id = (await find(modeler, 'one'))?.id ?? 0
    expect((await set(modeler, { branchId: id, enabled: false })).data.isStagingEnvironmentEnabled).toBe(false)
  })

  test('is had by shared branches alone', async () => {
    const modeler = await createModeler(api)
    const dev = await modeler.enter()
    for (const branchName of ['main', dev]) {
      await expectRefusal(set(modeler, { branchName, enabled: true }), 'branch_not_shared', /shared branch/)
    }
    await expectRefusal(set(modeler, { enabled: true }), 'branch_not_shared')
    await expectRefusal(set(modeler, { branchName: 'nowhere', enabled: true }), 'branch_not_found')
    await modeler.client.stopDevMode({ params: modeler.params })
    await expectRefusal(set(modeler, { enabled: true }), 'dev_mode_inactive')
  })
})

describe('the deploy branch', () => {
  test('can become another shared branch, which is production then, and the old one can be deleted', async () => {
    const modeler = await createModeler(api)
    const { client, params } = modeler
    await client.createBranch({ params, body: { name: 'live' } })
    await buildOf(api, modeler.deploymentId, 'live')
    const dev = await modeler.enter()
    const toDev = client.updateDeployment({ params, body: { deployBranchName: dev } })
    await expectRefusal(toDev, 'branch_not_found')
    await client.stopDevMode({ params })
    const { deployBranchName } = await client.updateDeployment({ params, body: { deployBranchName: 'live' } })
    expect(deployBranchName).toBe('live')
    expect(await client.buildStatus({ params })).toMatchObject({ branchName: 'live', mode: 'production' })
    expect(await client.buildStatus({ params, query: { branchName: 'main' } })).toMatchObject({ mode: 'staging' })
    await client.removeBranch({ params, query: { branchName: 'main' } })
    await expectRefusal(client.removeBranch({ params, query: { branchName: 'live' } }), 'branch_is_deploy_branch')
    const { items } = await client.getDeploymentEnvironments({ params, query: { type: 'production' } })
    expect(items.map(({ branch }) => branch)).toEqual(['live'])
  })
})
