import { LRUCache } from 'lru-cache'

/** Characters of bodies that are remembered, and of the longest one. */
const rememberedSize = 4 * 1024 * 1024
const longest = 16 * 1024

/**
 * Parses bodies of which the same come again and again, as queries do: the same text gives the same frozen value, which others
 * can remember more by. Not for bodies that hold secrets.
 */
export function rememberBodies(parse: (text: string) => unknown): (text: string) => unknown {
  const known = new LRUCache<string, { readonly value: unknown }>({
    maxSize: rememberedSize,
    sizeCalculation: (_, text) => 200 + text.length * 4,
  })
  return text => {
    if (text.length > longest) return parse(text)
    const remembered = known.get(text)
    if (remembered) return remembered.value
    const value = freeze(parse(text))
    known.set(text, { value })
    return value
  }
}

function freeze(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  for (const part of Object.values(value)) freeze(part)
  return Object.freeze(value)
}
