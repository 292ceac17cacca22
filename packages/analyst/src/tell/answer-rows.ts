import type { AnswerColumn } from '../ask/statement.ts'
import { formatPart, formatValue } from './format-value.ts'

/** The rows that a tool gave for a statement. */
export interface AnswerRows {
  readonly columns: readonly AnswerColumn[]
  /** In the order of the columns; the first ones where there are many. */
  readonly rows: readonly (readonly unknown[])[]
  readonly totalRows: number
}

export const textOf = (value: unknown, column: AnswerColumn): string =>
  column.role === 'part' ? formatPart(value, column.name) : formatValue(value, column.format)

/** How the groups of a row are called: `CA`, `March 2001, late`. */
export function labelOf(row: readonly unknown[], columns: readonly AnswerColumn[]): string {
  return columns
    .flatMap((column, index) =>
      ['dimension', 'time', 'part'].includes(column.role) ? [textOf(row[index], column)] : [],
    )
    .join(', ')
}
