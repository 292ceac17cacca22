import type { AnswerColumn } from '../ask/statement.ts'
import { emptyQuestion } from '../shapes/question.ts'
import { numberOf } from './format-value.ts'
import { tellFinding } from './tell.ts'

/** Tells of the rows of a statement that somebody else wrote: columns of numbers are what is measured. */
export function tellRows(answer: {
  readonly names: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
  readonly totalRows: number
}): string {
  const { names, rows, totalRows } = answer
  const columns = names.map((name, index): AnswerColumn => {
    const isNumber = rows.length > 0 && rows.every(row => row[index] === null || numberOf(row[index]) !== null)
    const kind = isNumber ? 'number' : 'text'
    const title = name.replaceAll('_', ' ')
    return {
      name,
      title,
      role: isNumber ? 'measure' : 'dimension',
      format: { kind, currency: null, grain: null, unit: null },
    }
  })
  return tellFinding(emptyQuestion(''), { columns, rows, totalRows })
}
