/** Keeps what was used last, by keys, within a number of entries and of bytes. */
export interface Recent<V> {
  get(key: string): V | undefined
  /** @param size of the value in bytes; its key is counted beside it. What is too large for all of it is not kept. */
  set(key: string, value: V, size: number): void
}

export function createRecent<V>(limits: { readonly entries: number; readonly bytes: number }): Recent<V> {
  const kept = new Map<string, { readonly value: V; readonly size: number }>()
  let bytes = 0
  const remove = (key: string): void => {
    bytes -= kept.get(key)?.size ?? 0
    kept.delete(key)
  }
  return {
    get(key) {
      const found = kept.get(key)
      if (found === undefined) return undefined
      // Maps keep the order in which they are filled: the first are those not used for longest.
      kept.delete(key)
      kept.set(key, found)
      return found.value
    },
    set(key, value, size) {
      remove(key)
      const whole = size + 2 * key.length + entrySize
      if (whole > limits.bytes) return
      kept.set(key, { value, size: whole })
      bytes += whole
      for (const oldest of kept.keys()) {
        if (kept.size <= limits.entries && bytes <= limits.bytes) break
        remove(oldest)
      }
    },
  }
}

/** What an entry takes beside key and value, in bytes. */
const entrySize = 150
