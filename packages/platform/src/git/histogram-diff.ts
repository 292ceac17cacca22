import { type ComparedLines, type LineRange, markChanged } from './compared-lines.ts'
import { shortestEditDiff } from './shortest-edit-diff.ts'

/** Lines that are more frequent than this say nothing about what belongs together. */
const maximumOccurrences = 64

/**
 * Marks the lines without a partner. Splits the texts at the common stretch with the rarest line (the longest of
 * those), then does the same with what is before and after it; the idea is JGit's histogram diff.
 */
export function histogramDiff(lines: ComparedLines): void {
  const findAnchor = anchorFinder(lines)
  const open: LineRange[] = [{ baseStart: 0, baseEnd: lines.base.length, start: 0, end: lines.other.length }]
  for (let range = open.pop(); range !== undefined; range = open.pop()) {
    const oneSided = range.baseStart === range.baseEnd || range.start === range.end
    const anchor = oneSided ? 'none' : findAnchor(range)
    if (anchor === 'none') markChanged(lines, range)
    else if (anchor === 'too frequent') shortestEditDiff(lines, range)
    else {
      open.push({ ...range, baseEnd: anchor.baseStart, end: anchor.start })
      open.push({ ...range, baseStart: anchor.baseEnd, start: anchor.end })
    }
  }
}

function anchorFinder({ base, other, distinct, spend }: ComparedLines) {
  // Where each line of the range stands in the base, as a list through `next` that starts at `first`.
  const first = new Int32Array(distinct).fill(-1)
  const next = new Int32Array(base.length)
  const counts = new Int32Array(distinct)

  const index = ({ baseStart, baseEnd }: LineRange) => {
    for (let position = baseStart; position < baseEnd; position++) {
      const line = base[position] ?? 0
      first[line] = -1
      counts[line] = 0
    }
    for (let position = baseEnd - 1; position >= baseStart; position--) {
      const line = base[position] ?? 0
      next[position] = first[line] ?? -1
      first[line] = position
      counts[line] = (counts[line] ?? 0) + 1
    }
  }
  // A line that this range lacks still has the entry of an earlier range, which stands outside of this one.
  const firstWithin = (line: number, { baseStart, baseEnd }: LineRange) => {
    const position = first[line] ?? -1
    return position >= baseStart && position < baseEnd ? position : -1
  }
  const countAt = (position: number) => counts[base[position] ?? 0] ?? 0

  const extend = (basePosition: number, position: number, range: LineRange) => {
    let rarity = countAt(basePosition)
    let [baseStart, start, baseEnd, end] = [basePosition, position, basePosition + 1, position + 1]
    while (baseStart > range.baseStart && start > range.start && base[baseStart - 1] === other[start - 1]) {
      baseStart--
      start--
      rarity = Math.min(rarity, countAt(baseStart))
    }
    while (baseEnd < range.baseEnd && end < range.end && base[baseEnd] === other[end]) {
      rarity = Math.min(rarity, countAt(baseEnd))
      baseEnd++
      end++
    }
    return { rarity, stretch: { baseStart, baseEnd, start, end } }
  }

  return (range: LineRange): LineRange | 'none' | 'too frequent' => {
    if (!spend(range.baseEnd - range.baseStart + (range.end - range.start))) return 'none'
    index(range)
    let best: LineRange = { baseStart: 0, baseEnd: 1, start: 0, end: 1 }
    let rarest = maximumOccurrences + 1
    let common = false
    let resume = range.start
    for (let position = range.start; position < range.end; position = resume) {
      resume = position + 1
      let candidate = firstWithin(other[position] ?? 0, range)
      if (candidate < 0) continue
      common = true
      if (countAt(candidate) > rarest) continue
      while (candidate >= 0) {
        const { rarity, stretch } = extend(candidate, position, range)
        if (!spend(stretch.end - stretch.start)) return 'none'
        resume = Math.max(resume, stretch.end)
        if (stretch.end - stretch.start > best.end - best.start || rarity < rarest) {
          best = stretch
          rarest = rarity
        }
        while (candidate >= 0 && candidate < stretch.baseEnd) candidate = next[candidate] ?? -1
      }
    }
    if (!common) return 'none'
    return rarest > maximumOccurrences ? 'too frequent' : best
  }
}
