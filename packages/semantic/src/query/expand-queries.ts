import { secureModel } from '../access/secured-index.ts'
import { queryError } from '../messages/query-messages.ts'
import type { Model } from '../shapes/model.ts'
import type { NormalizedQuery, NormalizeOptions, QueryType } from '../shapes/query.ts'
import { blendingLimit, blendingSize } from './check-query.ts'
import { normalizeInput, normalizeQuery } from './normalize-query.ts'
import { type QueryInput, readQueryInput } from './query-input.ts'
import { createSizeMeter } from './size-meter.ts'

export interface ExpandedQueries {
  readonly queryType: QueryType
  readonly queries: readonly NormalizedQuery[]
}

/**
 * Normalizes all that a request asks for: one query; one for each range of `compareDateRange`; or a list of queries to
 * blend on a common granularity.
 *
 * @throws {QueryError} as `normalizeQuery`, and when the queries do not fit together
 */
export function expandQueries(model: Model, input: unknown, options: NormalizeOptions): ExpandedQueries {
  if (Array.isArray(input) && input.length !== 1) return blend(model, input, options)
  const single: unknown = Array.isArray(input) ? input[0] : input
  if (!compares(single)) return { queryType: 'regularQuery', queries: [normalizeQuery(model, single, options)] }
  const index = secureModel(model, options.context)
  const query = readQueryInput(single)
  const compared = query.timeDimensions.filter(({ compareDateRange }) => compareDateRange !== null)
  if (compared.length > 1) throw queryError('compare_once', {})
  const ranges = compared[0]?.compareDateRange
  if (!ranges) return { queryType: 'regularQuery', queries: [normalizeInput(index, query, options, 'regularQuery')] }
  const queryType = 'compareDateRangeQuery'
  const queries = ranges.map(dateRange => {
    const timeDimensions = query.timeDimensions.map(item =>
      item.compareDateRange ? { ...item, dateRange, compareDateRange: null } : item,
    )
    return normalizeInput(index, { ...query, timeDimensions }, options, queryType)
  })
  return { queryType, queries }
}

/** Whether it may be more than one query. */
const compares = (query: unknown): boolean =>
  typeof query === 'object' &&
  query !== null &&
  'timeDimensions' in query &&
  Array.isArray(query.timeDimensions) &&
  query.timeDimensions.some(item => typeof item === 'object' && item !== null && 'compareDateRange' in item)

function blend(model: Model, inputs: readonly unknown[], options: NormalizeOptions): ExpandedQueries {
  if (inputs.length === 0 || inputs.length > blendingLimit) throw blendingSize()
  const queryType = 'blendingQuery'
  const size = createSizeMeter()
  const read: readonly QueryInput[] = inputs.map(input => readQueryInput(input, size))
  const queries = read.map(query => normalizeInput(secureModel(model, options.context), query, options, queryType))
  const granularities = new Set(queries.map(({ timeDimensions }) => timeDimensions[0]?.granularity))
  if (granularities.has(undefined)) throw queryError('blending_without_granularity', {})
  if (granularities.size > 1) throw queryError('blending_granularities', {})
  return { queryType, queries }
}
