import { problems, QueryServiceError } from '../../query-service-error.ts'
import type { DataSource } from '../../shapes/data-source.ts'
import { shownMessage } from '../network/shown-message.ts'

/** Numbers of errors that speak of sign-in, of the database and of the server, and not of the statement. */
const unavailable: readonly number[] = [
  233, 4060, 4064, 6005, 10053, 10054, 10928, 10929, 18452, 18456, 40197, 40501, 40613,
]

/** A write on a copy that only reads, or in a database that does. */
const readOnly: readonly number[] = [3906, 3908]

const numberOf = (error: unknown): number | undefined =>
  error instanceof Error && 'number' in error && typeof error.number === 'number' ? error.number : undefined

/** What went wrong, in words that can be shown. */
export function explained(error: unknown, source: DataSource): QueryServiceError {
  if (error instanceof QueryServiceError) return error
  const message = shownMessage(error, source)
  const number = numberOf(error)
  if (number === undefined || unavailable.includes(number)) {
    return problems.sourceUnavailable(source.name, message, { cause: error })
  }
  if (readOnly.includes(number)) {
    return problems.statementRefused(`it writes, and queries only read (${message}).`, { cause: error })
  }
  return problems.queryFailed(message, { cause: error })
}
