/** JSON text that is sent as it is. */
export interface RawJson {
  readonly text: string
}

/** `{ …first, …head, [name]: <json> }` where `first` is an object's JSON too, without parsing any of it again. */
export function joinJson(first: string, head: object, name: string, json: string): RawJson {
  const parts = [first.slice(1, -1), JSON.stringify(head).slice(1, -1), `${JSON.stringify(name)}:${json}`]
  return { text: `{${parts.filter(part => part !== '').join(',')}}` }
}

/** Texts of shared rows by their shape. Rows are frozen and shared between requests, so their text can be too. */
const texts = new WeakMap<object, Map<string, string>>()

/**
 * Rows in one of the response formats as JSON text. A cached result is shaped and written once, however often it is asked for.
 *
 * @param shape names the format and the columns: the same rows in another shape are another text.
 */
export function rowsJson(rows: object, shape: string, build: () => unknown): string {
  const known = texts.get(rows) ?? new Map<string, string>()
  texts.set(rows, known)
  const text = known.get(shape)
  if (text !== undefined) return text
  const built = JSON.stringify(build())
  known.set(shape, built)
  return built
}
