import type { Dialect } from './dialect.ts'
import { lowerLike, sameText, standard } from './standard.ts'
import { characterByCode, urlEncodedWith } from './url-encoded.ts'

const text: Dialect['text'] = input => `CAST(${input} AS STRING)`

/** A TIMESTAMP is an instant, a DATETIME a local timestamp. */
export const bigquery: Dialect = {
  ...standard,
  quoteIdentifier: name => `\`${name.replace(/[\\`]/g, '\\$&')}\``,
  text,
  numberText: text,
  number(placeholder, digits) {
    const [, whole = '', fraction = ''] = /^-?(\d*)\.?(\d*)$/.exec(digits) ?? []
    if (/e/i.test(digits) || whole.length > 38 || fraction.length > 38) return `CAST(${placeholder} AS FLOAT64)`
    return `CAST(${placeholder} AS ${whole.length <= 29 && fraction.length <= 9 ? 'NUMERIC' : 'BIGNUMERIC'})`
  },
  boolean: placeholder => `CAST(${placeholder} AS BOOL)`,
  localTimestamp: placeholder => `CAST(${placeholder} AS DATETIME)`,
  // Columns of days and of local timestamps have no operator beside an instant.
  comparedTime: operand => `CAST(${operand} AS TIMESTAMP)`,
  // A backslash escapes, and there is no word to say so.
  like: lowerLike(''),
  // Outer joins need an equality of both sides, and only an equality is hashed.
  same: sameText(text),
  urlEncoded: urlEncodedWith(characterByCode),
  countDistinctApprox: input => `APPROX_COUNT_DISTINCT(${input})`,
  local: (column, zone) => `DATETIME(CAST(${column} AS TIMESTAMP), ${zone ?? "'UTC'"})`,
  truncate: (unit, time) => `DATETIME_TRUNC(${time}, ${unit === 'week' ? 'WEEK(MONDAY)' : unit.toUpperCase()})`,
  addMilliseconds: (time, milliseconds) => `DATETIME_ADD(${time}, INTERVAL ${milliseconds} MILLISECOND)`,
  addSeconds: (time, count) => `DATETIME_ADD(${time}, INTERVAL (${count}) SECOND)`,
  addMonths: (time, count) => `DATETIME_ADD(${time}, INTERVAL (${count}) MONTH)`,
  numbers: count => `(SELECT step FROM UNNEST(GENERATE_ARRAY(0, ${count - 1})) AS step) AS \`steps\``,
  secondsSteps: (time, seconds, origin) => steps(time, 'SECOND', seconds, origin),
  secondsBucket: (time, seconds, origin) => add(time, 'MILLISECOND', seconds * 1000, origin),
  monthsBucket: (time, months, origin) => add(time, 'MONTH', months, origin),
}

/** Differences count the boundaries passed, and division is that of doubles. */
const steps = (time: string, unit: string, size: number, origin: string) =>
  `CAST(floor(DATETIME_DIFF(${time}, ${origin}, ${unit}) / ${size}) AS INT64)`

const add = (time: string, unit: string, size: number, origin: string) =>
  `DATETIME_ADD(${origin}, INTERVAL (${steps(time, unit, size, origin)} * ${size}) ${unit})`
