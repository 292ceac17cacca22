import { describeSqlError, SqlError } from '@hedron/sql'
import { DataError } from '../queries/data-error.ts'
import { toDataError } from '../queries/to-data-error.ts'

/**
 * An error of a statement as the data API tells it: `code` is PostgreSQL's SQLSTATE where the statement is at fault, `position` the
 * place in its text, counted from 1.
 */
export function toSqlDataError(error: unknown): unknown {
  if (!(error instanceof SqlError)) return toDataError(error)
  const { code, hint, position } = error
  return new DataError(400, describeSqlError(error), {
    type: 'UserError',
    code,
    sqlMessage: error.message,
    ...(hint === null ? {} : { hint }),
    ...(position === null ? {} : { position }),
  })
}

/** Does the work with the errors of the data API. */
export async function withSqlErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toSqlDataError(error)
  }
}
