/** Results in the order of the items, with at most `limit` under way; the first failure stops the start of further ones. */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = new Array(items.length)
  const queue = items.entries()
  let failed = false
  const worker = async () => {
    // All workers draw from one iterator, so each item is taken once.
    for (const [index, item] of queue) {
      if (failed) return
      try {
        results[index] = await work(item)
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker))
  return results
}
