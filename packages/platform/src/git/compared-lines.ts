/** Two texts as numbers, equal lines as equal numbers, and which lines have no partner on the other side. */
export interface ComparedLines {
  readonly base: Int32Array
  readonly other: Int32Array
  /** How many different lines there are in both together. */
  readonly distinct: number
  readonly baseChanged: Uint8Array
  readonly otherChanged: Uint8Array
  /** Takes a number of steps from what is left; `false` when there is nothing left. */
  spend(steps: number): boolean
}

/** Part of the two texts: lines [baseStart, baseEnd) against lines [start, end). */
export interface LineRange {
  readonly baseStart: number
  readonly baseEnd: number
  readonly start: number
  readonly end: number
}

/** Numbers the lines. Nothing is marked yet. */
export function compareLines(base: readonly string[], other: readonly string[], steps: number): ComparedLines {
  const numbers = new Map<string, number>()
  const numbered = (lines: readonly string[]) =>
    Int32Array.from(lines, line => {
      const known = numbers.get(line)
      if (known !== undefined) return known
      numbers.set(line, numbers.size)
      return numbers.size - 1
    })
  const [baseNumbers, otherNumbers] = [numbered(base), numbered(other)]
  let left = steps
  return {
    base: baseNumbers,
    other: otherNumbers,
    distinct: numbers.size,
    baseChanged: new Uint8Array(base.length),
    otherChanged: new Uint8Array(other.length),
    spend(count) {
      left -= count
      return left >= 0
    },
  }
}

/** Marks all lines of a range. */
export function markChanged({ baseChanged, otherChanged }: ComparedLines, range: LineRange): void {
  baseChanged.fill(1, range.baseStart, range.baseEnd)
  otherChanged.fill(1, range.start, range.end)
}
