import type { AskedMeasure, Question } from '../shapes/question.ts'
import { type DayRange, daysBetween, type Grain, grainOf, move } from '../times/calendar.ts'
import type { NamedMember, Source } from '../vocabulary/vocabulary.ts'
import { isTime, measureOf, rowsOf } from './choose-member.ts'
import type { Parts, Problem } from './parts.ts'

export type Completed =
  | { readonly question: Question; readonly notes: readonly string[] }
  | { readonly problem: Problem }

const impossible = (message: string): Completed => ({ problem: { kind: 'impossible', message } })

/** Makes a question of what was said, with what the model gives where nothing was. */
export function complete(parts: Parts, source: Source): Completed {
  const [first] = parts.problems
  if (first) return { problem: first }
  const measures = measuresOf(parts, source)
  const times = timesOf(parts, source)
  if ('problem' in times) return times
  const notes = [...parts.notes, ...times.notes]
  const isListing = measures.length === 0 && parts.dimensions.length > 0 && parts.having.length === 0 && parts.isList
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
  return {
    notes,
    question: {
      source: source.name,
      measures,
      dimensions: parts.dimensions.map(({ member }) => member.name),
      filters: distinct(parts.filters),
      having: parts.having,
      time: times.time,
      compare: times.compare,
      share,
      changes: times.changes,
      order: top
        ? { by: 'measure', descending: top.descending }
        : parts.descending !== null
          ? { by: 'measure', descending: parts.descending }
          : null,
      limit,
      chart: parts.chart,
    },
  }
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
  { share, partFilters, filters, dimensions, grain }: Parts,
  measures: readonly AskedMeasure[],
): Question['share'] | 'nothing' {
  if (!share || measures.length === 0) return null
  if (dimensions.length > 0 && partFilters.length === 0) return 'ofTotal'
  if (partFilters.length > 0) return { filters: partFilters }
  if (filters.length > 0) return { filters }
  return grain ? 'ofTotal' : 'nothing'
}

const distinct = <T>(items: readonly T[]): T[] => [...new Map(items.map(item => [JSON.stringify(item), item])).values()]

interface Times {
  readonly time: Question['time']
  readonly compare: DayRange | null
  readonly changes: boolean
  readonly notes: readonly string[]
}

/** Which periods are asked of which time, and by which grain. */
function timesOf(parts: Parts, source: Source): Times | { readonly problem: Problem } {
  const grain: string | null = parts.ownGrain ?? parts.grain ?? (parts.trend ? 'auto' : null)
  const isAsked =
    parts.ranges.length > 0 || grain !== null || parts.timePart !== null || parts.earlier !== null || parts.change
  if (!isAsked) return { time: null, compare: null, changes: false, notes: [] }
  const dimension = parts.timeDimension ?? usualTime(source)
  if (!dimension) return { problem: { kind: 'impossible', message: `${source.cube.title} has no time to ask about.` } }
  if (Array.isArray(dimension)) {
    return {
      problem: { kind: 'ambiguous', words: 'the time', choices: dimension.map(({ member }) => member.shortTitle) },
    }
  }
  const ranges = periodsOf(parts)
  if ('problem' in ranges) return ranges
  const { range, compare } = ranges
  const isChanging = parts.change || parts.earlier !== null
  const changes = isChanging && compare === null && (grain !== null || range === null)
  const time = {
    dimension: dimension.member.name,
    range,
    grain: changes && grain === null ? 'month' : grain === 'auto' ? autoGrain(range) : grain,
    part: parts.timePart,
  }
  return { time, compare, changes, notes: [] }
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

/** The time that rows are known by where none is named; several where it could be any. */
export function usualTime(source: Source): NamedMember | NamedMember[] | null {
  const own = source.ownMembers.filter(isTime)
  const [first] = own
  if (!first || own.length === 1) return first ?? null
  const nouns = new Set(source.nouns.flatMap(({ stems }) => [...stems]))
  const score = ({ column, phrases }: NamedMember) =>
    (/^(created|ordered|date|time|timestamp|occurred|happened|started|booked|sold|posted|placed|recorded|admitted|departed)(_|$)/.test(
      column,
    )
      ? 2
      : 0) +
    (phrases.some(({ stems }) => [...stems].some(one => nouns.has(one))) &&
    /order|transaction|sale|visit|event/.test(column)
      ? 2
      : 0) -
    (/updated|modified|deleted|loaded|synced/.test(column) ? 5 : 0)
  const best = Math.max(...own.map(score))
  const left = own.filter(named => score(named) === best)
  const [chosen] = left
  return left.length === 1 && chosen ? chosen : left
}
