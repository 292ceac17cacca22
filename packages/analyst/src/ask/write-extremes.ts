import type { Question } from '../shapes/question.ts'
import type { Vocabulary } from '../vocabulary/vocabulary.ts'
import { selectDimension } from './columns.ts'
import { columnOf, numeral, quoted } from './sql-text.ts'
import type { AnswerColumn, Statement } from './statement.ts'
import { tablesOf } from './tables-of.ts'

/** Rows of their own, those first that have most or least of a number. */
export function writeExtremes(
  question: Question,
  by: string,
  vocabulary: Vocabulary,
  conditions: readonly string[],
): Statement {
  const shown = question.dimensions.map(name => selectDimension(vocabulary, name))
  const number = selectDimension(vocabulary, by)
  const measure: AnswerColumn = { ...number.column, role: 'measure' }
  const columns = [...shown.map(({ column }) => column), measure]
  const names = columns.map(({ name }, index) => {
    const isTwice = columns.findIndex(column => column.name === name) !== index
    return isTwice ? `${name}_${index + 1}` : name
  })
  const selected = [...shown, number].map(({ expression }, index) => `${expression} AS ${quoted(names[index] ?? '')}`)
  const direction = question.order?.descending === false ? 'ASC' : 'DESC'
  const rows = [`${columnOf(by)} IS NOT NULL`, ...conditions].join(' AND ')
  const order = [`${columns.length} ${direction}`, ...shown.map((_, index) => numeral(index + 1))].join(', ')
  const limit = question.limit === null ? '' : ` LIMIT ${numeral(question.limit)}`
  return {
    sql: `SELECT ${selected.join(', ')} FROM ${tablesOf(question).map(quoted).join(' CROSS JOIN ')} WHERE ${rows} ORDER BY ${order}${limit}`,
    columns: columns.map((column, index) => ({ ...column, name: names[index] ?? column.name })),
  }
}
