import type { Commit } from './commit.ts'
import { commitQueue } from './commit-queue.ts'
import { gitError } from './git-error.ts'
import type { ObjectId, ObjectReader } from './objects.ts'
import { maximumDepth, readCommits, readTrees, readTreesBelow } from './read-objects.ts'
import { directoryMode } from './tree.ts'

/** What a pack has to carry. Commits come before trees and trees before blobs, as git packs them. */
export interface Reachable {
  readonly commits: readonly ObjectId[]
  readonly trees: readonly ObjectId[]
  readonly blobs: readonly ObjectId[]
}

/**
 * The objects that someone who has all of `haves` lacks to have all of `wants`. Both are commits that are stored. It
 * can name some that they have already (an old file that comes back), never too few. Blobs are not read.
 */
export async function reachable(
  reader: ObjectReader,
  wants: readonly ObjectId[],
  haves: readonly ObjectId[],
): Promise<Reachable> {
  const { wanted, boundary } = await wantedCommits(reader, wants, haves)
  const known = new Set<ObjectId>()
  for (const [id, entries] of await readTreesBelow(reader, boundary)) {
    known.add(id)
    for (const entry of entries) known.add(entry.id)
  }
  const trees: ObjectId[] = []
  const blobs: ObjectId[] = []
  let level = new Set([...wanted.values()].filter(id => !known.has(id)))
  for (let depth = 0; level.size > 0; depth++) {
    if (depth > maximumDepth) throw gitError('tree_too_deep', { limit: maximumDepth })
    for (const id of level) known.add(id)
    trees.push(...level)
    const below = new Set<ObjectId>()
    for (const entries of (await readTrees(reader, level)).values()) {
      for (const entry of entries) {
        if (known.has(entry.id) || entry.mode === '160000') continue
        if (entry.mode === directoryMode) below.add(entry.id)
        else {
          known.add(entry.id)
          blobs.push(entry.id)
        }
      }
    }
    level = below
  }
  return { commits: [...wanted.keys()], trees, blobs }
}

/** The commits to send with their trees, and the trees of the commits right behind them. */
async function wantedCommits(reader: ObjectReader, wants: readonly ObjectId[], haves: readonly ObjectId[]) {
  const queue = commitQueue(reader)
  const isHad = new Map<ObjectId, boolean>()
  // Those that wait and are not known to be had; when there are none left, all that follows is had.
  const open = new Set<ObjectId>()
  const visited = new Map<ObjectId, Commit>()
  const mark = (id: ObjectId, had: boolean) => {
    const before = isHad.get(id)
    if (before === true || before === had) return
    isHad.set(id, had)
    if (had) open.delete(id)
    else open.add(id)
    queue.add(id)
  }
  for (const id of haves) mark(id, true)
  for (const id of wants) mark(id, false)
  while (open.size > 0) {
    const next = await queue.next()
    if (next === undefined) break
    open.delete(next.id)
    visited.set(next.id, next.commit)
    for (const parent of next.commit.parents) mark(parent, isHad.get(next.id) === true)
  }
  const wanted = new Map<ObjectId, ObjectId>()
  const edge = new Set<ObjectId>()
  for (const [id, { tree, parents }] of visited) {
    if (isHad.get(id) === true) continue
    wanted.set(id, tree)
    for (const parent of parents) if (isHad.get(parent) === true) edge.add(parent)
  }
  const boundary = [...(await readCommits(reader, edge)).values()].map(({ tree }) => tree)
  return { wanted, boundary }
}
