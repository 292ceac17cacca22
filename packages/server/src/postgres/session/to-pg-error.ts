import { DataError } from '@hedron/platform'
import { CatalogError } from '@hedron/sql'
import { PgError } from '../protocol/pg-error.ts'

/** Why running was stopped, where it was. */
export type StopReason = 'cancelled' | 'timeout' | null

/** Any error as a client is told of it. @param report told of faults, of which a client is told no more than that there was one. */
export function toPgError(error: unknown, stopped: StopReason, report: (error: unknown) => void): PgError {
  if (stopped === 'cancelled') return new PgError('57014', 'canceling statement due to user request')
  if (stopped === 'timeout') return new PgError('57014', 'canceling statement due to statement timeout')
  if (error instanceof PgError) return error
  if (error instanceof CatalogError) {
    const { position } = error
    return new PgError(error.code, error.message, position === undefined ? {} : { position })
  }
  if (error instanceof DataError) {
    const code =
      typeof error.body.code === 'string' && /^[0-9A-Z]{5}$/.test(error.body.code)
        ? error.body.code
        : codeOf(error.status)
    return new PgError(code, error.message)
  }
  report(error)
  return new PgError('XX000', 'internal error')
}

function codeOf(status: number): string {
  if (status === 403) return '42501'
  if (status === 404) return '3D000'
  if (status === 429) return '53400'
  return status === 400 ? '42000' : '58000'
}
