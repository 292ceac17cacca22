import { usage } from '../framework/failure.ts'
import type { JsonRecord } from '../framework/json.ts'
import type { Kind } from '../framework/parameter.ts'

/** A query as its options spell it. */
export interface QueryOptions {
  readonly measures: readonly string[] | undefined
  readonly dimensions: readonly string[] | undefined
  readonly segments: readonly string[] | undefined
  readonly timeDimension: string | undefined
  readonly granularity: string | undefined
  readonly dateRange: string | readonly string[] | undefined
  readonly filter: readonly JsonRecord[]
  readonly order: readonly (readonly [member: string, direction: string])[] | undefined
  readonly limit: number | undefined
  readonly offset: number | undefined
  readonly timezone: string | undefined
}

/** The JSON query of the data API; what was not given is left out. */
export function buildQuery(options: QueryOptions): JsonRecord {
  const { measures, dimensions, segments, timeDimension, granularity, dateRange, filter, order, limit } = options
  const { offset, timezone } = options
  const time =
    timeDimension === undefined ? undefined : [withoutUndefined({ dimension: timeDimension, granularity, dateRange })]
  const filters = filter.length === 0 ? undefined : filter
  return withoutUndefined({
    measures,
    dimensions,
    segments,
    timeDimensions: time,
    filters,
    order,
    limit,
    offset,
    timezone,
  })
}

const withoutUndefined = (record: JsonRecord): JsonRecord =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined))

/** `member operator value`; several values with commas between them, a value with commas in double quotes. */
export const filterKind: Kind<JsonRecord> = {
  name: 'member operator values',
  parse: (text, label) => {
    const match = /^\s*(\S+)\s+(\S+)(?:\s+(.*))?$/s.exec(text)
    if (match === null)
      throw usage(
        `${label}: '${text}' is not 'member operator values', as in 'flight_facts.origin_code equals LAX,SFO'`,
      )
    const [, member, operator, rest] = match
    if (rest === undefined || rest.trim() === '') return { member, operator }
    return { member, operator, values: splitValues(rest, label) }
  },
}

/** Values between commas, without the blanks around them; inside double quotes everything counts, and `""` is one quote. */
function splitValues(text: string, label: string): readonly string[] {
  const values: string[] = []
  const pattern = /\s*(?:"((?:[^"]|"")*)"\s*|([^",]*))(,|$)/y
  for (;;) {
    const match = pattern.exec(text)
    if (match === null) throw usage(`${label}: the quotes in '${text}' do not pair, or stand inside a value`)
    const [, quoted, plain = '', separator] = match
    values.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'))
    if (separator === '') return values
  }
}

/** `member` or `member:desc`, several with commas between them. */
export const orderKind: Kind<readonly (readonly [string, string])[]> = {
  name: 'member:direction',
  parse: (text, label) =>
    text
      .split(',')
      .map(item => item.trim())
      .filter(item => item !== '')
      .map(item => {
        const [member = '', direction = 'asc', ...more] = item.split(':')
        if (member === '' || more.length > 0 || !['asc', 'desc'].includes(direction)) {
          throw usage(`${label}: '${item}' is not a member with :asc or :desc, as in flight_facts.count:desc`)
        }
        return [member, direction] as const
      }),
}

/** Words such as `last 7 days`, or two dates with a comma between them. */
export const dateRangeKind: Kind<string | readonly string[]> = {
  name: 'range',
  parse: text => {
    const dates = text.split(',').map(date => date.trim())
    return dates.length > 1 || /^\d{4}-\d{2}-\d{2}/.test(text) ? dates : text
  },
}
