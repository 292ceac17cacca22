import type { AskedFilter, Question } from '../shapes/question.ts'
import type { Day } from '../times/calendar.ts'
import type { Source } from '../vocabulary/vocabulary.ts'
import { checkQuestion } from './check-question.ts'
import { isTime } from './choose-member.ts'
import { asksOfTime, autoGrain, type Completed, courseUntil, daysOf, periodsOf, shifted } from './complete.ts'
import { judge } from './judge.ts'
import type { Parts, Problem } from './parts.ts'
import { usualTime } from './usual-time.ts'

/** Whether what was said makes sense only after the question before. */
export function isFollowUp(parts: Parts): boolean {
  if (parts.why) return true
  const hasMeasure = parts.measures.length > 0 || (parts.rows !== null && parts.follow === null)
  return !hasMeasure || parts.follow !== null
}

const impossible = (message: string): Completed => ({ problem: { kind: 'impossible', message } })

/** The question before, changed by what was said. */
export function followUp(parts: Parts, before: Question, source: Source, today: Day): Completed {
  const [problem] = parts.problems
  if (problem) return { problem }
  const isAdding = parts.follow === 'also'
  const dimensions = parts.dimensions.map(({ member }) => member.name)
  const breaksDown =
    dimensions.length > 0 ||
    parts.grain !== null ||
    parts.ownGrain !== null ||
    parts.trend ||
    parts.course ||
    parts.timePart !== null
  const said = [...parts.measures, ...(parts.measures.length === 0 && parts.rows?.isAsked ? [parts.rows.measure] : [])]
  const fromRows =
    said.length === 0 && parts.rows && !breaksDown && !changesSomething(parts) ? [parts.rows.measure] : []
  const measures = [...said, ...fromRows]
  const time = timeOf(parts, before, source, breaksDown && !isAdding)
  if ('problem' in time) return time
  const top = parts.top
  const keepsGroups = !breaksDown || isAdding
  const groups = [...new Set([...(keepsGroups ? before.dimensions : []), ...dimensions])]
  if (top && groups.length === 0 && !time.time?.grain && !time.time?.part)
    return impossible('I do not see of what to show the most or the least.')
  const asked = measures.length === 0 ? before.measures : measures
  const judged = top?.isJudging ? judge(asked, false, source, top.descending) : null
  if (judged && 'problem' in judged) return judged
  const isOfRows = parts.extreme !== null && parts.top === null
  if (parts.onAverage || before.average || isOfRows || before.extremes) return followRows(parts, before, source, time)
  // How many there were is known of all times alone.
  if (before.running && (time.time?.range || time.compare || time.changes))
    return impossible('Ask that as a whole question.')
  const question: Question = {
    ...before,
    measures: measures.length === 0 ? before.measures : isAdding ? [...before.measures, ...measures] : measures,
    dimensions: groups,
    filters: mergeFilters(before.filters, [...parts.filters, ...parts.partFilters]),
    having: parts.having.length > 0 ? parts.having : measures.length > 0 || breaksDown ? [] : before.having,
    time: time.time,
    compare: time.compare,
    share: parts.share ? (groups.length > 0 ? 'ofTotal' : null) : measures.length > 0 ? null : before.share,
    changes: time.changes,
    running: before.running && measures.length === 0 && groups.length === 0,
    course:
      parts.course && !time.compare ? courseUntil(today, time.time?.grain ?? null) : breaksDown ? null : before.course,
    order: top
      ? { by: 'measure', descending: judged?.descending ?? top.descending }
      : parts.descending !== null
        ? { by: 'measure', descending: parts.descending }
        : keepsGroups
          ? before.order
          : null,
    limit: top ? (top.count ?? parts.topCount ?? (parts.isSingular ? 1 : null)) : keepsGroups ? before.limit : null,
    chart: parts.chart ?? (breaksDown ? null : before.chart),
  }
  const wrong = checkQuestion(question, parts, source)
  return wrong ? { problem: wrong } : { notes: [...parts.notes, ...(judged ? [judged.note] : [])], question }
}

