import type { AskedFilter, Comparison } from '../shapes/question.ts'
import type { DayRange } from '../times/calendar.ts'
import { columnOf, like, literal, numeral } from './sql-text.ts'

export const operators: Readonly<Record<Comparison, string>> = {
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  equals: '=',
  notEquals: '<>',
}

/** Conditions on rows. What is left out by `not` leaves rows without a value in, as the data API has it. */
export function conditionOf(filter: AskedFilter): string {
  const column = columnOf(filter.member)
  switch (filter.kind) {
    case 'segment':
      return filter.isNegated ? `NOT ${column}` : `${column} = TRUE`
    case 'flag':
      return `${column} = ${filter.value ? 'TRUE' : 'FALSE'}`
    case 'number':
      return `${column} ${operators[filter.operator]} ${numeral(filter.value)}`
    case 'values': {
      const { operator, values } = filter
      const [first = ''] = values
      if (operator === 'contains') return like(column, first)
      if (operator === 'notContains') return `(NOT ${like(column, first)} OR ${column} IS NULL)`
      const listed = values.map(literal).join(', ')
      if (operator === 'equals') return values.length === 1 ? `${column} = ${listed}` : `${column} IN (${listed})`
      return values.length === 1
        ? `(${column} <> ${listed} OR ${column} IS NULL)`
        : `(${column} NOT IN (${listed}) OR ${column} IS NULL)`
    }
  }
}

/** Only some days of the week. */
export const conditionOfDays = (dimension: string, days: readonly number[]): string =>
  `EXTRACT(ISODOW FROM ${columnOf(dimension)}) IN (${days.map(numeral).join(', ')})`

/** A range of days as conditions on a time. */
export function conditionsOfRange(dimension: string, { from, to }: DayRange): string[] {
  const column = columnOf(dimension)
  return [
    ...(from === null ? [] : [`${column} >= ${literal(from)}`]),
    ...(to === null ? [] : [`${column} < ${literal(to)}`]),
  ]
}
