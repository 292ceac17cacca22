import { problems, QueryServiceError } from '../../query-service-error.ts'
import type { DataSource } from '../../shapes/data-source.ts'
import { shownMessage } from '../network/shown-message.ts'
import { DatabricksError } from './protocol.ts'

/** Words of errors that speak of the warehouse, the workspace or the sign-in, and not of the statement. */
const unavailable: readonly string[] = [
  'TEMPORARILY_UNAVAILABLE',
  'SERVICE_UNDER_MAINTENANCE',
  'WORKSPACE_TEMPORARILY_UNAVAILABLE',
  'UNAUTHENTICATED',
]

/** What the service shows of the statement, behind the message. */
const excerpt = /\s*== SQL[\s\S]*$/

/** What went wrong, in words that can be shown. */
export function explained(error: unknown, source: DataSource, host: string): QueryServiceError {
  if (error instanceof QueryServiceError) return error
  const message = shownMessage(error, source).replace(excerpt, '').replaceAll(host, '<host>')
  const isOfStatement =
    error instanceof DatabricksError && [200, 400].includes(error.status) && !unavailable.includes(error.code)
  return isOfStatement
    ? problems.queryFailed(message, { cause: error })
    : problems.sourceUnavailable(source.name, message, { cause: error })
}
