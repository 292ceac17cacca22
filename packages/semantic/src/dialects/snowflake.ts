import type { Dialect } from './dialect.ts'
import { differenceBuckets } from './differences.ts'
import { castNumber, numbersFromDigits, standard } from './standard.ts'
import { characterByCode, urlEncodedWith } from './url-encoded.ts'

export const snowflake: Dialect = {
  ...standard,
  number: castNumber({ decimal: 'NUMBER', double: 'DOUBLE' }),
  // Strings have escapes: this is one backslash.
  like: (text, pattern, negated) => `${text} ${negated ? 'NOT ' : ''}ILIKE ${pattern} ESCAPE '\\\\'`,
  urlEncoded: urlEncodedWith(characterByCode),
  timestamp: placeholder => `CAST(${placeholder} AS TIMESTAMP_NTZ)`,
  localTimestamp: placeholder => `CAST(${placeholder} AS TIMESTAMP_NTZ)`,
  local: (column, zone) =>
    `CAST(CONVERT_TIMEZONE(${zone ?? "'UTC'"}, CAST(${column} AS TIMESTAMP_TZ)) AS TIMESTAMP_NTZ)`,
  truncate: (unit, time) =>
    // Which day a week begins on is a setting of the account.
    unit === 'week'
      ? `DATEADD(DAY, 1 - DAYOFWEEKISO(${time}), DATE_TRUNC('day', ${time}))`
      : `DATE_TRUNC('${unit}', ${time})`,
  addSeconds: (time, count) => `DATEADD(SECOND, ${count}, ${time})`,
  addMonths: (time, count) => `DATEADD(MONTH, ${count}, ${time})`,
  numbers: numbersFromDigits(standard.quoteIdentifier),
  ...differenceBuckets({ difference: 'DATEDIFF', double: 'DOUBLE', integer: 'INTEGER' }),
}
