const ways = 4

/**
 * Tells whether a key was met lately, by its number (`numberOf`). It keeps no key, but a table of numbers of fixed size: keys that are kept
 * for a while and then forgotten are what a garbage collector takes longest for. Two keys may have the same number, so one that was never met
 * is rarely told to be.
 *
 * @param lines of four numbers each; a key that is new takes the place of the oldest of its line
 */
export function createFirstSight(lines = 4_096): (number: number) => boolean {
  const met = new Uint32Array(lines * ways)
  return written => {
    // Zero is an empty place.
    const number = written || 1
    const first = (number % lines) * ways
    const last = first + ways - 1
    for (let place = first; place <= last; place++) if (met[place] === number) return true
    met.copyWithin(first + 1, first, last)
    met[first] = number
    return false
  }
}

/** The number of no key. */
export const beginning = 0x811c9dc5
const prime = 0x01000193

/**
 * A number of 32 bits for a key: FNV-1a (draft-eastlake-fnv) over its length and the halves of its characters.
 *
 * @param before the number of what stands before it, where keys have several parts
 */
export function numberOf(key: string, before = beginning): number {
  let number = Math.imul(before ^ key.length, prime)
  for (let position = 0; position < key.length; position++) {
    number = Math.imul(number ^ key.charCodeAt(position), prime)
  }
  return number >>> 0
}
