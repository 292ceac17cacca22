import { fieldOf } from '../framework/json.ts'

/**
 * A line for each answer that does not hold all rows of its query, and how to get the others: what looks whole is summed up,
 * sent on and believed.
 */
export function missingRows(answer: unknown): readonly string[] {
  const results = fieldOf(answer, 'results')
  const all = Array.isArray(results) ? results : [answer]
  return all.flatMap((result, index) => {
    if (fieldOf(result, 'complete') !== false) return []
    const limit = fieldOf(fieldOf(result, 'query'), 'limit')
    const next = fieldOf(result, 'nextOffset')
    const which = all.length > 1 ? `result ${index + 1} of ${all.length}: ` : ''
    const ways = next === undefined ? 'raise --limit' : `go on with --offset ${next}, or raise --limit`
    return [`${which}not all rows: there are more than the limit of ${limit}. To see them, ${ways}.`]
  })
}
