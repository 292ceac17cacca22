import { CodedError } from '@hedron/contract'
import { LRUCache } from 'lru-cache'
import type { ObjectId, ObjectReader } from '../git/index.ts'
import { readTrees } from '../git/read-objects.ts'

/**
 * Files of one branch at most. What walks over whole trees stops at 250,000 files and folders; this leaves room for a merge of two
 * full branches.
 */
const maximumProjectFiles = 100_000
const keptCounts = 100_000

/** Refuses a tree that has grown beyond what a project may have, by `project_too_large`. Both trees must be stored. */
export type CheckProjectSize = (reader: ObjectReader, before: ObjectId, after: ObjectId) => Promise<void>

/** Each folder is counted once, as the same tree always has the same files. */
export function createCheckProjectSize(limit = maximumProjectFiles): CheckProjectSize {
  // By size rather than by number: a cache by number takes the place of all its entries when it is made, at every start.
  const counts = new LRUCache<ObjectId, number>({ maxSize: keptCounts, sizeCalculation: () => 1 })

  async function count(reader: ObjectReader, tree: ObjectId): Promise<number> {
    const known = counts.get(tree)
    if (known !== undefined) return known
    const entries = (await readTrees(reader, [tree])).get(tree) ?? []
    const folders = entries.filter(entry => entry.mode === '40000')
    // One call for all that are not in memory; each folder below then finds itself there.
    await reader.read(folders.map(({ id }) => id).filter(id => !counts.has(id)))
    let total = entries.length - folders.length
    for (const { id } of folders) total += await count(reader, id)
    counts.set(tree, total)
    return total
  }

  return async (reader, before, after) => {
    const files = await count(reader, after)
    if (files > limit && files > (await count(reader, before))) throw new CodedError('project_too_large', { limit })
  }
}
