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

function editDistance(left: string, right: string, limit: number): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    let best = row
    for (let column = 1; column <= right.length; column++) {
      const substitution = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1)
      const value = Math.min(substitution, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1)
      current.push(value)
      best = Math.min(best, value)
    }
    if (best > limit) return limit + 1
    previous = current
  }
  return previous[right.length] ?? 0
}
