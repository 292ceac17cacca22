import { editTree, type TreeResult } from './edit-tree.ts'
import { gitError } from './git-error.ts'
import type { ObjectId, ObjectReader } from './objects.ts'
import { maximumEntries, readTrees, readTreesBelow } from './read-objects.ts'
import type { Snapshot, SnapshotFile } from './snapshot-file.ts'
import { directoryMode } from './tree.ts'

/**
 * Reads which files a tree holds, with one round trip for each level of directories.
 *
 * @throws {GitError} `tree_too_large` beyond 250,000 files and directories.
 */
export async function readSnapshot(reader: ObjectReader, treeId: ObjectId): Promise<Snapshot> {
  const trees = await readTreesBelow(reader, [treeId])
  const files = new Map<string, SnapshotFile>()
  let visited = 0
  const visit = (id: ObjectId, prefix: string) => {
    for (const entry of trees.get(id) ?? []) {
      if (++visited > maximumEntries) throw gitError('tree_too_large', { limit: maximumEntries })
      if (entry.mode === directoryMode) visit(entry.id, `${prefix}${entry.name}/`)
      else files.set(prefix + entry.name, { mode: entry.mode, id: entry.id })
    }
  }
  visit(treeId, '')
  return files
}

/**
 * Finds some files of a tree by path, reading only the directories on the way. Paths without a file, directories
 * among them, are left out.
 */
export async function findFiles(reader: ObjectReader, treeId: ObjectId, paths: Iterable<string>): Promise<Snapshot> {
  const found = new Map<string, SnapshotFile>()
  let searches = Array.from(paths, path => ({ path, segments: path.split('/'), treeId }))
  for (let depth = 0; searches.length > 0; depth++) {
    const trees = await readTrees(
      reader,
      searches.map(search => search.treeId),
    )
    const indexes = new Map(
      Array.from(trees, ([id, entries]) => [id, new Map(entries.map(entry => [entry.name, entry]))]),
    )
    const deeper: typeof searches = []
    for (const { path, segments, treeId } of searches) {
      const entry = indexes.get(treeId)?.get(segments[depth] ?? '')
      const last = depth === segments.length - 1
      if (entry === undefined || (entry.mode === directoryMode) === last) continue
      if (entry.mode === directoryMode) deeper.push({ path, segments, treeId: entry.id })
      else found.set(path, { mode: entry.mode, id: entry.id })
    }
    searches = deeper
  }
  return found
}

/** The tree of a directory by its path, the empty path being the root. `null` where there is no directory. */
export async function findDirectory(reader: ObjectReader, treeId: ObjectId, path: string): Promise<ObjectId | null> {
  let current = treeId
  for (const name of path === '' ? [] : path.split('/')) {
    const entries = (await readTrees(reader, [current])).get(current) ?? []
    const entry = entries.find(entry => entry.name === name)
    if (entry?.mode !== directoryMode) return null
    current = entry.id
  }
  return current
}

/** The trees for a set of files. @throws {PathError} for a path that is a file and a directory at once. */
export function writeTree(files: Snapshot): Promise<TreeResult> {
  return editTree({ read: async () => new Map() }, null, files)
}
