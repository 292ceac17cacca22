import { problems, QueryServiceError } from '../../query-service-error.ts'
import type { DataSource } from '../../shapes/data-source.ts'
import { shownMessage } from '../network/shown-message.ts'

/** Class of SQLSTATE of connections, sign-in and sessions. */
const unavailable = /^08/

const stateOf = (error: unknown): string =>
  error instanceof Error && 'sqlState' in error && typeof error.sqlState === 'string' ? error.sqlState : ''

/** What went wrong, in words that can be shown. */
export function explained(error: unknown, source: DataSource): QueryServiceError {
  if (error instanceof QueryServiceError) return error
  const account = source.settings.DB_SNOWFLAKE_ACCOUNT
  const said = shownMessage(error, source)
  const message = account ? said.replaceAll(account, '<account>') : said
  const state = stateOf(error)
  return state === '' || unavailable.test(state)
    ? problems.sourceUnavailable(source.name, message, { cause: error })
    : problems.queryFailed(message, { cause: error })
}
