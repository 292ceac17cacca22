/** Does the work once for each object, and keeps the result as long as that object lives. */
export function oncePerObject<K extends object, V>(work: (key: K) => V): (key: K) => V {
  const results = new WeakMap<K, { readonly value: V }>()
  return key => {
    const known = results.get(key)
    if (known) return known.value
    const value = work(key)
    results.set(key, { value })
    return value
  }
}
