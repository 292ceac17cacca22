import { ContinueWait, QueryServiceError } from '@hedron/query'
import { QueryError } from '@hedron/semantic'
import { continueWait, DataError } from './data-error.ts'

/** What can be told to whoever asked, as the data API tells it; any other error is a fault of ours. */
export function toDataError(error: unknown): unknown {
  if (error instanceof ContinueWait) return continueWait()
  if (error instanceof QueryServiceError) return new DataError(400, error.message, { code: error.code })
  if (!(error instanceof QueryError)) return error
  // The field's clients know this one as a plain error (contract/behaviour/query.md sections 3 and 4).
  if (error.code === 'limit_exceeded') return new DataError(500, `Error: ${error.message}`)
  return error.kind === 'user'
    ? new DataError(400, error.message, { type: 'UserError' })
    : new DataError(400, error.message)
}
