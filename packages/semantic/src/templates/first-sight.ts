const ways = 4

/**
 * Tells whether a key was met lately. It keeps no key, but a number for each, in a table of fixed size: keys that are kept for a while and
 * then forgotten are what a garbage collector takes longest for. Two keys may have the same number, so one that was never met is rarely told to be.
 *
 * @param lines of four numbers each; a key that is new takes the place of the oldest of its line
 */
export function createFirstSight(lines = 4_096): (key: string) => boolean {
  const met = new Uint32Array(lines * ways)
  return key => {
    const number = numberOf(key)
    const first = (number % lines) * ways
    const last = first + ways - 1
    for (let place = first; place <= last; place++) if (met[place] === number) return true
    met.copyWithin(first + 1, first, last)
    met[first] = number
    return false
  }
}

/** From 1 to 2^32 - 1: FNV-1a (draft-eastlake-fnv) over the halves of characters. */
function numberOf(key: string): number {
  let number = 0x811c9dc5
  for (let position = 0; position < key.length; position++) {
    number = Math.imul(number ^ key.charCodeAt(position), 0x01000193)
  }
  return number >>> 0 || 1
}
