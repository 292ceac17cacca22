import type { Question } from '../shapes/question.ts'
import { describeRange } from '../times/calendar.ts'
import type { Vocabulary } from '../vocabulary/vocabulary.ts'
import { type AnswerRows, labelOf, textOf } from './answer-rows.ts'
import { describeQuestion } from './describe-question.ts'
import { numberOf } from './format-value.ts'
import { lower, verb } from './in-sentence.ts'
import { tellCourse } from './tell-course.ts'

/**
 * Two sentences: what stands out, and which measure, conditions and period were used. Each number in them is a cell of the rows, or
 * was part of the question.
 */
export function tell(
  question: Question,
  vocabulary: Vocabulary,
  answer: AnswerRows,
  notes: readonly string[] = [],
): string {
  return [tellFinding(question, answer), ...notes, describeQuestion(question, vocabulary)].join(' ')
}

/** What stands out of an answer, in one sentence. */
export function tellFinding(question: Question, answer: AnswerRows): string {
  const { columns, rows } = answer
  const at = columns.findIndex(({ role }) => role === 'measure')
  const [row] = rows
  const measure = columns[at]
  if (!row) return 'Nothing in the data meets these conditions.'
  if (!measure) return listed(answer)
  if (question.compare && question.time?.range) return compared(question, answer)
  if (question.share && question.share !== 'ofTotal' && rows.length === 1) return part(answer)
  const groups = columns.filter(({ role }) => ['dimension', 'time', 'part'].includes(role))
  if (groups.length === 0) {
    const values = columns.flatMap((column, index) =>
      column.role === 'measure' ? [`${column.title}: **${textOf(row[index], column)}**`] : [],
    )
    return `${values.join(', ')}${question.time?.range ? ` ${describeRange(question.time.range)}` : ''}.`
  }
  return ranked(question, answer, at)
}

function listed({ columns, rows, totalRows }: AnswerRows): string {
  const shown = rows.slice(0, 5).map(row => labelOf(row, columns))
  const titles = columns.map(({ title }) => lower(title)).join(' and ')
  const rest = totalRows > shown.length ? ' and more' : ''
  return `There are **${totalRows.toLocaleString('en-US')}** values of ${titles}: ${shown.join(', ')}${rest}.`
}

function compared(question: Question, { columns, rows }: AnswerRows): string {
  const cell = (row: readonly unknown[], role: string) => {
    const index = columns.findIndex(column => column.role === role)
    const column = columns[index]
    return column
      ? { text: textOf(row[index], column), number: numberOf(row[index]) }
      : { text: 'no value', number: null }
  }
  const [row] = rows
  const measure = columns.find(({ role }) => role === 'measure')
  if (!row || !measure || !question.compare || !question.time?.range)
    return 'Nothing in the data meets these conditions.'
  const [before, now, change, share] = ['before', 'measure', 'change', 'share'].map(role => cell(row, role))
  const label = labelOf(row, columns)
  const subject = label === '' ? measure.title : `${measure.title} of ${label}`
  const [earlier, later] = [describeRange(question.compare), describeRange(question.time.range)]
  const isDown = (change?.number ?? 0) < 0
  const size = (text: string | undefined) => (text ?? '').replace('-', '')
  const relative = share?.number === null ? '' : ` (${size(share?.text)})`
  const moved =
    change?.number === null || change?.number === undefined
      ? ''
      : change.number === 0
        ? ', no change'
        : `, ${isDown ? 'down' : 'up'} **${size(change.text)}**${relative}`
  const most = label === '' ? '' : ', the largest change upwards'
  return `${subject} went from ${before?.text ?? ''} ${earlier} to ${now?.text ?? ''} ${later}${moved}${rows.length > 1 && !isDown && question.order?.descending !== false ? most : ''}.`
}

function part({ columns, rows }: AnswerRows): string {
  const [row = []] = rows
  const text = (role: string) => {
    const index = columns.findIndex(column => column.role === role)
    const column = columns[index]
    return column ? textOf(row[index], column) : ''
  }
  const measure = columns.find(({ role }) => role === 'measure')
  return `**${text('share')}** of ${lower(measure?.title ?? '')}: ${text('measure')} of ${text('before')}.`
}

/** What stands out of groups or periods. */
function ranked(question: Question, { columns, rows, totalRows }: AnswerRows, at: number): string {
  const measure = columns[at]
  if (!measure) return ''
  const value = (row: readonly unknown[]) => numberOf(row[at])
  const told = (row: readonly unknown[]) => {
    const share = columns.findIndex(({ role }) => role === 'share')
    const column = columns[share]
    const ofAll = column ? ` (${textOf(row[share], column)})` : ''
    return `${labelOf(row, columns)} with ${textOf(row[at], measure)}${ofAll}`
  }
  const known = rows.filter(row => value(row) !== null)
  const sorted = [...known].sort((left, right) => (value(right) ?? 0) - (value(left) ?? 0))
  const [highest] = sorted
  const lowest = sorted.at(-1)
  if (!highest || !lowest) return 'There are no values of it.'
  const isTimed = columns.some(({ role }) => role === 'time' || role === 'part')
  const isComplete = rows.length >= totalRows
  const isAscending = question.order?.descending === false
  if (question.having.length > 0 && !isTimed) return thatMeet(known, { columns, rows, totalRows }, told)
  if (rows.length === 1) {
    if (question.limit !== 1) return `${measure.title}: **${told(highest)}**.`
    const isMany = verb(measure.title) === 'are'
    const end = isAscending ? (isMany ? 'fewest' : 'lowest') : isMany ? 'most' : 'highest'
    return `**${labelOf(highest, columns)}** has the ${end} ${lower(measure.title)}: ${textOf(highest[at], measure)}.`
  }
  const course = question.course && isComplete ? tellCourse(question.course, { columns, rows, totalRows }, at) : null
  if (course !== null) return course
  if (isTimed && isComplete)
    return `${measure.title} ${verb(measure.title)} highest for **${told(highest)}**, and lowest for ${told(lowest)}.`
  const [first, second] = isAscending ? [lowest, sorted.at(-2)] : [highest, sorted[1]]
  if (!isComplete && isTimed)
    return `${measure.title} of ${totalRows.toLocaleString('en-US')} groups, of which the first ${rows.length} are shown.`
  const which = isAscending ? 'lowest' : 'highest'
  const follows = second ? `, followed by ${told(second)}` : ''
  const end =
    isComplete && rows.length > 2 && question.limit === null && !isAscending ? `; the lowest is ${told(lowest)}` : ''
  return `${measure.title} ${verb(measure.title)} ${which} for **${told(first ?? highest)}**${follows}${end}.`
}

/** Groups that meet a limit: how many, and which. */
function thatMeet(
  rows: readonly (readonly unknown[])[],
  { columns, totalRows }: AnswerRows,
  told: (row: readonly unknown[]) => string,
): string {
  const titles = columns.flatMap(({ role, title }) => (role === 'dimension' ? [lower(title)] : [])).join(' and ')
  const shown = rows.slice(0, 5).map(told)
  const rest = totalRows > shown.length ? ', and more' : ''
  return `**${totalRows.toLocaleString('en-US')}** of ${titles} ${totalRows === 1 ? 'meets' : 'meet'} this: ${shown.join(', ')}${rest}.`
}
