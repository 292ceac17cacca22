import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseCommit } from '../../src/git/index.ts'
import { type Developer, developer } from './developer.ts'
import { auditedActions, createWorkbench, refusal, type Workbench } from './workbench.ts'

let bench: Workbench
beforeAll(async () => {
  bench = await createWorkbench()
})
afterAll(() => bench.close())

async function start(): Promise<{ ada: Developer; bob: Developer; deploymentId: number }> {
  const deploymentId = await bench.deployment({ a: 'a\n', b: 'b\n' })
  const ada = developer(bench, bench.caller('ada'), deploymentId)
  const bob = developer(bench, bench.caller('bob'), deploymentId)
  return { ada, bob, deploymentId }
}

async function headOf(deploymentId: number, name: string) {
  const { head } = await bench.branch(deploymentId, name)
  const reader = bench.objects.reader(bench.store.kysely, { accountId: bench.account.id, deploymentId })
  const object = (await reader.read([head])).get(head)
  if (!object) throw new Error('the head is not stored')
  return { id: head, ...parseCommit(object.content) }
}

describe('a pull', () => {
  test('brings what is new on the parent, and says so', async () => {
    const { ada, bob, deploymentId } = await start()
    const dev = await ada.enter()
    await bob.enter()
    await bob.write({ c: 'c\n' })
    await bob.commit()
    expect(await ada.files()).not.toHaveProperty('c')
    expect(await ada.pull()).toEqual({ buildTriggered: true })
    expect(await ada.files()).toEqual({ a: 'a\n', b: 'b\n', c: 'c\n' })
    const branch = await bench.branch(deploymentId, dev)
    expect(branch).toMatchObject({ head: (await bench.branch(deploymentId, 'main')).head, workingTree: null })
    expect(await ada.pull()).toEqual({ buildTriggered: false })
    expect((await auditedActions(bench.store)).filter(action => action === 'branch.pull')).toHaveLength(1)
  })

  test('keeps edits that are not committed uncommitted', async () => {
    const { ada, bob, deploymentId } = await start()
    await ada.enter()
    await bob.enter()
    await ada.write({ a: 'ada\n', x: 'x\n' })
    await bob.write({ b: 'bob\n' })
    await bob.commit()
    const before = await headOf(deploymentId, 'main')
    expect(await ada.pull()).toEqual({ buildTriggered: true })
    expect(await ada.files()).toEqual({ a: 'ada\n', b: 'bob\n', x: 'x\n' })
    expect((await headOf(deploymentId, 'main')).id).toBe(before.id)
    await ada.commit()
    const head = await headOf(deploymentId, 'main')
    expect(head.parents).toEqual([before.id])
  })

  test('with a conflict changes nothing until it is resolved', async () => {
    const { ada, bob } = await start()
    await ada.enter()
    await bob.enter()
    await ada.write({ a: 'ada\n' })
    await bob.write({ a: 'bob\n', b: 'bob\n' })
    await bob.commit()
    const error = await refusal(ada.pull(), 'merge_conflict')
    expect(error.data).toMatchObject({ conflicts: [{ path: 'a', kind: 'content' }] })
    expect(await ada.files()).toEqual({ a: 'ada\n', b: 'b\n' })
    expect(await ada.pull({ resolveMergeConflict: true })).toEqual({ buildTriggered: true })
    expect(await ada.files()).toEqual({ a: 'ada\n', b: 'bob\n' })
    expect(await ada.files({ branchName: 'main' })).toEqual({ a: 'bob\n', b: 'bob\n' })
  })

  test('merges when the dev branch has commits of its own', async () => {
    const { ada, bob, deploymentId } = await start()
    await ada.createBranch({ name: 'feature' })
    const dev = await ada.enter('feature')
    await ada.write({ x: 'x\n' })
    await ada.commit()
    await ada.write({ y: 'y\n' })
    await bob.removeBranch('feature')
    await bob.enter()
    await bob.write({ z: 'z\n' })
    await bob.commit()
    expect(await ada.pull()).toEqual({ buildTriggered: true })
    expect(await ada.files()).toEqual({ a: 'a\n', b: 'b\n', x: 'x\n', y: 'y\n', z: 'z\n' })
    expect((await headOf(deploymentId, dev)).parents).toHaveLength(2)
    await ada.commit()
    expect(await ada.files({ branchName: 'main' })).toEqual(await ada.files())
  })

  test('of a shared branch has nothing to bring, and of a foreign one is refused', async () => {
    const { ada, bob } = await start()
    await refusal(ada.pull(), 'dev_mode_inactive')
    expect(await ada.pull({ branchName: 'main' })).toEqual({ buildTriggered: false })
    await refusal(ada.pull({ branchName: await bob.enter() }), 'branch_not_yours')
    await refusal(ada.pull({ branchName: 'nowhere' }), 'branch_not_found')
  })
})

