import type { Token } from '../words/tokens.ts'
import { type Day, type DayRange, type Grain, move, periodOf, startOf } from './calendar.ts'
import { type Point, readPoint, type TimeContext } from './read-point.ts'

/** Words at a place that name a time. */
export type TimePhrase =
  | {
      readonly kind: 'range'
      readonly range: DayRange
      readonly length: number
      readonly isYearless: boolean
      /** Two ends were named, so that a change between them can be meant: `from March to April`. */
      readonly ends: readonly [DayRange, DayRange] | null
    }
  /** `the month before`, `a year ago`: relative to another period. */
  | { readonly kind: 'earlier'; readonly grain: Grain | null; readonly way: EarlierWay; readonly length: number }
  /** Lies ahead: there is no data of it. */
  | { readonly kind: 'future'; readonly length: number }

/** How an earlier period was named: `year over year`, `a year ago`, `the year before`, `the previous year`. */
export type EarlierWay = 'over' | 'ago' | 'before' | 'previous'

const units: Readonly<Record<string, Grain>> = {
  hour: 'hour',
  hours: 'hour',
  day: 'day',
  days: 'day',
  week: 'week',
  weeks: 'week',
  month: 'month',
  months: 'month',
  quarter: 'quarter',
  quarters: 'quarter',
  year: 'year',
  years: 'year',
}

const at = (tokens: readonly Token[], place: number) => tokens[place]?.word ?? ''
const unitAt = (tokens: readonly Token[], place: number) => units[at(tokens, place)] ?? null

const range = (
  from: Day | null,
  to: Day | null,
  length: number,
  isYearless = false,
  ends: readonly [DayRange, DayRange] | null = null,
): TimePhrase => ({ kind: 'range', range: { from, to }, length, isYearless, ends })

/** Reads the words of a time at a place: the longest that are one. */
export function readPeriod(tokens: readonly Token[], place: number, context: TimeContext): TimePhrase | null {
  return (
    readBetween(tokens, place, context) ??
    readBound(tokens, place, context) ??
    readEarlier(tokens, place) ??
    readRelative(tokens, place, context) ??
    fromPoint(readPoint(tokens, place, context))
  )
}

const fromPoint = (point: Point | null): TimePhrase | null =>
  point ? range(point.from, point.to, point.length, point.isYearless) : null

/** A point in time that a bound can stand at: named, or relative. */
function readEnd(tokens: readonly Token[], place: number, context: TimeContext) {
  const skipped = ['the', 'in', 'of', 'on', 'beginning', 'start'].includes(at(tokens, place)) ? 1 : 0
  const found = fromPoint(readPoint(tokens, place + skipped, context)) ?? readRelative(tokens, place + skipped, context)
  return found?.kind === 'range' ? { ...found, length: found.length + skipped } : null
}

/** `from March to May 2001`, `between March and May`, `March - May`, `March through May 2001`. */
function readBetween(tokens: readonly Token[], place: number, context: TimeContext): TimePhrase | null {
  const opening = at(tokens, place)
  const isOpened = opening === 'from' || opening === 'between'
  const first = readEnd(tokens, place + (isOpened ? 1 : 0), context)
  if (!first?.range.from) return null
  const middle = place + (isOpened ? 1 : 0) + first.length
  const joints =
    opening === 'between' ? ['and'] : ['to', 'until', 'till', 'through', 'thru', '-', ...(isOpened ? [] : [])]
  if (!joints.includes(at(tokens, middle))) return null
  const second = readEnd(tokens, middle + 1, context)
  if (!second?.range.to) return null
  const start = first.isYearless && !second.isYearless ? inYearOf(first.range, second.range) : first.range
  if (start.from === null || start.from >= second.range.to) return null
  return range(start.from, second.range.to, middle + 1 + second.length - place, second.isYearless, [
    start,
    second.range,
  ])
}

/** The first end of `March to May 2001` is of the year of the second. */
function inYearOf(first: DayRange, second: DayRange): DayRange {
  const year = second.from?.slice(0, 4) ?? ''
  if (first.from === null || first.to === null) return first
  const years = Number(year) - Number(first.from.slice(0, 4))
  const moved = { from: move(first.from, years, 'year'), to: move(first.to, years, 'year') }
  const isLater = second.to !== null && moved.from >= second.to
  return isLater ? { from: move(moved.from, -1, 'year'), to: move(moved.to, -1, 'year') } : moved
}

