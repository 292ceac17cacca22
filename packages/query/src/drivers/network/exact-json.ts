/** What `JSON.rawJSON` gives: a number that is written as it was read. */
export interface RawNumber {
  readonly rawJSON: string
}

type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown

// Standard since ES2025; TypeScript's library does not know these two yet.
const parse: (text: string, reviver?: Reviver) => unknown = JSON.parse
const rawJson: unknown = Reflect.get(JSON, 'rawJSON')

/**
 * Reads JSON whose numbers may have more digits than a double. Those stand as `RawNumber`, which `JSON.stringify` writes with all
 * digits; all other values are as `JSON.parse` gives them.
 */
export function parseExactly(text: string): unknown {
  // Fifteen digits are always exact.
  if (!/\d{16}/.test(text) || typeof rawJson !== 'function') return parse(text)
  return parse(text, (_, value, context) => {
    const source = context?.source
    return typeof value === 'number' && source !== undefined && String(value) !== source ? rawJson(source) : value
  })
}

/** The text of a number, with all digits that it was sent with. */
export function numberText(value: unknown): string {
  const isRaw = typeof value === 'object' && value !== null && 'rawJSON' in value
  return String(isRaw ? value.rawJSON : value)
}
