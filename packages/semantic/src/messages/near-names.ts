/** Up to three of `known` that `name` could be a slip of, nearest first. */
export function nearNames(name: string, known: Iterable<string>): string[] {
  const limit = Math.max(1, Math.floor(name.length / 3))
  const wanted = name.toLowerCase()
  const near: { candidate: string; distance: number }[] = []
  for (const candidate of known) {
    if (candidate === name || Math.abs(candidate.length - name.length) > limit) continue
    const distance = editDistance(wanted, candidate.toLowerCase(), limit)
    if (distance <= limit) near.push({ candidate, distance })
  }
  return near
    .sort((left, right) => left.distance - right.distance || (left.candidate < right.candidate ? -1 : 1))
    .slice(0, 3)
    .map(({ candidate }) => candidate)
}

/** The sentence to add to a message about an unknown name, with a leading space; empty when nothing is near. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const near = nearNames(name, known)
  return near.length > 0 ? ` Did you mean ${near.map(candidate => `'${candidate}'`).join(' or ')}?` : ''
}

/** Letters to change, add, leave out or exchange with their neighbours. */
function editDistance(left: string, right: string, limit: number): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index)
  let beforePrevious: readonly number[] = []
  let bestBefore = 0
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    let best = row
    for (let column = 1; column <= right.length; column++) {
      const substitution = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1)
      const isExchange =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      const exchange = isExchange ? (beforePrevious[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY
      const value = Math.min(substitution, exchange, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1)
      current.push(value)
      best = Math.min(best, value)
    }
    // An exchange reaches back over one row.
    if (best > limit && bestBefore > limit) return limit + 1
    bestBefore = best
    beforePrevious = previous
    previous = current
  }
  return previous[right.length] ?? 0
}
