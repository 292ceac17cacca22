import { type Executor, gitObjects } from '@hedron/store'
import { LRUCache } from 'lru-cache'
import { cachingReader, type GitObject, type NewObjects, type ObjectCache, type ObjectReader } from '../git/index.ts'

/** Whose objects: each deployment has a repository of its own. */
export interface Repository {
  readonly accountId: number
  readonly deploymentId: number
}

/** Git objects of all repositories. */
export interface ObjectStore {
  /** Reads through the executor: within a transaction also what that has written. */
  reader(executor: Executor, repository: Repository): ObjectReader
  /** Adds objects, in the transaction that makes something point at them. */
  write(executor: Executor, repository: Repository, objects: NewObjects): Promise<void>
}

/** Memory for trees and commits, which every operation walks through. */
const defaultCacheBytes = 64 * 1024 * 1024
const entryBytes = 200

export function createObjectStore({ cacheBytes = defaultCacheBytes } = {}): ObjectStore {
  const cache = new LRUCache<string, GitObject>({
    maxSize: cacheBytes,
    sizeCalculation: ({ content }) => content.byteLength + entryBytes,
  })
  const cacheOf = (deploymentId: number): ObjectCache => ({
    get: id => cache.get(`${deploymentId} ${id}`),
    set: (id, object) => cache.set(`${deploymentId} ${id}`, object),
  })
  return {
    reader(executor, { accountId, deploymentId }) {
      const stored: ObjectReader = { read: ids => gitObjects.readObjects(executor, accountId, deploymentId, ids) }
      return cachingReader(stored, cacheOf(deploymentId))
    },
    async write(executor, { accountId, deploymentId }, objects) {
      await gitObjects.insertObjects(executor, accountId, deploymentId, objects)
      // A transaction that is rolled back leaves them here, where nothing points at them.
      const known = cacheOf(deploymentId)
      for (const [id, object] of objects) if (object.type !== 'blob') known.set(id, object)
    },
  }
}
