import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseCommit } from '../../src/git/index.ts'
import { type Developer, developer } from './developer.ts'
import { auditedActions, createWorkbench, refusal, type Workbench } from './workbench.ts'

let bench: Workbench
beforeAll(async () => {
  bench = await createWorkbench()
})
afterAll(() => bench.close())

const lines = (...changed: readonly [number, string][]) => {
  const all = Array.from({ length: 20 }, (_, index) => `line ${index}`)
  for (const [index, text] of changed) all[index] = text
  return `${all.join('\n')}\n`
}

async function start(): Promise<{ ada: Developer; bob: Developer; deploymentId: number }> {
  const deploymentId = await bench.deployment({ a: lines(), b: 'b\n' })
  const ada = developer(bench, bench.caller('ada'), deploymentId)
  const bob = developer(bench, bench.caller('bob'), deploymentId)
  await ada.enter()
  await bob.enter()
  return { ada, bob, deploymentId }
}

async function headOf(deploymentId: number, name: string) {
  const { head } = await bench.branch(deploymentId, name)
  const reader = bench.objects.reader(bench.store.kysely, { accountId: bench.account.id, deploymentId })
  const object = (await reader.read([head])).get(head)
  if (!object) throw new Error('the head is not stored')
  return { id: head, ...parseCommit(object.content) }
}

describe('a commit', () => {
  test('pushes the edits to the branch that was forked, under the name of who made them', async () => {
    const { ada, deploymentId } = await start()
    const before = await headOf(deploymentId, 'main')
    await ada.write({ c: 'c\n' })
    await ada.remove(['b'])
    expect(await ada.commit({ message: 'Add c, drop b' })).toEqual({ success: true })
    const after = await headOf(deploymentId, 'main')
    expect(after.parents).toEqual([before.id])
    expect(after.author).toMatchObject({ name: 'ada', email: 'ada@example.com' })
    expect(after.message).toBe('Add c, drop b\n')
    expect(Object.keys(await ada.files({ branchName: 'main' }))).toEqual(['a', 'c'])
    const dev = await bench.branch(deploymentId, await ada.enter())
    expect(dev).toMatchObject({ head: after.id, workingTree: null })
    expect((await auditedActions(bench.store)).at(-1)).toBe('branch.commit')
  })

  test('always says something', async () => {
    const { ada, deploymentId } = await start()
    await ada.write({ c: 'c' })
    await ada.commit({ message: '  ' })
    expect((await headOf(deploymentId, 'main')).message).toBe('Update data model\n')
  })

  test('of nothing makes no commit', async () => {
    const { ada, deploymentId } = await start()
    const before = await headOf(deploymentId, 'main')
    expect(await ada.commit()).toEqual({ success: true })
    await ada.write({ c: 'c' })
    await ada.remove(['c'])
    expect(await ada.commit()).toEqual({ success: true })
    expect((await headOf(deploymentId, 'main')).id).toBe(before.id)
  })

  test('onto a branch that moved merges, also within a file', async () => {
    const { ada, bob, deploymentId } = await start()
    await ada.write({ a: lines([1, 'ada']) })
    await bob.write({ a: lines([18, 'bob']), c: 'c\n' })
    await ada.commit()
    const middle = await headOf(deploymentId, 'main')
    await bob.commit({ message: 'From Bob' })
    const head = await headOf(deploymentId, 'main')
    expect(head.parents[0]).toBe(middle.id)
    expect(head.parents).toHaveLength(2)
    const expected = { a: lines([1, 'ada'], [18, 'bob']), b: 'b\n', c: 'c\n' }
    expect(await ada.files({ branchName: 'main' })).toEqual(expected)
    expect(await bob.files()).toEqual(expected)
    expect(await ada.files()).toEqual({ a: lines([1, 'ada']), b: 'b\n' })
  })

  test('can end dev mode', async () => {
    const { ada } = await start()
    await ada.write({ c: 'c' })
    await ada.commit({ exitDevMode: true })
    await refusal(ada.write({ d: 'd' }), 'dev_mode_inactive')
  })

  test('is of one’s own dev branch alone', async () => {
    const { ada, bob } = await start()
    await refusal(ada.commit({ branchName: 'main' }), 'branch_not_dev_mode')
    const ofBob = await bob.enter()
    await refusal(ada.commit({ branchName: ofBob }), 'branch_not_yours')
    await ada.leave()
    await refusal(ada.commit(), 'dev_mode_inactive')
  })

  test('into the deploy branch can be switched off', async () => {
    const { ada, deploymentId } = await start()
    await bench.settings(deploymentId, { deployBranchReadOnly: true })
    await ada.write({ c: 'c' })
    const error = await refusal(ada.commit(), 'deploy_branch_read_only')
    expect(error.message).toContain('"main"')
    expect(await ada.files({ branchName: 'main' })).not.toHaveProperty('c')
    await ada.createBranch({ name: 'feature' })
    await ada.enter('feature')
    await ada.write({ c: 'c' })
    await ada.commit()
    await ada.merge({ branchName: 'feature' })
    expect(await ada.files({ branchName: 'main' })).toHaveProperty('c')
  })
})

