import type { Commit } from './commit.ts'
import type { ObjectId, ObjectReader } from './objects.ts'
import { readCommits } from './read-objects.ts'

export interface QueuedCommit {
  readonly id: ObjectId
  readonly commit: Commit
}

/**
 * Commits yet to be visited, newest committer date first and by id where dates are equal. Everything that waits is
 * read in one round trip, so walking a history costs about one for each generation.
 */
export function commitQueue(reader: ObjectReader) {
  const known = new Map<ObjectId, Commit>()
  const heap: QueuedCommit[] = []
  let unread: ObjectId[] = []

  const push = (item: QueuedCommit) => {
    let index = heap.push(item) - 1
    while (index > 0) {
      const parent = (index - 1) >> 1
      const above = heap[parent]
      if (above === undefined || !comesFirst(item, above)) break
      heap[index] = above
      index = parent
    }
    heap[index] = item
  }
  const shift = (): QueuedCommit | undefined => {
    const first = heap[0]
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return first
    let index = 0
    for (;;) {
      const [left, right] = [heap[2 * index + 1], heap[2 * index + 2]]
      const isRight = left !== undefined && right !== undefined && comesFirst(right, left)
      const child = isRight ? right : left
      if (child === undefined || !comesFirst(child, last)) break
      heap[index] = child
      index = 2 * index + (isRight ? 2 : 1)
    }
    heap[index] = last
    return first
  }

  const add = (id: ObjectId) => {
    const commit = known.get(id)
    if (commit === undefined) unread.push(id)
    else push({ id, commit })
  }

  return {
    /** Puts a commit in, once more if it was taken out before. */
    add,
    /** Takes the newest commit out. @throws {GitError} when a commit is not stored. */
    async next(): Promise<QueuedCommit | undefined> {
      if (unread.length > 0) {
        for (const [id, commit] of await readCommits(reader, unread)) known.set(id, commit)
        const read = unread
        unread = []
        read.forEach(add)
      }
      return shift()
    },
  }
}

/** Whether one commit is visited before another. */
export function comesFirst(left: QueuedCommit, right: QueuedCommit): boolean {
  const later = left.commit.committer.seconds - right.commit.committer.seconds
  return later > 0 || (later === 0 && left.id < right.id)
}
