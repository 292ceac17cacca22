import { queryError } from '../../messages/query-messages.ts'
import { type DimensionMember, findGranularity, type MeasureMember } from '../../resolve/model-index.ts'
import type { Bucket, Granularity } from '../../shapes/model.ts'
import type { RollingWindow } from '../../shapes/window.ts'
import { addInterval, bucketStart, bucketStep, spanNumber } from '../../time/calendar.ts'
import { formatLocal, type LocalTime } from '../../time/local-time.ts'
import { memberId } from './planning.ts'
import { dimensionId, type GrainItem, type State } from './state.ts'

/** A granularity whose periods follow each other in steps, so that windows can be counted from them. */
export type PeriodItem = GrainItem & { readonly granularity: Granularity & { readonly bucket: Bucket } }

/** The time that a window moves along. */
export interface RollingTime {
  readonly dimension: DimensionMember
  /** Local times, both included. */
  readonly range: readonly [LocalTime, LocalTime]
  /** The finest granularity first; empty when the query has none. */
  readonly items: readonly PeriodItem[]
  readonly toDate: Bucket | null
}

/** The time dimension of a state that a rolling measure looks along; null when the state has none, so that no window is. */
export function rollingTime(member: MeasureMember, window: RollingWindow, state: State): RollingTime | null {
  const measure = memberId(member)
  const items = state.grain.filter(({ granularity }) => granularity !== null)
  const members = new Map([...items, ...state.ranges].map(item => [dimensionId(item.member), item.member]))
  const [dimension] = members.values()
  if (!dimension) return null
  if (members.size > 1) throw queryError('window_dimension', { measure, dimensions: [...members.keys()] })
  const ranges = new Map(state.ranges.map(({ dateRange }) => [dateRange.join(' to '), dateRange]))
  const [range] = ranges.values()
  if (ranges.size > 1) throw queryError('window_dimension', { measure, dimensions: [...ranges.keys()] })
  const [from, to] = range ?? [null, null]
  if (from === null || to === null) throw queryError('window_range', { measure, dimension: dimension.id })
  if (from > to) {
    const reason = `its dateRange ends (${to}) before it begins (${from}), so that there is no period`
    throw queryError('window_granularity', { measure, reason })
  }
  return {
    dimension,
    range: [Date.parse(`${from}Z`), Date.parse(`${to}Z`)],
    items: finestFirst(measure, items),
    toDate: window.kind === 'to_date' ? toDateBucket(measure, dimension, window.granularity) : null,
  }
}

function toDateBucket(measure: string, dimension: DimensionMember, name: string): Bucket {
  const granularity = findGranularity(dimension.definition, name)
  if (granularity) return steady(measure, dimension, granularity)
  throw queryError('window_granularity', { measure, reason: `'${dimension.id}' has no granularity '${name}'` })
}

/** How a granularity cuts time, which periods that a calendar gives don't tell. */
function steady(measure: string, dimension: DimensionMember, { name, bucket }: Granularity): Bucket {
  if (bucket.kind !== 'calendar') return bucket
  const reason = `the calendar's own SQL says when a ${name} of '${dimension.id}' begins, and windows need periods of a known length`
  throw queryError('window_granularity', { measure, reason })
}

/** Every period of a coarser granularity has to be made of whole periods of the finest, or none would have one window. */
function finestFirst(measure: string, given: readonly GrainItem[]): readonly PeriodItem[] {
  const items = given.flatMap((item): PeriodItem[] => (isPeriod(measure, item) ? [item] : []))
  const rank = ({ granularity }: PeriodItem) => {
    const { months, milliseconds } = bucketStep(granularity.bucket)
    return months * 30 * 86_400_000 + milliseconds
  }
  const ordered = items.toSorted((left, right) => rank(left) - rank(right))
  const [finest] = ordered
  for (const item of ordered.slice(1)) {
    if (finest && isNested(finest.granularity.bucket, item.granularity.bucket)) continue
    const names = `${finest?.granularity.name} and ${item.granularity.name}`
    const reason = `the periods of ${names} overlap, so that a group would have several windows. Ask for one of them`
    throw queryError('window_granularity', { measure, reason })
  }
  return ordered
}

function isPeriod(measure: string, item: GrainItem): item is PeriodItem {
  return item.granularity !== null && steady(measure, item.member, item.granularity) === item.granularity.bucket
}

function isNested(finer: Bucket, coarser: Bucket): boolean {
  if (finer.kind !== 'unit' || coarser.kind !== 'unit') return false
  return finer.unit === coarser.unit || finer.unit !== 'week' || coarser.unit === 'week'
}

/** More periods than an answer can have rows. */
const periodLimit = 50_000

/** The periods that a range touches: `count` of them, from the one that begins at `first` to the one at `last`. */
export function periodsOf(bucket: Bucket, [from, to]: RollingTime['range']) {
  const first = bucketStart(bucket, from)
  const last = bucketStart(bucket, to)
  const step = bucketStep(bucket)
  if (bucket.kind === 'spans') {
    const number = spanNumber(bucket, from)
    const count = spanNumber(bucket, to) - number + 1
    checkCount(count)
    return { first, last, series: { first: bucket.origin, from: number, step, count, shift: 0 } }
  }
  const shift = bucket.kind === 'months' ? bucket.shift : 0
  const length = step.months * averageMonth + step.milliseconds
  const steps = Math.max(0, Math.round((last - first) / length))
  checkCount(steps + 1)
  if (addInterval(first - shift, step, steps) !== last - shift) throw new Error('Periods are not of one step')
  return { first, last, series: { first: formatLocal(first - shift), from: 0, step, count: steps + 1, shift } }
}

function checkCount(count: number): void {
  if (count > periodLimit) throw queryError('series_too_long', { count, limit: periodLimit })
}

const averageMonth = 30.436875 * 86_400_000
