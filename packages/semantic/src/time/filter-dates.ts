import { isDateOperator } from '../operators/check-filter.ts'
import type { FilterOperator } from '../shapes/vocabulary.ts'
import { type Clock, parseDateRange, parseMoment } from './date-range.ts'
import { formatLocal } from './local-time.ts'

/**
 * Local times for a filter on a time dimension: the two ends of a range for `inDateRange`, `notInDateRange` and
 * `onTheDate`, else one moment for each value. Empty for a date operator without a date, which is always true.
 */
export function normalizeDates(
  operator: FilterOperator,
  values: readonly (string | null)[],
  clock: Clock,
): readonly (string | null)[] {
  if (!isDateOperator(operator)) {
    return values.map(value => (value === null ? null : formatLocal(parseMoment(value, clock)[0])))
  }
  const dates = values.filter(value => value !== null && value !== '').map(String)
  const [first, last] = dates
  if (first === undefined) return []
  if (operator === 'inDateRange' || operator === 'notInDateRange') {
    return parseDateRange(last === undefined ? first : [first, last], clock)
  }
  if (operator === 'onTheDate') return parseMoment(first, clock).map(formatLocal)
  const usesEnd = operator === 'beforeOrOnDate' || operator === 'afterDate'
  return [formatLocal(parseMoment(first, clock)[usesEnd ? 1 : 0])]
}
