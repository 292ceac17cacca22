import * as z from 'zod'
import { DataError } from './data-error.ts'

const oneOf = <const T extends readonly string[]>(names: T) =>
  z.enum(names, { error: `must be one of [${names.join(', ')}]` }).nullish()

/** What a data-API request carries, from a JSON body or a query string. Clients of the field add more, which means nothing. */
export const QueryParameters = z.looseObject(
  {
    query: z.unknown().optional(),
    queryType: oneOf(['regularQuery', 'compareDateRangeQuery', 'blendingQuery', 'multi']),
    cache: oneOf(['stale-if-slow', 'stale-while-revalidate', 'must-revalidate', 'no-cache']),
  },
  { error: 'the request must be a JSON object' },
)
export type QueryParameters = z.infer<typeof QueryParameters>

/** The query as JSON is given beside it: as it came where it came as text, which can nest deeper than can be written again. */
export type ReadQuery = QueryParameters & { readonly query: object; readonly queryText: string }

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
    throw invalid(error.issues.map(({ path, message }) => [...path.map(name => `"${String(name)}"`), message]))
  const lost = partsOfQuery.find(name => name in data)
  if (lost !== undefined)
    throw invalid([[`"${lost}" stands beside the query, where it has no effect: put it into "query"`]])
  const query = typeof data.query === 'string' ? parseQueryText(data.query) : data.query
  if (query === undefined || query === null || query === '') throw new DataError(400, 'Query param is required')
  if (typeof query !== 'object') throw new DataError(400, 'Invalid query format: the query must be a JSON object')
  return { ...data, query, queryText: typeof data.query === 'string' ? data.query : JSON.stringify(query) }
}

/** What is easily put beside the query instead of into it, and would go unnoticed there. */
const partsOfQuery = [
  ...['measures', 'dimensions', 'segments', 'filters', 'timeDimensions', 'order', 'limit', 'offset', 'timezone'],
  ...['total', 'ungrouped', 'responseFormat', 'renewQuery', 'cacheMode', 'joinHints'],
]

const invalid = (reasons: readonly (readonly string[])[]) =>
  new DataError(400, `Invalid query format: ${reasons.map(reason => reason.join(' ')).join('; ')}`)

/** A query that came as text; undefined where it is blank. @throws {DataError} 400 with the field's text */
export function parseQueryText(text: string): unknown {
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