describe('a merge into the parent', () => {
  test('of a dev branch takes edits that are not committed along', async () => {
    const { ada, deploymentId } = await start()
    const before = await headOf(deploymentId, 'main')
    await ada.enter()
    await ada.write({ x: 'x\n' })
    expect(await ada.merge({ message: 'Add x' })).toEqual({ merged: true, branchDeleted: false })
    const head = await headOf(deploymentId, 'main')
    expect(head).toMatchObject({ parents: [before.id], message: 'Add x\n' })
    expect(await ada.files()).toEqual({ a: 'a\n', b: 'b\n', x: 'x\n' })
    expect((await auditedActions(bench.store)).at(-1)).toBe('branch.merge')
  })

  test('of a shared branch joins both histories', async () => {
    const { ada, bob, deploymentId } = await start()
    await ada.createBranch({ name: 'feature' })
    await ada.enter('feature')
    await ada.write({ x: 'x\n' })
    await ada.commit()
    await bob.enter('main')
    await bob.write({ y: 'y\n' })
    await bob.commit()
    const [main, feature] = [await headOf(deploymentId, 'main'), await headOf(deploymentId, 'feature')]
    await ada.merge({ branchName: 'feature' })
    const head = await headOf(deploymentId, 'main')
    expect(head.parents).toEqual([main.id, feature.id])
    expect(head.message).toBe("Merge branch 'feature' into main\n")
    expect(await ada.files({ branchName: 'main' })).toEqual({ a: 'a\n', b: 'b\n', x: 'x\n', y: 'y\n' })
    expect((await headOf(deploymentId, 'feature')).id).toBe(feature.id)
    expect(await ada.merge({ branchName: 'feature' })).toEqual({ merged: true, branchDeleted: false })
    expect((await headOf(deploymentId, 'main')).id).toBe(head.id)
  })

  test('with a message of its own keeps the message', async () => {
    const { ada, deploymentId } = await start()
    await ada.createBranch({ name: 'feature' })
    await ada.enter('feature')
    await ada.write({ x: 'x\n' })
    await ada.commit()
    const [main, feature] = [await headOf(deploymentId, 'main'), await headOf(deploymentId, 'feature')]
    await ada.merge({ branchName: 'feature', message: 'Release' })
    expect(await headOf(deploymentId, 'main')).toMatchObject({
      parents: [main.id, feature.id],
      message: 'Release\n',
      tree: feature.tree,
    })
  })

  test('can squash, delete the branch and go on at the parent', async () => {
    const { ada, deploymentId } = await start()
    const main = await headOf(deploymentId, 'main')
    await ada.createBranch({ name: 'feature' })
    await ada.enter('feature')
    for (const name of ['x', 'y']) {
      await ada.write({ [name]: name })
      await ada.commit()
    }
    const answer = await ada.merge({
      branchName: 'feature',
      squashCommits: true,
      deleteBranch: true,
      switchToParentBranch: true,
      message: 'Add x and y',
    })
    expect(answer).toEqual({ merged: true, branchDeleted: true })
    expect(await headOf(deploymentId, 'main')).toMatchObject({ parents: [main.id], message: 'Add x and y\n' })
    expect(await ada.files({ branchName: 'main' })).toEqual({ a: 'a\n', b: 'b\n', x: 'x', y: 'y' })
    await expect(bench.branch(deploymentId, 'feature')).rejects.toThrow()
    expect(await ada.status()).toMatchObject({ branchName: 'main', mode: 'dev_mode' })
    await refusal(ada.write({ z: 'z' }), 'branch_not_dev_mode')
  })

  test('with a conflict on a shared branch is resolved by a commit onto that branch', async () => {
    const { ada, bob } = await start()
    await ada.createBranch({ name: 'feature' })
    await ada.enter('feature')
    await ada.write({ a: 'feature\n' })
    await ada.commit()
    await bob.enter('main')
    await bob.write({ a: 'main\n' })
    await bob.commit()
    const merge = { branchName: 'feature', deleteBranch: true }
    const error = await refusal(ada.merge(merge), 'merge_conflict')
    expect(error.data).toMatchObject({ conflicts: [{ path: 'a' }] })
    expect(await ada.files({ branchName: 'main' })).toMatchObject({ a: 'main\n' })
    await ada.write({ a: 'settled\n' })
    await ada.commit()
    await refusal(ada.merge(merge), 'merge_conflict')
    expect(await ada.merge({ ...merge, resolveMergeConflict: true })).toEqual({ merged: true, branchDeleted: true })
    expect(await ada.files({ branchName: 'main' })).toEqual({ a: 'settled\n', b: 'b\n' })
  })

  test('is refused without a parent, for a foreign branch, and when merges into production are off', async () => {
    const { ada, bob, deploymentId } = await start()
    await refusal(ada.merge({ branchName: 'main' }), 'branch_has_no_parent')
    await refusal(ada.merge(), 'dev_mode_inactive')
    await refusal(ada.merge({ branchName: await bob.enter() }), 'branch_not_yours')
    await ada.enter()
    await ada.write({ x: 'x' })
    await bench.settings(deploymentId, { deployBranchMergeAllowed: false })
    await refusal(ada.merge(), 'deploy_branch_merge_refused')
    await refusal(ada.mergeToDefault(), 'deploy_branch_merge_refused')
    expect(await ada.files({ branchName: 'main' })).not.toHaveProperty('x')
  })
})

