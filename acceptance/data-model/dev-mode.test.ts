import { describe, expect, test } from 'vitest'
import { sharedApi, unique } from '../support/api.ts'
import { connect, expectRefusal } from '../support/contract-client.ts'
import { createModeler, type Modeler } from '../support/project.ts'

const api = sharedApi()

const modeOf = async ({ client, params }: Modeler) => (await client.buildStatus({ params })).branchName

describe('entering dev mode', () => {
  test('forks a personal dev- branch from the branch named, and points the session at it', async () => {
    const modeler = await createModeler(api)
    const { client, params } = modeler
    await client.createBranch({ params, body: { name: 'shared/one' } })
    const entered = await client.startDevMode({ params, body: { branchName: 'shared/one' } })
    expect(entered).toEqual({
      active: true,
      branchName: expect.stringMatching(/^dev-[a-z0-9-]+-[0-9a-f]{8}$/),
      parentBranch: 'shared/one',
    })
    expect(await modeOf(modeler)).toBe(entered.branchName)
    expect(await modeler.files()).toEqual(await modeler.files('shared/one'))
    expect(await modeler.head(entered.branchName ?? '')).toBe(await modeler.head('shared/one'))
  })

  test.each([undefined, {}, { branchName: null }])('without a branch, %j, forks the deploy branch', async body => {
    const { client, params } = await createModeler(api)
    const entered = await client.startDevMode({ params, ...(body === undefined ? {} : { body }) })
    expect(entered).toMatchObject({ active: true, parentBranch: 'main' })
  })

  test('again on the same branch returns to the fork with its edits', async () => {
    const modeler = await createModeler(api)
    const { client, params } = modeler
    const first = await modeler.enter()
    await modeler.write({ 'mine.md': 'edit' })
    await client.createBranch({ params, body: { name: 'other' } })
    const elsewhere = await modeler.enter('other')
    expect(elsewhere).not.toBe(first)
    expect(await modeler.files()).not.toHaveProperty(['mine.md'])
    expect(await modeler.enter('main')).toBe(first)
    await client.stopDevMode({ params })
    expect(await modeler.enter()).toBe(first)
    expect(await modeler.files()).toHaveProperty(['mine.md'], 'edit')
    expect(await modeler.enter(elsewhere)).toBe(elsewhere)
  })

  test('many times at once forks once', async () => {
    const modeler = await createModeler(api)
    const entered = await Promise.all(Array.from({ length: 6 }, () => modeler.enter()))
    expect(new Set(entered).size).toBe(1)
    expect((await modeler.branchNames()).filter(name => name.startsWith('dev-'))).toEqual([entered[0]])
  })

  test('on a branch that is not there, or on an empty name, is refused', async () => {
    const { client, params } = await createModeler(api)
    await expectRefusal(client.startDevMode({ params, body: { branchName: 'nowhere' } }), 'branch_not_found', /nowhere/)
    for (const branchName of ['', ' ']) {
      await expectRefusal(client.startDevMode({ params, body: { branchName } }), 'invalid_request', /^branchName: /)
    }
    expect((await client.getDeploymentEnvironments({ params, query: { type: 'development' } })).items).toEqual([])
  })
})

describe('dev mode is per credential', () => {
  test('two keys of one user work each on a branch of their own', async () => {
    const one = await createModeler(api)
    const two = await createModeler(api, one.deploymentId)
    const branches = [await one.enter(), await two.enter()]
    expect(new Set(branches).size).toBe(2)
    await Promise.all([one.write({ 'same.md': 'one' }), two.write({ 'same.md': 'two' })])
    expect((await one.files())['same.md']).toBe('one')
    expect((await two.files())['same.md']).toBe('two')
    await one.client.stopDevMode({ params: one.params })
    expect(await modeOf(one)).toBe('main')
    expect(await modeOf(two)).toBe(branches[1])
  })

  test('a session on one deployment is none on another', async () => {
    const one = await createModeler(api)
    const other = await createModeler(api)
    await one.enter()
    const call = one.client.commitChanges({ params: other.params })
    await expectRefusal(call, 'dev_mode_inactive')
  })

  test('both schemes of one key are one credential', async () => {
    const modeler = await createModeler(api)
    const branch = await modeler.enter()
    const status = await connect(modeler.api, 'Bearer').buildStatus({ params: modeler.params })
    expect(status.branchName).toBe(branch)
  })
})

describe('while a session is open, everything without a branch targets the dev branch', () => {
  test('list, hashes, build status, validate with devMode, commit and pull', async () => {
    const modeler = await createModeler(api)
    const { client, params } = modeler
    const branch = await modeler.enter()
    await modeler.write({ 'mine.md': '' })
    expect(await modeler.files()).toHaveProperty(['mine.md'])
    expect(await client.fileHashes({ params })).toHaveProperty(['mine.md'])
    expect(await client.buildStatus({ params })).toMatchObject({ branchName: branch, mode: 'dev_mode' })
    expect(await client.validateDataModel({ params, query: { devMode: true } })).toMatchObject({ branchName: branch })
    expect(await client.validateDataModel({ params })).toMatchObject({ branchName: 'main', mode: 'production' })
    await client.commitChanges({ params })
    expect(await modeler.files('main')).toHaveProperty(['mine.md'])
    expect(await client.pull({ params })).toEqual({ buildTriggered: false })
  })
})

describe('exiting dev mode', () => {
  test('leaves the branch and its files, and does nothing the second time', async () => {
    const modeler = await createModeler(api)
    const { client, params } = modeler
    const branch = await modeler.enter()
    await modeler.write({ 'mine.md': 'edit' })
    for (let time = 0; time < 2; time++) expect(await client.stopDevMode({ params })).toEqual({ success: true })
    expect(await modeler.branchNames()).toContain(branch)
    expect((await modeler.files(branch))['mine.md']).toBe('edit')
    await expectRefusal(client.commitChanges({ params }), 'dev_mode_inactive', /no open dev-mode session/)
    await expectRefusal(client.pull({ params }), 'dev_mode_inactive')
    const devMode = client.validateDataModel({ params, query: { devMode: true } })
    await expectRefusal(devMode, 'dev_mode_inactive')
  })
})

describe('create-branch with dev mode points the session at the new branch without forking', () => {
  test.each(['activate', 'enterDevMode'])('by %s', async field => {
    const modeler = await createModeler(api)
    const { client, params } = modeler
    const name = unique('made')
    const made = await client.createBranch({ params, body: { name, [field]: true } })
    expect(made).toEqual({ active: true, branchName: name, parentBranch: 'main' })
    expect(await modeler.branchNames()).toEqual(['main', name])
    expect(await client.buildStatus({ params })).toMatchObject({ branchName: name, mode: 'dev_mode' })
    const write = modeler.write({ 'a.md': '' })
    await expectRefusal(write, 'branch_not_dev_mode', new RegExp(`Branch "${name}" is not a dev-mode branch`))
    await expectRefusal(client.commitChanges({ params }), 'branch_not_dev_mode')
  })

  test.each([{}, { activate: false }, { enterDevMode: false }, { activate: null }])(
    'and without it, %j, does not',
    async body => {
      const modeler = await createModeler(api)
      const made = await modeler.client.createBranch({ params: modeler.params, body: { name: 'made', ...body } })
      expect(made).toEqual({ active: false, branchName: 'made', parentBranch: 'main' })
      expect(await modeOf(modeler)).toBe('main')
    },
  )
})
