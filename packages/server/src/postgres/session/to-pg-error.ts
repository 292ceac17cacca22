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
  if (error instanceof DataError) return fromDataError(error)
  report(error)
  return new PgError('XX000', 'internal error')
}

/** Errors of statements carry PostgreSQL's code, message and place. */
function fromDataError({ status, message, body }: DataError): PgError {
  const { code, sqlMessage, hint, position } = body
  const offset = typeof position === 'object' && position !== null ? Reflect.get(position, 'offset') : undefined
  return new PgError(
    typeof code === 'string'
      ? /^[0-9A-Z]{5}$/.test(code)
        ? code
        : (queryCodes.get(code) ?? codeOfFailure(code, message) ?? codeOf(status))
      : codeOf(status),
    typeof sqlMessage === 'string' ? sqlMessage : message,
    {
      ...(typeof hint === 'string' ? { hint } : {}),
      ...(typeof offset === 'number' ? { position: offset } : {}),
    },
  )
}

/** What PostgreSQL calls it when a query that was understood ends without a result (PostgreSQL documentation, appendix A). */
const queryCodes: ReadonlyMap<string, string> = new Map([
  ['query_cancelled', '57014'],
  ['query_timeout', '57014'],
  ['service_closed', '57P01'],
  ['source_unavailable', '58000'],
  ['queue_full', '53000'],
  ['result_too_large', '54000'],
  ['too_many_rows', '54000'],
])

/** What a data source says of values that it could not compute with, in its words and DuckDB's; clients act on the code. */
const failures: readonly (readonly [pattern: RegExp, code: string])[] = [
  [/division by zero|divide by zero/i, '22012'],
  [/out of range|overflow|value too large/i, '22003'],
  [/could not convert|conversion error|invalid input syntax/i, '22P02'],
  [/more than one row returned by a subquery/i, '21000'],
]

const codeOfFailure = (code: string, message: string): string | undefined =>
  code === 'query_failed' ? failures.find(([pattern]) => pattern.test(message))?.[1] : undefined

function codeOf(status: number): string {
  if (status === 403) return '42501'
  if (status === 404) return '3D000'
  if (status === 429) return '53400'
  return status === 400 ? '42000' : '58000'
}
