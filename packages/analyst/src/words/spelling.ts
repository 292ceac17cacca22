/**
 * How many letters have to be added, left out, changed or swapped with their neighbour to make one word of the other; `limit + 1` where
 * it is more than `limit`.
 */
export function editDistance(one: string, other: string, limit: number): number {
  if (Math.abs(one.length - other.length) > limit) return limit + 1
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row++) {
    const next = [row]
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      const changed = (last[column - 1] ?? 0) + (isSame ? 0 : 1)
      let best = Math.min(changed, (last[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1)
      const isSwapped =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      if (isSwapped) best = Math.min(best, (before[column - 2] ?? 0) + 1)
      next.push(best)
    }
    if (Math.min(...next) > limit) return limit + 1
    before = last
    last = next
  }
  return last[other.length] ?? limit + 1
}

/** Whether a word is likely the other one, mistyped: one mistake in 4 to 6 letters, two in more, and never in the first letter of a short one. */
export function isClose(word: string, other: string): boolean {
  const shorter = Math.min(word.length, other.length)
  if (shorter < 4 || word === other || /\d/.test(word)) return false
  if (word[0] !== other[0] && shorter < 8) return false
  const limit = shorter < 7 ? 1 : 2
  return editDistance(word, other, limit) <= limit
}
