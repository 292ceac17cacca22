import { createRequire } from 'node:module'
import { DateTime } from 'luxon'
import { queryError } from '../messages/query-messages.ts'
import { type TimeUnit, timeUnits } from '../shapes/vocabulary.ts'
import { formatLocal, type LocalTime, parseIso } from './local-time.ts'

/** First and last millisecond, local time. */
export type LocalRange = readonly [LocalTime, LocalTime]

export interface Clock {
  /** What clocks of the query's zone show. */
  readonly now: LocalTime
  readonly timezone: string
}

type Chrono = typeof import('chrono-node/en')

/** Loaded by the first phrase that needs it: it is large, and few queries write dates in words that are not known here. */
const loadChrono = (): Chrono => require('chrono-node/en')
const require = createRequire(import.meta.url)

const day = 86_400_000
const phraseLimit = 128
const dayWords = new Map([
  ['today', 0],
  ['yesterday', -1],
  ['tomorrow', 1],
])
const unitNames = timeUnits.join('|')
const periodPattern = new RegExp(`^(this|last|next)\\s+(${unitNames})$`)
const periodsPattern = new RegExp(`^(last|next)\\s+(\\d{1,5})\\s+(${unitNames})s?$`)

/** Reads a date range of a query: one or two dates, or a phrase such as `last 7 days` (query.md, section 4, Date ranges). */
export function parseDateRange(input: string | readonly string[], clock: Clock): readonly [string, string] {
  const [start, end] = typeof input === 'string' ? parsePhrase(input, clock) : parseBounds(input, clock)
  if (![start, end].every(isWritable)) throw queryError('date', { text: String(input) })
  return [formatLocal(start), formatLocal(end)]
}

function parseBounds(bounds: readonly string[], clock: Clock): LocalRange {
  const [first = '', last = first] = bounds
  return [parseMoment(first, clock)[0], parseMoment(last, clock)[1]]
}

/** One date as a range: the whole day for `YYYY-MM-DD`, the very millisecond for a timestamp. */
export function parseMoment(text: string, clock: Clock): LocalRange {
  const moment = parseIso(text, clock.timezone)
  if (!moment) throw queryError('date', { text })
  return moment.isDate ? [moment.local, moment.local + day - 1] : [moment.local, moment.local]
}

function parsePhrase(written: string, clock: Clock): LocalRange {
  if (written.length > phraseLimit) throw queryError('date', { text: `${written.slice(0, phraseLimit)}…` })
  const phrase = written.trim().toLowerCase()
  if (parseIso(written, clock.timezone)) return parseMoment(written, clock)
  const known = parsePeriod(phrase, clock.now)
  if (known) return known
  const [, from, to] = /^from (.*) to (.*)$/.exec(phrase) ?? []
  if (from !== undefined && to !== undefined) {
    const unit = roundingUnit(phrase)
    return [parseEnd(from, unit, clock)[0], parseEnd(to, unit, clock)[1]]
  }
  const word = [...dayWords.keys()].find(name => phrase.includes(name))
  return (word ? parsePeriod(word, clock.now) : null) ?? parseFreely(phrase, roundingUnit(phrase), clock)
}

/** `today`, `this month`, `last 7 days` and the like. */
function parsePeriod(phrase: string, now: LocalTime): LocalRange | null {
  const shift = dayWords.get(phrase)
  if (shift !== undefined) return periods(now, 'day', shift, shift)
  const [, which, unit] = periodPattern.exec(phrase) ?? []
  if (which !== undefined && isUnit(unit)) {
    const distance = which === 'this' ? 0 : which === 'last' ? -1 : 1
    return periods(now, unit, distance, distance)
  }
  const [, direction, count, units] = periodsPattern.exec(phrase) ?? []
  if (!isUnit(units)) return null
  return direction === 'last' ? periods(now, units, -Number(count), -1) : periods(now, units, 1, Number(count))
}

const isUnit = (name: string | undefined): name is TimeUnit => timeUnits.some(unit => unit === name)

/** Whole periods from the `first`-th to the `last`-th, counted from the one that holds `now`. */
function periods(now: LocalTime, unit: TimeUnit, first: number, last: number): LocalRange {
  const current = DateTime.fromMillis(now, { zone: 'utc' }).startOf(unit)
  return [
    current
      .plus({ [unit]: first })
      .startOf(unit)
      .toMillis(),
    current
      .plus({ [unit]: last })
      .endOf(unit)
      .toMillis(),
  ]
}

function parseEnd(text: string, unit: TimeUnit, clock: Clock): LocalRange {
  if (parseIso(text, clock.timezone)) return parseMoment(text, clock)
  return parsePeriod(text.trim(), clock.now) ?? parseFreely(text.trim(), unit, clock)
}

/** The smallest of second, minute and hour that the phrase names, else the day. */
function roundingUnit(phrase: string): TimeUnit {
  return (['second', 'minute', 'hour'] as const).find(unit => phrase.includes(unit)) ?? 'day'
}

function parseFreely(phrase: string, unit: TimeUnit, { now }: Clock): LocalRange {
  const distance = parseDistance(phrase, now)
  if (distance) return [distance.startOf(unit).toMillis(), distance.endOf(unit).toMillis()]
  // The wall clock is passed off as UTC, so that chrono never meets a zone, neither the query's nor the machine's.
  const [found] = loadChrono().casual.parse(phrase, { instant: new Date(now), timezone: 0 })
  if (!found) throw queryError('date', { text: phrase })
  const start = DateTime.fromJSDate(wallClock(found.start), { zone: 'utc' })
  const end = found.end ? DateTime.fromJSDate(wallClock(found.end), { zone: 'utc' }) : start
  return [start.startOf(unit).toMillis(), end.endOf(unit).toMillis()]
}

const distancePattern = new RegExp(`^(?:(in) )?(\\d{1,6}|an?|one) (${unitNames})s?(?: (ago|from now))?$`)

/** `now`, `3 hours ago`, `in 2 weeks`. Chrono counts hours on the machine's own clock, which may change meanwhile. */
function parseDistance(phrase: string, now: LocalTime): DateTime | null {
  const moment = DateTime.fromMillis(now, { zone: 'utc' })
  if (phrase === 'now') return moment
  const [, ahead, count = '', unit, direction] = distancePattern.exec(phrase) ?? []
  if (!isUnit(unit) || (ahead === undefined) === (direction === undefined)) return null
  const number = /^\d/.test(count) ? Number(count) : 1
  return moment.plus({ [unit]: direction === 'ago' ? -number : number })
}

type Components = ReturnType<Chrono['casual']['parse']>[number]['start']

function wallClock(components: Components): Date {
  const part = (name: Parameters<Components['get']>[0]) => components.get(name) ?? 0
  const date = new Date(0)
  date.setUTCFullYear(part('year'), part('month') - 1, part('day'))
  date.setUTCHours(part('hour'), part('minute'), part('second'), part('millisecond'))
  return date
}

const earliest = Date.UTC(1000, 0, 1)
const latest = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** Years of four digits; also false for what is no time at all. */
const isWritable = (time: LocalTime) => time >= earliest && time <= latest
