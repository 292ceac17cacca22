import * as z from 'zod'
import { DataError } from './data-error.ts'

/** What a data-API request carries, from a JSON body or a query string. */
export const QueryParameters = z.looseObject({
  query: z.unknown().optional(),
  queryType: z.string().nullish(),
  cache: z.enum(['stale-if-slow', 'stale-while-revalidate', 'must-revalidate', 'no-cache']).nullish(),
})
export type QueryParameters = z.infer<typeof QueryParameters>

/** The query as JSON is given beside it: as it came where it came as text, which can nest deeper than can be written again. */
type ReadQuery = QueryParameters & { readonly query: object; readonly queryText: string }

const known = new WeakMap<object, ReadQuery>()

/** A frozen value that comes again is read once, and gives the same object. @throws {DataError} 400 with the field's texts. */
export function readQueryParameters(raw: unknown): ReadQuery {
  if (typeof raw !== 'object' || raw === null || !Object.isFrozen(raw)) return read(raw)
  const remembered = known.get(raw)
  if (remembered) return remembered
  const parameters = read(raw)
  known.set(raw, parameters)
  return parameters
}

function read(raw: unknown): ReadQuery {
  const { success, data, error } = QueryParameters.safeParse(raw ?? {})
  if (!success)
    throw new DataError(
      400,
      `Invalid query format: ${error.issues.map(issue => `"${issue.path.join('.')}" ${issue.message}`).join('; ')}`,
    )
  const query = typeof data.query === 'string' ? parse(data.query) : data.query
  if (query === undefined || query === null || query === '') throw new DataError(400, 'Query param is required')
  if (typeof query !== 'object') throw new DataError(400, 'Invalid query format: the query must be a JSON object')
  return { ...data, query, queryText: typeof data.query === 'string' ? data.query : JSON.stringify(query) }
}

function parse(text: string): unknown {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new DataError(
      400,
      `Unable to decode query param as JSON, error: ${error instanceof Error ? error.message : 'not JSON'}`,
    )
  }
}
