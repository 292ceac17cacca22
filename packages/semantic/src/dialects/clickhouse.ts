import type { Dialect } from './dialect.ts'
import { castNumber, quoteWith, standard } from './standard.ts'

/** Functions rather than casts keep null. Times are instants shown in UTC, whose digits serve as local timestamps. */
export const clickhouse: Dialect = {
  ...standard,
  quoteIdentifier: quoteWith('"'),
  placeholder: position => `{p${position}:String}`,
  text: input => `toString(${input})`,
  numberText: input => `toString(${input})`,
  number: castNumber({ decimal: 'Decimal', double: 'Float64' }),
  boolean: placeholder => `CAST(${placeholder} AS Bool)`,
  timestamp: placeholder => `toDateTime64(${placeholder}, 3, 'UTC')`,
  localTimestamp: placeholder => `toDateTime64(${placeholder}, 3, 'UTC')`,
  urlEncoded: text => `encodeURLComponent(${text})`,
  like: (text, pattern, negated) => `${text} ${negated ? 'NOT ' : ''}ILIKE ${pattern}`,
  // A function that is always 0 and of which the planner doesn't know that.
  everyPair: (left, right) => `ignore(${left}) = ignore(${right})`,
  countDistinctApprox: input => `uniq(${input})`,
  local(column, zone) {
    const utc = `toDateTime64(${column}, 6, 'UTC')`
    return zone === null ? utc : `addSeconds(${utc}, timeZoneOffset(toTimeZone(${utc}, ${zone})))`
  },
  truncate: (unit, time) => `toDateTime64(date_trunc('${unit}', ${time}), 3, 'UTC')`,
  addMilliseconds: (time, milliseconds) => `addMilliseconds(${time}, ${milliseconds})`,
  addSeconds: (time, count) => `addSeconds(${time}, ${count})`,
  addMonths: (time, count) => `addMonths(${time}, ${count})`,
  numbers: count => `(SELECT toInt64(number) AS "step" FROM numbers(${count})) AS "steps"`,
  secondsSteps: (time, seconds, origin) => steps(time, seconds, origin),
  secondsBucket: (time, seconds, origin) => `addSeconds(${origin}, ${steps(time, seconds, origin)} * ${seconds})`,
  monthsBucket: (time, months, origin) =>
    `addMonths(${origin}, toInt64(floor((${monthNumber(time)} - ${monthNumber(origin)}) / ${months})) * ${months})`,
  ending: `\nSETTINGS ${[
    // Rows that an outer join doesn't find are null, and so is the sum of no rows.
    'join_use_nulls = 1',
    'aggregate_functions_null_for_empty = 1',
    // A name is that of a column, not of an output that happens to be called the same.
    'prefer_column_name_to_alias = 1',
    // Times before 1970 and after 2105 would turn into others.
    'enable_extended_results_for_datetime_functions = 1',
  ].join(', ')}`,
}

const steps = (time: string, seconds: number, origin: string) =>
  `toInt64(floor((toUnixTimestamp64Milli(${time}) - toUnixTimestamp64Milli(${origin})) / ${seconds * 1000}))`

const monthNumber = (time: string) => `(toYear(${time}) * 12 + toMonth(${time}))`
