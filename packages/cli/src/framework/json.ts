export type JsonRecord = Readonly<Record<string, unknown>>

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The same value with the keys of every object in alphabetical order. */
export function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sortKeys(item)]),
  )
}

/** A document as `--json` prints it: two spaces, sorted keys, no newline at the end. */
export const formatDocument = (value: unknown): string => escaped(JSON.stringify(sortKeys(value) ?? null, null, 2))

/** One line of JSON with sorted keys. */
export const formatCompact = (value: unknown): string => escaped(JSON.stringify(sortKeys(value) ?? null))

/** JSON writes other control characters as escapes, but these as they are, and terminals obey some of them. */
const escaped = (json: string): string =>
  json.replaceAll(
    /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** The JSON value, or undefined where the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The rows of a list answer: `items`, else `data`, else the array itself; null has none and any other value is one row. */
export function rowsOf(value: unknown): readonly unknown[] {
  if (isRecord(value)) {
    if (Array.isArray(value.items)) return value.items
    if (Array.isArray(value.data)) return value.data
    return [value]
  }
  if (Array.isArray(value)) return value
  return value === null || value === undefined ? [] : [value]
}

/** What a dotted path leads to, through objects only; undefined where it leads nowhere. */
export function fieldOf(value: unknown, path: string): unknown {
  let current = value
  for (const name of path.split('.')) {
    if (!isRecord(current) || !Object.hasOwn(current, name)) return undefined
    current = current[name]
  }
  return current
}

/** A value in prose: strings as they are, nothing for null, anything else as compact JSON. */
export function displayValue(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : formatCompact(value)
}
