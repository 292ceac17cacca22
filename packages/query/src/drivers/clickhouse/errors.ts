import type { ClickHouseError } from '@clickhouse/client'
import { problems, QueryServiceError } from '../../query-service-error.ts'
import type { DataSource } from '../../shapes/data-source.ts'
import { shownMessage } from '../network/shown-message.ts'

/** Codes of a statement that would have written or changed what a reader may not. */
const readOnly: readonly string[] = ['164', '392']

/** Codes that speak of sign-in, of limits of the server and of its network, and not of the statement. */
const unavailable: readonly string[] = ['81', '192', '193', '194', '202', '209', '210', '279', '516', '745']

const isServers = (error: unknown): error is ClickHouseError =>
  error instanceof Error && 'code' in error && /^\d+$/.test(String(error.code))

/** What went wrong, in words that can be shown. */
export function explained(error: unknown, source: DataSource): QueryServiceError {
  if (error instanceof QueryServiceError) return error
  const message = shownMessage(error, source)
  if (!isServers(error) || unavailable.includes(String(error.code))) {
    return problems.sourceUnavailable(source.name, message, { cause: error })
  }
  if (readOnly.includes(String(error.code))) {
    return problems.statementRefused(`it writes, and queries only read (${message}).`, { cause: error })
  }
  return problems.queryFailed(message, { cause: error })
}
