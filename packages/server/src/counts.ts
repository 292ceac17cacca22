/** How many of something each key has, such as sessions of a deployment. Keys that have none take no memory. */
export interface Counts<K> {
  of(key: K): number
  /** One more. @returns how it is taken off again, once. */
  add(key: K): () => void
}

export function createCounts<K>(): Counts<K> {
  const counts = new Map<K, number>()
  return {
    of: key => counts.get(key) ?? 0,
    add(key) {
      counts.set(key, (counts.get(key) ?? 0) + 1)
      let isCounted = true
      return () => {
        if (!isCounted) return
        isCounted = false
        const left = (counts.get(key) ?? 1) - 1
        if (left > 0) counts.set(key, left)
        else counts.delete(key)
      }
    },
  }
}
