import { describe, expect, test } from 'vitest'
import { buildOf, load, sharedApi } from '../support/api.ts'
import { expectRefusal } from '../support/contract-client.ts'
import { createModeler, type Modeler, numbers, numbersPath } from '../support/project.ts'

const api = sharedApi()

/** What the data API answers for a measure of the cube `numbers`: its value, or the error. */
async function ask(deploymentId: number, measure: string, branch?: string): Promise<unknown> {
  const query = { measures: [`numbers.${measure}`] }
  const { body } = await load(api, deploymentId, query, branch === undefined ? {} : { branch })
  return body.error ?? Object.values(Object(body.data)[0] ?? {})[0]
}

async function withSharedBranch(name = 'shared') {
  const modeler = await createModeler(api)
  await modeler.client.createBranch({ params: modeler.params, body: { name } })
  return modeler
}

describe('commit', () => {
  test('pushes the edits to the branch that the dev branch was forked from', async () => {
    const modeler = await withSharedBranch()
    const dev = await modeler.enter('shared')
    await modeler.write({ 'a.md': 'a', 'model/b.yml': 'cubes: []\n' })
    const before = await modeler.head('shared')
    expect(await modeler.client.commitChanges({ params: modeler.params, body: { message: 'Add a' } })).toEqual({
      success: true,
    })
    expect(await modeler.head('shared')).not.toBe(before)
    expect(await modeler.head(dev)).toBe(await modeler.head('shared'))
    expect(await modeler.files('shared')).toEqual(await modeler.files(dev))
    expect(await modeler.files('main')).not.toHaveProperty(['a.md'])
  })

  test('goes live when the dev branch was forked from the deploy branch', async () => {
    const modeler = await createModeler(api)
    const dev = await modeler.enter()
    await modeler.write({ [numbersPath]: numbers('sum') })
    expect(await ask(modeler.deploymentId, 'sum', dev)).toBe('12')
    expect(await ask(modeler.deploymentId, 'sum')).toMatch(/numbers/)
    await modeler.commit()
    expect((await buildOf(api, modeler.deploymentId, 'main')).body.status).toBe('built')
    expect(await ask(modeler.deploymentId, 'sum')).toBe('12')
  })

  test('of nothing changes nothing', async () => {
    const modeler = await createModeler(api)
    await modeler.enter()
    const before = await modeler.head('main')
    await modeler.commit()
    await modeler.write({ 'a.md': '' })
    await modeler.remove('a.md')
    await modeler.commit('nothing')
    expect(await modeler.head('main')).toBe(before)
  })

  test('joins what others committed meanwhile, in other files and in other lines of the same file', async () => {
    const one = await createModeler(api)
    const two = await createModeler(api, one.deploymentId)
    const lines = (...changed: readonly string[]) => ['a', 'b', 'c', 'd', 'e', 'f', 'g', ...changed].join('\n')
    await one.enter()
    await one.write({ 'text.md': lines() })
    await one.commit()
    await two.enter()
    await one.write({ 'text.md': lines('end'), 'one.md': '1' })
    await two.write({ 'text.md': `start\n${lines()}`, 'two.md': '2' })
    await one.commit()
    await two.commit()
    expect(await two.files('main')).toMatchObject({ 'one.md': '1', 'two.md': '2', 'text.md': `start\n${lines('end')}` })
    expect(await two.files()).toEqual(await two.files('main'))
  })

  test('of many who commit at once loses nothing', async () => {
    const first = await createModeler(api)
    const others = await Promise.all(Array.from({ length: 5 }, () => createModeler(api, first.deploymentId)))
    const all = [first, ...others]
    await Promise.all(all.map(modeler => modeler.enter()))
    await Promise.all(all.map((modeler, index) => modeler.write({ [`${index}.md`]: `${index}` })))
    await Promise.all(all.map(modeler => modeler.commit()))
    const expected = Object.fromEntries(all.map((_, index) => [`${index}.md`, `${index}`]))
    expect(await first.files('main')).toMatchObject(expected)
  })

  test('leaves dev mode where that is asked for', async () => {
    const modeler = await createModeler(api)
    const { client, params } = modeler
    await modeler.enter()
    await modeler.write({ 'a.md': '' })
    await client.commitChanges({ params, body: { exitDevMode: true } })
    expect(await client.buildStatus({ params })).toMatchObject({ branchName: 'main' })
  })

  test('acts on the branch named, and an empty name is none', async () => {
    const modeler = await withSharedBranch()
    const { client, params } = modeler
    const onShared = await modeler.enter('shared')
    await modeler.write({ 'shared.md': '' })
    await modeler.enter('main')
    await modeler.write({ 'main.md': '' })
    await client.commitChanges({ params, body: { branchName: onShared } })
    expect(await modeler.files('shared')).toHaveProperty(['shared.md'])
    expect(await modeler.files('main')).not.toHaveProperty(['main.md'])
    await client.commitChanges({ params, body: { branchName: '' } })
    expect(await modeler.files('main')).toHaveProperty(['main.md'])
    await expectRefusal(client.commitChanges({ params, body: { branchName: 'main' } }), 'branch_not_dev_mode')
    await expectRefusal(client.commitChanges({ params, body: { branchName: 'nowhere' } }), 'branch_not_found')
  })

  test('to a deploy branch that is read-only is refused, to another branch not', async () => {
    const modeler = await withSharedBranch()
    const { client, params } = modeler
    await client.updateDeployment({ params, body: { deployBranchReadOnly: true } })
    await modeler.enter()
    await modeler.write({ 'a.md': '' })
    await expectRefusal(client.commitChanges({ params }), 'deploy_branch_read_only', /Commit to a shared branch/)
    expect(await modeler.files()).toHaveProperty(['a.md'])
    await modeler.enter('shared')
    await modeler.write({ 'b.md': '' })
    await modeler.commit()
    expect(await modeler.files('shared')).toHaveProperty(['b.md'])
  })
})

