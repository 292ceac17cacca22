/** A value that is changed while it is asked for: until a change is known to have happened, both values are right. */
export interface Expected<T> {
  readonly current: T
  /** Changes it; what `change` throws leaves both right. */
  to(value: T, change: () => Promise<void>): Promise<void>
  /** Begins to watch. What is given says whether a value was right at any time since. */
  watch(): (value: T) => boolean
}

export function createExpected<T>(first: T): Expected<T> {
  let right = new Set([first])
  let current = first
  const watchers = new Set<WeakRef<Set<T>>>()
  const allow = (value: T) => {
    right.add(value)
    for (const watcher of watchers) {
      const seen = watcher.deref()
      if (seen === undefined) watchers.delete(watcher)
      else seen.add(value)
    }
  }
  return {
    get current() {
      return current
    },
    async to(value, change) {
      allow(value)
      await change()
      right = new Set([value])
      current = value
    },
    watch() {
      const seen = new Set(right)
      watchers.add(new WeakRef(seen))
      return value => seen.has(value)
    },
  }
}
