import { type ComparedLines, type LineRange, markChanged } from './compared-lines.ts'

/** Beyond this many inserted and deleted lines the range counts as rewritten. */
const maximumEdits = 1000

/**
 * Marks the fewest lines of a range that have to change (E. Myers, "An O(ND) Difference Algorithm", 1986). For ranges
 * that have nothing rare in them to hold on to.
 */
export function shortestEditDiff(lines: ComparedLines, range: LineRange): void {
  const core = withoutCommonEnds(lines, range)
  const trace = findPath(lines, core)
  if (trace === undefined) markChanged(lines, core)
  else markPath(lines, core, trace)
}

function withoutCommonEnds({ base, other }: ComparedLines, range: LineRange): LineRange {
  let { baseStart, baseEnd, start, end } = range
  while (baseStart < baseEnd && start < end && base[baseStart] === other[start]) {
    baseStart++
    start++
  }
  while (baseStart < baseEnd && start < end && base[baseEnd - 1] === other[end - 1]) {
    baseEnd--
    end--
  }
  return { baseStart, baseEnd, start, end }
}

/**
 * How far each diagonal reaches after 0, 1, 2… edits, up to the first number of edits that reaches the end. Diagonal
 * `d` of an entry for `edits` edits stands at index `edits + d`.
 */
function findPath({ base, other, spend }: ComparedLines, range: LineRange): Int32Array[] | undefined {
  const width = range.baseEnd - range.baseStart
  const height = range.end - range.start
  const trace: Int32Array[] = []
  for (let edits = 0; edits <= Math.min(width + height, maximumEdits); edits++) {
    const reached = new Int32Array(2 * edits + 1)
    const previous = trace.at(-1)
    trace.push(reached)
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = previous === undefined ? 0 : enter(previous, edits, diagonal).x
      const entered = x
      while (x < width && x - diagonal < height && base[range.baseStart + x] === other[range.start + x - diagonal]) {
        x++
      }
      if (!spend(x - entered + 1)) return undefined
      reached[edits + diagonal] = x
      if (x >= width && x - diagonal >= height) return trace
    }
  }
  return undefined
}

/** The better of the two ways into a diagonal: one more line of the other text, or one less of the base. */
function enter(previous: Int32Array, edits: number, diagonal: number): { x: number; inserted: boolean } {
  const above = previous[edits - 1 + diagonal + 1] ?? -1
  const left = previous[edits - 1 + diagonal - 1] ?? -1
  const inserted = diagonal === -edits || (diagonal !== edits && left < above)
  return { x: inserted ? above : left + 1, inserted }
}

function markPath(lines: ComparedLines, range: LineRange, trace: readonly Int32Array[]): void {
  let diagonal = range.baseEnd - range.baseStart - (range.end - range.start)
  for (let edits = trace.length - 1; edits > 0; edits--) {
    const { x, inserted } = enter(trace[edits - 1] ?? new Int32Array(), edits, diagonal)
    if (inserted) lines.otherChanged[range.start + x - diagonal - 1] = 1
    else lines.baseChanged[range.baseStart + x - 1] = 1
    diagonal += inserted ? 1 : -1
  }
}
