import { CatalogError } from '../catalog-error.ts'

/** Elements of an array as text, null for NULL; arrays in arrays are nested lists. */
export type ArrayText = readonly (string | null | ArrayText)[]

/** Reads the text form of an array: `{1,NULL,"a b"}`. @throws {CatalogError} 22P02 */
export function readArrayText(text: string, delimiter = ','): ArrayText {
  let at = text.search(/\{/)
  const malformed = () => new CatalogError('22P02', `malformed array literal: "${text.slice(0, 200)}"`)
  if (
    at < 0 ||
    text
      .slice(0, at)
      .trim()
      .replace(/^(\[[-\d]+:[-\d]+\])+=$/, '') !== ''
  )
    throw malformed()
  const list = readList(0)
  if (text.slice(at).trim() !== '') throw malformed()
  return list

  function readList(depth: number): ArrayText {
    if (depth > 6) throw malformed()
    const items: (string | null | ArrayText)[] = []
    at += 1
    skip()
    if (text[at] === '}') {
      at += 1
      return items
    }
    for (;;) {
      skip()
      items.push(text[at] === '{' ? readList(depth + 1) : text[at] === '"' ? readQuoted() : readBare())
      skip()
      const next = text[at]
      at += 1
      if (next === '}') return items
      if (next !== delimiter) throw malformed()
    }
  }
  function skip(): void {
    while (at < text.length && /\s/.test(text.charAt(at))) at += 1
  }
  function readQuoted(): string {
    let value = ''
    for (at += 1; text[at] !== '"'; at += 1) {
      if (at >= text.length) throw malformed()
      if (text[at] === '\\') at += 1
      value += text[at] ?? ''
    }
    at += 1
    return value
  }
  function readBare(): string | null {
    let value = ''
    for (; at < text.length && text[at] !== delimiter && text[at] !== '}'; at += 1) {
      if (text[at] === '{' || text[at] === '"') throw malformed()
      if (text[at] === '\\') at += 1
      value += text[at] ?? ''
    }
    const trimmed = value.trim()
    if (trimmed === '') throw malformed()
    return /^null$/i.test(trimmed) ? null : trimmed
  }
}

/** Writes the text form of an array. */
export function writeArrayText(items: ArrayText, delimiter = ','): string {
  const element = (item: string | null | ArrayText): string => {
    if (item === null) return 'NULL'
    if (typeof item !== 'string') return writeArrayText(item, delimiter)
    const bare = item !== '' && !/[{}"\\\s]/.test(item) && !item.includes(delimiter) && !/^null$/i.test(item)
    return bare ? item : `"${item.replace(/["\\]/g, '\\$&')}"`
  }
  return `{${items.map(element).join(delimiter)}}`
}
