/** Keeps what was used lately, by keys, within a number of entries and of bytes. */
export interface Recent<V> {
  get(key: string): V | undefined
  /** @param size of the value in bytes; its key is counted beside it. What is too large for all of it is not kept. */
  set(key: string, value: V, size: number): void
}

interface Entry<V> {
  readonly value: V
  readonly size: number
  /** Since it was last passed over. */
  isUsed: boolean
}

export function createRecent<V>(limits: { readonly entries: number; readonly bytes: number }): Recent<V> {
  const kept = new Map<string, Entry<V>>()
  let bytes = 0
  const remove = (key: string): void => {
    bytes -= kept.get(key)?.size ?? 0
    kept.delete(key)
  }
  /** The oldest that was not used since it was passed over: as good as the one unused for longest, and finding costs nothing. */
  const forget = (): void => {
    for (const [key, entry] of kept) {
      kept.delete(key)
      if (!entry.isUsed) {
        bytes -= entry.size
        return
      }
      entry.isUsed = false
      kept.set(key, entry)
    }
  }
  return {
    get(key) {
      const found = kept.get(key)
      if (found === undefined) return undefined
      found.isUsed = true
      return found.value
    },
    set(key, value, size) {
      remove(key)
      const whole = size + 2 * key.length + entrySize
      if (whole > limits.bytes) return
      while (kept.size >= limits.entries || bytes + whole > limits.bytes) forget()
      kept.set(key, { value, size: whole, isUsed: false })
      bytes += whole
    },
  }
}

/** What an entry takes beside key and value, in bytes. */
const entrySize = 150
