import type { CellFormat } from '../formats/cell-format.ts'
import type { Result } from '../results/result.ts'

export const narrowest = 56
const widest = 360
const sampled = 200

/** Widths in pixels that fit titles and the first rows; what is left of the room goes to all columns alike. */
export function columnWidths(
  { columns, rows }: Result,
  formats: readonly CellFormat[],
  room: number,
  resized: ReadonlyMap<number, number>,
): readonly number[] {
  const sample = rows.slice(0, sampled)
  const natural = columns.map((column, index) => {
    const own = resized.get(index)
    if (own !== undefined) return own
    const format = formats[index] ?? String
    const longest = sample.reduce(
      (most, row) => Math.max(most, textWidth(format(row[index]))),
      textWidth(column.title) + 28,
    )
    return Math.min(widest, Math.max(narrowest, Math.ceil(longest) + 26))
  })
  const total = natural.reduce((sum, width) => sum + width, 0)
  const stretching = columns.length - resized.size
  const spare = stretching > 0 ? Math.max(0, room - total) / stretching : 0
  return natural.map((width, index) => (resized.has(index) ? width : Math.floor(width + spare)))
}

/** About as wide as 13 px Inter with tabular figures; letters of East Asia take two. */
function textWidth(text: string): number {
  let width = 0
  for (const character of text.slice(0, 80)) width += (character.codePointAt(0) ?? 0) > 0x2e80 ? 13 : 7.4
  return width
}
