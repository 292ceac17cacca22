import type { AggregateFunction } from '../shapes/question.ts'
import { chooseMember, countsRows, isGrouping, isMeasure, isNumberDimension, measureOf } from './choose-member.ts'
import type { Parts } from './parts.ts'
import type { Pending, Place } from './place.ts'
import type { NameMatch } from './span.ts'

/** Aggregations of measures that a word such as `average` fits. */
const fitting: Readonly<Record<AggregateFunction, readonly string[]>> = {
  avg: ['avg'],
  sum: ['sum', 'count', 'countDistinct', 'countDistinctApprox', 'runningTotal'],
  min: ['min'],
  max: ['max'],
  distinct: ['countDistinct', 'countDistinctApprox', 'count'],
}

const names: Readonly<Record<AggregateFunction, string>> = {
  avg: 'average',
  sum: 'total',
  min: 'minimum',
  max: 'maximum',
  distinct: 'distinct count',
}

/**
 * Reads what an aggregate is taken of: a measure that is one, else a dimension. False where the members have nothing to do with it,
 * as in `total flights by state`.
 */
export function readAggregate(parts: Parts, pending: Pending, place: Place, candidates: readonly NameMatch[]): boolean {
  const wanted: AggregateFunction =
    pending.distinct || (pending.counting && !pending.aggregate) ? 'distinct' : (pending.aggregate ?? 'sum')
  const measures = candidates.filter(({ named }) => isMeasure(named))
  const own = measures.filter(({ named }) => fitting[wanted].includes(named.member.aggType ?? ''))
  const fields = candidates.filter(({ named }) =>
    wanted === 'distinct' ? isGrouping(named) : isNumberDimension(named),
  )
  const best = (matches: readonly NameMatch[]) => Math.max(0, ...matches.map(({ quality }) => quality))
  const settled = () => {
    pending.aggregate = null
    pending.distinct = false
    pending.counting = false
    pending.top = false
    return true
  }
  if (own.length > 0 && best(own) >= best(fields) - 0.3) {
    const chosen = chooseMember(place.words, own, place.source, pending.direction)
    if ('kind' in chosen) parts.problems.push(chosen)
    else {
      const isRows = countsRows(chosen.named, place.source)
      parts.measures.push(measureOf(chosen.named))
      if (isRows) parts.rows = { measure: measureOf(chosen.named), isAsked: true }
    }
    return settled()
  }
  if (fields.length > 0) {
    const chosen = chooseMember(place.words, fields, place.source, pending.direction)
    if ('kind' in chosen) parts.problems.push(chosen)
    else {
      if (chosen.note) parts.notes.push(chosen.note)
      parts.measures.push({ kind: 'aggregate', function: wanted, member: chosen.named.member.name })
    }
    return settled()
  }
  if (measures.length === 0) return false
  const [match] = measures
  // `average revenue per order` is one measure for each of another.
  const { next } = place
  const isGroup = next?.meaning.kind === 'mark' && next.meaning.mark.kind === 'group'
  // `average number of flights per day` is the mean over days.
  const isPerPeriod = next?.meaning.kind === 'mark' && next.meaning.mark.kind === 'grain' && !isBy(place, next)
  if (wanted === 'avg' && match && place.after.length === 0 && isPerPeriod) {
    parts.measures.push(measureOf(match.named))
    parts.onAverage = true
    return settled()
  }
  const isPer = place.after.length === 0 && isGroup && place.tokens[next.from]?.word === 'per'
  if (wanted === 'avg' && match && isPer) {
    parts.measures.push(measureOf(match.named))
    parts.onAverage = true
    return settled()
  }
  const isTotalOfOwn =
    wanted === 'sum' && match?.named.member.aggType === 'number' && match.named.member.format !== 'percent'
  if (wanted === 'max' || wanted === 'min' || isTotalOfOwn) {
    if (match) parts.measures.push(measureOf(match.named))
    if (wanted !== 'sum') parts.top = { count: null, descending: wanted === 'max', ofRows: false, isJudging: false }
    return settled()
  }
  const titles = measures.map(({ named }) => named.member.shortTitle)
  parts.problems.push({
    kind: 'impossible',
    message: `The model has no ${names[wanted]} of “${place.words}”; it has ${titles.slice(0, 3).join(', ')}.`,
  })
  return settled()
}

/** `by month` and `monthly` show each of them. */
const isBy = ({ tokens }: Place, { from }: { readonly from: number }) =>
  !['per', 'each', 'every', 'a'].includes(tokens[from]?.word ?? '')
