import type { NormalizedQuery, QueryContext, QueryFilter } from '../shapes/query.ts'

/** Longer lists are rarely asked again with as many values. */
const valueLimit = 100

/**
 * All of a query but its values, and the settings that it is asked with: queries of one shape have the same text unless planning looks
 * at a value or at the caller. Null where a shape would be too long to be kept.
 */
export function shapeOf(query: NormalizedQuery, context: QueryContext, parametersBefore: number): string | null {
  const { filters, timeDimensions, limit, rowLimit, ...rest } = query
  let count = 0
  const filterShape = (filter: QueryFilter): unknown => {
    if ('and' in filter) return ['and', filter.and.map(filterShape)]
    if ('or' in filter) return ['or', filter.or.map(filterShape)]
    const { member, operator, values } = filter
    count += values.length
    if (count > valueLimit) return null
    // Where nulls stand decides how a filter is written.
    const nulls = values.includes(null) ? values.map(value => (value === null ? 0 : 1)).join('') : values.length
    return [member, operator, nulls]
  }
  const shape = [
    filters.map(filterShape),
    timeDimensions.map(time => [time.dimension, time.granularity, time.dateRange !== undefined]),
    // JSON has no Infinity.
    String(limit),
    String(rowLimit),
    rest,
    parametersBefore,
    context.keepsRowsApart,
    context.allowUngroupedWithoutPrimaryKey,
  ]
  return count > valueLimit ? null : JSON.stringify(shape)
}
