import * as z from 'zod'
import { requireScope } from '../authenticate-data.ts'
import type { DataCaller } from '../data-caller.ts'
import { DataError } from '../data-error.ts'

const names = z.array(z.string()).default([])
const Question = z.looseObject({
  transformedQuery: z.looseObject({
    measures: names,
    leafMeasures: names,
    sortedDimensions: names,
    sortedTimeDimensions: z.array(z.tuple([z.string(), z.string()])).default([]),
  }),
  references: z.looseObject({
    measures: names,
    dimensions: names,
    timeDimensions: z.array(z.looseObject({ dimension: z.string(), granularity: z.string() })).default([]),
  }),
})

/**
 * Whether a rollup that somebody designs would hold what a query of theirs needs: `/v1/pre-aggregations/can-use`. It looks at names
 * alone, so it asks for no model and tells of none; `explain` says what a rollup of the model does.
 */
export async function canUseRollup(caller: DataCaller, body: unknown): Promise<object> {
  requireScope(caller, 'meta')
  const { success, data, error } = Question.safeParse(body ?? {})
  if (!success) {
    const issues = error.issues.map(({ path, message }) => `"${path.join('.')}" ${message}`)
    throw new DataError(400, `Invalid query format: ${issues.join('; ')}`)
  }
  const { transformedQuery: query, references } = data
  const measures = query.leafMeasures.length > 0 ? query.leafMeasures : query.measures
  const times = references.timeDimensions.map(({ dimension, granularity }) => `${dimension}.${granularity}`)
  return {
    canUsePreAggregationForTransformedQuery:
      measures.every(name => references.measures.includes(name)) &&
      query.sortedDimensions.every(name => references.dimensions.includes(name)) &&
      query.sortedTimeDimensions.every(time => times.includes(time.join('.'))),
  }
}
