import { problems, QueryServiceError } from '../../query-service-error.ts'
import type { DataSource } from '../../shapes/data-source.ts'
import { shownMessage } from '../network/shown-message.ts'

/** A statement that would have written, in a transaction that can't. */
const readOnly = 1792

/** Numbers of errors that speak of the connection and not of the statement: sign-in, limits, shutting down, killed. */
const unavailable: readonly number[] = [
  1040, 1042, 1043, 1044, 1045, 1049, 1053, 1129, 1130, 1203, 1226, 1698, 1927, 3118, 3159,
]

/** MySQL's number of an error; undefined for errors of the connection itself, whose code is a word. */
const numberOf = (error: unknown): number | undefined =>
  error instanceof Error && 'errno' in error && typeof error.errno === 'number' && error.errno >= 1000
    ? error.errno
    : undefined

/** Whether the connection is to blame and another one may do better. */
export function isConnectionError(error: unknown): boolean {
  if (error instanceof QueryServiceError) return false
  const number = numberOf(error)
  return number === undefined || unavailable.includes(number)
}

/** What went wrong, in words that can be shown. */
export function explained(error: unknown, source: DataSource): QueryServiceError {
  if (error instanceof QueryServiceError) return error
  const message = shownMessage(error, source)
  if (isConnectionError(error)) return problems.sourceUnavailable(source.name, message, { cause: error })
  if (numberOf(error) === readOnly) {
    return problems.statementRefused(`it writes, and queries only read (${message}).`, { cause: error })
  }
  return problems.queryFailed(message, { cause: error })
}
