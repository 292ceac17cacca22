import { queryError } from '../messages/query-messages.ts'
import type { NormalizeOptions } from '../shapes/query.ts'

/**
 * How many rows a query gives.
 *
 * @param asked null: nothing was said
 * @throws {QueryError} `limit_exceeded`
 */
export function resolveLimit(asked: number | null, { defaultLimit, maximumLimit }: NormalizeOptions): number {
  if (asked !== null && asked > maximumLimit)
    throw queryError('limit_exceeded', { limit: asked, maximum: maximumLimit })
  return asked ?? Math.min(defaultLimit, maximumLimit)
}
