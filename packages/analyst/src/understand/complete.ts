import { type AskedMeasure, emptyQuestion, type Question } from '../shapes/question.ts'
import {
  type Day,
  type DayRange,
  daysBetween,
  type Grain,
  grainOf,
  grains,
  move,
  periodOf,
  startOf,
} from '../times/calendar.ts'
import type { NamedMember, Source } from '../vocabulary/vocabulary.ts'
import { averageOf } from './average-of.ts'
import { checkQuestion } from './check-question.ts'
import { isNumberDimension, isTime, measureOf, rowsOf } from './choose-member.ts'
import { judge } from './judge.ts'
import type { Parts, Problem } from './parts.ts'
import { type Extremes, readExtremes } from './read-extreme.ts'
import { readStock } from './read-stock.ts'
import { usualTime } from './usual-time.ts'

export type Completed =
  | { readonly question: Question; readonly notes: readonly string[] }
  | { readonly problem: Problem }

const impossible = (message: string): Completed => ({ problem: { kind: 'impossible', message } })

/** Makes a question of what was said, with what the model gives where nothing was. */
export function complete(
  parts: Parts,
  source: Source,
  { today, isOnly }: { readonly today: Day; readonly isOnly: boolean },
): Completed {
  const [first] = parts.problems
  if (first) return { problem: first }
  const isOfRows = parts.extreme && parts.measures.length === 0 && parts.dimensions.length === 0 && !parts.grain
  const extremes = isOfRows ? readExtremes(parts, source) : null
  if (extremes) return 'problem' in extremes ? extremes : completeRows(parts, source, today, extremes)
  if (parts.extreme && !parts.top) return impossible('I do not see of what to show the first.')
  const named = measuresOf(parts, source)
  const counted = named.length === 0 ? countedRows(parts, source, isOnly) : null
  const measures = counted ? [measureOf(counted)] : named
  const times = timesOf(parts, source, today)
  if ('problem' in times) return times
  const judged = parts.top?.isJudging ? judge(measures, counted !== null, source, parts.top.descending) : null
  if (judged && 'problem' in judged) return judged
  const [number] = parts.dimensions
  // `the biggest balance` is no count by balance.
  if (counted && parts.extreme && parts.dimensions.length === 1 && number && isNumberDimension(number))
    return impossible(
      `Ask for the maximum or the minimum of ${number.member.shortTitle}, or for the rows that have it.`,
    )
  const notes = [
    ...parts.notes,
    ...(counted ? [`I counted ${counted.member.shortTitle}, as nothing else was named.`] : []),
    ...(judged?.note ? [judged.note] : []),
    ...times.notes,
  ]
  const isListing = measures.length === 0 && parts.dimensions.length > 0 && parts.having.length === 0 && parts.isList
  const isMoving = parts.course || parts.change || parts.trend
  if (measures.length === 0 && !isListing && isMoving)
    return impossible('I do not see what is to have gone up or down. Name it, such as a count, a total or an average.')
  if (measures.length === 0 && !isListing) return impossible('I do not see what to measure.')
  if (isListing && (parts.top !== null || times.time?.grain || parts.share))
    return impossible('I do not see what to measure.')
  const { top } = parts
  const isBroken = parts.dimensions.length > 0 || times.time?.grain || times.time?.part
  if (top && !isBroken && !parts.share) return impossible('I do not see of what to show the most or the least.')
  if (parts.having.length > 0 && !isBroken) return impossible('I do not see of which groups the limit is meant.')
  const limit = top ? (top.count ?? parts.topCount ?? (parts.isSingular ? 1 : null)) : null
  const share = shareOf(parts, measures)
  if (share === 'nothing') return impossible('I do not see of what the share is meant.')
  const average = averageOf(parts, measures, times.time?.grain ?? null, source)
  if (average !== null && typeof average === 'object') return average
  const question: Question = {
    ...emptyQuestion(source.name),
    measures,
    dimensions: parts.dimensions.map(({ member }) => member.name),
    filters: distinct(parts.filters),
    having: parts.having,
    time: times.time,
    compare: times.compare,
    share,
    changes: times.changes,
    course: times.course,
    average,
    order: top
      ? { by: 'measure', descending: judged?.descending ?? top.descending }
      : parts.descending !== null
        ? { by: 'measure', descending: parts.descending }
        : null,
    limit,
    chart: parts.chart,
  }
  const problem = checkQuestion(question, parts, source)
  if (problem) return { problem }
  const stock = readStock(question, parts, source)
  if (stock === null) return { notes, question }
  const [of = 'them'] = measures.flatMap(measure =>
    measure.kind === 'measure' ? [titleIn(source, measure.member)] : [],
  )
  if (stock === 'unknown')
    return impossible(
      `I can show how many ${of} came in each period, not how many there were: ask for ${of} by month, or over all times.`,
    )
  const began = titleIn(source, times.time?.dimension ?? '')
  const note = `Counted are all ${of} there were by the end of each period, each from its ${began} on.`
  return { notes: [...notes, note], question: { ...question, running: true } }
}

