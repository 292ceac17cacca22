import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Conflict } from '../../src/git/conflict.ts'
import { createCommit } from '../../src/git/create-commit.ts'
import { mergeTrees } from '../../src/git/merge-trees.ts'
import type { ObjectId } from '../../src/git/objects.ts'
import { writePack } from '../../src/git/pack.ts'
import { writeTree } from '../../src/git/snapshot.ts'
import type { SnapshotFile } from '../../src/git/snapshot-file.ts'
import { createRepository, type GitRepository } from './git-program.ts'
import { type MemoryObjects, memoryObjects } from './memory-objects.ts'
import { mergeCase as anyMerge, type MergeCase, type Side } from './merge-cases.ts'

const runs = 300

test(`${runs} random merges end as in git: the same tree, or conflicts in the same paths`, async () => {
  await using repository = await createRepository()
  const cases = fc.sample(anyMerge, { numRuns: runs, seed: 5 })
  const store = memoryObjects()
  const written = []
  for (const mergeCase of cases) {
    const { base, ours, theirs } = mergeCase
    const start = await writeSide(store, base, [])
    const [left, right] = [await writeSide(store, ours, [start.id]), await writeSide(store, theirs, [start.id])]
    written.push({ mergeCase, base: start, ours: left, theirs: right })
  }
  await repository.unpack(writePack(store.all))

  const tally = { clean: 0, conflicted: 0 }
  let named = 0
  let namedByGit = 0
  for (const [index, { mergeCase, base, ours, theirs }] of written.entries()) {
    const expected = await mergeByGit(repository, ours.id, theirs.id)
    const result = await mergeTrees({ reader: store, base: base.treeId, ours: ours.treeId, theirs: theirs.treeId })
    tally[result.treeId === null ? 'conflicted' : 'clean']++
    if (result.treeId === null) {
      named += new Set(result.conflicts.map(({ path }) => path)).size
      namedByGit += expected.conflicts.length
    }
    const conflicts = comparablePaths(result.conflicts, mergeCase, expected.conflicts)
    expect({ treeId: result.treeId, conflicts }, describeCase(index, mergeCase)).toEqual(expected)
  }
  expect(Math.min(tally.clean, tally.conflicted)).toBeGreaterThan(runs / 5)
  expect(named - namedByGit).toBeLessThan(namedByGit / 8)
})

async function writeSide(store: MemoryObjects, { files, executable }: Side, parents: ObjectId[]) {
  const snapshot = [...store.files(files)].map(([path, { id }]): [string, SnapshotFile] => [
    path,
    { mode: executable.has(path) ? '100755' : '100644', id },
  ])
  const { treeId, objects } = await writeTree(new Map(snapshot))
  const author = { name: 'Ada', email: 'ada@example.com' }
  const { id, object } = createCommit({ tree: treeId, parents, author, at: new Date(0), message: 'x' })
  store.add(new Map([...objects, [id, object]]))
  return { treeId, id }
}

/** `-z --name-only`: the tree, then the paths with conflicts. */
async function mergeByGit(repository: GitRepository, ours: ObjectId, theirs: ObjectId) {
  const settings = ['-c', 'merge.directoryRenames=false']
  const command = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', ours, theirs]
  const { code, stdout, stderr } = await repository.run([...settings, ...command])
  if (code !== 0 && code !== 1) throw new Error(stderr)
  const [treeId = '', ...paths] = stdout.toString().split('\0').filter(Boolean)
  if (code === 0) return { treeId, conflicts: [] }
  // Where a directory is in the way git moves the file aside, to a name with the branch in it.
  return { treeId: null, conflicts: [...new Set(paths.map(path => path.replace(/~[0-9a-f]{40}(_\d+)?$/, '')))].sort() }
}

/**
 * Where renames meet (a file renamed to where the other side has another file, or to below its old path), git tells only
 * of the new paths. Hedron also names the old path, since what the other side did there would go unseen.
 */
function comparablePaths(conflicts: readonly Conflict[], { base, ours, theirs }: MergeCase, byGit: readonly string[]) {
  const renamed = (path: string) => path in base.files && !(path in ours.files && path in theirs.files)
  const paths = new Set(conflicts.map(({ path }) => path))
  return [...paths].filter(path => byGit.includes(path) || byGit.length === 0 || !renamed(path)).sort()
}

/** What each side changed, for the message of a failure. */
function describeCase(index: number, { base, ours, theirs }: MergeCase): string {
  const changes = ({ files, executable }: Side) => {
    const paths = [...new Set([...Object.keys(base.files), ...Object.keys(files)])]
    const changed = paths.filter(path => base.files[path] !== files[path])
    return { files: Object.fromEntries(changed.map(path => [path, files[path] ?? null])), executable: [...executable] }
  }
  return JSON.stringify({ index, ours: changes(ours), theirs: changes(theirs) }, null, 1)
}
