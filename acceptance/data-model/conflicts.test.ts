import { MergeConflict } from '@hedron/contract'
import { describe, expect, test } from 'vitest'
import { sharedApi } from '../support/api.ts'
import { expectRefusal } from '../support/contract-client.ts'
import { createModeler, type Files, type Modeler } from '../support/project.ts'

const api = sharedApi()

/** The conflicts that a refused call carries as data. */
async function conflictsOf(call: Promise<unknown>) {
  const error = await expectRefusal(call, 'merge_conflict', /Nothing was changed/)
  return { message: error.message, conflicts: MergeConflict.array().parse(Object(error.body).conflicts) }
}

/** Two people whose dev branches began from the same files; the first has committed, the second has edits. */
async function disagreement(base: Files, first: Files, second: Files) {
  const ada = await createModeler(api)
  const bob = await createModeler(api, ada.deploymentId)
  await ada.enter()
  await ada.write(base)
  await ada.commit()
  const branch = await bob.enter()
  await ada.write(first)
  await ada.commit()
  await bob.write(second)
  return { ada, bob, branch }
}

/** Everything that a conflict must leave alone. */
async function stateOf(modeler: Modeler, branch: string) {
  const [main, own] = [await modeler.files('main'), await modeler.files(branch)]
  return { main, own, mainHead: await modeler.head('main'), ownHead: await modeler.head(branch) }
}

const file = 'model/a.yml'
const lines = (middle: string) => `one\ntwo\n${middle}\nfour\nfive\n`

describe('a conflict is returned as data that names path and lines, with nothing changed', () => {
  test('of two who changed the same line', async () => {
    const { bob, branch } = await disagreement(
      { [file]: lines('three') },
      { [file]: lines('THREE') },
      { [file]: lines('3') },
    )
    const before = await stateOf(bob, branch)
    const { message, conflicts } = await conflictsOf(bob.client.commitChanges({ params: bob.params }))
    expect(message).toContain(file)
    expect(message).toContain('"resolveMergeConflict": true')
    const hash = /^[0-9a-f]{40}$/
    expect(conflicts).toEqual([
      {
        path: file,
        kind: 'content',
        base: expect.stringMatching(hash),
        ours: expect.stringMatching(hash),
        theirs: expect.stringMatching(hash),
        regions: [
          {
            baseStartLine: 3,
            base: ['three\n'],
            oursStartLine: 3,
            ours: ['3\n'],
            theirsStartLine: 3,
            theirs: ['THREE\n'],
          },
        ],
      },
    ])
    expect(await stateOf(bob, branch)).toEqual(before)
  })

  test.each<[string, Files, Files, Files, (bob: Modeler) => Promise<void>, string]>([
    ['delete-modify', { [file]: 'x\n' }, { [file]: 'y\n' }, {}, bob => bob.remove(file), 'delete-modify'],
    ['add-add', {}, { [file]: 'x\n' }, { [file]: 'y\n' }, async () => {}, 'add-add'],
  ])('of kind %s', async (_, base, first, second, then, kind) => {
    const { bob, branch } = await disagreement({ 'readme.md': '', ...base }, first, { 'other.md': '', ...second })
    await then(bob)
    const before = await stateOf(bob, branch)
    const { conflicts } = await conflictsOf(bob.client.commitChanges({ params: bob.params }))
    expect(conflicts).toMatchObject([{ path: file, kind }])
    expect(await stateOf(bob, branch)).toEqual(before)
  })

  test('of several files names each of them, and those that agree are none', async () => {
    const base = { 'a.md': 'a\n', 'b.md': 'b\n', 'c.md': 'c\n' }
    const { bob } = await disagreement(
      base,
      { 'a.md': 'A\n', 'b.md': 'B\n', 'c.md': 'C\n' },
      {
        'a.md': '1\n',
        'b.md': '2\n',
        'c.md': 'C\n',
      },
    )
    const { conflicts } = await conflictsOf(bob.client.commitChanges({ params: bob.params }))
    expect(conflicts.map(({ path }) => path)).toEqual(['a.md', 'b.md'])
  })

  test('at a pull, and at a merge of two shared branches', async () => {
    const { bob, branch } = await disagreement(
      { [file]: lines('three') },
      { [file]: lines('THREE') },
      { [file]: lines('3') },
    )
    const { client, params } = bob
    const before = await stateOf(bob, branch)
    expect((await conflictsOf(client.pull({ params }))).conflicts).toMatchObject([{ path: file, kind: 'content' }])
    expect(await stateOf(bob, branch)).toEqual(before)

    await client.createBranch({ params, body: { name: 'side' } })
    await bob.enter('side')
    await bob.write({ [file]: lines('side') })
    await bob.commit()
    await bob.enter('main')
    await bob.write({ [file]: lines('main') })
    await client.commitChanges({ params, body: { resolveMergeConflict: true } })
    const heads = [await bob.head('main'), await bob.head('side')]
    for (const merge of [client.mergeIntoParentBranch, client.mergeToDefaultBranch]) {
      const { conflicts } = await conflictsOf(merge({ params, body: { branchName: 'side' } }))
      expect(conflicts).toMatchObject([{ path: file, regions: [{ ours: ['side\n'], theirs: ['main\n'] }] }])
      expect([await bob.head('main'), await bob.head('side')]).toEqual(heads)
    }
  })
})

