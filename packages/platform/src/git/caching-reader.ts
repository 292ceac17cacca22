import type { GitObject, ObjectId, ObjectReader } from './objects.ts'

/** What the cache is kept in; an `LRUCache` of lru-cache fits. */
export interface ObjectCache {
  get(id: ObjectId): GitObject | undefined
  set(id: ObjectId, object: GitObject): unknown
}

/** A reader that keeps trees and commits, which are small and read again and again. Objects never change under an id. */
export function cachingReader(reader: ObjectReader, cache: ObjectCache): ObjectReader {
  return {
    async read(ids) {
      const found = new Map<ObjectId, GitObject>()
      const missing: ObjectId[] = []
      for (const id of ids) {
        const object = cache.get(id)
        if (object === undefined) missing.push(id)
        else found.set(id, object)
      }
      if (missing.length === 0) return found
      for (const [id, object] of await reader.read(missing)) {
        found.set(id, object)
        if (object.type !== 'blob') cache.set(id, object)
      }
      return found
    },
  }
}
