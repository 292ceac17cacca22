import type { TimeUnit } from '../shapes/vocabulary.ts'
import type { Dialect } from './dialect.ts'
import { pagesOfMysql } from './pages.ts'
import { castNumber, lowerLike, quoteWith, standard } from './standard.ts'
import { urlEncodedWith } from './url-encoded.ts'

/** MySQL 8 and MariaDB 10.6. Zones need the server's time zone tables; without them CONVERT_TZ is null. */
export const mysql: Dialect = {
  ...standard,
  quoteIdentifier: quoteWith('`'),
  text: input => `CAST(${input} AS CHAR)`,
  numberText: input => `CAST(${input} AS CHAR)`,
  // MariaDB groups by nothing of a parameter whose length it doesn't know when it prepares the statement.
  textValue: placeholder => `CAST(${placeholder} AS CHAR)`,
  number: castNumber({ decimal: 'DECIMAL', double: 'DOUBLE', precision: 65, scale: 30 }),
  boolean: placeholder => `(${placeholder} = 'true')`,
  timestamp: placeholder => `CAST(${placeholder} AS DATETIME(6))`,
  localTimestamp: placeholder => `CAST(${placeholder} AS DATETIME(6))`,
  concatenate: parts => `CONCAT(${parts.join(', ')})`,
  // A backslash escapes without being told; how one is written depends on the server's mode. Collations would take ä for a.
  like: (text, pattern, negated) =>
    lowerLike(' COLLATE utf8mb4_bin')(`CONVERT(${text} USING utf8mb4)`, `CONVERT(${pattern} USING utf8mb4)`, negated),
  urlEncoded: urlEncodedWith(character => `CHAR(${character.charCodeAt(0)} USING utf8mb4)`),
  same: (left, right) => `${left} <=> ${right}`,
  countDistinctApprox: input => `count(DISTINCT ${input})`,
  // Four digits more than the input has would be kept.
  average: input => `avg(CAST(${input} AS DOUBLE))`,
  local(column, zone) {
    const utc = `CAST(${column} AS DATETIME(6))`
    return zone === null ? utc : `CONVERT_TZ(${utc}, '+00:00', ${zone})`
  },
  truncate(unit, time) {
    const format = formats[unit]
    if (format) return `CAST(DATE_FORMAT(${time}, '${format}') AS DATETIME)`
    if (unit === 'week') return `CAST(DATE(${time}) - INTERVAL WEEKDAY(${time}) DAY AS DATETIME)`
    return `CAST(MAKEDATE(YEAR(${time}), 1) + INTERVAL QUARTER(${time}) - 1 QUARTER AS DATETIME)`
  },
  addMilliseconds: (time, milliseconds) => `(${time} + INTERVAL ${milliseconds * 1000} MICROSECOND)`,
  addSeconds: (time, count) => `(${time} + INTERVAL ${count} SECOND)`,
  addMonths: (time, count) => `(${time} + INTERVAL ${count} MONTH)`,
  // Recursion would end after a thousand.
  numbers(count) {
    const table = `JSON_TABLE(CONCAT('[0', REPEAT(',0', ${count - 1}), ']'), '$[*]' COLUMNS (position FOR ORDINALITY))`
    return `(SELECT position - 1 AS \`step\` FROM ${table} AS positions) AS \`steps\``
  },
  secondsSteps: (time, seconds, origin) => `floor(TIMESTAMPDIFF(SECOND, ${origin}, ${time}) / ${seconds}e0)`,
  // A number with an exponent is a double, whose division keeps the fraction that decimals would round.
  secondsBucket: (time, seconds, origin) =>
    `(${origin} + INTERVAL floor(TIMESTAMPDIFF(MICROSECOND, ${origin}, ${time}) / ${seconds}e6) * ${seconds} SECOND)`,
  monthsBucket: (time, months, origin) =>
    `(${origin} + INTERVAL floor((${monthNumber(time)} - ${monthNumber(origin)}) / ${months}e0) * ${months} MONTH)`,
  pages: pagesOfMysql,
}

const formats: Readonly<Partial<Record<TimeUnit, string>>> = {
  second: '%Y-%m-%d %H:%i:%s',
  minute: '%Y-%m-%d %H:%i:00',
  hour: '%Y-%m-%d %H:00:00',
  day: '%Y-%m-%d 00:00:00',
  month: '%Y-%m-01 00:00:00',
  year: '%Y-01-01 00:00:00',
}

const monthNumber = (time: string) => `(YEAR(${time}) * 12 + MONTH(${time}))`
