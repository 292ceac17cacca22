import { type Commit, parseCommit } from './commit.ts'
import { gitError } from './git-error.ts'
import { emptyTreeId, type ObjectId, type ObjectReader, type ObjectType } from './objects.ts'
import { directoryMode, parseTree, type TreeEntry } from './tree.ts'

export type Trees = ReadonlyMap<ObjectId, readonly TreeEntry[]>

/** Git refuses to walk deeper by default (`core.maxTreeDepth`). */
export const maximumDepth = 2048

/** A tree can repeat a subtree, so few bytes can stand for endless files; walks over all of them stop here. */
export const maximumEntries = 250_000

/** Reads trees in one round trip. @throws {GitError} when one is absent or no tree. */
export async function readTrees(reader: ObjectReader, ids: Iterable<ObjectId>): Promise<Trees> {
  const wanted = new Set(ids)
  const knowsEmpty = wanted.delete(emptyTreeId)
  const trees = await readParsed(reader, wanted, 'tree', parseTree)
  if (knowsEmpty) trees.set(emptyTreeId, [])
  return trees
}

/** Reads commits in one round trip. @throws {GitError} when one is absent or no commit. */
export function readCommits(reader: ObjectReader, ids: Iterable<ObjectId>): Promise<ReadonlyMap<ObjectId, Commit>> {
  return readParsed(reader, new Set(ids), 'commit', parseCommit)
}

/** Reads the bytes of files in one round trip. @throws {GitError} when one is absent or no blob. */
export function readBlobs(reader: ObjectReader, ids: Iterable<ObjectId>): Promise<ReadonlyMap<ObjectId, Uint8Array>> {
  return readParsed(reader, new Set(ids), 'blob', content => content)
}

/** Reads all trees below some roots, each once, with one round trip for each level. */
export async function readTreesBelow(reader: ObjectReader, roots: Iterable<ObjectId>): Promise<Trees> {
  const trees = new Map<ObjectId, readonly TreeEntry[]>()
  let level = new Set(roots)
  for (let depth = 0; level.size > 0; depth++) {
    if (depth > maximumDepth) throw gitError('tree_too_deep', { limit: maximumDepth })
    const below = new Set<ObjectId>()
    for (const [id, entries] of await readTrees(reader, level)) {
      trees.set(id, entries)
      for (const entry of entries) if (entry.mode === directoryMode) below.add(entry.id)
    }
    level = new Set([...below].filter(id => !trees.has(id)))
  }
  return trees
}

async function readParsed<Value>(
  reader: ObjectReader,
  ids: ReadonlySet<ObjectId>,
  wanted: ObjectType,
  parse: (content: Uint8Array) => Value,
): Promise<Map<ObjectId, Value>> {
  const values = new Map<ObjectId, Value>()
  if (ids.size === 0) return values
  const objects = await reader.read([...ids])
  for (const id of ids) {
    const object = objects.get(id)
    if (object === undefined) throw gitError('object_missing', { id, wanted })
    if (object.type !== wanted) throw gitError('object_type', { id, wanted, found: object.type })
    values.set(id, parse(object.content))
  }
  return values
}