const titleIn = ({ members }: Source, name: string): string =>
  members.find(({ member }) => member.name === name)?.member.shortTitle ?? name

/** The rows that have most or least of a number. */
function completeRows(parts: Parts, source: Source, today: Day, { by, shown, count }: Extremes): Completed {
  const times = timesOf(parts, source, today)
  if ('problem' in times) return times
  const isElse = parts.share || parts.versus || parts.change || parts.course || parts.onAverage || parts.trend
  if (isElse || parts.having.length > 0 || times.compare || times.time?.part)
    return impossible('I can show the first rows of all, or compare and add up; not both.')
  const question: Question = {
    ...emptyQuestion(source.name),
    dimensions: shown.map(({ member }) => member.name),
    filters: distinct(parts.filters),
    time: times.time,
    extremes: by.member.name,
    order: { by: 'measure', descending: parts.extreme?.descending ?? true },
    limit: count,
    chart: parts.chart,
  }
  const problem = checkQuestion(question, parts, source)
  return problem ? { problem } : { notes: [...parts.notes, ...times.notes], question }
}

/** What is counted where nothing is named to measure, though it is said of what or by what: `top 3 states`, `last month in Texas`. */
function countedRows(parts: Parts, source: Source, isOnly: boolean): NamedMember | null {
  const { dimensions, filters, partFilters, top, share, versus, isList, ranges, timePart, grain } = parts
  const isListing = isList && dimensions.length > 0 && top === null && !share && grain === null && timePart === null
  const isSaid =
    dimensions.length > 0 ||
    (filters.length + partFilters.length > 0 && (ranges.length > 0 || versus || share)) ||
    (isOnly && (ranges.length > 0 || grain !== null))
  return isSaid && !isListing ? rowsOf(source) : null
}

function measuresOf(parts: Parts, source: Source): readonly AskedMeasure[] {
  const { measures, rows, having, top } = parts
  if (measures.length > 0) return distinct(measures)
  if (rows) return [rows.measure]
  const [threshold] = having
  if (threshold) return distinct(having.map(({ measure }) => measure))
  const ofRows = rowsOf(source)
  const isImplied = top?.ofRows === true || parts.countsRows || isCountable(parts)
  return ofRows && isImplied ? [measureOf(ofRows)] : []
}

/** A condition alone, such as `delays at O'Hare`, asks how many rows meet it. */
const isCountable = ({ filters }: Parts) => filters.some(({ kind }) => kind === 'segment')

function shareOf(
  { share, shareOfAll, partFilters, filters, dimensions, grain, ownGrain }: Parts,
  measures: readonly AskedMeasure[],
): Question['share'] | 'nothing' {
  if (!share || measures.length === 0) return null
  if (shareOfAll && filters.length > 0) return { filters }
  if (dimensions.length > 0 && partFilters.length === 0) return 'ofTotal'
  if (partFilters.length > 0) return { filters: partFilters }
  if (filters.length > 0) return { filters }
  return grain || ownGrain ? 'ofTotal' : 'nothing'
}

const distinct = <T>(items: readonly T[]): T[] => [...new Map(items.map(item => [JSON.stringify(item), item])).values()]

