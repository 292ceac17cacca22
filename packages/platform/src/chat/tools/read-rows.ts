import type { Cell } from '@hedron/query'

type Rows = AsyncIterable<readonly (readonly Cell[])[]>

/** The first rows of an answer, and how many there are in all. */
export interface CountedRows {
  readonly rows: readonly (readonly Cell[])[]
  /** Null: more than were to be counted. */
  readonly total: number | null
}

/** How much of an answer is kept, and how much is read to count it. */
export interface CountBounds {
  readonly rows: number
  /** Characters of the kept rows as JSON; the first row is kept unless it alone is longer. */
  readonly characters: number
  /** Rows that are counted at most. */
  readonly counted: number
}

/**
 * Keeps the first rows and counts the rest as they pass, so that memory stays small and the count is exact. Whoever stops reading
 * ends the statement.
 */
export async function countRows(rows: Rows, bounds: CountBounds): Promise<CountedRows> {
  const kept: (readonly Cell[])[] = []
  let [total, characters, isFull] = [0, 0, false]
  for await (const portion of rows) {
    for (const row of portion) {
      total += 1
      isFull ||= kept.length >= bounds.rows
      if (isFull) continue
      characters += JSON.stringify(row).length + 1
      isFull = characters > bounds.characters
      if (!isFull) kept.push(row)
    }
    if (total > bounds.counted) return { rows: kept, total: null }
  }
  return { rows: kept, total }
}

/** @returns as many rows as there are up to `count`, and whether these are all */
export async function firstRows(rows: Rows, count: number) {
  const kept: (readonly Cell[])[] = []
  for await (const portion of rows) {
    kept.push(...portion)
    if (kept.length > count) return { rows: kept.slice(0, count), complete: false }
  }
  return { rows: kept, complete: true }
}
