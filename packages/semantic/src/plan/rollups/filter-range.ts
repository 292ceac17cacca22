import type { MemberFilter, QueryFilter } from '../../shapes/query.ts'
import { formatLocal, parseIso } from '../../time/local-time.ts'
import type { MemberRange } from '../query-members.ts'

type Range = MemberRange['dateRange']

/**
 * Where a filter of a time divides rows, as a range that begins and ends there: `afterDate` keeps what is after its end,
 * `notInDateRange` what is outside. Steps that hold this range whole decide the filter as their rows would. Null for filters that
 * divide in another way.
 */
export function dividingRange({ operator, values: [from, to] }: MemberFilter): Range | null {
  if (from === undefined || from === null) return null
  switch (operator) {
    case 'inDateRange':
    case 'onTheDate':
    case 'notInDateRange':
      return to === undefined || to === null ? null : [from, to]
    case 'beforeDate':
    case 'afterOrOnDate':
      return [from, null]
    case 'beforeOrOnDate':
    case 'afterDate':
      return [null, from]
    default:
      return null
  }
}

/** Ranges outside of which filters leave no row, of those that hold together, with the filter that each is of. */
export function keptRanges(
  filters: readonly QueryFilter[],
): { readonly filter: MemberFilter; readonly range: Range }[] {
  return filters.flatMap(filter => {
    if ('and' in filter) return keptRanges(filter.and)
    const range = 'or' in filter ? null : keptRange(filter)
    return 'or' in filter || !range ? [] : [{ filter, range }]
  })
}

function keptRange({ operator, values: [from, to] }: MemberFilter): Range | null {
  if (from === undefined || from === null) return null
  switch (operator) {
    case 'inDateRange':
    case 'onTheDate':
      return to === undefined || to === null ? null : [from, to]
    case 'afterOrOnDate':
    case 'afterDate':
      return [from, null]
    case 'beforeOrOnDate':
      return [null, from]
    case 'beforeDate': {
      const local = parseIso(from, 'UTC')?.local
      return local === undefined ? null : [null, formatLocal(local - 1)]
    }
    default:
      return null
  }
}
