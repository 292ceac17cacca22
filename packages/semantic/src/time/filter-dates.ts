import { isDateOperator } from '../operators/check-filter.ts'
import type { FilterOperator } from '../shapes/vocabulary.ts'
import { type Clock, parseDateRange, parseMoment } from './date-range.ts'
import { formatLocal } from './local-time.ts'

/** What is meant as a date and is none, such as 2024-02-30, is not read as words. */
const startsAsDate = /^\s*\d{4}-/

/**
 * Local times for a filter on a time dimension: the two ends of a range for `inDateRange`, `notInDateRange` and
 * `onTheDate`, else one moment for each value. A phrase such as `last month` stands for a single date. Empty for a date operator without a date, which is always true.
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
  // Of a phrase such as `last month`, its first or its last moment is meant.
  const range = startsAsDate.test(first) ? parseMoment(first, clock).map(formatLocal) : parseDateRange(first, clock)
  if (operator === 'onTheDate') return range
  const usesEnd = operator === 'beforeOrOnDate' || operator === 'afterDate'
  return range.slice(usesEnd ? 1 : 0, usesEnd ? 2 : 1)
}
