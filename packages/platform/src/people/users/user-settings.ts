/** What is kept for older clients alone, and not. */
const forgotten: ReadonlySet<string> = new Set(['lastSeenChangelogId'])

type Settings = Readonly<Record<string, unknown>>

/**
 * Merges a change into a user's settings: what is left out stays, null clears, and `sheets` merges field by field
 * (contract/platform-api.yaml, updateMySettings).
 */
export function mergeUserSettings(stored: Settings | null, change: object): Settings {
  const merged = new Map(Object.entries(stored ?? {}))
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined || forgotten.has(name)) continue
    if (value === null) merged.delete(name)
    else if (name === 'sheets') merged.set(name, mergeUserSettings(settingsOf(merged.get(name)), value))
    else merged.set(name, value)
  }
  return Object.fromEntries(merged)
}

const settingsOf = (value: unknown): Settings => (typeof value === 'object' && value !== null ? { ...value } : {})