describe('a merge into the deploy branch', () => {
  test('passes over the parent, and can remove the branch', async () => {
    const { ada, deploymentId } = await start()
    await ada.createBranch({ name: 'one' })
    await ada.createBranch({ name: 'two', from: 'one' })
    await ada.enter('two')
    await ada.write({ x: 'x' })
    await ada.commit()
    await ada.createBranch({ name: 'three', from: 'two' })
    expect(await ada.mergeToDefault({ branchName: 'two', removeBranchAfterMerge: true, message: 'Live' })).toEqual({
      merged: true,
      branchDeleted: true,
    })
    expect(await ada.files({ branchName: 'main' })).toHaveProperty('x')
    expect(await ada.files({ branchName: 'one' })).not.toHaveProperty('x')
    expect((await bench.branch(deploymentId, 'three')).parentName).toBe('one')
    expect((await headOf(deploymentId, 'main')).message).toBe('Live\n')
  })

  test('of a dev branch forked elsewhere commits its edits and leaves it where it is', async () => {
    const { ada, deploymentId } = await start()
    await ada.createBranch({ name: 'one' })
    await ada.deploy({ a: 'a\n', b: 'b\n', live: 'l' }, { branchName: 'main' })
    const dev = await ada.enter('one')
    await ada.write({ x: 'x' })
    await ada.mergeToDefault()
    expect(await ada.files({ branchName: 'main' })).toEqual({ a: 'a\n', b: 'b\n', live: 'l', x: 'x' })
    expect(await ada.files()).toEqual({ a: 'a\n', b: 'b\n', x: 'x' })
    expect(await ada.files({ branchName: 'one' })).not.toHaveProperty('x')
    expect(await bench.branch(deploymentId, dev)).toMatchObject({ workingTree: null, parentName: 'one' })
    await ada.commit()
    expect(await ada.files({ branchName: 'one' })).toHaveProperty('x')
  })

  test('of the deploy branch itself is refused', async () => {
    const { ada } = await start()
    await refusal(ada.mergeToDefault({ branchName: 'main' }), 'branch_is_deploy_branch')
  })
})
