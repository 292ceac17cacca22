import type { Dialect } from './dialect.ts'
import { pagesOffsetFirst } from './pages.ts'
import { castNumber, lowerLike, numbersFromDigits, sameText, standard } from './standard.ts'

/** Parameters hold `T` between day and clock, which a cast doesn't read. */
const parsed = (placeholder: string) => `CAST(from_iso8601_timestamp(${placeholder}) AS TIMESTAMP(3))`

export const trino: Dialect = {
  ...standard,
  number: castNumber({ decimal: 'DECIMAL', double: 'DOUBLE' }),
  timestamp: parsed,
  localTimestamp: parsed,
  urlEncoded: text => `url_encode(${text})`,
  like: lowerLike(" ESCAPE '\\'"),
  // Only equalities are hashed, and a full join needs one.
  same: sameText(standard.text),
  countDistinctApprox: input => `approx_distinct(${input})`,
  // Of decimals it would have as many digits after the point as they have.
  average: input => `avg(CAST(${input} AS DOUBLE))`,
  local: (column, zone) =>
    `CAST(at_timezone(CAST(${column} AS TIMESTAMP(6) WITH TIME ZONE), ${zone ?? "'UTC'"}) AS TIMESTAMP(6))`,
  addMilliseconds(time, milliseconds) {
    const atDay = `date_add('day', ${Math.trunc(milliseconds / day)}, ${time})`
    return milliseconds % day === 0 ? atDay : `date_add('millisecond', ${milliseconds % day}, ${atDay})`
  },
  addSeconds: (time, count) => `date_add('second', ${count}, ${time})`,
  addMonths: (time, count) => `date_add('month', ${count}, ${time})`,
  // Sequences end after ten thousand.
  numbers: numbersFromDigits(standard.quoteIdentifier),
  secondsSteps: (time, seconds, origin) => steps(`date_diff('second', ${origin}, ${time})`, seconds),
  secondsBucket(time, seconds, origin) {
    // The difference is cut towards zero, so what is finer than its unit goes first.
    const difference = `date_diff('millisecond', ${origin}, date_trunc('millisecond', ${time}))`
    return `date_add('second', ${steps(difference, seconds * 1000)} * ${seconds}, ${origin})`
  },
  monthsBucket: (time, months, origin) =>
    `date_add('month', ${steps(`(${monthNumber(time)} - ${monthNumber(origin)})`, months)} * ${months}, ${origin})`,
  pages: pagesOffsetFirst,
}

const day = 86_400_000

const steps = (difference: string, size: number) => `CAST(floor(CAST(${difference} AS DOUBLE) / ${size}) AS BIGINT)`

const monthNumber = (time: string) => `(year(${time}) * 12 + month(${time}))`