/** After rows, or a mean over groups, other conditions and another period can be asked; anything else is asked anew. */
function followRows(
  parts: Parts,
  before: Question,
  source: Source,
  time: Pick<Question, 'time' | 'compare' | 'changes'>,
): Completed {
  const isElse =
    parts.onAverage ||
    parts.extreme !== null ||
    parts.measures.length + parts.dimensions.length + parts.having.length > 0 ||
    [parts.grain, parts.ownGrain, parts.timePart, parts.top].some(each => each !== null) ||
    parts.share ||
    parts.trend ||
    parts.course ||
    time.compare !== null ||
    time.changes
  if (isElse) return impossible('Ask that as a whole question.')
  const question: Question = {
    ...before,
    time: time.time,
    filters: mergeFilters(before.filters, [...parts.filters, ...parts.partFilters]),
    chart: parts.chart ?? before.chart,
  }
  const wrong = checkQuestion(question, parts, source)
  return wrong ? { problem: wrong } : { notes: parts.notes, question }
}

const changesSomething = ({ filters, ranges, top, chart, having, earlier, share }: Parts) =>
  filters.length > 0 ||
  ranges.length > 0 ||
  top !== null ||
  chart !== null ||
  having.length > 0 ||
  earlier !== null ||
  share

function timeOf(
  parts: Parts,
  before: Question,
  source: Source,
  replacesGroups: boolean,
): Pick<Question, 'time' | 'compare' | 'changes'> | { readonly problem: Problem } {
  const found = parts.timeDimension ?? usualTime(source)
  const usual = Array.isArray(found) ? (found.find(isTime) ?? null) : found
  const said = parts.timeDimension ?? parts.ownGrain?.dimension ?? null
  const dimension = said?.member.name ?? before.time?.dimension ?? usual?.member.name ?? null
  const saysTime = asksOfTime(parts)
  if (dimension === null) {
    if (!saysTime) return { time: null, compare: null, changes: false }
    return { problem: { kind: 'impossible', message: `${source.cube.title} has no time to ask about.` } }
  }
  const periods = periodsAfter(parts, before)
  if ('problem' in periods) return periods
  const { range, compare } = periods
  const grain =
    parts.ownGrain?.name ??
    parts.grain ??
    (parts.trend || parts.course ? autoGrain(range) : replacesGroups ? null : (before.time?.grain ?? null))
  const changes = (parts.earlier !== null || parts.change) && compare === null
  if (changes && grain === null)
    return { problem: { kind: 'impossible', message: 'I do not see which period to compare with.' } }
  const part = parts.timePart ?? (replacesGroups ? null : (before.time?.part ?? null))
  const days = daysOf(parts) ?? before.time?.days ?? null
  const isEmpty = range === null && grain === null && part === null && days === null
  return {
    time: isEmpty ? null : { dimension, range, grain, part, days },
    compare,
    changes: changes || (before.changes && !replacesGroups && parts.ranges.length === 0),
  }
}

/** The periods of the question before, or those that were said now. */
function periodsAfter(parts: Parts, before: Question): ReturnType<typeof periodsOf> {
  const [first, second] = parts.ranges
  if (second) return periodsOf(parts)
  const range = first && !parts.versus ? first.range : (before.time?.range ?? null)
  if (first && parts.versus) {
    return range === null
      ? { problem: { kind: 'impossible', message: 'I do not see which period to compare with.' } }
      : { range, compare: first.range }
  }
  if (parts.earlier || (parts.change && range)) {
    return { range, compare: range && shifted(range, parts.earlier?.grain ?? null) }
  }
  // Parts of two periods can stand beside each other too; their courses cannot.
  const isTimed = parts.grain !== null || parts.ownGrain !== null || parts.trend || parts.timePart !== null
  return { range, compare: first || isTimed ? null : before.compare }
}

/** New conditions beside the old ones: of the same dimension they take the place of what was there. */
function mergeFilters(before: readonly AskedFilter[], added: readonly AskedFilter[]): AskedFilter[] {
  let filters = [...before]
  for (const filter of added) {
    if (filter.kind === 'values' && filter.operator === 'notEquals') {
      const positive = filters.find(
        each => each.kind === 'values' && each.member === filter.member && each.operator === 'equals',
      )
      if (positive?.kind === 'values') {
        const left = positive.values.filter(value => !filter.values.includes(value))
        filters = filters.map(each => (each === positive ? { ...positive, values: left } : each))
        if (left.length > 0) continue
        filters = filters.filter(each => each.kind !== 'values' || each.member !== filter.member)
      }
      filters.push(filter)
      continue
    }
    filters = filters.filter(
      each =>
        each.member !== filter.member ||
        (each.kind === 'number' && filter.kind === 'number' && each.operator !== filter.operator),
    )
    filters.push(filter)
  }
  return filters
}
