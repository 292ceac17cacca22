/** What is under way for one key: the lookup that runs, and the one that begins when it has ended. */
interface Lookups<T> {
  readonly running: Promise<T>
  next: Promise<T> | undefined
}

/**
 * Lets callers that ask the same at the same time share one lookup, without ever giving anyone an old answer: a call is
 * answered by a lookup that began after the call was made. So whoever saw a write acknowledged also reads it.
 */
export function shareLookups<Key extends readonly (string | number | null)[], T>(
  look: (...key: Key) => Promise<T>,
): (...key: Key) => Promise<T> {
  const lookups = new Map<string, Lookups<T>>()

  function begin(name: string, key: Key): Promise<T> {
    const lookup: Lookups<T> = { running: look(...key), next: undefined }
    lookups.set(name, lookup)
    const forget = () => {
      if (lookup.next === undefined) lookups.delete(name)
    }
    lookup.running.then(forget, forget)
    return lookup.running
  }

  return (...key) => {
    const name = JSON.stringify(key)
    const current = lookups.get(name)
    if (current === undefined) return begin(name, key)
    const beginNext = () => begin(name, key)
    current.next ??= current.running.then(beginNext, beginNext)
    return current.next
  }
}
