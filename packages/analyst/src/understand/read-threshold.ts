import type { Comparison } from '../shapes/question.ts'
import type { NamedMember } from '../vocabulary/vocabulary.ts'
import { currencyWords } from '../words/word-lists.ts'
import { countsRows, isMeasure, isNumberDimension, measureOf } from './choose-member.ts'
import type { Mark } from './mark.ts'
import type { Parts } from './parts.ts'
import type { Pending, Place } from './place.ts'
import type { NameMatch, Span } from './span.ts'

type Threshold = Extract<Mark, { kind: 'compare' | 'between' }>

export type ThresholdReading = 'read' | 'ambiguous' | 'unread'
export const didRead = (reading: ThresholdReading) => reading !== 'unread'

/** Words between a number's name and what is said of it. */
export const adjacent: ReadonlySet<string> = new Set('of is are was were a an the in by that with be being'.split(' '))

const canCompare = ({ named }: NameMatch) => isMeasure(named) || isNumberDimension(named)

function comparable(span: Span | null): readonly NameMatch[] {
  if (span?.meaning.kind !== 'members') return []
  return span.meaning.candidates.filter(canCompare)
}

/** Reads `more than 100 flights`, `revenue above 1000`, `a delay of at least 60 minutes`: of which member it is said. */
export function readThreshold(parts: Parts, pending: Pending, place: Place, mark: Threshold): ThresholdReading {
  const { source, previous, next, before, after, index } = place
  const { unit } = mark
  const hasUnit = ({ named }: NameMatch) => unit === null || isIn(named, unit)
  const following = after.length === 0 ? comparable(next) : []
  if (following.length > 0) {
    pending.taken.add(index + 1)
    return apply(parts, following, mark, place)
  }
  const preceding = before.every(word => adjacent.has(word)) ? comparable(previous) : []
  const said = preceding.filter(match => !countsRows(match.named, source) && hasUnit(match))
  if (said.length > 0) return apply(parts, said, mark, place)
  if (unit === null) return 'unread'
  const measured = source.members.filter(named => isNumberDimension(named) && isIn(named, unit))
  const about = previous?.meaning.kind === 'members' ? previous.meaning.candidates.map(({ named }) => named) : []
  const stems = new Set(about.flatMap(({ phrases }) => phrases.flatMap(phrase => [...phrase.stems])))
  const close = measured.filter(({ phrases }) => phrases.some(phrase => [...phrase.stems].some(one => stems.has(one))))
  const chosen = close.length > 0 ? close : measured
  return apply(
    parts,
    chosen.map(named => ({ named, quality: 1, isWhole: true })),
    mark,
    place,
  )
}

/** Whether a member is measured in a unit: its name says so, or it is money. */
const isIn = ({ phrases, member }: NamedMember, unit: string) =>
  phrases.some(({ stems }) => stems.has(unit)) || (member.format === 'currency' && currencyWords.has(unit))

function apply(
  parts: Parts,
  candidates: readonly NameMatch[],
  mark: Threshold,
  { words, source }: Place,
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
  if (mark.kind === 'compare' && mark.isPercent && !isShare) {
    const message = `I cannot compare ${named.member.shortTitle} with a percentage (“${words}”). Ask for shares first.`
    parts.problems.push({ kind: 'impossible', message })
    return 'ambiguous'
  }
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
  return 'read'
}
