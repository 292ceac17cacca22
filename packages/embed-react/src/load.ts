const loading = new Map<string, Promise<void>>()

/**
 * Loads `/embed.js` of a server, once for all components.
 *
 * @param baseUrl of the Hedron server, such as `https://analytics.example.com`.
 * @throws {Error} where it does not come; the next call tries again.
 */
export function loadHedron(baseUrl: string): Promise<void> {
  const url = new URL('/embed.js', baseUrl).href
  const known = loading.get(url)
  if (known !== undefined) return known
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const script = document.createElement('script')
  script.src = url
  script.async = true
  script.onload = () => resolve()
  script.onerror = () => {
    loading.delete(url)
    script.remove()
    reject(new Error(`${url} could not be loaded.`))
  }
  document.head.append(script)
  loading.set(url, promise)
  return promise
}
