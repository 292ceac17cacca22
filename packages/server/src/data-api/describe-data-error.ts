import { DataError } from '@hedron/platform'
import { toCodedError } from '../http/error-reply.ts'

interface DescribedError {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  /** Seconds after which it is worth another try. */
  readonly retryAfter: number | undefined
  /** Whether it is a fault of ours, which is logged. */
  readonly isFault: boolean
}

/**
 * An error as clients of the data API read it (contract/behaviour/query.md section 3).
 *
 * @param requestId by which a fault of ours is found in the log
 */
export function describeDataError(error: unknown, requestId: string): DescribedError {
  if (error instanceof DataError) {
    return { status: error.status, body: error.body, retryAfter: error.retryAfter, isFault: false }
  }
  const { status, message, code } = toCodedError(error, requestId)
  return { status, body: { error: message, code }, retryAfter: undefined, isFault: code === 'internal_error' }
}
