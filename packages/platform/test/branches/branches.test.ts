import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Developer, developer } from './developer.ts'
import { auditedActions, createWorkbench, refusal, type Workbench } from './workbench.ts'

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

const namesOf = async (who: Developer) =>
  (await who.branches()).items.map(({ name, parentBranch }) => [name, parentBranch])

describe('a new branch', () => {
  test('starts from the deploy branch and leaves the session alone', async () => {
    const { ada, deploymentId } = await start()
    const dev = await ada.enter()
    expect(await ada.createBranch({ name: 'feature/x' })).toEqual({
      active: false,
      branchName: 'feature/x',
      parentBranch: 'main',
    })
    expect((await ada.status()).branchName).toBe(dev)
    expect((await bench.branch(deploymentId, 'feature/x')).head).toBe((await bench.branch(deploymentId, 'main')).head)
    await refusal(ada.createBranch({ name: 'feature/x' }), 'branch_exists')
  })

  test.each(['activate', 'enterDevMode'] as const)('with %s gets the session, unforked', async field => {
    const { ada } = await start()
    expect(await ada.createBranch({ name: 'feature', [field]: true })).toEqual({
      active: true,
      branchName: 'feature',
      parentBranch: 'main',
    })
    expect(await ada.status()).toMatchObject({ branchName: 'feature', mode: 'dev_mode' })
    await refusal(ada.write({ x: '1' }), 'branch_not_dev_mode')
  })

  test('starts from another branch, and from a personal one as it is committed', async () => {
    const { ada, deploymentId } = await start()
    await ada.createBranch({ name: 'one' })
    await ada.createBranch({ name: 'two', from: 'one' })
    const dev = await ada.enter('two')
    await ada.write({ x: '1' })
    await ada.createBranch({ name: 'three', from: dev })
    expect(await namesOf(ada)).toEqual([
      ['main', null],
      ['one', 'main'],
      ['two', 'one'],
      [dev, 'two'],
      ['three', 'two'],
    ])
    expect(await ada.files({ branchName: 'three' })).not.toHaveProperty('x')
    await refusal(ada.createBranch({ name: 'four', from: 'nowhere' }), 'branch_not_found')
    await expect(bench.branch(deploymentId, 'four')).rejects.toThrow()
  })

  test('does not get a name that git could not hold', async () => {
    const { ada } = await start()
    await refusal(ada.createBranch({ name: 'dev-ada-12345678' }), 'branch_name_invalid')
    await refusal(ada.createBranch({ name: 'a..b' }), 'branch_name_invalid')
    await ada.createBranch({ name: 'folder' })
    const error = await refusal(ada.createBranch({ name: 'folder/x' }), 'branch_name_invalid')
    expect(error.message).toContain('there is a branch folder')
    await ada.createBranch({ name: 'a/b/c' })
    await refusal(ada.createBranch({ name: 'a/b' }), 'branch_name_invalid')
    await ada.createBranch({ name: 'a/b_' })
  })

  test('of one name is made once when many ask at once', async () => {
    const { ada } = await start()
    const calls = await Promise.allSettled(Array.from({ length: 8 }, () => ada.createBranch({ name: 'feature' })))
    expect(calls.filter(call => call.status === 'fulfilled')).toHaveLength(1)
    for (const call of calls)
      if (call.status === 'rejected') expect(call.reason).toMatchObject({ code: 'branch_exists' })
  })
})

test('branches are listed in pages', async () => {
  const { ada } = await start()
  for (const name of ['a', 'b', 'c']) await ada.createBranch({ name })
  const first = await ada.branches({ first: 3 })
  expect(first.items.map(({ name }) => name)).toEqual(['main', 'a', 'b'])
  expect(first.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false })
  const second = await ada.branches({ first: 3, after: first.pageInfo.endCursor ?? '' })
  expect(second.items.map(({ name }) => name)).toEqual(['c'])
  expect(second.data).toEqual(second.items)
  await refusal(ada.branches({ after: 'rubbish' }), 'cursor_invalid')
})