describe('a conflict is resolved', () => {
  test('by bringing the file into its form on the branch and committing with resolveMergeConflict', async () => {
    const { bob, branch } = await disagreement(
      { [file]: lines('three'), 'both.md': 'a\nb\nc\nd\ne\n' },
      { [file]: lines('THREE'), 'both.md': 'A\nb\nc\nd\ne\n' },
      { [file]: lines('3'), 'both.md': 'a\nb\nc\nd\nE\n' },
    )
    const { client, params } = bob
    await conflictsOf(client.commitChanges({ params }))
    await bob.write({ [file]: lines('three and 3') })
    await conflictsOf(client.commitChanges({ params }))
    expect(await client.commitChanges({ params, body: { resolveMergeConflict: true } })).toEqual({ success: true })
    const settled = { [file]: lines('three and 3'), 'both.md': 'A\nb\nc\nd\nE\n' }
    expect(await bob.files('main')).toMatchObject(settled)
    expect(await bob.files(branch)).toMatchObject(settled)
    await bob.write({ 'next.md': '' })
    await bob.commit()
  })

  test('for what the other side was then: what came later conflicts again', async () => {
    const { ada, bob, branch } = await disagreement(
      { [file]: lines('three') },
      { [file]: lines('THREE') },
      { [file]: lines('3') },
    )
    const { client, params } = bob
    await conflictsOf(client.commitChanges({ params }))
    await ada.write({ [file]: lines('later') })
    await ada.commit()
    const before = await stateOf(bob, branch)
    const { conflicts } = await conflictsOf(client.commitChanges({ params, body: { resolveMergeConflict: true } }))
    expect(conflicts).toMatchObject([{ regions: [{ theirs: ['later\n'] }] }])
    expect(await stateOf(bob, branch)).toEqual(before)
    await client.commitChanges({ params, body: { resolveMergeConflict: true } })
    expect((await bob.files('main'))[file]).toBe(lines('3'))
  })

  test('not before it was shown: resolveMergeConflict on a first try is no way to overwrite', async () => {
    const { bob, branch } = await disagreement(
      { [file]: lines('three') },
      { [file]: lines('THREE') },
      { [file]: lines('3') },
    )
    const before = await stateOf(bob, branch)
    await conflictsOf(bob.client.commitChanges({ params: bob.params, body: { resolveMergeConflict: true } }))
    expect(await stateOf(bob, branch)).toEqual(before)
  })

  test('at a pull: the branch keeps its form, and the next commit goes through', async () => {
    const { bob } = await disagreement({ [file]: lines('three') }, { [file]: lines('THREE') }, { [file]: lines('3') })
    const { client, params } = bob
    await conflictsOf(client.pull({ params }))
    expect(await client.pull({ params, body: { resolveMergeConflict: true } })).toEqual({ buildTriggered: true })
    expect((await bob.files())[file]).toBe(lines('3'))
    await bob.commit()
    expect((await bob.files('main'))[file]).toBe(lines('3'))
  })

  test('of a deletion and a change by deleting or by keeping', async () => {
    for (const keeps of [false, true]) {
      const { bob } = await disagreement({ [file]: 'x\n', 'r.md': '' }, { [file]: 'y\n' }, { 'o.md': '' })
      const { client, params } = bob
      await bob.remove(file)
      await conflictsOf(client.commitChanges({ params }))
      if (keeps) await bob.write({ [file]: 'kept\n' })
      await client.commitChanges({ params, body: { resolveMergeConflict: true } })
      expect((await bob.files('main'))[file]).toBe(keeps ? 'kept\n' : undefined)
    }
  })
})
