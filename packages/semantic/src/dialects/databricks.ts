import type { Dialect } from './dialect.ts'
import { quoteWith, standard } from './standard.ts'

/** A TIMESTAMP is shown in the session's zone, which is UTC; so its digits serve as a local timestamp. */
export const databricks: Dialect = {
  ...standard,
  // Its REST interface takes values by name alone.
  placeholder: position => `:p${position}`,
  quoteIdentifier: quoteWith('`'),
  text: input => `CAST(${input} AS STRING)`,
  numberText: input => `CAST(${input} AS STRING)`,
  urlEncoded: text => `url_encode(${text})`,
  // A backslash escapes without being told; how one is written depends on a setting.
  like: (text, pattern, negated) => `${text} ${negated ? 'NOT ' : ''}ILIKE ${pattern}`,
  same: (left, right) => `${left} <=> ${right}`,
  local(column, zone) {
    const utc = `CAST(${column} AS TIMESTAMP)`
    return zone === null ? utc : `from_utc_timestamp(${utc}, ${zone})`
  },
  addMilliseconds: (time, milliseconds) =>
    `(${time} ${milliseconds < 0 ? '-' : '+'} INTERVAL '${(Math.abs(milliseconds) / 1000).toFixed(3)}' SECOND)`,
  addSeconds: (time, count) => `timestampadd(SECOND, ${count}, ${time})`,
  addMonths: (time, count) => `timestampadd(MONTH, ${count}, ${time})`,
  numbers: count => `(SELECT explode(sequence(0, ${count - 1})) AS \`step\`) AS \`steps\``,
  secondsSteps: (time, seconds, origin) =>
    `CAST(floor((unix_millis(${time}) - unix_millis(${origin})) / ${seconds * 1000}) AS INT)`,
  secondsBucket(time, seconds, origin) {
    const size = seconds * 1000
    const steps = `floor((unix_millis(${time}) - unix_millis(${origin})) / ${size})`
    return `timestamp_millis(unix_millis(${origin}) + CAST(${steps} * ${size} AS BIGINT))`
  },
  monthsBucket(time, months, origin) {
    const steps = `floor((${monthNumber(time)} - ${monthNumber(origin)}) / ${months})`
    return `CAST(add_months(${origin}, CAST(${steps} * ${months} AS INT)) AS TIMESTAMP)`
  },
}

const monthNumber = (time: string) => `(year(${time}) * 12 + month(${time}))`
