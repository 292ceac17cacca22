import { queryError } from '../messages/query-messages.ts'
import type { Dimension, Granularity } from '../shapes/model.ts'
import type { Expression } from '../shapes/plan.ts'
import { expandDimension, expandPeriod } from './expand.ts'
import type { Expander } from './expander.ts'

/** The time of a dimension as a query looks at it, and the zone of which it is UTC: of a shifted time, the local one. */
export function expandTime(
  expander: Expander,
  cube: string,
  dimension: Dimension,
): { readonly time: Expression; readonly timezone: string } {
  const { timezone } = expander
  const own = expandDimension(expander, cube, dimension)
  const shifts = expander.stages.shiftsOf(cube, dimension.name)
  if (shifts.length === 0) return { time: own, timezone }
  const local: Expression = { kind: 'localTime', time: own, timezone }
  return { time: shifts.reduce<Expression>((time, by) => ({ kind: 'shifted', time, by }), local), timezone: 'UTC' }
}

/** A dimension as a query groups by it. */
export function expandGrain(
  expander: Expander,
  cube: string,
  dimension: Dimension,
  granularity: Granularity | null,
): Expression {
  if (granularity) {
    const { bucket } = granularity
    if (bucket.kind !== 'calendar') {
      const { time, timezone } = expandTime(expander, cube, dimension)
      return { kind: 'bucket', time, bucket, timezone }
    }
    if (expander.stages.shiftsOf(cube, dimension.name).length === 0)
      return expandPeriod(expander, cube, dimension, bucket)
    throw queryError('calendar_shift', { dimension: `${cube}.${dimension.name}`, granularity: granularity.name })
  }
  // What is not cut to a granularity stays UTC.
  return expander.stages
    .shiftsOf(cube, dimension.name)
    .reduce<Expression>((utc, by) => ({ kind: 'shifted', time: utc, by }), expandDimension(expander, cube, dimension))
}
