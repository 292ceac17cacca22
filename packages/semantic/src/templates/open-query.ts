import { leaveOpen, leavePageOpen } from '../plan/given-values.ts'
import type { GivenValues } from '../shapes/plan.ts'
import type { NormalizedQuery, QueryContext, QueryFilter, TimeDimension } from '../shapes/query.ts'

/** What planning has looked at, beside the shape of the query. */
export interface Reads {
  /** A value of the query, for anything but to send it as a parameter; or its page, for anything but to plan that. */
  values: boolean
  /** Who asks. */
  caller: boolean
  clock: boolean
}

/** The values of a query, in the order of their places. */
export function valuesOf({ filters, timeDimensions }: NormalizedQuery): GivenValues {
  const given: (readonly (string | null)[])[] = []
  for (const filter of filters) addValues(filter, given)
  for (const { dateRange } of timeDimensions) if (dateRange) given.push(dateRange)
  return given
}

function addValues(filter: QueryFilter, given: (readonly (string | null)[])[]): void {
  if ('and' in filter) for (const inner of filter.and) addValues(inner, given)
  else if ('or' in filter) for (const inner of filter.or) addValues(inner, given)
  else given.push(filter.values)
}

/** The same query, which tells when its values or its page are looked at. */
export function openQuery(query: NormalizedQuery, reads: Reads): NormalizedQuery {
  let place = 0
  const openFilter = (filter: QueryFilter): QueryFilter => {
    if ('and' in filter) return { and: filter.and.map(openFilter) }
    if ('or' in filter) return { or: filter.or.map(openFilter) }
    const { member, operator, values } = filter
    const open = {
      member,
      operator,
      get values() {
        reads.values = true
        return values
      },
    }
    return leaveOpen(open, { values, place: place++ })
  }
  const openTime = (time: TimeDimension): TimeDimension => {
    if (!time.dateRange) return time
    return {
      ...time,
      dateRange: leaveOpen(openRange(time.dateRange, reads), { values: time.dateRange, place: place++ }),
    }
  }
  const filters = query.filters.map(openFilter)
  const open = { ...query, filters, timeDimensions: query.timeDimensions.map(openTime) }
  const asPage = <T>(value: T): T => {
    reads.values = true
    return value
  }
  Object.defineProperties(open, {
    order: { get: () => asPage(query.order) },
    limit: { get: () => asPage(query.limit) },
    rowLimit: { get: () => asPage(query.rowLimit) },
    offset: { get: () => asPage(query.offset) },
  })
  return leavePageOpen(open, query)
}

function openRange([from, to]: readonly [string, string], reads: Reads): readonly [string, string] {
  const open: [string, string] = [from, to]
  for (const [position, end] of [from, to].entries()) {
    Object.defineProperty(open, position, {
      enumerable: true,
      get() {
        reads.values = true
        return end
      },
    })
  }
  return open
}

/** The same caller, who tells when something is decided by who he is. His two settings are part of the shape. */
export function openContext(context: QueryContext, reads: Reads): QueryContext {
  const { allowUngroupedWithoutPrimaryKey, keepsRowsApart } = context
  const asCaller = <T>(value: T): T => {
    reads.caller = true
    return value
  }
  return Object.defineProperties(
    {
      securityContext: {},
      groups: [],
      userAttributes: {},
      ...(allowUngroupedWithoutPrimaryKey === undefined ? {} : { allowUngroupedWithoutPrimaryKey }),
      ...(keepsRowsApart === undefined ? {} : { keepsRowsApart }),
    },
    {
      securityContext: { get: () => asCaller(context.securityContext) },
      groups: { get: () => asCaller(context.groups) },
      userAttributes: { get: () => asCaller(context.userAttributes) },
      defaultMasks: { get: () => asCaller(context.defaultMasks) },
      now: {
        get() {
          reads.clock = true
          return context.now
        },
      },
    },
  )
}