describe('deleting a branch', () => {
  test('gives its children its parent, and ends sessions on it', async () => {
    const { ada, bob } = await start()
    await ada.createBranch({ name: 'one' })
    await ada.createBranch({ name: 'two', from: 'one' })
    const dev = await ada.enter('one')
    await bob.createBranch({ name: 'three', from: 'one', activate: true })
    expect(await bob.removeBranch('three')).toEqual({ success: true })
    expect((await bob.status()).branchName).toBe('main')
    await bob.removeBranch('one')
    expect(await namesOf(bob)).toEqual([
      ['main', null],
      ['two', 'main'],
      [dev, 'main'],
    ])
    await ada.write({ x: '1' })
    await ada.commit()
    expect(await ada.files({ branchName: 'main' })).toHaveProperty('x')
  })

  test('that a caller is on in dev mode is not refused', async () => {
    const { ada } = await start()
    const dev = await ada.enter()
    await ada.removeBranch(dev)
    await refusal(ada.write({ x: '1' }), 'dev_mode_inactive')
    expect((await ada.status()).branchName).toBe('main')
    expect(await ada.enter()).not.toBe(dev)
  })

  test('is refused for the deploy branch, an unknown one and a foreign personal one', async () => {
    const { ada, bob, deploymentId } = await start()
    const error = await refusal(ada.removeBranch('main'), 'branch_is_deploy_branch')
    expect(error.status).toBe(400)
    expect((await refusal(ada.removeBranch('nowhere'), 'branch_not_found')).status).toBe(404)
    const dev = await ada.enter()
    await refusal(bob.removeBranch(dev), 'branch_not_yours')
    const admin = developer(bench, bench.caller('root', { isAdmin: true }), deploymentId)
    await admin.removeBranch(dev)
    expect(await namesOf(ada)).toEqual([['main', null]])
  })

  test('is written in the audit log', async () => {
    const { ada } = await start()
    await ada.createBranch({ name: 'feature' })
    await ada.removeBranch('feature')
    expect((await auditedActions(bench.store)).slice(-2)).toEqual(['branch.create', 'branch.delete'])
  })

  test('and work on it at the same time end in one order or the other', async () => {
    const { ada, bob } = await start()
    for (let round = 0; round < 5; round++) {
      await bob.createBranch({ name: 'feature' })
      await ada.enter('feature')
      await ada.write({ [`file-${round}`]: String(round) })
      const outcomes = await Promise.allSettled([
        bob.removeBranch('feature'),
        ada.commit(),
        bob.enter('feature'),
        bob.createBranch({ name: `child-${round}`, from: 'feature' }),
        ada.write({ other: String(round) }),
      ])
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') expect(['branch_not_found']).toContain(outcome.reason.code)
      }
      expect((await namesOf(ada)).every(([, parent]) => parent !== 'feature')).toBe(true)
      await ada.leave()
    }
  })
})

describe('staging', () => {
  test('is switched for shared branches alone', async () => {
    const { ada } = await start()
    await ada.createBranch({ name: 'feature' })
    expect((await ada.staging({ branchName: 'feature', enabled: true })).data).toMatchObject({
      name: 'feature',
      parentBranch: 'main',
      isStagingEnvironmentEnabled: true,
    })
    const listed = (await ada.branches()).items.find(({ name }) => name === 'feature')
    expect(listed?.isStagingEnvironmentEnabled).toBe(true)
    expect((await ada.staging({ branchName: 'feature', enabled: false })).data.isStagingEnvironmentEnabled).toBe(false)
    await refusal(ada.staging({ branchName: 'main', enabled: true }), 'branch_not_shared')
    const dev = await ada.enter()
    await refusal(ada.staging({ branchName: dev, enabled: true }), 'branch_not_shared')
    await refusal(ada.staging({ branchName: 'nowhere', enabled: true }), 'branch_not_found')
  })

  test('without a name is of the branch of the session', async () => {
    const { ada } = await start()
    await refusal(ada.staging({ enabled: true }), 'dev_mode_inactive')
    await ada.createBranch({ name: 'feature', activate: true })
    expect((await ada.staging({ enabled: true })).data.name).toBe('feature')
    expect((await auditedActions(bench.store)).at(-1)).toBe('branch.staging')
  })
})
