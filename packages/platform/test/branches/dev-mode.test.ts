import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Developer, developer } from './developer.ts'
import { auditedActions, context, createWorkbench, refusal, type Workbench } from './workbench.ts'

let bench: Workbench
beforeAll(async () => {
  bench = await createWorkbench()
})
afterAll(() => bench.close())

async function start(): Promise<{ ada: Developer; bob: Developer; deploymentId: number }> {
  const deploymentId = await bench.deployment({ 'model/a.yml': 'cube\n' })
  const ada = developer(bench, bench.caller('ada'), deploymentId)
  const bob = developer(bench, bench.caller('bob'), deploymentId)
  return { ada, bob, deploymentId }
}

describe('entering dev mode', () => {
  test('forks a personal branch of the deploy branch when none is named', async () => {
    const { ada, deploymentId } = await start()
    const answer = await bench.operations.startDevMode(
      ada.caller,
      { params: ada.params, query: {}, body: {}, files: undefined },
      context,
    )
    expect(answer).toEqual({
      active: true,
      branchName: expect.stringMatching(/^dev-ada-[0-9a-f]{8}$/),
      parentBranch: 'main',
    })
    const branch = await bench.branch(deploymentId, answer.branchName ?? '')
    expect(branch).toMatchObject({ kind: 'dev', ownerCredential: 'key:ada', parentName: 'main', workingTree: null })
    expect(branch.head).toBe((await bench.branch(deploymentId, 'main')).head)
  })

  test('returns to the branch forked before, with the edits on it', async () => {
    const { ada } = await start()
    const first = await ada.enter()
    await ada.write({ 'model/b.yml': 'b' })
    await ada.leave()
    await refusal(ada.write({ 'model/b.yml': 'c' }), 'dev_mode_inactive')
    expect(await ada.enter()).toBe(first)
    expect(await ada.files()).toEqual({ 'model/a.yml': 'cube\n', 'model/b.yml': 'b' })
    await ada.leave()
    expect(await ada.enter(first)).toBe(first)
  })

  test('has a fork for each branch, and the session is on the last', async () => {
    const { ada } = await start()
    await ada.createBranch({ name: 'feature' })
    const onMain = await ada.enter('main')
    const onFeature = await ada.enter('feature')
    expect(onFeature).not.toBe(onMain)
    await ada.write({ x: '1' })
    expect(await ada.files({ branchName: onFeature })).toHaveProperty('x')
    expect(await ada.files({ branchName: onMain })).not.toHaveProperty('x')
  })

  test('is per credential', async () => {
    const { ada, bob } = await start()
    const [of, ofBob] = [await ada.enter(), await bob.enter()]
    expect(of).not.toBe(ofBob)
    await ada.write({ x: 'ada' })
    expect(await bob.files()).not.toHaveProperty('x')
    await bob.leave()
    expect(await ada.files()).toHaveProperty('x')
  })

  test('forks once when it is asked for many times at once', async () => {
    const { ada } = await start()
    const names = await Promise.all(Array.from({ length: 8 }, () => ada.enter()))
    expect(new Set(names).size).toBe(1)
  })

  test('refuses an unknown branch, an empty name and a foreign personal branch', async () => {
    const { ada, bob } = await start()
    await refusal(ada.enter('nowhere'), 'branch_not_found')
    await refusal(ada.enter(''), 'invalid_request')
    const ofAda = await ada.enter()
    await refusal(bob.enter(ofAda), 'branch_not_yours')
  })

  test('lets another credential of the same user go on', async () => {
    const { ada, deploymentId } = await start()
    const userId = await bench.createUser('carol')
    const laptop = developer(bench, bench.caller('carol', { userId, credential: 'key:laptop' }), deploymentId)
    const office = developer(bench, bench.caller('carol', { userId, credential: 'key:office' }), deploymentId)
    const branchName = await laptop.enter()
    expect(await office.enter(branchName)).toBe(branchName)
    await office.write({ x: '1' })
    expect(await laptop.files()).toHaveProperty('x')
    await refusal(ada.write({ x: '2' }, { branchName }), 'branch_not_yours')
    expect(await office.enter()).not.toBe(branchName)
  })

  test('is written in the audit log', async () => {
    const { ada } = await start()
    const before = (await auditedActions(bench.store)).length
    await ada.enter()
    await ada.write({ x: '1' })
    await ada.remove(['x'])
    await ada.enter()
    expect((await auditedActions(bench.store)).slice(before)).toEqual(['branch.create', 'files.write', 'files.delete'])
  })
})

