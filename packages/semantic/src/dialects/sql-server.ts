import type { Dialect } from './dialect.ts'
import { differenceBuckets } from './differences.ts'
import { pagesOfSqlServer } from './pages.ts'
import { castNumber, lowerLike, numbersFromDigits, quoteWith, standard } from './standard.ts'
import { windowsZone } from './windows-zones.ts'

/** A Monday, from which weeks are counted whatever DATEFIRST says. */
const epoch = "CAST('1900-01-01' AS DATETIME2)"

export const sqlServer: Dialect = {
  ...standard,
  quoteIdentifier: quoteWith('[', ']'),
  placeholder: position => `@p${position}`,
  text: input => `CAST(${input} AS NVARCHAR(MAX))`,
  // The text of a float has six digits. These are enough for a tenth of a millimetre on the globe.
  numberText: input => `CAST(CAST(${input} AS DECIMAL(28, 10)) AS NVARCHAR(MAX))`,
  number: castNumber({ decimal: 'DECIMAL', double: 'FLOAT(53)' }),
  boolean: placeholder => `CAST(${placeholder} AS BIT)`,
  timestamp: placeholder => `CAST(${placeholder} AS DATETIME2)`,
  localTimestamp: placeholder => `CAST(${placeholder} AS DATETIME2)`,
  // CONCAT would take null for an empty text.
  concatenate: parts => parts.join(' + '),
  like: lowerLike(" ESCAPE '\\'"),
  // LIKE knows sets of characters as well.
  likePattern: pattern => pattern.replaceAll('[', '\\['),
  same: (left, right) => `EXISTS (SELECT ${left} INTERSECT SELECT ${right})`,
  count: input => `COUNT_BIG(${input})`,
  countDistinct: input => `COUNT_BIG(DISTINCT ${input})`,
  // The average of whole numbers would be a whole number.
  average: input => `avg(CAST(${input} AS FLOAT(53)))`,
  zoneName: windowsZone,
  local: (column, zone) => `CAST(CAST(${column} AS DATETIMEOFFSET) AT TIME ZONE ${zone ?? "'UTC'"} AS DATETIME2)`,
  truncate(unit, time) {
    switch (unit) {
      case 'second':
        return `DATEADD(NANOSECOND, -DATEPART(NANOSECOND, ${time}), ${time})`
      case 'week':
        return `DATEADD(DAY, floor(DATEDIFF(DAY, ${epoch}, ${time}) / 7e0) * 7, ${epoch})`
      default:
        return `DATEADD(${unit.toUpperCase()}, DATEDIFF(${unit.toUpperCase()}, ${epoch}, ${time}), ${epoch})`
    }
  },
  addSeconds: (time, count) => `DATEADD(SECOND, ${count}, ${time})`,
  addMonths: (time, count) => `DATEADD(MONTH, ${count}, ${time})`,
  numbers: numbersFromDigits(quoteWith('[', ']')),
  ...differenceBuckets({ difference: 'DATEDIFF_BIG', double: 'FLOAT(53)', integer: 'INT' }),
  groupsByPosition: false,
  pages: pagesOfSqlServer,
}
