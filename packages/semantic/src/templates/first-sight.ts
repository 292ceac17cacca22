/**
 * Tells whether a key was met lately. Two sets take turns: the older is forgotten as a whole when the younger is full, which costs
 * nothing for each key.
 *
 * @param limits of each set
 */
export function createFirstSight(limits: {
  readonly keys: number
  readonly characters: number
}): (key: string) => boolean {
  let older: ReadonlySet<string> = new Set()
  let younger = new Set<string>()
  let characters = 0
  return key => {
    if (younger.has(key) || older.has(key)) return true
    if (younger.size >= limits.keys || characters >= limits.characters) {
      older = younger
      younger = new Set()
      characters = 0
    }
    younger.add(key)
    characters += key.length
    return false
  }
}
