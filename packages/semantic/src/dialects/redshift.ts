import type { Dialect } from './dialect.ts'
import { differenceBuckets } from './differences.ts'
import { castNumber, lowerLike, numbersFromDigits, sameText, standard } from './standard.ts'

/** Without a length a VARCHAR has 256 bytes, and casts cut silently. */
const text: Dialect['text'] = input => `CAST(${input} AS VARCHAR(65535))`

export const redshift: Dialect = {
  ...standard,
  placeholder: position => `$${position}`,
  text,
  numberText: text,
  number: castNumber({ decimal: 'NUMERIC', double: 'DOUBLE PRECISION' }),
  // ILIKE ignores case of English letters only; a backslash escapes without being told.
  like: lowerLike(''),
  same: sameText(text),
  countDistinctApprox: input => `APPROXIMATE count(DISTINCT ${input})`,
  // The average of whole numbers would be a whole number.
  average: input => `avg(CAST(${input} AS DOUBLE PRECISION))`,
  local(column, zone) {
    const utc = `CAST(${column} AS TIMESTAMP)`
    return zone === null ? utc : `convert_timezone('UTC', ${zone}, ${utc})`
  },
  addSeconds: (time, count) => `DATEADD(SECOND, ${count}, ${time})`,
  addMonths: (time, count) => `DATEADD(MONTH, ${count}, ${time})`,
  numbers: numbersFromDigits(standard.quoteIdentifier),
  ...differenceBuckets({ difference: 'DATEDIFF', double: 'DOUBLE PRECISION', integer: 'INTEGER' }),
}
