export interface FairQueue<T> {
  /** @returns false where no more may wait */
  add(owner: number, item: T): boolean
  /** What has its turn: owners take turns, each with its oldest. */
  take(): T | undefined
}

/** A bounded queue in which many items of one owner do not keep the others waiting. */
export function createFairQueue<T>(limits: { readonly total: number; readonly ofOwner: number }): FairQueue<T> {
  // In the order in which owners have their turns.
  const waiting = new Map<number, T[]>()
  let count = 0
  return {
    add(owner, item) {
      const own = waiting.get(owner) ?? []
      if (count >= limits.total || own.length >= limits.ofOwner) return false
      count += 1
      own.push(item)
      waiting.set(owner, own)
      return true
    },
    take() {
      for (const [owner, [item, ...others]] of waiting) {
        waiting.delete(owner)
        if (item === undefined) continue
        if (others.length > 0) waiting.set(owner, others)
        count -= 1
        return item
      }
      return undefined
    },
  }
}
