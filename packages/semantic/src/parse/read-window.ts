import type { Reach, RollingWindow } from '../shapes/window.ts'
import { oneOf, optional, type Reader, readMap, text, watchProblems, wrongType } from './fields.ts'
import { interval } from './read-interval.ts'
import { isMap, isScalar } from './source-node.ts'

const reach: Reader<Reach> = (value, place, source) =>
  isScalar(value) && value.value === 'unbounded' ? 'unbounded' : interval(value, place, source)

const toDateTypes: Readonly<Record<string, string>> = {
  year_to_date: 'year',
  quarter_to_date: 'quarter',
  month_to_date: 'month',
}

const fields = {
  type: optional(oneOf(['fixed', 'to_date', 'year_to_date', 'quarter_to_date', 'month_to_date']), 'fixed'),
  trailing: optional(reach),
  leading: optional(reach),
  offset: optional(oneOf(['start', 'end'])),
  granularity: optional(text),
}

/** `rolling_window` of a measure. */
export const rollingWindow: Reader<RollingWindow> = (value, place, source) => {
  if (!isMap(value)) return wrongType(value, place, 'a map', source)
  const of = `'${place.key}' of ${place.of}`
  const isSound = watchProblems(source)
  const read = readMap(value, of, { fields }, source)
  if (!read || !isSound()) return undefined
  const { type, trailing, leading, offset, granularity } = read
  const isFixed = type === 'fixed'
  const misplaced = isFixed
    ? { granularity }
    : { trailing, leading, offset, granularity: type === 'to_date' ? null : granularity }
  for (const [key, given] of Object.entries(misplaced)) {
    if (given === null) continue
    source.log.report(source.at(value), 'window_part', { key, of, type })
    return undefined
  }
  if (isFixed) return { kind: 'fixed', trailing, leading, anchor: offset ?? 'end' }
  const period = toDateTypes[type] ?? granularity
  if (period !== null) return { kind: 'to_date', granularity: period }
  source.log.report(source.at(value), 'required', { key: 'granularity', of })
  return undefined
}