describe('pull', () => {
  test('brings what is new on the parent under the edits, and says whether it did', async () => {
    const one = await createModeler(api)
    const two = await createModeler(api, one.deploymentId)
    await one.enter()
    const dev = await two.enter()
    await two.write({ 'mine.md': 'mine' })
    expect(await two.client.pull({ params: two.params })).toEqual({ buildTriggered: false })
    await one.write({ 'new.md': 'new' })
    await one.commit()
    expect(await two.client.pull({ params: two.params, body: { branchName: dev } })).toEqual({ buildTriggered: true })
    expect(await two.files()).toMatchObject({ 'mine.md': 'mine', 'new.md': 'new' })
    expect(await two.head(dev)).toBe(await two.head('main'))
    expect(await two.files('main')).not.toHaveProperty(['mine.md'])
    expect(await two.client.pull({ params: two.params })).toEqual({ buildTriggered: false })
  })

  test('of a shared branch has nothing to bring where no provider is connected', async () => {
    const { client, params } = await withSharedBranch()
    expect(await client.pull({ params, body: { branchName: 'shared' } })).toEqual({ buildTriggered: false })
  })
})

describe('merge', () => {
  async function changedShared(): Promise<Modeler> {
    const modeler = await withSharedBranch('feature/one')
    await modeler.enter('feature/one')
    await modeler.write({ [numbersPath]: numbers('max') })
    await modeler.commit()
    return modeler
  }

  test('into the parent: the parent has it all, and the branch stays', async () => {
    const modeler = await changedShared()
    const { client, params } = modeler
    await client.createBranch({ params, body: { name: 'below', from: 'feature/one' } })
    await modeler.enter('below')
    await modeler.write({ 'below.md': '' })
    await modeler.commit()
    const merged = await client.mergeIntoParentBranch({ params, body: { branchName: 'below' } })
    expect(merged).toEqual({ merged: true, branchDeleted: false })
    expect(await modeler.files('feature/one')).toHaveProperty(['below.md'])
    expect(await modeler.files('main')).not.toHaveProperty(['below.md'])
    expect(await modeler.branchNames()).toContain('below')
  })

  test('with a message, squashed, switching to the parent and deleting the branch', async () => {
    const modeler = await changedShared()
    const { client, params } = modeler
    const parentHead = await modeler.head('main')
    const body = {
      branchName: 'feature/one',
      message: 'One',
      squashCommits: true,
      switchToParentBranch: true,
      deleteBranch: true,
    }
    expect(await client.mergeIntoParentBranch({ params, body })).toEqual({ merged: true, branchDeleted: true })
    expect(await modeler.head('main')).not.toBe(parentHead)
    expect(await modeler.files('main')).toHaveProperty([numbersPath])
    expect(await modeler.branchNames()).not.toContain('feature/one')
    expect(await client.buildStatus({ params })).toMatchObject({ branchName: 'main', mode: 'dev_mode' })
  })

  test('of the deploy branch has no parent to go to', async () => {
    const { client, params } = await createModeler(api)
    const call = client.mergeIntoParentBranch({ params, body: { branchName: 'main' } })
    await expectRefusal(call, 'branch_has_no_parent', /"main"/)
  })

  test('to default: into the deploy branch whatever the parent is, and production is rebuilt', async () => {
    const modeler = await changedShared()
    const { client, params, deploymentId } = modeler
    await client.createBranch({ params, body: { name: 'below', from: 'feature/one' } })
    const merged = await client.mergeToDefaultBranch({ params, body: { branchName: 'below' } })
    expect(merged).toEqual({ merged: true, branchDeleted: false })
    await buildOf(api, deploymentId, 'main')
    expect(await ask(deploymentId, 'max')).toBe('7')
    const removing = { branchName: 'below', removeBranchAfterMerge: true }
    expect(await client.mergeToDefaultBranch({ params, body: removing })).toEqual({ merged: true, branchDeleted: true })
    expect(await modeler.branchNames()).not.toContain('below')
  })

  test('to default of a dev branch takes its edits along', async () => {
    const modeler = await withSharedBranch()
    await modeler.enter('shared')
    await modeler.write({ 'edit.md': 'edit' })
    await modeler.client.mergeToDefaultBranch({ params: modeler.params })
    expect(await modeler.files('main')).toHaveProperty(['edit.md'], 'edit')
    expect(await modeler.files('shared')).not.toHaveProperty(['edit.md'])
  })

  test('to default of the deploy branch itself is refused, and so is any where merging is switched off', async () => {
    const modeler = await changedShared()
    const { client, params } = modeler
    const merge = (branchName: string) => client.mergeToDefaultBranch({ params, body: { branchName } })
    await expectRefusal(merge('main'), 'branch_is_deploy_branch', /"main"/)
    await client.updateDeployment({ params, body: { deployBranchMergeAllowed: false } })
    await expectRefusal(merge('feature/one'), 'deploy_branch_merge_refused', /deployBranchMergeAllowed/)
    const body = { branchName: 'feature/one' }
    await expectRefusal(client.mergeIntoParentBranch({ params, body }), 'deploy_branch_merge_refused')
    expect(await modeler.files('main')).not.toHaveProperty([numbersPath])
  })

  test('of a branch that is not there, or with id and name that disagree, is refused', async () => {
    const { client, params } = await changedShared()
    const { items } = await client.listBranches({ params })
    await expectRefusal(client.mergeToDefaultBranch({ params, body: { branchName: 'nowhere' } }), 'branch_not_found')
    const body = { branchName: 'feature/one', branchId: items[0]?.id ?? 0 }
    await expectRefusal(client.mergeToDefaultBranch({ params, body }), 'branch_mismatch')
    await expectRefusal(client.mergeIntoParentBranch({ params, body }), 'branch_mismatch')
  })

  test('ten times at once merges once, and breaks nothing', async () => {
    const modeler = await changedShared()
    const { client, params } = modeler
    const body = { branchName: 'feature/one', message: 'Once' }
    await Promise.all(Array.from({ length: 10 }, () => client.mergeToDefaultBranch({ params, body })))
    expect(await modeler.files('main')).toHaveProperty([numbersPath])
  })
})
