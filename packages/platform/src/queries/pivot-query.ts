import type { NormalizedQuery } from '@hedron/semantic'

/** The query that a client pivots the results by (contract/behaviour/query.md, query types). */
export function pivotQuery(queries: readonly NormalizedQuery[]) {
  const [query] = queries
  if (query?.queryType === 'compareDateRangeQuery') {
    return { ...query, dimensions: ['compareDateRange', ...query.dimensions] }
  }
  if (query?.queryType !== 'blendingQuery') return query
  return {
    queryType: query.queryType,
    measures: [...new Set(queries.flatMap(({ measures }) => measures))],
    dimensions: [...new Set(queries.flatMap(({ dimensions }) => dimensions))],
    timeDimensions: [{ dimension: 'time', granularity: query.timeDimensions[0]?.granularity }],
  }
}