interface Times {
  readonly time: Question['time']
  readonly compare: DayRange | null
  readonly changes: boolean
  readonly course: Question['course']
  readonly notes: readonly string[]
}

/** Which periods are asked of which time, and by which grain. */
function timesOf(parts: Parts, source: Source, today: Day): Times | { readonly problem: Problem } {
  const grain: string | null = parts.ownGrain?.name ?? parts.grain ?? (parts.trend ? 'auto' : null)
  if (!asksOfTime(parts)) return { time: null, compare: null, changes: false, course: null, notes: [] }
  const dimension = parts.timeDimension ?? parts.ownGrain?.dimension ?? usualTime(source)
  if (!dimension) return { problem: { kind: 'impossible', message: `${source.cube.title} has no time to ask about.` } }
  if (Array.isArray(dimension)) {
    return {
      problem: { kind: 'ambiguous', words: 'the time', choices: dimension.map(({ member }) => member.shortTitle) },
    }
  }
  const earlier = withoutOther(parts, today)
  if ('problem' in earlier) return earlier
  const ranges = earlier.range ? { range: earlier.range, compare: null } : periodsOf(parts)
  if ('problem' in ranges) return ranges
  const { range, compare } = ranges
  // `has it grown?` asks how it went on; `growth by month` for each step.
  const wonders = parts.isWhether && parts.change && parts.ranges.length === 0
  const isCourse = (parts.course || wonders) && compare === null && parts.earlier === null
  // `when did it go up` asks for each step.
  const asksWhen = isCourse && parts.asksFor === 'time'
  const isChanging = asksWhen || (parts.change && !wonders) || (parts.earlier !== null && !earlier.range)
  const changes = isChanging && compare === null && (grain !== null || range === null || asksWhen)
  const time = {
    dimension: dimension.member.name,
    range,
    grain:
      changes && grain === null && !asksWhen
        ? (parts.earlier?.grain ?? 'month')
        : grain === 'auto' || (isCourse && grain === null)
          ? courseGrain(parts, range)
          : grain,
    part: parts.timePart,
    days: daysOf(parts),
  }
  if (changes && parts.earlier?.grain && parts.earlier.grain !== time.grain) {
    const message = `I can show how each ${time.grain} differs from the one before, not from one ${parts.earlier.grain} before.`
    return { problem: { kind: 'impossible', message } }
  }
  const others = source.ownMembers.filter(isTime).length
  const isAssumed = parts.timeDimension === null && parts.ownGrain === null && others > 1
  const notes = [...(isAssumed ? [`I took ${dimension.member.shortTitle} as the time.`] : [])]
  const tellsCourse = (isCourse || parts.trend || changes) && !asksWhen && compare === null && time.grain !== null
  const isWhole = parts.top === null && !parts.onAverage
  const course = (isCourse && !changes) || (tellsCourse && isWhole) ? courseUntil(today, time.grain) : null
  return { time, compare, changes, course, notes }
}

/** The period of today is not over: it is no end of a course. Of grains of a model's own nobody knows. */
export const courseUntil = (today: Day, grain: string | null): NonNullable<Question['course']> => {
  const usual = grains.find(each => each === grain)
  return { from: null, before: usual ? startOf(today, usual) : today }
}

/** Whether anything of times was asked. */
export const asksOfTime = ({
  ranges,
  grain,
  ownGrain,
  trend,
  timePart,
  earlier,
  change,
  course,
  days,
}: Parts): boolean =>
  ranges.length > 0 ||
  [grain, ownGrain, timePart, earlier].some(each => each !== null) ||
  trend ||
  change ||
  course ||
  days.length > 0

/** Days of the week that were named, all together. */
export const daysOf = ({ days }: Parts): readonly number[] | null =>
  days.length === 0 ? null : [...new Set(days.flat())].sort((one, other) => one - other)

/** Between two ends that were named, by what they are: from one year to another by years. */
function courseGrain({ ranges, course }: Parts, range: DayRange | null): Grain {
  const ends = course && ranges.length === 1 ? ranges[0]?.ends : null
  const grain = ends ? grainOf(ends[0]) : null
  return grain !== null && ends && grainOf(ends[1]) === grain ? grain : autoGrain(range)
}

