import type { Bucket, Spans } from '../shapes/model.ts'
import type { TimeUnit } from '../shapes/vocabulary.ts'
import type { Interval } from '../shapes/window.ts'
import type { LocalTime } from './local-time.ts'

const day = 86_400_000

/** Length of each unit that always has the same; months of the others. */
const lengths: Readonly<Partial<Record<TimeUnit, number>>> = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day,
  week: 7 * day,
}
const monthCounts: Readonly<Partial<Record<TimeUnit, number>>> = { month: 1, quarter: 3, year: 12 }

/** 1970-01-05, so that weeks begin on a Monday. */
const firstMonday = 4 * day

/** `local` moved by a span: months first, to the month's last day where it is too short, as databases do it. */
export function addInterval(local: LocalTime, { months, milliseconds }: Interval, times = 1): LocalTime {
  return addMonths(local, months * times) + milliseconds * times
}

function addMonths(local: LocalTime, months: number): LocalTime {
  if (months === 0) return local
  const date = new Date(local)
  const wanted = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  date.setUTCDate(Math.min(wanted, daysInMonth(date)))
  return date.getTime()
}

const daysInMonth = (date: Date) => new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()

/** From the start of one step of a bucket to the start of the next. */
export function bucketStep(bucket: Bucket): Interval {
  if (bucket.kind === 'interval') return { months: 0, milliseconds: bucket.seconds * 1000 }
  if (bucket.kind === 'months') return { months: bucket.months, milliseconds: 0 }
  if (bucket.kind === 'spans') return { months: bucket.months, milliseconds: bucket.seconds * 1000 }
  return { months: monthCounts[bucket.unit] ?? 0, milliseconds: lengths[bucket.unit] ?? 0 }
}

/** The start of the step that holds `local`. */
export function bucketStart(bucket: Bucket, local: LocalTime): LocalTime {
  if (bucket.kind === 'months') {
    const shifted = local - bucket.shift
    return monthStart(shifted, bucket.months, monthNumber(Date.parse(`${bucket.origin}Z`))) + bucket.shift
  }
  if (bucket.kind === 'interval') return steppedFrom(Date.parse(`${bucket.origin}Z`), bucket.seconds * 1000, local)
  if (bucket.kind === 'spans') return spanStart(bucket, spanNumber(bucket, local))
  const length = lengths[bucket.unit]
  if (length !== undefined) return steppedFrom(bucket.unit === 'week' ? firstMonday : 0, length, local)
  return monthStart(local, monthCounts[bucket.unit] ?? 1, 0)
}

/** Of 400 years, which is how long it takes until months repeat exactly. */
const secondsInMonth = 2_629_746

/** How long a step is in the long run, in seconds. */
export const averageSpan = ({ months, seconds }: Spans): number => months * secondsInMonth + seconds

/** When the step of a number begins. */
export const spanStart = (bucket: Spans, number: number): LocalTime =>
  addInterval(Date.parse(`${bucket.origin}Z`), bucketStep(bucket), number)

/** The number of the step that holds `local`. Steps begin less than a week from where all of the average length would. */
export function spanNumber(bucket: Spans, local: LocalTime): number {
  const about = Math.floor((local - Date.parse(`${bucket.origin}Z`)) / (averageSpan(bucket) * 1000))
  return [about + 1, about].find(number => spanStart(bucket, number) <= local) ?? about - 1
}

const steppedFrom = (origin: number, length: number, local: LocalTime) =>
  origin + Math.floor((local - origin) / length) * length

const monthNumber = (local: LocalTime) => {
  const date = new Date(local)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

function monthStart(local: LocalTime, months: number, origin: number): LocalTime {
  const number = origin + Math.floor((monthNumber(local) - origin) / months) * months
  const date = new Date(0)
  date.setUTCFullYear(Math.floor(number / 12), number - Math.floor(number / 12) * 12, 1)
  return date.getTime()
}

/** Calendar units, finest first, in each of which all coarser ones are whole. */
const nestedUnits = ['second', 'minute', 'hour', 'day', 'month'] as const
export type NestedUnit = (typeof nestedUnits)[number]

/** The finer of two units; null is finer than any. */
export function finerUnit(left: NestedUnit | null, right: NestedUnit | null): NestedUnit | null {
  if (left === null || right === null) return null
  return nestedUnits.indexOf(left) < nestedUnits.indexOf(right) ? left : right
}

/** The coarsest unit of which every span of `interval` is whole, begun at a start of that unit. */
export function unitOfInterval({ milliseconds }: Interval): NestedUnit | null {
  return milliseconds === 0 ? 'month' : unitOfLength(milliseconds)
}

/** The coarsest unit at whose start every step of the bucket starts. */
export function unitOfBucket(bucket: Bucket): NestedUnit | null {
  if (bucket.kind === 'unit') return monthCounts[bucket.unit] ? 'month' : unitOfLength(lengths[bucket.unit] ?? 0)
  if (bucket.kind === 'months') return bucket.shift === 0 ? 'month' : unitOfLength(bucket.shift)
  // A step of months begins as late in its day as the origin does.
  return finerUnit(unitOfLength(bucket.seconds * 1000), unitOfLength(Date.parse(`${bucket.origin}Z`)))
}

function unitOfLength(milliseconds: number): NestedUnit | null {
  const units = ['day', 'hour', 'minute', 'second'] as const
  return units.find(unit => milliseconds % (lengths[unit] ?? 1) === 0) ?? null
}
