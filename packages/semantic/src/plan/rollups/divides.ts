import type { Granularity } from '../../shapes/model.ts'
import type { TimeUnit } from '../../shapes/vocabulary.ts'
import type { Interval } from '../../shapes/window.ts'
import { type LocalTime, parseIso } from '../../time/local-time.ts'

const second = 1_000
const day = 86_400 * second
const lengths: Readonly<Partial<Record<TimeUnit, number>>> = {
  second,
  minute: 60 * second,
  hour: 3_600 * second,
  day,
}

const months: Readonly<Partial<Record<TimeUnit, number>>> = { month: 1, quarter: 3, year: 12 }

/** Whether a local time is the start of a step; custom steps are known by name alone, so none is said to start. */
export function startsBucket(bucket: Granularity['bucket'], local: LocalTime): boolean {
  if (bucket.kind !== 'unit') return false
  const { unit } = bucket
  const length = lengths[unit]
  if (length !== undefined) return local % length === 0
  const date = new Date(local)
  if (local % day !== 0) return false
  if (unit === 'week') return date.getUTCDay() === 1
  return date.getUTCDate() === 1 && date.getUTCMonth() % (months[unit] ?? 1) === 0
}

/** Whether a step that is moved is a step again, so that all of its rows stay together. */
export function movesSteps({ bucket }: Granularity, { months: by, milliseconds }: Interval): boolean {
  if (bucket.kind !== 'unit') return false
  const { unit } = bucket
  const length = lengths[unit]
  // A day of a long month is moved as a whole, to the last of a shorter one.
  if (length !== undefined) return milliseconds % length === 0
  if (unit === 'week') return by === 0 && milliseconds % (7 * day) === 0
  return milliseconds === 0 && by % (months[unit] ?? 1) === 0
}

/** Whether every step of `fine` lies within one step of `coarse`. */
export function divides(fine: Granularity, coarse: Granularity): boolean {
  if (fine.name === coarse.name) return true
  const { bucket } = coarse
  if (fine.bucket.kind !== 'unit' || bucket.kind === 'calendar') return false
  const { unit } = fine.bucket
  const length = lengths[unit]
  if (bucket.kind === 'unit')
    return length === undefined ? dividesMonths(unit, bucket.unit) : dividesUnit(length, bucket.unit)
  const origin = parseIso(bucket.origin, 'UTC')?.local
  if (origin === undefined) return false
  // Months and a time of day are no whole number of weeks, or of months.
  if (bucket.kind === 'spans') {
    return length !== undefined && (bucket.seconds * second) % length === 0 && startsBucket(fine.bucket, origin)
  }
  if (bucket.kind === 'interval') {
    const step = unit === 'week' ? 7 * day : length
    return step !== undefined && (bucket.seconds * second) % step === 0 && startsBucket(fine.bucket, origin)
  }
  if (length !== undefined) return bucket.shift % length === 0
  const step = months[unit]
  return step !== undefined && bucket.shift === 0 && bucket.months % step === 0 && startsBucket(fine.bucket, origin)
}

const dividesUnit = (length: number, coarse: TimeUnit) => length <= (lengths[coarse] ?? day)

function dividesMonths(fine: TimeUnit, coarse: TimeUnit): boolean {
  const [from, to] = [months[fine], months[coarse]]
  return from !== undefined && to !== undefined && from <= to
}