/** `in the previous month` alone is the month before this one; `a year ago` alone could be a day or a year. */
function withoutOther(
  { earlier, ranges, versus, change, grain }: Parts,
  today: Day,
): { readonly range: DayRange | null } | { readonly problem: Problem } {
  if (!earlier || ranges.length > 0 || earlier.way === 'over') return { range: null }
  if (versus || change || grain !== null) return { range: null }
  if (earlier.way === 'previous' && earlier.grain) {
    const { from } = periodOf(today, earlier.grain)
    return { range: { from: move(from, -1, earlier.grain), to: from } }
  }
  const message = 'I do not see which period is meant. Name it, as in “in March 2025” or “last month”.'
  return { problem: { kind: 'impossible', message } }
}

/** A grain that shows the course of a period: days of a month, months of a year. */
export function autoGrain(range: DayRange | null): Grain {
  if (range === null || range.from === null || range.to === null) return 'month'
  const days = daysBetween(range.from, range.to)
  return days <= 35 ? 'day' : days <= 100 ? 'week' : days <= 1_200 ? 'month' : 'year'
}

interface Periods {
  readonly range: DayRange | null
  readonly compare: DayRange | null
}

/** The period that is asked, and the one that it is compared with. */
export function periodsOf(parts: Parts): Periods | { readonly problem: Problem } {
  const { ranges, earlier } = parts
  const isCompared = parts.versus || parts.change
  const [first, second] = ranges
  if (!first) return { range: null, compare: null }
  if (!second) {
    if (first.ends && isCompared && !parts.grain) return { range: first.ends[1], compare: first.ends[0] }
    const isShifted = earlier !== null || (parts.change && !parts.grain && !parts.trend)
    if (!isShifted || parts.grain) return { range: first.range, compare: null }
    const compare = shifted(first.range, earlier?.grain ?? null)
    return compare
      ? { range: first.range, compare }
      : { problem: { kind: 'impossible', message: 'I do not see which period to compare with.' } }
  }
  if (ranges.length > 2) return { problem: { kind: 'impossible', message: 'I can compare two periods, not more.' } }
  const aligned = alignYears(first, second)
  if (isCompared) {
    const [one, other] = aligned
    const isLater = (one.from ?? '') > (other.from ?? '')
    return isLater ? { range: one, compare: other } : { range: other, compare: one }
  }
  const [one, other] = [...aligned].sort((left, right) => ((left.from ?? '') < (right.from ?? '') ? -1 : 1))
  if (one && other && one.to !== null && one.to === other.from)
    return { range: { from: one.from, to: other.to }, compare: null }
  const isInside = one && other && one.from !== null && one.to !== null && other.to !== null && one.to >= other.to
  if (isInside) return { range: other, compare: null }
  return {
    problem: { kind: 'impossible', message: 'I can look at one period, or compare two; I do not see what these are.' },
  }
}

/** The first of `March vs April 2001` is of the year of the second. */
function alignYears(first: Parts['ranges'][number], second: Parts['ranges'][number]): readonly [DayRange, DayRange] {
  if (
    !first.isYearless ||
    second.isYearless ||
    second.range.from === null ||
    first.range.from === null ||
    first.range.to === null
  )
    return [first.range, second.range]
  const years = Number(second.range.from.slice(0, 4)) - Number(first.range.from.slice(0, 4))
  return [{ from: move(first.range.from, years, 'year'), to: move(first.range.to, years, 'year') }, second.range]
}

/** The period of the same length before, or as much earlier as was said. */
export function shifted(range: DayRange, grain: Grain | null): DayRange | null {
  const { from, to } = range
  if (from === null || to === null) return null
  const own = grainOf(range)
  if (grain === null || grain === own) {
    if (own) return { from: move(from, -1, own), to: from }
    const days = daysBetween(from, to)
    return { from: move(from, -days, 'day'), to: from }
  }
  return { from: move(from, -1, grain), to: move(to, -1, grain) }
}