/** `since May`, `before 2001`, `until March 5`, `after Q1`, `from May on`. */
function readBound(tokens: readonly Token[], place: number, context: TimeContext): TimePhrase | null {
  const word = at(tokens, place)
  const isStart = ['since', 'starting', 'after', 'from', 'beginning'].includes(word)
  const isEnd = ['before', 'until', 'till', 'through', 'thru', 'by'].includes(word)
  const isUpTo = word === 'up' && at(tokens, place + 1) === 'to'
  const isPriorTo = word === 'prior' && at(tokens, place + 1) === 'to'
  if (!isStart && !isEnd && !isUpTo && !isPriorTo) return null
  const end = readEnd(tokens, place + (isUpTo || isPriorTo ? 2 : 1), context)
  if (!end) return null
  const length = end.length + (isUpTo || isPriorTo ? 2 : 1)
  if (isStart) {
    const trailing = ['on', 'onward', 'onwards'].includes(at(tokens, place + length)) ? 1 : 0
    const closed =
      trailing === 1 && at(tokens, place + length) === 'on' && readPoint(tokens, place + length + 1, context)
    const extra = closed ? 0 : trailing
    if (word === 'from' && extra === 0) return null
    return range(word === 'after' ? end.range.to : end.range.from, null, length + extra, end.isYearless)
  }
  if (word === 'by') return null
  const isExclusive = word === 'before' || isPriorTo
  return range(null, isExclusive ? end.range.from : end.range.to, length, end.isYearless)
}

/** `the month before`, `the previous month`, `a year earlier`, `the same month last year`; spoken beside another period. */
function readEarlier(tokens: readonly Token[], place: number): TimePhrase | null {
  const article = ['the', 'a', 'an', 'one'].includes(at(tokens, place)) ? 1 : 0
  if (at(tokens, place) === 'year' && at(tokens, place + 1) === 'over' && at(tokens, place + 2) === 'year')
    return { kind: 'earlier', grain: 'year', way: 'over', length: 3 }
  const unit = unitAt(tokens, place + article)
  if (unit && ['before', 'earlier', 'prior', 'previously', 'ago'].includes(at(tokens, place + article + 1)))
    return {
      kind: 'earlier',
      grain: unit,
      way: at(tokens, place + article + 1) === 'ago' ? 'ago' : 'before',
      length: article + 2,
    }
  const isPrevious = ['previous', 'prior', 'preceding'].includes(at(tokens, place + article))
  if (!isPrevious) return null
  if (at(tokens, place + article + 1) === 'period')
    return { kind: 'earlier', grain: null, way: 'previous', length: article + 2 }
  const previous = unitAt(tokens, place + article + 1)
  return previous && article === 1 ? { kind: 'earlier', grain: previous, way: 'previous', length: article + 2 } : null
}

/** `today`, `last quarter`, `the past 7 days`, `this year`, `year to date`. */
function readRelative(tokens: readonly Token[], place: number, { today }: TimeContext): TimePhrase | null {
  const word = at(tokens, place)
  const next = at(tokens, place + 1)
  const day = periodOf(today, 'day')
  if (word === 'today') return range(day.from, day.to, 1)
  if (word === 'yesterday') return range(move(today, -1, 'day'), today, 1)
  if (word === 'tomorrow') return { kind: 'future', length: 1 }
  const toDate = { ytd: 'year', qtd: 'quarter', mtd: 'month', wtd: 'week' } as const
  for (const [short, grain] of Object.entries(toDate)) {
    if (word === short) return range(startOf(today, grain), day.to, 1)
  }
  const unit = unitAt(tokens, place)
  if (unit && next === 'to' && at(tokens, place + 2) === 'date') return range(startOf(today, unit), day.to, 3)
  if (word === 'the' || word === 'these') {
    const inner = readRelative(tokens, place + 1, { today, latest: null })
    const isSpoken = ['last', 'past', 'current', 'next', 'coming', 'previous'].includes(next)
    return inner && isSpoken ? { ...inner, length: inner.length + 1 } : null
  }
  const isLast = ['last', 'past', 'previous', 'trailing', 'recent', 'prior'].includes(word)
  const isThis = word === 'this' || word === 'current'
  const isNext = word === 'next' || word === 'coming' || word === 'upcoming'
  if (!isLast && !isThis && !isNext) return null
  const skipped = ['few', 'couple'].includes(next) ? null : 0
  if (skipped === null) return null
  const one = unitAt(tokens, place + 1)
  if (one) {
    if (isNext) return { kind: 'future', length: 2 }
    const current = periodOf(today, one)
    if (one === 'hour') return null
    if (isThis) {
      const soFar = at(tokens, place + 2) === 'so' && at(tokens, place + 3) === 'far' ? 2 : 0
      return range(current.from, current.to, 2 + soFar)
    }
    return range(move(current.from, -1, one), current.from, 2)
  }
  const count = tokens[place + 1]?.number ?? null
  const unitOfMany = unitAt(tokens, place + 2)
  if (count === null || !unitOfMany || !Number.isInteger(count) || count < 1 || count > 10_000) return null
  if (isNext) return { kind: 'future', length: 3 }
  if (isThis || unitOfMany === 'hour') return null
  // As `last N days` of the data API: whole periods before the current one.
  const end = startOf(today, unitOfMany)
  return range(move(end, -count, unitOfMany), end, 3)
}
