import type { Bucket, Spans } from '../../shapes/model.ts'
import type { Expression } from '../../shapes/plan.ts'
import type { Interval, Reach, RollingWindow } from '../../shapes/window.ts'
import {
  addInterval,
  bucketStart,
  bucketStep,
  finerUnit,
  type NestedUnit,
  spanNumber,
  spanStart,
  unitOfBucket,
  unitOfInterval,
} from '../../time/calendar.ts'
import type { LocalTime } from '../../time/local-time.ts'

/** A window with its periods: `toDate` is the granularity at whose start a to_date window begins. */
export interface PeriodWindow {
  readonly window: RollingWindow
  readonly period: Bucket
  readonly toDate: Bucket | null
}

/** Moves of a period's start, one after the other; or the start of the longer period around it. */
type Bound = { readonly moves: readonly Move[] } | { readonly start: Bucket }

/** By an interval, or to the start of the next step. */
type Move = Interval | Spans

interface Bounds {
  /** The first moment in the window, and the first after it; null where it has no end. */
  readonly from: Bound | null
  readonly to: Bound | null
}

const millisecond: Interval = { months: 0, milliseconds: 1 }
const negative = ({ months, milliseconds }: Interval): Interval => ({
  months: months === 0 ? 0 : -months,
  milliseconds: milliseconds === 0 ? 0 : -milliseconds,
})

function boundsOf({ window, period, toDate }: PeriodWindow): Bounds {
  const next = toNext(period)
  if (toDate) return { from: { start: toDate }, to: { moves: next } }
  if (window.kind === 'to_date') throw new Error(`The granularity '${window.granularity}' was not looked up`)
  const bound = (reach: Reach | null, direction: (interval: Interval) => Interval): Bound | null => {
    if (reach === 'unbounded') return null
    const by = reach && direction(reach)
    if (window.anchor === 'start') return { moves: by ? [by] : [] }
    if (!by) return { moves: next }
    // A month before the end of a day is counted from that day, not from the next, which may be in another month.
    const countsFromLast = by.months !== 0 && unitOfBucket(period) !== 'month'
    return { moves: countsFromLast ? [...next, negative(millisecond), by, millisecond] : [...next, by] }
  }
  return { from: bound(window.trailing, negative), to: bound(window.leading, by => by) }
}

/** From the start of a period to that of the next. Months are counted from a first of a month, where all have the same days. */
function toNext(period: Bucket): readonly Move[] {
  if (period.kind === 'spans') return [period]
  const step = bucketStep(period)
  if (period.kind !== 'months' || period.shift === 0) return [step]
  const shift: Interval = { months: 0, milliseconds: period.shift }
  return [negative(shift), step, shift]
}

/** The window of the period that begins at `start`, as expressions: its first moment, and the first after it. */
export function windowExpressions(window: PeriodWindow, start: Expression) {
  const { from, to } = boundsOf(window)
  const express = (bound: Bound | null): Expression | null => {
    if (!bound) return null
    if ('start' in bound) return { kind: 'bucket', time: start, bucket: bound.start, timezone: 'UTC' }
    return bound.moves.reduce<Expression>(
      (time, move) => ('kind' in move ? { kind: 'nextSpan', time, bucket: move } : { kind: 'shifted', time, by: move }),
      start,
    )
  }
  return { from: express(from), to: express(to) }
}

/** The same in numbers. */
export function windowTimes(
  window: PeriodWindow,
  start: LocalTime,
): { readonly from: LocalTime | null; readonly to: LocalTime | null } {
  const { from, to } = boundsOf(window)
  const time = (bound: Bound | null) => {
    if (!bound) return null
    if ('start' in bound) return bucketStart(bound.start, start)
    return bound.moves.reduce(
      (local, move) => ('kind' in move ? spanStart(move, spanNumber(move, local) + 1) : addInterval(local, move)),
      start,
    )
  }
  return { from: time(from), to: time(to) }
}

/** The coarsest unit at whose start all windows begin and end; null when there is none. */
export function unitOfWindow({ window, period, toDate }: PeriodWindow): NestedUnit | null {
  const own = unitOfBucket(period)
  if (toDate) return finerUnit(own, unitOfBucket(toDate))
  if (window.kind === 'to_date') return null
  return [window.trailing, window.leading].reduce<NestedUnit | null>(
    (unit, reach) => (reach === null || reach === 'unbounded' ? unit : finerUnit(unit, unitOfInterval(reach))),
    own,
  )
}