describe('a conflict', () => {
  test('is told with paths and lines, and changes nothing', async () => {
    const { ada, bob, deploymentId } = await start()
    await ada.write({ a: lines([4, 'ada']) })
    await bob.write({ a: lines([4, 'bob']), c: 'c\n' })
    await ada.commit()
    const head = await headOf(deploymentId, 'main')
    const dev = await bench.branch(deploymentId, await bob.enter())
    const error = await refusal(bob.commit({ exitDevMode: true }), 'merge_conflict')
    expect(error.status).toBe(409)
    expect(error.data).toEqual({
      conflicts: [
        {
          path: 'a',
          kind: 'content',
          base: expect.any(String),
          ours: expect.any(String),
          theirs: expect.any(String),
          regions: [
            {
              baseStartLine: 5,
              base: ['line 4\n'],
              oursStartLine: 5,
              ours: ['bob\n'],
              theirsStartLine: 5,
              theirs: ['ada\n'],
            },
          ],
        },
      ],
    })
    expect((await headOf(deploymentId, 'main')).id).toBe(head.id)
    expect(await bench.branch(deploymentId, dev.name)).toEqual({
      ...dev,
      conflictWith: head.id,
      updatedAt: expect.anything(),
    })
    expect(await bob.files()).toEqual({ a: lines([4, 'bob']), b: 'b\n', c: 'c\n' })
  })

  test('is resolved as the dev branch then stands, and the rest merges', async () => {
    const { ada, bob } = await start()
    await ada.write({ a: lines([4, 'ada']), d: 'd\n' })
    await bob.write({ a: lines([4, 'bob']), c: 'c\n' })
    await ada.commit()
    await refusal(bob.commit(), 'merge_conflict')
    await bob.write({ a: lines([4, 'both']) })
    await bob.commit({ resolveMergeConflict: true })
    const expected = { a: lines([4, 'both']), b: 'b\n', c: 'c\n', d: 'd\n' }
    expect(await bob.files({ branchName: 'main' })).toEqual(expected)
    expect(await bob.files()).toEqual(expected)
  })

  test('cannot be resolved before it was told', async () => {
    const { ada, bob } = await start()
    await ada.write({ a: lines([4, 'ada']) })
    await bob.write({ a: lines([4, 'bob']) })
    await ada.commit()
    await refusal(bob.commit({ resolveMergeConflict: true }), 'merge_conflict')
    expect(await ada.files({ branchName: 'main' })).toMatchObject({ a: lines([4, 'ada']) })
    await bob.commit({ resolveMergeConflict: true })
    expect(await ada.files({ branchName: 'main' })).toMatchObject({ a: lines([4, 'bob']) })
  })

  test('is told anew when the other branch moved since', async () => {
    const { ada, bob } = await start()
    await ada.write({ a: lines([4, 'ada']) })
    await bob.write({ a: lines([4, 'bob']) })
    await ada.commit()
    await refusal(bob.commit(), 'merge_conflict')
    await ada.write({ a: lines([4, 'ada again']) })
    await ada.commit()
    await refusal(bob.commit({ resolveMergeConflict: true }), 'merge_conflict')
    expect(await ada.files({ branchName: 'main' })).toMatchObject({ a: lines([4, 'ada again']) })
    await bob.commit({ resolveMergeConflict: true })
    expect(await ada.files({ branchName: 'main' })).toMatchObject({ a: lines([4, 'bob']) })
  })

  test('of a deleted file keeps it or lets it go, as the dev branch has it', async () => {
    const { ada, bob } = await start()
    await ada.write({ b: 'changed\n' })
    await bob.remove(['b'])
    await ada.commit()
    const error = await refusal(bob.commit(), 'merge_conflict')
    expect(error.data).toMatchObject({ conflicts: [{ path: 'b', kind: 'delete-modify', ours: null, regions: [] }] })
    await bob.commit({ resolveMergeConflict: true })
    expect(Object.keys(await ada.files({ branchName: 'main' }))).toEqual(['a'])
  })

  test('of a file and a folder of one name leaves the dev branch’s', async () => {
    const { ada, bob } = await start()
    await ada.write({ 'x/one': '1\n', 'x/two': '2\n' })
    await bob.write({ x: 'file\n' })
    await ada.commit()
    const error = await refusal(bob.commit(), 'merge_conflict')
    expect(error.data).toMatchObject({ conflicts: [{ path: 'x', kind: 'directory-file' }] })
    await bob.commit({ resolveMergeConflict: true })
    expect(await bob.files({ branchName: 'main' })).toEqual({ a: lines(), b: 'b\n', x: 'file\n' })

    await ada.write({ 'y/one': '1\n' })
    await bob.write({ y: 'file\n' })
    await bob.commit()
    await refusal(ada.commit(), 'merge_conflict')
    await ada.commit({ resolveMergeConflict: true })
    const merged = await ada.files({ branchName: 'main' })
    expect(merged['y/one']).toBe('1\n')
    expect(merged).not.toHaveProperty('y')
  })

  test('of a file renamed on both branches is resolved to the dev branch’s name', async () => {
    const { ada, bob } = await start()
    await ada.rename({ a: 'from-ada' })
    await bob.rename({ a: 'from-bob' })
    await ada.commit()
    await refusal(bob.commit(), 'merge_conflict')
    await bob.commit({ resolveMergeConflict: true })
    expect(await bob.files({ branchName: 'main' })).toEqual({ b: 'b\n', 'from-bob': lines() })
  })
})
