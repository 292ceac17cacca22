import { titleOf } from '../ask/columns.ts'
import { emptyQuestion, type Question } from '../shapes/question.ts'
import { type AnswerRows, labelOf, textOf } from '../tell/answer-rows.ts'
import { numberOf } from '../tell/format-value.ts'
import { describeRange } from '../times/calendar.ts'
import { isGrouping } from '../understand/choose-member.ts'
import { shifted } from '../understand/complete.ts'
import type { Vocabulary } from '../vocabulary/vocabulary.ts'

/** As many dimensions are looked into for one "why". */
const mostDimensions = 2

/**
 * The questions whose answers say why a number is as it is: the number beside that of the period before, then by the dimensions that
 * can tell its parts apart. Without a period: the number and its parts.
 */
export function questionsOfWhy(question: Question, vocabulary: Vocabulary): Question[] {
  const range = question.time?.range ?? null
  const compare = question.compare ?? (range ? shifted(range, null) : null)
  const [measure] = question.measures
  const whole: Question = {
    ...emptyQuestion(question.source),
    measures: measure ? [measure] : [],
    filters: question.filters,
    time: question.time && range ? { ...question.time, grain: null, part: null } : null,
    compare,
  }
  const fixed = new Set(question.filters.flatMap(filter => (filter.kind === 'segment' ? [] : [filter.member])))
  const asked = question.dimensions
  const own = vocabulary.source(question.source)?.ownMembers ?? []
  const others = own.flatMap(named => {
    const { member, column } = named
    const isApart =
      isGrouping(named) && member.type === 'string' && !member.primaryKey && !/(^|_)(id|code|key)$/.test(column)
    return isApart && !fixed.has(member.name) && !asked.includes(member.name) ? [member.name] : []
  })
  const dimensions = [...asked, ...others].slice(0, mostDimensions)
  return [whole, ...dimensions.map(dimension => ({ ...whole, dimensions: [dimension] }))]
}

/** The same questions with the parts that moved as the whole did first, so that those are among the rows that a tool gives. */
export const towards = (question: Question, change: number | null): Question =>
  question.compare && change !== null ? { ...question, order: { by: 'change', descending: change >= 0 } } : question

/** The change of a whole: the one row of the first question's answer. */
export function changeOf({ columns, rows }: AnswerRows): number | null {
  const at = columns.findIndex(({ role }) => role === 'change')
  return numberOf(rows[0]?.[at])
}

/** Which part moved most, or has most, of each dimension that was looked into. */
export function tellParts(question: Question, vocabulary: Vocabulary, answer: AnswerRows): string | null {
  const { columns, rows } = answer
  const [dimension] = question.dimensions
  const named = dimension === undefined ? null : vocabulary.find(dimension)
  if (!named) return null
  const place = (role: string) => columns.findIndex(column => column.role === role)
  const text = (row: readonly unknown[], role: string) => {
    const column = columns[place(role)]
    return column ? textOf(row[place(role)], column) : ''
  }
  const of = (row: readonly unknown[], role: string) => numberOf(row[place(role)])
  if (question.compare && question.time?.range) {
    const moved = rows.filter(row => of(row, 'change') !== null)
    const isDown = question.order?.descending === false
    const [first] = [...moved].sort(
      (left, right) => ((of(right, 'change') ?? 0) - (of(left, 'change') ?? 0)) * (isDown ? -1 : 1),
    )
    if (!first) return null
    const direction = (of(first, 'change') ?? 0) < 0 ? 'fell' : 'rose'
    return `By ${titleOf(named)} it ${direction} most for **${labelOf(first, columns)}**: from ${text(first, 'before')} ${describeRange(question.compare)} to ${text(first, 'measure')} ${describeRange(question.time.range)}.`
  }
  const [first] = rows
  return first ? `By ${titleOf(named)}, **${labelOf(first, columns)}** has the most: ${text(first, 'measure')}.` : null
}
