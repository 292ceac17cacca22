/**
 * Tells whether a key was met lately, but for a few that only look like one that was. It keeps numbers instead of keys: most keys are
 * met once, and to keep them would be most of what they cost.
 *
 * @param slots a power of two
 */
export function createFirstSight(slots: number): (key: string) => boolean {
  const met = new Int32Array(slots)
  return key => {
    const hash = hashOf(key)
    const slot = hash & (slots - 1)
    if (met[slot] === hash) return true
    met[slot] = hash
    return false
  }
}

/** FNV-1a; 0 stands for an empty slot. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < key.length; index++) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193)
  return hash | 0 || 1
}
