import type { Cell } from '@hedron/query'

/** Rows of a page of an answer, and how many there are in all. */
export interface PageOfRows {
  readonly rows: readonly (readonly Cell[])[]
  /** Null: more than are counted. */
  readonly total: number | null
}

export interface PageBounds {
  readonly offset: number
  readonly rows: number
  /** Characters of the page as JSON; the first row is kept unless it alone is longer. */
  readonly characters: number
  /** Rows that are counted at most. */
  readonly counted: number
}

/** Reads one page and counts the rest as it passes. Whoever stops reading ends the statement. */
export async function readPage(
  rows: AsyncIterable<readonly (readonly Cell[])[]>,
  { offset, rows: wanted, characters: most, counted }: PageBounds,
): Promise<PageOfRows> {
  const kept: (readonly Cell[])[] = []
  let [total, characters, isFull] = [0, 0, false]
  for await (const portion of rows) {
    for (const row of portion) {
      total += 1
      isFull ||= kept.length >= wanted
      if (isFull || total <= offset) continue
      characters += JSON.stringify(row).length + 1
      isFull = characters > most
      if (!isFull) kept.push(row)
    }
    if (total > counted) return { rows: kept, total: null }
  }
  return { rows: kept, total }
}
