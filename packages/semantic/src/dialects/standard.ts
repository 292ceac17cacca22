import type { Dialect } from './dialect.ts'
import { pages } from './pages.ts'
import { quotedCharacter, urlEncodedWith } from './url-encoded.ts'

/** What most databases have in common. Each dialect starts from it and says what it has otherwise. */
export const standard: Dialect = {
  quoteIdentifier: quoteWith('"'),
  bindsRowCounts: false,

  text: input => `CAST(${input} AS VARCHAR)`,
  numberText: input => `CAST(${input} AS VARCHAR)`,
  textValue: placeholder => placeholder,
  number: castNumber({ decimal: 'DECIMAL', double: 'DOUBLE' }),
  boolean: placeholder => `CAST(${placeholder} AS BOOLEAN)`,
  timestamp: placeholder => `CAST(${placeholder} AS TIMESTAMP)`,
  localTimestamp: placeholder => `CAST(${placeholder} AS TIMESTAMP)`,
  comparedTime: operand => operand,
  concatenate: parts => parts.join(' || '),
  urlEncoded: urlEncodedWith(quotedCharacter),
  like: (text, pattern, negated) => `${text} ${negated ? 'NOT ' : ''}ILIKE ${pattern} ESCAPE '\\'`,
  likePattern: pattern => pattern,
  everyPair: null,
  same: (left, right) => `${left} IS NOT DISTINCT FROM ${right}`,

  count: input => `count(${input})`,
  countDistinct: input => `count(DISTINCT ${input})`,
  countDistinctApprox: input => `approx_count_distinct(${input})`,
  average: input => `avg(${input})`,

  zoneName: timezone => timezone,
  local(column, zone) {
    const utc = `CAST(${column} AS TIMESTAMP)`
    return zone === null ? utc : `timezone(${zone}, timezone('UTC', ${utc}))`
  },
  truncate: (unit, time) => `date_trunc('${unit}', ${time})`,
  addMilliseconds: (time, milliseconds) =>
    `(${time} ${milliseconds < 0 ? '-' : '+'} INTERVAL '${Math.abs(milliseconds)} milliseconds')`,
  addSeconds: (time, count) => `(${time} + ${count} * INTERVAL '1 second')`,
  addMonths: (time, count) => `(${time} + ${count} * INTERVAL '1 month')`,
  numbers: count => `generate_series(0, ${count - 1}) AS "steps"("step")`,
  secondsSteps: (time, seconds, origin) => `CAST(floor((epoch(${time}) - epoch(${origin})) / ${seconds}) AS BIGINT)`,
  secondsBucket: (time, seconds, origin) => `time_bucket(${secondsLiteral(seconds)}, ${time}, ${origin})`,
  monthsBucket: (time, months, origin) => `time_bucket(INTERVAL ${months} MONTH, ${time}, ${origin})`,

  groupsByPosition: true,
  pages,
  ending: '',
}

/** DuckDB reads no bare number beyond 32 bits here, which is 68 years. */
const secondsLiteral = (seconds: number) =>
  seconds < 2 ** 31 ? `INTERVAL ${seconds} SECOND` : `INTERVAL '${seconds} seconds'`

/** Quotes identifiers by doubling the closing quote inside. */
export function quoteWith(open: string, close: string = open): Dialect['quoteIdentifier'] {
  return name => open + (name.includes(close) ? name.replaceAll(close, close + close) : name) + close
}

interface NumberTypes {
  readonly decimal: string
  readonly double: string
  /** Digits of a decimal in all, and after the point. */
  readonly precision?: number
  readonly scale?: number
}

/** Compares exactly, with as many digits after the point as are written; a number that no decimal holds is a double. */
export function castNumber({ decimal, double, precision = 38, scale = 18 }: NumberTypes): Dialect['number'] {
  return (placeholder, digits) => {
    const [, whole = '', fraction = ''] = /^-?(\d*)\.?(\d*)$/.exec(digits) ?? []
    const fits = !/e/i.test(digits) && fraction.length <= scale && whole.length <= precision - scale
    return `CAST(${placeholder} AS ${fits ? `${decimal}(${precision}, ${fraction.length})` : double})`
  }
}

/** ILIKE for databases that have none, or one that knows only the English alphabet. */
export function lowerLike(ending: string): Dialect['like'] {
  return (text, pattern, negated) => `lower(${text}) ${negated ? 'NOT ' : ''}LIKE lower(${pattern})${ending}`
}

/** Null-safe equality made of equalities, which databases can hash where they can't hash IS NOT DISTINCT FROM. */
export function sameText(text: Dialect['text']): Dialect['same'] {
  const isNull = (input: string) => `CASE WHEN ${input} IS NULL THEN 1 ELSE 0 END`
  const filled = (input: string) => `coalesce(${text(input)}, '')`
  return (left, right) => `${filled(left)} = ${filled(right)} AND ${isNull(left)} = ${isNull(right)}`
}

/** Whole numbers for databases that can't make them: digits beside digits. */
export function numbersFromDigits(quote: Dialect['quoteIdentifier']): Dialect['numbers'] {
  return count => {
    const places = Array.from({ length: String(count - 1).length }, (_, place) => place)
    const digits = Array.from({ length: 10 }, (_, digit) => `SELECT ${digit} AS d`).join(' UNION ALL ')
    const step = places.map(place => `${10 ** place} * d${place}.d`).join(' + ')
    const tables = places.map(place => `(${digits}) AS d${place}`).join(' CROSS JOIN ')
    return `(SELECT ${step} AS ${quote('step')} FROM ${tables} WHERE ${step} < ${count}) AS ${quote('steps')}`
  }
}
