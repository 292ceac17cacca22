import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diffTrees } from '../../src/git/diff-trees.ts'
import { writePack } from '../../src/git/pack.ts'
import { writeTree } from '../../src/git/snapshot.ts'
import type { Snapshot } from '../../src/git/snapshot-file.ts'
import { fileSet } from './arbitraries.ts'
import { createRepository } from './git-program.ts'
import { memoryObjects } from './memory-objects.ts'
import { randomHistory } from './random-history.ts'

test('names what is added, removed and modified, whatever the trees', async () => {
  await fc.assert(
    fc.asyncProperty(fileSet, fileSet, fc.boolean(), async (left, right, related) => {
      const store = memoryObjects()
      const [before, after] = [store.files(left), store.files(related ? { ...right, ...pick(left, right) } : right)]
      const [first, second] = [await writeTree(before), await writeTree(after)]
      store.add(new Map([...first.objects, ...second.objects]))
      const changes = await diffTrees(store, first.treeId, second.treeId)
      expect(new Map(changes.map(change => [change.path, change]))).toEqual(expectedChanges(before, after))
      expect(changes.map(change => change.path)).toEqual(
        [...changes].map(change => change.path).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
      )
    }),
    { seed: 12, numRuns: 200 },
  )
})

test('agrees with git diff-tree, renames included', async () => {
  await using repository = await createRepository()
  const store = memoryObjects()
  const ids = await randomHistory(store, 20, 31, 0)
  const before = store.files({ 'a/x.yml': 'same\n', 'b/y.yml': 'other\n', 'c/z.yml': 'z\n', empty: '', keep: 'k\n' })
  const after = store.files({ 'n/x.yml': 'same\n', 'm/q.yml': 'other\n', 'c/z.yml': 'zz\n', void: '', keep: 'k\n' })
  const [first, second] = [await writeTree(before), await writeTree(after)]
  store.add(new Map([...first.objects, ...second.objects]))
  await repository.unpack(writePack(store.all))
  const trees = [[first.treeId, second.treeId] as const]
  for (const [index, id] of ids.entries()) {
    const tree = async (commit: string) => (await repository.git(['rev-parse', `${commit}^{tree}`])).trim()
    trees.push([await tree(id), await tree(ids[index - 3] ?? id)])
  }
  for (const [left, right] of trees) {
    const output = await repository.git([
      'diff-tree',
      '-r',
      '-M100%',
      '--no-rename-empty',
      '--name-status',
      left,
      right,
    ])
    const changes = await diffTrees(store, left, right, { renames: true })
    const letters = { added: 'A', removed: 'D', modified: 'M', renamed: 'R100' }
    const lines = changes.map(change => {
      const paths = change.kind === 'renamed' ? [change.from, change.path] : [change.path]
      return [letters[change.kind], ...paths].join('\t')
    })
    expect(lines.sort()).toEqual(output.split('\n').filter(Boolean).sort())
  }
})

test('opens only the directories that differ, and takes null for no tree', async () => {
  const store = memoryObjects()
  const contents = Object.fromEntries(
    Array.from({ length: 400 }, (_, index) => [`d${index % 40}/f${index}`, `${index}`]),
  )
  const first = await writeTree(store.files(contents))
  const second = await writeTree(store.files({ ...contents, 'd7/f7': 'x' }))
  store.add(new Map([...first.objects, ...second.objects]))
  expect((await diffTrees(store, first.treeId, second.treeId)).map(({ path }) => path)).toEqual(['d7/f7'])
  expect(store.asked).toEqual({ calls: 2, ids: 4 })
  expect(await diffTrees(store, first.treeId, first.treeId)).toEqual([])
  expect((await diffTrees(store, null, first.treeId)).length).toBe(400)
  expect((await diffTrees(store, first.treeId, null)).every(({ kind }) => kind === 'removed')).toBe(true)
})

function pick(left: Record<string, string>, right: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(left).filter(([path]) => path in right))
}

function expectedChanges(before: Snapshot, after: Snapshot) {
  const changes = new Map<string, object>()
  for (const [path, file] of before) {
    const now = after.get(path)
    if (now === undefined) changes.set(path, { kind: 'removed', path, before: file })
    else if (now.id !== file.id) changes.set(path, { kind: 'modified', path, before: file, after: now })
  }
  for (const [path, file] of after) if (!before.has(path)) changes.set(path, { kind: 'added', path, after: file })
  return changes
}
