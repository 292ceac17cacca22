/** A type as databases write it: a name, and what stands in the brackets behind it. */
export interface TypeText {
  readonly name: string
  readonly inner: readonly string[]
}

/** `Map(String, Array(Int64))` is `Map` of `String` and `Array(Int64)`. Brackets and quotes inside are kept together. */
export function readType(text: string): TypeText {
  const open = text.indexOf('(')
  const close = text.lastIndexOf(')')
  if (open < 0 || close < open) return { name: text.trim(), inner: [] }
  // What stands behind the brackets belongs to the name: `timestamp(3) with time zone`.
  const name = `${text.slice(0, open).trim()}${text.slice(close + 1)}`
  return { name, inner: splitAtCommas(text.slice(open + 1, close)) }
}

function splitAtCommas(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let quote = ''
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ''
    if (quote !== '') {
      if (character === '\\') at += 1
      else if (character === quote) quote = ''
    } else if (character === "'" || character === '"' || character === '`') quote = character
    else if (character === '(') depth += 1
    else if (character === ')') depth -= 1
    else if (character === ',' && depth === 0) {
      parts.push(text.slice(start, at).trim())
      start = at + 1
    }
  }
  return [...parts, text.slice(start).trim()]
}
