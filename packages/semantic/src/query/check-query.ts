import { queryError } from '../messages/query-messages.ts'
import { readQueryInput } from './query-input.ts'
import { createSizeMeter } from './size-meter.ts'

/** Queries of one request at most. */
export const blendingLimit = 100

/**
 * Makes sure that a query, or a list of queries to blend, has the shape and size of one that can be asked; nothing in it is looked
 * up. For queries that are kept to be asked later.
 *
 * @throws {QueryError}
 */
export function checkQuery(input: unknown): void {
  if (!Array.isArray(input)) return void readQueryInput(input)
  if (input.length === 0 || input.length > blendingLimit) throw blendingSize()
  const size = createSizeMeter()
  for (const query of input) readQueryInput(query, size)
}

export const blendingSize = () =>
  queryError('format', { reason: `"query" must be one query or an array of up to ${blendingLimit}` })
