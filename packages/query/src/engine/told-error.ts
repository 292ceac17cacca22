import { QueryServiceError } from '../query-service-error.ts'
import type { ToldError } from './messages.ts'

export function tellError(error: unknown): ToldError {
  if (error instanceof QueryServiceError) {
    const { code, message, cause } = error
    return { code, message, cause: cause instanceof Error ? cause.message : null }
  }
  return { code: null, message: error instanceof Error ? (error.stack ?? error.message) : String(error), cause: null }
}

export function toldError({ code, message, cause }: ToldError): Error {
  if (code === null) return new Error('The engine failed', { cause: new Error(message) })
  return new QueryServiceError(code, message, cause === null ? {} : { cause: new Error(cause) })
}
