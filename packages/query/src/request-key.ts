import { problems } from './query-service-error.ts'
import type { DataSource } from './shapes/data-source.ts'
import type { Parameter, QueryRequest, RowQuery, Table } from './shapes/query.ts'

/** What makes two requests one query. Text of this shape cannot be forged from another pool's or source's parts. */
export function keyOf(request: QueryRequest): string {
  const { pool, source, sql, parameters, maximumRows } = request
  const known = keys.get(parameters)
  if (known?.of.sql === sql && known.of.pool === pool && known.of.source === source) {
    if (known.of.maximumRows === maximumRows) return known.key
  }
  const key = JSON.stringify([pool, source.fingerprint, sql, parameters, maximumRows])
  if (Object.isFrozen(parameters)) keys.set(parameters, { of: request, key })
  return key
}

/** The last key of frozen parameters, which belong to one plan: a question that comes again and again is not written again. */
const keys = new WeakMap<readonly Parameter[], { readonly of: QueryRequest; readonly key: string }>()

/** The small query whose answer says whether a stored result still holds. It can be shared like any other. */
export function refreshRequestOf(request: QueryRequest): QueryRequest {
  const { refresh } = request
  if (!('sql' in refresh)) return request
  const { sql, parameters, everyMs } = refresh
  const waitMs = Number.POSITIVE_INFINITY
  return { ...request, sql, parameters, refresh: { everyMs }, cache: 'must-revalidate', maximumRows: 100, waitMs }
}

/** The answer of the refresh query, with the question: answers to different questions are never equal. */
export function refreshTokenOf({ refresh }: QueryRequest, { rows }: Table): string | undefined {
  return 'sql' in refresh ? JSON.stringify([refresh.sql, refresh.parameters, rows]) : undefined
}

/** One queue and one set of connections: a data source within a pool. */
export const laneOf = (pool: string, source: DataSource) => JSON.stringify([pool, source.fingerprint])

/** @throws QueryServiceError `request_invalid` */
export function checkRequest(request: QueryRequest): void {
  const { waitMs = 0, refresh } = request
  checkRowQuery(request)
  if (!(waitMs >= 0)) throw problems.requestInvalid(`waitMs is ${waitMs} and must be 0 or more.`)
  const { everyMs } = refresh
  if (!(everyMs >= 0)) throw problems.requestInvalid(`refresh.everyMs is ${everyMs} and must be 0 or more.`)
  if ('sql' in refresh) checkParameters(refresh.parameters)
}

/** @throws QueryServiceError `request_invalid` */
export function checkRowQuery({ pool, sql, parameters, maximumRows = 0, timeoutMs = 1 }: RowQuery): void {
  if (pool === '') throw problems.requestInvalid('it names no pool.')
  if (sql.trim() === '') throw problems.requestInvalid('it has no SQL.')
  if (!Number.isInteger(maximumRows) || maximumRows < 0) {
    throw problems.requestInvalid(`maximumRows is ${maximumRows} and must be a whole number from 0.`)
  }
  if (!(timeoutMs > 0)) throw problems.requestInvalid(`timeoutMs is ${timeoutMs} and must be more than 0.`)
  checkParameters(parameters)
}

function checkParameters(parameters: readonly Parameter[]): void {
  const strange = parameters.findIndex(parameter => typeof parameter === 'number' && !Number.isFinite(parameter))
  if (strange < 0) return
  throw problems.requestInvalid(`parameter $${strange + 1} is ${parameters[strange]}, which is no number.`)
}
