import { DatabaseError } from 'pg'
import { problems, QueryServiceError } from '../../query-service-error.ts'
import type { DataSource } from '../../shapes/data-source.ts'
import { shownMessage } from '../network/shown-message.ts'

/** SQLSTATE of a statement that would have written. */
const readOnly = '25006'

/** Classes and codes of SQLSTATE that speak of the connection and not of the statement: sign-in, limits, shutting down. */
const unavailable = /^(08|28|3D|53|57P|58)/

/** Whether the connection is to blame and another one may do better. */
export const isConnectionError = (error: unknown): boolean =>
  !(error instanceof QueryServiceError) && (!(error instanceof DatabaseError) || unavailable.test(error.code ?? ''))

/** What went wrong, in words that can be shown: no host names and no excerpt of the SQL. */
export function explained(error: unknown, source: DataSource): QueryServiceError {
  if (error instanceof QueryServiceError) return error
  const message = shownMessage(error, source)
  if (isConnectionError(error)) return problems.sourceUnavailable(source.name, message, { cause: error })
  if (error instanceof DatabaseError && error.code === readOnly) {
    return problems.statementRefused(`it writes, and queries only read (${message}).`, { cause: error })
  }
  return problems.queryFailed(message, { cause: error })
}
