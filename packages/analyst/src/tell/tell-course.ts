import type { Question } from '../shapes/question.ts'
import { type AnswerRows, labelOf, textOf } from './answer-rows.ts'
import { numberOf } from './format-value.ts'
import { verb } from './in-sentence.ts'

/**
 * How one measure went on from the first period that is whole to the last; null where there are several groups, or no two periods.
 */
export function tellCourse(
  { from, before }: NonNullable<Question['course']>,
  { columns, rows }: AnswerRows,
  at: number,
): string | null {
  const measure = columns[at]
  const time = columns.findIndex(({ role }) => role === 'time')
  if (!measure || time < 0 || columns.some(({ role }) => role === 'dimension')) return null
  const begin = (row: readonly unknown[]) => String(row[time]).slice(0, 10)
  const isWhole = (row: readonly unknown[]) => begin(row) < before && (from === null || begin(row) >= from)
  const known = rows.filter(row => numberOf(row[at]) !== null)
  const over = known.filter(isWhole)
  const [first, ...others] = over
  const last = others.at(-1)
  if (!first || !last) return null
  const value = (row: readonly unknown[]) => numberOf(row[at]) ?? 0
  const end = (row: readonly unknown[]) => `${textOf(row[at], measure)} (${labelOf(row, columns)})`
  const way =
    value(last) === value(first)
      ? 'at both ends the same:'
      : `${verb(measure.title) === 'are' ? 'have' : 'has'} gone ${value(last) > value(first) ? 'up' : 'down'}`
  const sorted = over.toSorted((one, other) => value(other) - value(one))
  const [highest = first] = sorted
  const lowest = sorted.at(-1) ?? first
  const open = known.filter(row => !isWhole(row)).map(row => labelOf(row, columns))
  const rest = open.length > 0 ? ` Of ${open.join(' and ')} the data has only a part, which is left out of this.` : ''
  return `${measure.title} ${way} from **${end(first)}** to **${end(last)}**; the highest is ${end(highest)}, the lowest ${end(lowest)}.${rest}`
}
