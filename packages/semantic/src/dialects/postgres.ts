import type { Dialect } from './dialect.ts'
import { standard } from './standard.ts'

export const postgres: Dialect = {
  ...standard,
  placeholder: position => `$${position}`,
  bindsRowCounts: true,
  text: input => `CAST(${input} AS TEXT)`,
  numberText: input => `CAST(${input} AS TEXT)`,
  number: placeholder => `CAST(${placeholder} AS NUMERIC)`,
  // Lists are equal where both hold null, and unlike IS NOT DISTINCT FROM that can be hashed, which FULL JOIN demands.
  same: (left, right) => `ARRAY[${left}] = ARRAY[${right}]`,
  // Without an extension PostgreSQL has no approximation; the exact count is one that is never off.
  countDistinctApprox: input => `count(DISTINCT ${input})`,
  secondsSteps: (time, seconds, origin) => `floor(extract(epoch FROM ${time} - ${origin}) / ${seconds})`,
  secondsBucket: (time, seconds, origin) => `date_bin(INTERVAL '${seconds} seconds', ${time}, ${origin})`,
  // Conditions are computed in the order of their costs, but never put into a sub-query with OFFSET.
  rowsApart: 'OFFSET 0',
  monthsBucket(time, months, origin) {
    const since = `(${monthNumber(time)} - ${monthNumber(origin)})`
    return `(${origin} + INTERVAL '1 month' * (floor(${since} / ${months}) * ${months}))`
  },
}

/** date_bin knows no months, so they are counted. */
const monthNumber = (time: string) => `(extract(year FROM ${time}) * 12 + extract(month FROM ${time}))`
