import type { Cell } from '../shapes/query.ts'

/**
 * Rows as one text, column after column: what JSON takes to read is five times as much, and the server reads every row of every
 * answer. The cells of a portion then share one text in memory.
 */
const separator = '\u0001'
const ofNull = '\u0002'
const ofTrue = '\u0003'
const ofFalse = '\u0004'
/** Of the marks, which are characters that no text of people has. */
const [firstMark, lastMark] = [separator.charCodeAt(0), ofFalse.charCodeAt(0)]

/** Undefined for rows that can't be written so: there are none, or a text has one of the marks. */
export function writeRowsText(rows: readonly (readonly Cell[])[]): string | undefined {
  const width = rows[0]?.length ?? 0
  if (width === 0) return undefined
  let text = `${rows.length}${separator}${width}`
  let marks = 1
  for (let column = 0; column < width; column++) {
    for (const row of rows) {
      const cell = row[column] ?? null
      const isText = typeof cell === 'string'
      marks += isText ? 1 : 2
      text += separator + (isText ? cell : cell === null ? ofNull : cell ? ofTrue : ofFalse)
    }
  }
  return marks === countMarks(text) ? text : undefined
}

function countMarks(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code <= lastMark && code >= firstMark) count += 1
  }
  return count
}

/** @param text what `writeRowsText` gave, from `start` */
export function readRowsText(text: string, start: number): Cell[][] {
  let at = start
  const next = () => {
    const end = text.indexOf(separator, at)
    const cell = end === -1 ? text.slice(at) : text.slice(at, end)
    at = end + 1
    return cell
  }
  const count = Number(next())
  const width = Number(next())
  const rows: Cell[][] = Array.from({ length: count }, () => [])
  for (let column = 0; column < width; column++) {
    for (const row of rows) row.push(cellOf(next()))
  }
  return rows
}

function cellOf(text: string): Cell {
  if (text.length !== 1) return text
  if (text === ofNull) return null
  if (text === ofTrue) return true
  return text === ofFalse ? false : text
}
