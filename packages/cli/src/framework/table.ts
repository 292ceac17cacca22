import { displayValue, fieldOf } from './json.ts'
import { characterCount, oneCell } from './text.ts'

export interface Column {
  readonly title: string
  /** Dotted path of the value in a row, or how to get it. */
  readonly value: string | ((row: unknown) => unknown)
  readonly align?: 'left' | 'right'
}

/** A column of the usual kind: the header, and the field it shows. */
export const column = (title: string, value: Column['value']): Column => ({ title, value })

/** Header and rows as lines: columns as wide as their widest cell, two spaces apart, ends of rows trimmed. */
export function tableLines(columns: readonly Column[], rows: readonly unknown[]): { header: string; body: string[] } {
  const cells = rows.map(row =>
    columns.map(({ value }) => oneCell(displayValue(typeof value === 'string' ? fieldOf(row, value) : value(row)))),
  )
  const widths = columns.map(({ title }, index) =>
    cells.reduce((widest, row) => Math.max(widest, characterCount(row[index] ?? '')), characterCount(title)),
  )
  const line = (texts: readonly string[]) =>
    columns.map(({ align }, index) => pad(texts[index] ?? '', widths[index] ?? 0, align)).join('  ')
  return { header: line(columns.map(({ title }) => title)), body: cells.map(row => line(row).trimEnd()) }
}

function pad(text: string, width: number, align: Column['align'] = 'left'): string {
  const space = ' '.repeat(width - characterCount(text))
  return align === 'right' ? space + text : text + space
}
