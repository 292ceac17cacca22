import { compareBytes } from './byte-order.ts'
import { gitError } from './git-error.ts'
import type { ObjectId, ObjectReader } from './objects.ts'
import { maximumDepth, maximumEntries, readTrees } from './read-objects.ts'
import { pairExactRenames } from './renames.ts'
import { fileOf, type SnapshotFile } from './snapshot-file.ts'
import { directoryMode, type TreeEntry } from './tree.ts'

/** What happened to one path between two trees. */
export type TreeChange =
  | { readonly kind: 'added'; readonly path: string; readonly after: SnapshotFile }
  | { readonly kind: 'removed'; readonly path: string; readonly before: SnapshotFile }
  | { readonly kind: 'modified'; readonly path: string; readonly before: SnapshotFile; readonly after: SnapshotFile }
  | {
      readonly kind: 'renamed'
      readonly path: string
      readonly from: string
      readonly before: SnapshotFile
      readonly after: SnapshotFile
    }

interface DirectoryPair {
  readonly prefix: string
  readonly before: ObjectId | undefined
  readonly after: ObjectId | undefined
}

/**
 * The files that differ between two trees, by path in git's order. Equal directories are not opened; the rest costs
 * one round trip for each level. `null` stands for no tree.
 *
 * @param options.renames pairs a removed file with an added one of the same content.
 * @throws {GitError} `tree_too_large` when more than 250,000 files and directories would have to be looked at.
 */
export async function diffTrees(
  reader: ObjectReader,
  before: ObjectId | null,
  after: ObjectId | null,
  options: { readonly renames?: boolean } = {},
): Promise<TreeChange[]> {
  const changes: TreeChange[] = []
  let visited = 0
  let level: DirectoryPair[] = [{ prefix: '', before: before ?? undefined, after: after ?? undefined }]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maximumDepth) throw gitError('tree_too_deep', { limit: maximumDepth })
    level = level.filter(pair => pair.before !== pair.after)
    const trees = await readTrees(
      reader,
      level.flatMap(pair => [pair.before, pair.after].filter(id => id !== undefined)),
    )
    const entriesOf = (id: ObjectId | undefined) => (id === undefined ? [] : (trees.get(id) ?? []))
    const below: DirectoryPair[] = []
    for (const pair of level) {
      for (const [left, right] of pairEntries(entriesOf(pair.before), entriesOf(pair.after))) {
        if (++visited > maximumEntries) throw gitError('tree_too_large', { limit: maximumEntries })
        compareEntries(pair.prefix, left, right, changes, below)
      }
    }
    level = below
  }
  const result = options.renames === true ? withRenames(changes) : changes
  return result.sort((left, right) => compareBytes(left.path, right.path))
}

function* pairEntries(
  before: readonly TreeEntry[],
  after: readonly TreeEntry[],
): Generator<[TreeEntry | undefined, TreeEntry | undefined]> {
  const rest = new Map(after.map(entry => [entry.name, entry]))
  for (const entry of before) {
    yield [entry, rest.get(entry.name)]
    rest.delete(entry.name)
  }
  for (const entry of rest.values()) yield [undefined, entry]
}

function compareEntries(
  prefix: string,
  left: TreeEntry | undefined,
  right: TreeEntry | undefined,
  changes: TreeChange[],
  below: DirectoryPair[],
): void {
  if (left?.id === right?.id && left?.mode === right?.mode) return
  const path = `${prefix}${(left ?? right)?.name}`
  const directories = [left, right].map(entry => (entry?.mode === directoryMode ? entry.id : undefined))
  if (directories.some(id => id !== undefined)) {
    below.push({ prefix: `${path}/`, before: directories[0], after: directories[1] })
  }
  const before = fileOf(left)
  const after = fileOf(right)
  if (before && after) changes.push({ kind: 'modified', path, before, after })
  else if (before) changes.push({ kind: 'removed', path, before })
  else if (after) changes.push({ kind: 'added', path, after })
}

function withRenames(changes: readonly TreeChange[]): TreeChange[] {
  const removed = new Map(changes.flatMap(change => (change.kind === 'removed' ? [[change.path, change.before]] : [])))
  const added = new Map(changes.flatMap(change => (change.kind === 'added' ? [[change.path, change.after]] : [])))
  const sources = pairExactRenames(removed, added)
  const moved = new Set(sources.values())
  return changes.flatMap((change): TreeChange[] => {
    if (change.kind === 'removed' && moved.has(change.path)) return []
    const from = change.kind === 'added' ? sources.get(change.path) : undefined
    const before = from === undefined ? undefined : removed.get(from)
    if (change.kind !== 'added' || from === undefined || before === undefined) return [change]
    return [{ kind: 'renamed', path: change.path, from, before, after: change.after }]
  })
}