describe('which branch a call is about', () => {
  test('an empty name counts as none', async () => {
    const { ada } = await start()
    await ada.enter()
    await ada.write({ x: '1' }, { branchName: '' })
    expect(await ada.files({ branchName: '' })).toHaveProperty('x')
    expect(await ada.hashes({ branchName: '' })).toHaveProperty('x')
    await ada.commit({ branchName: '' })
    expect(await ada.files({ branchName: 'main' })).toHaveProperty('x')
    expect(await ada.pull({ branchName: '' })).toEqual({ buildTriggered: false })
  })

  test('id and name both work, and are refused when they disagree', async () => {
    const { ada, deploymentId } = await start()
    const branchName = await ada.enter()
    const { id: branchId } = await bench.branch(deploymentId, branchName)
    await ada.leave()
    await ada.write({ x: '1' }, { branchId })
    await ada.write({ x: '2' }, { branchId, branchName })
    expect(await ada.files({ branchName })).toMatchObject({ x: '2' })
    const error = await refusal(ada.write({ x: '3' }, { branchId, branchName: 'main' }), 'branch_mismatch')
    expect(error.message).toContain('"main"')
    await refusal(ada.write({ x: '3' }, { branchId: 999_999 }), 'branch_not_found')
    expect(await ada.files({ branchName })).toMatchObject({ x: '2' })
  })

  test('a branch of another deployment is not found', async () => {
    const { ada } = await start()
    const other = await start()
    const { id: branchId } = await bench.branch(other.deploymentId, await other.ada.enter())
    await refusal(ada.write({ x: '1' }, { branchId }), 'branch_not_found')
  })

  test('without any, files are read from the deploy branch', async () => {
    const { ada } = await start()
    expect(await ada.files()).toEqual({ 'model/a.yml': 'cube\n' })
    await refusal(ada.files({ branchName: 'nowhere' }), 'branch_not_found')
  })

  test('files are written on a dev branch alone', async () => {
    const { ada } = await start()
    const error = await refusal(ada.write({ x: '1' }, { branchName: 'main' }), 'branch_not_dev_mode')
    expect(error.message).toContain('"main" is not a dev-mode branch')
    await ada.createBranch({ name: 'feature', activate: true })
    await refusal(ada.write({ x: '1' }), 'branch_not_dev_mode')
    await refusal(ada.remove(['model/a.yml']), 'branch_not_dev_mode')
    await refusal(ada.rename({ 'model/a.yml': 'b' }), 'branch_not_dev_mode')
  })
})

describe('who may', () => {
  test('needs a permission for dev branches, and reading needs one to read', async () => {
    const { deploymentId } = await start()
    const policy = (...actions: ('SchemaRead' | 'SchemaUpdateDevBranches')[]) => ({
      policies: [{ resourceType: 'Deployment' as const, actions, resources: [String(deploymentId)] }],
    })
    const reader = developer(bench, bench.caller('reader', policy('SchemaRead')), deploymentId)
    expect(await reader.files()).toHaveProperty(['model/a.yml'])
    await refusal(reader.enter(), 'permission_missing')
    await refusal(reader.write({ x: '1' }), 'permission_missing')
    const writer = developer(bench, bench.caller('writer', policy('SchemaUpdateDevBranches')), deploymentId)
    await writer.enter()
    await writer.write({ x: '1' })
    await refusal(writer.files(), 'permission_missing')
    await refusal(writer.merge(), 'permission_missing')
  })

  test('a permission for dev branches does not reach the deploy branch by a commit', async () => {
    const { ada, deploymentId } = await start()
    await ada.createBranch({ name: 'feature' })
    const policies = [
      { resourceType: 'Deployment' as const, actions: ['SchemaUpdateDevBranches' as const], resources: ['All'] },
    ]
    const writer = developer(bench, bench.caller('writer', { policies }), deploymentId)
    await writer.enter()
    await writer.write({ x: '1' })
    await refusal(writer.commit(), 'permission_missing')
    await writer.enter('feature')
    await writer.write({ x: '1' })
    await writer.commit()
    expect(await ada.files({ branchName: 'feature' })).toHaveProperty('x')
    expect(await ada.files({ branchName: 'main' })).not.toHaveProperty('x')
  })

  test('another account sees no deployment', async () => {
    const { deploymentId } = await start()
    const stranger = developer(
      bench,
      bench.caller('eve', { accountId: bench.account.id + 1, isAdmin: true }),
      deploymentId,
    )
    await refusal(stranger.files(), 'deployment_not_found')
    await refusal(stranger.enter(), 'deployment_not_found')
    await refusal(bench.cloneSource(stranger.caller, deploymentId), 'deployment_not_found')
  })
})
