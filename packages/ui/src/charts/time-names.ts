import { shortQuarter, wallClock } from '../formats/time-format.ts'

/** What the names below a chart over time are chosen from. Moments are digits of a clock, as milliseconds of one in UTC. */
export interface TimeSpan {
  /** Step of the rows: `day` and longer. */
  readonly granularity: string
  readonly first: number
  /** The row in the middle. */
  readonly middle: number
  readonly last: number
  readonly locale: string
}

/** A name and its moment. The year stands below the first of it. */
export interface TimeName {
  readonly at: number
  readonly lines: readonly string[]
}

type Unit = 'day' | 'week' | 'month' | 'quarter' | 'year'
interface Step {
  readonly unit: Unit
  readonly count: number
}

/** Steps between two names, as people divide a year; the finest first. */
const steps: readonly Step[] = [
  ...[1, 2, 3, 4].map(count => ({ unit: 'day', count }) as const),
  ...[1, 2, 3, 4].map(count => ({ unit: 'week', count }) as const),
  ...[1, 2, 3, 4, 6].map(count => ({ unit: 'month', count }) as const),
  ...[1, 2].map(count => ({ unit: 'quarter', count }) as const),
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000].map(count => ({ unit: 'year', count }) as const),
]
const unitsOf: Readonly<Record<string, readonly Unit[]>> = {
  day: ['day', 'week', 'month', 'year'],
  week: ['week', 'month', 'year'],
  month: ['month', 'year'],
  quarter: ['quarter', 'year'],
  year: ['year'],
}

/** Whether times of that step are named here; shorter ones are Vega's to name. */
export const hasTimeNames = (granularity: string | undefined) => granularity !== undefined && granularity in unitsOf

/** Pixels between two names. */
const gap = 8
const dayLength = 86_400_000

/**
 * As many round moments as have room side by side, named as shortly as can be understood: `Mar 3`, `Mar`, `Q1`, `2024`. Where the roundest that
 * fit are fewer than three (few rows, a narrow chart): the first, the middle and the last row, in digits where need be.
 *
 * @param width of the axis in pixels.
 */
export function timeNames(span: TimeSpan, width: number): readonly TimeName[] {
  const { granularity, first, middle, last, locale } = span
  const units = unitsOf[granularity] ?? []
  const isRoom = (names: readonly TimeName[]) => haveRoom(names, span, width)
  // More than that have no room on any screen, and need not be written to know it.
  const most = Math.min(500, Math.max(3, width / (gap + 12)))
  let round: readonly TimeName[] = []
  for (const step of steps) {
    if (!units.includes(step.unit) || (last - first) / lengthOf(step) > most) continue
    const names = named(momentsOf(step, span), step.unit, locale)
    if (!isRoom(names)) continue
    round = names
    break
  }
  if (round.length > 2) return round
  const unit = units[0] ?? 'day'
  const few = [[first, middle, last], [first, last], [first]].flatMap(moments =>
    [false, true].map(inDigits => named([...new Set(moments)], unit, locale, inDigits)),
  )
  return few.find(names => names.length > round.length && isRoom(names)) ?? round
}

/** At the least. */
function lengthOf({ unit, count }: Step): number {
  return count * { day: 1, week: 7, month: 28, quarter: 90, year: 365 }[unit] * dayLength
}

/** Moments of a step from the first row to the last: weeks as the rows count them or from Monday, the others from January on. */
function momentsOf({ unit, count }: Step, { granularity, first, last }: TimeSpan): readonly number[] {
  const moments: number[] = []
  if (unit === 'day' || unit === 'week') {
    const isFromMonday = unit === 'week' && granularity === 'day'
    const untilMonday = isFromMonday ? (8 - new Date(first).getUTCDay()) % 7 : 0
    const length = lengthOf({ unit, count })
    for (let at = first + untilMonday * dayLength; at <= last; at += length) moments.push(at)
    return moments
  }
  const months = count * { month: 1, quarter: 3, year: 12 }[unit]
  const start = new Date(first)
  const next = Math.ceil((start.getUTCFullYear() * 12 + start.getUTCMonth()) / months) * months
  for (let month = next; ; month += months) {
    const at = wallClock(
      `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}`,
    )
    if (!(at <= last)) return moments
    if (at >= first) moments.push(at)
  }
}

/** The year is said once: with the first name, and with the first of each year that follows. */
function named(moments: readonly number[], unit: Unit, locale: string, inDigits = false): readonly TimeName[] {
  const write = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
    return (at: number) => format.format(at)
  }
  const year = write({ year: 'numeric' })
  if (unit === 'year') return moments.map(at => ({ at, lines: [year(at)] }))
  if (unit === 'month' && inDigits) {
    const digits = write({ year: 'numeric', month: 'numeric' })
    return moments.map(at => ({ at, lines: [digits(at)] }))
  }
  const day = write({ month: inDigits ? 'numeric' : 'short', day: 'numeric' })
  const short = {
    day,
    week: day,
    month: write({ month: 'short' }),
    quarter: (at: number) => shortQuarter(new Date(at), inDigits ? 'en' : locale),
  }[unit]
  let before = ''
  return moments.map(at => {
    const isNew = year(at) !== before
    before = year(at)
    return { at, lines: isNew ? [short(at), before] : [short(at)] }
  })
}

/** Names at the very ends of an axis are moved inside, the others stand below the middle of their moment. */
function haveRoom(names: readonly TimeName[], { first, last }: TimeSpan, width: number): boolean {
  const scale = width / Math.max(1, last - first)
  let end = Number.NEGATIVE_INFINITY
  for (const { at, lines } of names) {
    const length = Math.max(...lines.map(widthOf))
    const middle = (at - first) * scale
    const start = at === first ? 0 : at === last ? width - length : middle - length / 2
    if (start < end + gap) return false
    end = start + length
  }
  return end <= width + gap
}

const wide = /[\u2e80-\uffff]/
const narrow = /[ .,/ijlft]/
const digit = /\d/

/** About how wide a text is on an axis (12 pixels high), rather more than less. */
function widthOf(text: string): number {
  let width = 0
  for (const letter of text)
    width += wide.test(letter) ? 12.5 : narrow.test(letter) ? 3.8 : digit.test(letter) ? 7.5 : 6.6
  return width
}
