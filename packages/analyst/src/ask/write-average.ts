import type { Asked } from './asked.ts'
import { numeral, quoted } from './sql-text.ts'
import type { AnswerColumn, Statement } from './statement.ts'

/** The mean over periods, for each of the other groups, or over all groups; and over how many it was taken. */
export function writeAverage({ question, groups, values }: Asked, inner: string): Statement {
  const [value] = values
  const isOverPeriods = question.average === 'periods'
  const over = groups.find(({ column }) => (column.role === 'time') === isOverPeriods)
  if (!value || !over) throw new Error('an average of nothing, or over nothing')
  const kept = groups.filter(group => group !== over)
  const keys = kept.map(({ column }) => `parts.${quoted(column.name)}`)
  const name = `average_${value.column.name}`
  const selected = [
    ...keys,
    `AVG(parts.${quoted(value.column.name)}) AS ${quoted(name)}`,
    `COUNT(*) AS ${quoted('averaged_over')}`,
  ]
  const grouped = keys.length > 0 ? ` GROUP BY ${keys.map((_, index) => numeral(index + 1)).join(', ')}` : ''
  const direction = question.order?.descending === false ? 'ASC' : 'DESC'
  const limit = question.limit === null ? '' : ` LIMIT ${numeral(question.limit)}`
  const order =
    keys.length > 0 ? ` ORDER BY ${numeral(keys.length + 1)} ${direction} NULLS LAST, ${numeral(1)}${limit}` : ''
  const unit = over.column.title.toLowerCase()
  const measure: AnswerColumn = { ...value.column, name, title: `${value.column.title} per ${unit} on average` }
  const counted: AnswerColumn = {
    name: 'averaged_over',
    title: `${over.column.title} values with any`,
    role: 'measure',
    format: { kind: 'number', currency: null, grain: null, unit: null },
  }
  return {
    sql: `SELECT ${selected.join(', ')} FROM (${inner}) AS parts${grouped}${order}`,
    columns: [...kept.map(({ column }) => column), measure, counted],
  }
}
