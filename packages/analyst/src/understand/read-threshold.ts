import type { Comparison } from '../shapes/question.ts'
import { unitWords } from '../words/word-lists.ts'
import { countsRows, isMeasure, isNumberDimension, measureOf } from './choose-member.ts'
import type { Parts } from './parts.ts'
import type { Pending, Place } from './place.ts'
import type { NameMatch, Span } from './span.ts'

type Threshold =
  | { readonly kind: 'compare'; readonly operator: Comparison; readonly value: number; readonly isPercent: boolean }
  | { readonly kind: 'between'; readonly low: number; readonly high: number }

export type ThresholdReading = 'read' | 'ambiguous' | 'unread'
export const didRead = (reading: ThresholdReading) => reading !== 'unread'

const adjacent = new Set('of is are was were a an the in by that with be being'.split(' '))

const canCompare = ({ named }: NameMatch) => isMeasure(named) || isNumberDimension(named)

function comparable(span: Span | null): readonly NameMatch[] {
  if (span?.meaning.kind !== 'members') return []
  return span.meaning.candidates.filter(canCompare)
}

/** Reads `more than 100 flights`, `revenue above 1000`, `a delay of at least 60 minutes`: of which member it is said. */
export function readThreshold(parts: Parts, pending: Pending, place: Place, mark: Threshold): ThresholdReading {
  const { source, tokens, span, previous, next, before, after, index } = place
  const unitAt = tokens[span.to]
  const unit = unitAt && unitWords.has(unitAt.stem) ? unitAt.stem : null
  const following = after.length === 0 ? comparable(next) : []
  const preceding = before.every(word => adjacent.has(word)) ? comparable(previous) : []
  const isOfUnit = ({ named }: NameMatch) =>
    unit === null || named.phrases.some(({ stems }) => stems.has(unit)) || named.member.format === 'currency'
  if (following.length > 0) {
    pending.taken.add(index + 1)
    return apply(parts, following, mark, place, false)
  }
  const said = preceding.filter(match => !countsRows(match.named, source) && isOfUnit(match))
  if (said.length > 0) {
    takeUnit(pending, place, unit)
    return apply(parts, said, mark, place, true)
  }
  const measured = source.members
    .filter(named => isNumberDimension(named) && unit !== null && named.phrases.some(({ stems }) => stems.has(unit)))
    .map((named): NameMatch => ({ named, quality: 1, isWhole: true }))
  if (measured.length > 0) {
    takeUnit(pending, place, unit)
    return apply(parts, measured, mark, place, false)
  }
  return 'unread'
}

/** A unit after the number says no more than the member does. */
function takeUnit(pending: Pending, { next, index, after }: Place, unit: string | null): void {
  const isUnit = next?.meaning.kind === 'mark' && next.meaning.mark.kind === 'unit'
  if (unit !== null && isUnit && after.length === 0) pending.taken.add(index + 1)
}

function apply(
  parts: Parts,
  candidates: readonly NameMatch[],
  mark: Threshold,
  { words, source }: Place,
  wasRead: boolean,
): ThresholdReading {
  const best = Math.max(...candidates.map(({ quality }) => quality))
  const left = candidates.filter(({ quality }) => quality >= best - 0.005)
  const own = left.filter(({ named }) => named.cube.name === source.name)
  const possible = own.length > 0 ? own : left
  const [match] = possible
  if (!match) return 'unread'
  if (possible.length > 1) {
    parts.problems.push({ kind: 'ambiguous', words, choices: possible.map(({ named }) => named.member.shortTitle) })
    return 'ambiguous'
  }
  const { named } = match
  const isShare = named.member.format === 'percent'
  const scaled = (value: number, isPercent: boolean) => (isShare && (isPercent || value > 1) ? value / 100 : value)
  const bounds: readonly (readonly [Comparison, number])[] =
    mark.kind === 'between'
      ? [
          ['gte', scaled(mark.low, false)],
          ['lte', scaled(mark.high, false)],
        ]
      : [[mark.operator, scaled(mark.value, mark.isPercent)]]
  for (const [operator, value] of bounds) {
    if (isMeasure(named)) parts.having.push({ measure: measureOf(named), operator, value })
    else parts.filters.push({ kind: 'number', member: named.member.name, operator, value })
  }
  if (wasRead && !isMeasure(named))
    parts.dimensions.splice(0, Infinity, ...parts.dimensions.filter(each => each !== named))
  return 'read'
}
