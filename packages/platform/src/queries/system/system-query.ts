import * as z from 'zod'
import { DataError } from '../data-error.ts'
import { parseQueryText } from '../read-query.ts'

const RollupQuery = z.strictObject({
  id: z.string(),
  /** Names of tables; without them all. */
  partitions: z.array(z.string()).optional(),
  /** Local times, both included. */
  refreshRange: z.tuple([z.string(), z.string()]).optional(),
  cacheOnly: z.boolean().optional(),
  metaOnly: z.boolean().optional(),
})

/** Which pre-aggregations are meant, in which time zones, and what is to be said of them. */
export const RollupsQuery = z.strictObject({
  /** Means something to the field's own console alone. */
  metadata: z.record(z.string(), z.unknown()).optional(),
  timezone: z.string().optional(),
  timezones: z.array(z.string()).min(1).optional(),
  preAggregations: z.array(RollupQuery).optional(),
  expand: z.array(z.string()).optional(),
})
export type RollupsQuery = z.infer<typeof RollupsQuery>
export type RollupQuery = z.infer<typeof RollupQuery>

/** A version of a table, as `partitions` names it. */
export const PreviewQuery = z.strictObject({
  preAggregationId: z.string(),
  timezone: z.string(),
  versionEntry: z.looseObject({ table_name: z.string() }),
})

export const CancelQuery = z.strictObject({
  dataSource: z.string().optional(),
  queryKeys: z.array(z.string()).max(10_000),
})

/**
 * The `query` of a body, as JSON or as its text.
 *
 * @throws {DataError} 400 with the field's texts
 */
export function readSystemQuery<T>(body: unknown, schema: z.ZodType<T>): T {
  const given: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'query') : undefined
  const query = typeof given === 'string' ? parseQueryText(given) : given
  if (query === undefined || query === null) throw new DataError(400, 'Query param is required')
  const { success, data, error } = schema.safeParse(query)
  if (success) return data
  const issues = error.issues.map(({ path, message }) => (path.length > 0 ? `"${path.join('.')}" ${message}` : message))
  throw new DataError(400, `Invalid query format: ${issues.join('; ')}`)
}
