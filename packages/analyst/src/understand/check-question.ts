import type { AskedFilter, Question } from '../shapes/question.ts'
import type { Source } from '../vocabulary/vocabulary.ts'
import type { Parts, Problem } from './parts.ts'

/**
 * Whether a question, as it was put together, holds all that was said, and can be answered as a whole: what a statement would leave
 * out, or answer by halves, is a problem. The last guard against an answer to another question than the one that was asked.
 */
export function checkQuestion(question: Question, parts: Parts, source: Source): Problem | null {
  const message =
    contradiction(question.filters) ??
    halfAnswered(question) ??
    unusedWords(question, parts) ??
    noShare(question, source)
  if (message !== null) return { kind: 'impossible', message }
  if (parts.timeDimension && question.time?.dimension !== parts.timeDimension.member.name)
    return { kind: 'unknown', words: parts.timeWords }
  return twoShares(question, parts)
}

/** Who leaves something out means to have the rest: beside a value that is asked for, one of the two was misread. */
const both =
  'I read this as one value of a field asked for, and others of the same field left out. Ask for one of the two.'
const excluding = 'No row can meet all of these conditions at once, as I read them. Say them apart, or with “or”.'

/** Conditions that no row can meet are misread. */
function contradiction(filters: readonly AskedFilter[]): string | null {
  for (const [index, one] of filters.entries()) {
    for (const other of filters.slice(index + 1)) {
      if (one.member !== other.member) continue
      if (isExcluding(one, other)) return excluding
      if (isSaidTwice(one, other)) return both
    }
  }
  return null
}

function isExcluding(one: AskedFilter, other: AskedFilter): boolean {
  if (one.kind === 'flag' && other.kind === 'flag') return one.value !== other.value
  if (one.kind === 'segment' && other.kind === 'segment') return one.isNegated !== other.isNegated
  if (one.kind === 'number' && other.kind === 'number') return areBoundsEmpty(one, other) || areBoundsEmpty(other, one)
  if (one.kind !== 'values' || other.kind !== 'values') return false
  const shared = one.values.some(value => other.values.includes(value))
  if (one.operator === 'equals' && other.operator === 'equals') return !shared
  const operators = [one.operator, other.operator]
  return shared && operators.includes('equals') && operators.includes('notEquals')
}

function isSaidTwice(one: AskedFilter, other: AskedFilter): boolean {
  if (one.kind !== 'values' || other.kind !== 'values') return false
  const operators = [one.operator, other.operator]
  return operators.includes('equals') && operators.includes('notEquals')
}

type NumberFilter = Extract<AskedFilter, { kind: 'number' }>

const areBoundsEmpty = (low: NumberFilter, high: NumberFilter) =>
  ['gt', 'gte', 'equals'].includes(low.operator) &&
  ['lt', 'lte', 'equals'].includes(high.operator) &&
  low.value > high.value

/** What statements of comparisons, changes and shares have no place for. */
function halfAnswered(question: Question) {
  const { measures, dimensions, time, compare, changes, share, having, limit, order, average, extremes, course } =
    question
  if (extremes !== null) return null
  if (average !== null && (compare !== null || changes || share !== null || having.length > 0 || course))
    return 'I can take an average over periods or groups by itself, not with shares, limits or comparisons.'
  if (average === 'groups' && (limit !== null || order !== null))
    return 'I do not see of what to show the most: the average over all groups is one number.'
  if (course && limit !== null) return 'I can show how it went on, not yet where most.'
  const isSpecial = compare !== null || changes || share !== null
  if (isSpecial && measures.length > 1)
    return 'I can compare, or take shares of, one measure at a time. Ask for each by itself.'
  if (isSpecial && having.length > 0)
    return 'I cannot take a limit together with shares or comparisons. Ask for one of them first.'
  const isTimed = time !== null && (time.grain !== null || time.part !== null)
  if (compare !== null && isTimed) return 'I can compare two periods, or show the course of one. Ask for one of them.'
  if (time !== null && time.grain !== null && time.part !== null) return 'I can show one kind of period at a time.'
  if (changes && (order !== null || limit !== null))
    return 'I can show how each period differs from the one before, not yet which differs most.'
  const groups = dimensions.length + (isTimed && average === null ? 1 : 0)
  if (limit !== null && groups > 1)
    return 'I do not see whether the first are meant of all together, or of each group. Ask for one group at a time.'
  return null
}

const additive = new Set(['sum', 'count', 'countDistinct', 'countDistinctApprox'])

/** Averages, rates and extremes have no parts that make a whole. */
function noShare({ share, measures }: Question, { members }: Source): string | null {
  if (share === null) return null
  for (const measure of measures) {
    const named = measure.kind === 'measure' ? members.find(({ member }) => member.name === measure.member) : undefined
    const isAdditive = named
      ? additive.has(named.member.aggType ?? '')
      : measure.kind === 'aggregate' && measure.function === 'sum'
    if (!isAdditive)
      return `There are no shares of ${named?.member.shortTitle ?? 'that'}: its parts do not make a whole.`
  }
  return null
}

/** What was asked to be compared, shown for each, or timed, and is not. */
function unusedWords(
  question: Question,
  { versus, share, topCount, top, asksFor, filters, earlier, days, course }: Parts,
): string | null {
  const { dimensions, measures, time, compare, changes } = question
  const isTimed = time !== null && (time.grain !== null || time.part !== null)
  // What a mean is taken over is not shown.
  const isBroken =
    question.average === 'groups' ? false : dimensions.length > 0 || (isTimed && question.average === null)
  const lists = question.filters.some(each => each.kind === 'values' && each.values.length > 1)
  if (versus && compare === null && measures.length < 2) {
    const positive = filters.filter(each => each.kind === 'values' && each.operator === 'equals')
    const isSplit = new Set(positive.map(({ member }) => member)).size > 1 && !lists
    if (!isBroken || isSplit) return 'I do not see what to compare with what.'
  }
  if (earlier !== null && compare === null && !changes && time?.range == null)
    return 'I do not see which period to compare with.'
  if (share && question.share === null) return 'I do not see of what the share is meant.'
  if (topCount !== null && top === null) return 'I do not see of what so many are meant.'
  if (days.length > 0 && !time?.days) return 'I do not see of what the days of the week are meant.'
  if (course && compare === null && !changes && !question.course) return 'I do not see between which times to compare.'
  if (course && asksFor === 'group')
    return 'I can show how each went on, not yet which did so most. Ask for it by group.'
  if (asksFor === 'time' && !isTimed)
    return 'I do not see which kind of time is asked for: ask by day, by month, by hour of the day.'
  if (asksFor === 'group' && !isBroken) return 'I do not see what is asked for: name a dimension of the data.'
  return null
}

/** `share of web orders by city`: what part of each city's orders is from the web, or how those from the web are spread over cities. */
function twoShares({ share, dimensions }: Question, { sharedFilters }: Parts): Problem | null {
  if (share !== 'ofTotal' || sharedFilters.length === 0 || dimensions.length === 0) return null
  return {
    kind: 'ambiguous',
    words: 'share',
    choices: [
      'the part of each group that meets the condition (“as a share of all, by …”)',
      'how what meets it is spread over the groups (“share by … in …”)',
    ],
  }
}
