import type { Bound } from '../shapes/bound.ts'
import { SqlError } from './sql-error.ts'

/** @returns the error of PostgreSQL for a column that is neither grouped by nor aggregated. */
export function notGrouped({ name, at, member }: Extract<Bound, { kind: 'column' }>): SqlError {
  const hint = member?.kind === 'measure' ? `Write MEASURE(${name})` : null
  return new SqlError(
    '42803',
    `column "${name}" must appear in the GROUP BY clause or be used in an aggregate function`,
    at,
    hint,
  )
}
