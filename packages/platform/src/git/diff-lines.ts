import { type ComparedLines, compareLines, type LineRange } from './compared-lines.ts'
import { histogramDiff } from './histogram-diff.ts'
import { settleChanges } from './settle-changes.ts'

/** Some tenths of a second. What is not compared by then counts as changed: a coarser answer, never a wrong one. */
const defaultSteps = 30_000_000

/**
 * How one list of lines became another, in order, as `git merge` sees it: histogram diff, then changes among equal
 * lines moved as far down as they go. Time is bounded whatever the texts are, so that nobody's file holds up the
 * server.
 */
export function diffLines(base: readonly string[], other: readonly string[], steps = defaultSteps): LineRange[] {
  const lines = compareLines(base, other, steps)
  histogramDiff(lines)
  settleChanges(lines)
  return collectChanges(lines)
}

function collectChanges({ baseChanged, otherChanged }: ComparedLines): LineRange[] {
  const changes: LineRange[] = []
  let baseEnd = 0
  let end = 0
  while (baseEnd < baseChanged.length || end < otherChanged.length) {
    const baseStart = baseEnd
    const start = end
    while (baseChanged[baseEnd] === 1) baseEnd++
    while (otherChanged[end] === 1) end++
    if (baseEnd > baseStart || end > start) changes.push({ baseStart, baseEnd, start, end })
    baseEnd++
    end++
  }
  return changes
}
