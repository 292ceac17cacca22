import { comesFirst, commitQueue, type QueuedCommit } from './commit-queue.ts'
import type { ObjectId, ObjectReader } from './objects.ts'

const fromLeft = 1
const fromRight = 2
const fromBoth = fromLeft | fromRight
/** Below a common ancestor that was found: common too, and no better. */
const stale = 4

/**
 * The best common ancestor of two commits: one that no other common ancestor descends from. Where branches were merged
 * crosswise there are several; the newest is taken, then the smallest id, so that the answer is always the same.
 * `null` when the histories have nothing in common.
 */
export async function mergeBase(reader: ObjectReader, left: ObjectId, right: ObjectId): Promise<ObjectId | null> {
  const candidates = await commonAncestors(reader, left, right)
  candidates.sort((one, other) => (comesFirst(one, other) ? -1 : 1))
  // Dates decide the order of the walk, so with clocks that were wrong an ancestor of a better one can be among them.
  for (const candidate of candidates) {
    const others = candidates.filter(other => other !== candidate)
    const covered = await Promise.all(others.map(other => isAncestor(reader, candidate.id, other.id)))
    if (!covered.includes(true)) return candidate.id
  }
  return null
}

/** Whether one commit is the other or in the history of the other. */
export async function isAncestor(reader: ObjectReader, ancestor: ObjectId, descendant: ObjectId): Promise<boolean> {
  if (ancestor === descendant) return true
  const common = await commonAncestors(reader, ancestor, descendant)
  return common.some(({ id }) => id === ancestor)
}

/** Whether the history of a commit, itself included, has one of some others in it. */
export async function reachesAny(reader: ObjectReader, id: ObjectId, targets: ReadonlySet<ObjectId>): Promise<boolean> {
  for await (const commit of walk(reader, id)) if (targets.has(commit.id)) return true
  return false
}

/** The history of a commit, newest first, a commit always before its parents if clocks were right. */
export async function log(reader: ObjectReader, id: ObjectId, limit: number): Promise<QueuedCommit[]> {
  const commits: QueuedCommit[] = []
  if (limit <= 0) return commits
  for await (const commit of walk(reader, id)) if (commits.push(commit) >= limit) break
  return commits
}

async function* walk(reader: ObjectReader, id: ObjectId): AsyncGenerator<QueuedCommit> {
  const queue = commitQueue(reader)
  const seen = new Set([id])
  queue.add(id)
  for (let next = await queue.next(); next !== undefined; next = await queue.next()) {
    yield next
    for (const parent of next.commit.parents) {
      if (seen.has(parent)) continue
      seen.add(parent)
      queue.add(parent)
    }
  }
}

/**
 * Walks both histories newest first and marks whose a commit is, until all that waits is below a common ancestor
 * anyway. A commit whose marks grow after its turn is visited again, so wrong clocks cost time and not the answer.
 */
async function commonAncestors(reader: ObjectReader, left: ObjectId, right: ObjectId): Promise<QueuedCommit[]> {
  const queue = commitQueue(reader)
  const marks = new Map<ObjectId, number>()
  const waiting = new Map<ObjectId, number>()
  let interesting = 0
  const mark = (id: ObjectId, added: number) => {
    const before = marks.get(id) ?? 0
    const after = before | added
    if (after === before) return
    marks.set(id, after)
    const entries = waiting.get(id) ?? 0
    if (entries > 0 && (before & stale) === 0 && (after & stale) !== 0) interesting -= entries
    if ((after & stale) === 0) interesting++
    waiting.set(id, entries + 1)
    queue.add(id)
  }
  mark(left, fromLeft)
  mark(right, fromRight)
  const found = new Map<ObjectId, QueuedCommit>()
  while (interesting > 0) {
    const next = await queue.next()
    if (next === undefined) break
    const own = marks.get(next.id) ?? 0
    waiting.set(next.id, (waiting.get(next.id) ?? 1) - 1)
    if ((own & stale) === 0) interesting--
    if ((own & fromBoth) === fromBoth && (own & stale) === 0) found.set(next.id, next)
    const inherited = (own & fromBoth) === fromBoth ? own | stale : own
    for (const parent of next.commit.parents) mark(parent, inherited)
  }
  return [...found.values()].filter(({ id }) => ((marks.get(id) ?? 0) & stale) === 0)
}
