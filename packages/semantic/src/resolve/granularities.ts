import { DateTime } from 'luxon'
import type { ProblemLog } from '../messages/model-messages.ts'
import type { BoundSql, Bucket, Granularity } from '../shapes/model.ts'
import type { GranularitySpec, Located, SqlSpec } from '../shapes/tree.ts'
import { type TimeUnit, timeUnits } from '../shapes/vocabulary.ts'
import { isBeyondDates } from '../shapes/window.ts'
import { titleOf } from './titles.ts'

interface Interval {
  readonly months: number
  readonly seconds: number
  readonly steps: readonly { readonly count: number; readonly unit: TimeUnit }[]
}

const monthsIn: Partial<Record<TimeUnit, number>> = { month: 1, quarter: 3, year: 12 }
const secondsIn: Partial<Record<TimeUnit, number>> = { second: 1, minute: 60, hour: 3600, day: 86_400, week: 604_800 }

/** How many of a unit make the next longer one; an interval that divides it evenly needs no origin. */
const fullTurn: Partial<Record<TimeUnit, number>> = {
  second: 60,
  minute: 60,
  hour: 24,
  day: 1,
  week: 1,
  month: 12,
  quarter: 4,
}

const intervalPattern =
  /^-?\d+\s+(second|minute|hour|day|week|month|quarter|year)s?(\s+-?\d+\s+(second|minute|hour|day|week|month|quarter|year)s?)*$/
const originPattern = /^\d{4}(-\d{2}(-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?)?)?)?$/
const localFormat = "yyyy-MM-dd'T'HH:mm:ss.SSS"

type DefaultGranularity = Granularity & { readonly bucket: Bucket }

/** Granularities that every time dimension has. */
export const defaultGranularities: readonly DefaultGranularity[] = timeUnits.map(unit => ({
  name: unit,
  title: unit,
  interval: `1 ${unit}`,
  offset: null,
  origin: null,
  bucket: { kind: 'unit', unit },
}))

const defaultsByUnit = new Map(defaultGranularities.map(granularity => [granularity.name, granularity]))

/** The granularity of a calendar unit. */
export function defaultGranularity(unit: TimeUnit): DefaultGranularity {
  const found = defaultsByUnit.get(unit)
  if (!found) throw new Error(`No granularity is called '${unit}'`)
  return found
}

/** Checks a custom granularity; `null` when it can't be used. */
export function resolveGranularity(
  spec: GranularitySpec,
  log: ProblemLog,
  bind: (sql: SqlSpec) => BoundSql,
): Granularity | null {
  if (spec.sql) return calendarGranularity(spec, bind(spec.sql))
  return spec.interval && intervalGranularity({ ...spec, interval: spec.interval }, log)
}

const calendarGranularity = ({ name: { value: name }, title }: GranularitySpec, sql: BoundSql): Granularity => ({
  name,
  title: title ?? titleOf(name),
  interval: null,
  offset: null,
  origin: null,
  bucket: { kind: 'calendar', sql },
})

type IntervalSpec = GranularitySpec & { readonly interval: Located<string> }

function intervalGranularity(spec: IntervalSpec, log: ProblemLog): Granularity | null {
  const interval = parseInterval(spec.interval, log)
  const offset = spec.offset ? parseInterval(spec.offset, log) : null
  if (!interval || (spec.offset && !offset)) return null
  if (interval.months < 0 || interval.seconds < 0 || interval.months + interval.seconds === 0) {
    log.report(spec.interval.at, 'granularity_interval', { interval: spec.interval.value })
    return null
  }
  if (spec.origin && spec.offset) {
    log.report(spec.offset.at, 'granularity_origin_and_offset', { of: spec.name.value })
    return null
  }
  if (!spec.origin && !needsNoOrigin(interval)) {
    log.report(spec.interval.at, 'granularity_origin_required', { interval: spec.interval.value })
    return null
  }
  const origin = originOf(spec, interval, offset, log)
  if (!origin) return null
  return {
    name: spec.name.value,
    title: spec.title ?? titleOf(spec.name.value),
    interval: spec.interval.value,
    offset: spec.offset?.value ?? null,
    origin: spec.origin?.value ?? null,
    bucket: bucketOf(interval, origin, spec.origin !== null),
  }
}

function parseInterval(written: Located<string>, log: ProblemLog): Interval | null {
  const text = written.value.trim()
  if (!intervalPattern.test(text)) {
    log.report(written.at, 'granularity_interval', { interval: written.value })
    return null
  }
  const steps = [...text.matchAll(/(-?\d+)\s+([a-z]+?)s?(?=\s|$)/g)].flatMap(([, count, name]) => {
    const unit = timeUnits.find(known => known === name)
    return unit ? [{ count: Number(count), unit }] : []
  })
  const total = (factors: Partial<Record<TimeUnit, number>>) =>
    steps.reduce((sum, { count, unit }) => sum + count * (factors[unit] ?? 0), 0)
  const interval = { months: total(monthsIn), seconds: total(secondsIn), steps }
  if (!isBeyondDates({ months: interval.months, milliseconds: interval.seconds * 1000 })) return interval
  log.report(written.at, 'granularity_interval', { interval: written.value })
  return null
}

function needsNoOrigin({ steps }: Interval): boolean {
  const [step] = steps
  if (!step || steps.length > 1) return false
  const turn = fullTurn[step.unit]
  return turn === undefined || turn % step.count === 0
}

/** From an origin that not every month has, steps are counted as databases count them; an offset moves those of whole months. */
function bucketOf({ months, seconds }: Interval, origin: DateTime, isGiven: boolean): Bucket {
  const written = origin.toFormat(localFormat)
  if (months === 0) return { kind: 'interval', seconds, origin: written }
  if (seconds > 0 || (isGiven && isShortened(months, origin)))
    return { kind: 'spans', months, seconds, origin: written }
  const month = origin.startOf('month')
  return { kind: 'months', months, origin: month.toFormat(localFormat), shift: origin.toMillis() - month.toMillis() }
}

/** Whether some step of so many months would begin in a month that has no such day. */
const isShortened = (months: number, { day, month }: DateTime) => day > 28 && (months % 12 > 0 || month === 2)

/** Without an origin, steps are counted from a Monday (weeks) or a new year (all else) that is the same for ever. */
function originOf(spec: IntervalSpec, interval: Interval, offset: Interval | null, log: ProblemLog): DateTime | null {
  if (spec.origin) {
    const written = spec.origin.value.trim()
    const origin = originPattern.test(written) ? DateTime.fromISO(written.replace(' ', 'T'), { zone: 'utc' }) : null
    if (origin?.isValid) return origin
    log.report(spec.origin.at, 'granularity_origin', { origin: spec.origin.value })
    return null
  }
  const isWeeks = interval.steps[0]?.unit === 'week'
  return DateTime.utc(2000, 1, isWeeks ? 3 : 1).plus({ months: offset?.months ?? 0, seconds: offset?.seconds ?? 0 })
}
