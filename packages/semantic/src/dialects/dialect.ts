import type { TimeUnit } from '../shapes/vocabulary.ts'

/**
 * What differs between databases, and nothing else. Arguments and results are SQL text; none of it is a caller's, whose
 * values stand for themselves as placeholders.
 *
 * **Local timestamps** have no zone: digits on the wall. Columns hold UTC, and sessions run in UTC, so that a column with
 * a zone and one without are read alike.
 */
export interface Dialect {
  quoteIdentifier(name: string): string
  /** Refers to the parameter at a position, from 1. Without it, `?` stands for the next parameter, as the text is read. */
  readonly placeholder?: (position: number) => string
  /** Whether limit and offset travel as parameters; not every database or driver takes them there. */
  readonly bindsRowCounts: boolean

  text(input: string): string
  /** The text of a number, such as a coordinate. */
  numberText(input: string): string
  /** A parameter that holds a text, where it is selected rather than compared. */
  textValue(placeholder: string): string
  /** A parameter that holds `digits`. */
  number(placeholder: string, digits: string): string
  /** A parameter that holds `true` or `false`. */
  boolean(placeholder: string): string
  /** A parameter that holds a UTC time such as `2024-03-31T22:00:00.000`, to compare a column with. */
  timestamp(placeholder: string): string
  /** A parameter that holds a local time, to calculate with local timestamps. */
  localTimestamp(placeholder: string): string
  /** A member of type time beside a UTC time. */
  comparedTime(operand: string): string
  /** Null where any part is null. Parts are texts. */
  concatenate(parts: readonly string[]): string
  /** `text` with the characters replaced that mean something in a URL's query. */
  urlEncoded(text: string): string
  /** Ignores case. `pattern` is a parameter with the text of `likePattern`. */
  like(text: string, pattern: string, negated: boolean): string
  /** Makes a LIKE pattern, whose escape is a backslash, one of this dialect. */
  likePattern(pattern: string): string
  /** An equality that holds for all values, where an outer join takes no condition without one; null where it does. */
  readonly everyPair: ((left: string, right: string) => string) | null
  /** True for equal values and for two nulls. Both have the same type; joins are made on it. */
  same(left: string, right: string): string

  /** `input` is an expression or `*`. */
  count(input: string): string
  countDistinct(input: string): string
  countDistinctApprox(input: string): string
  /** Not rounded to the digits of its input. */
  average(input: string): string

  /** What the database calls a time zone of the IANA database; null where it knows no such zone. */
  zoneName(timezone: string): string | null
  /** The local timestamp of a column. `zone` is a parameter with the text of `zoneName`, or null for UTC. */
  local(column: string, zone: string | null): string
  /** The start of the unit that holds a local timestamp; weeks begin on Monday. */
  truncate(unit: TimeUnit, time: string): string
  addMilliseconds(time: string, milliseconds: number): string
  /** `count` is a whole number, perhaps a column's. */
  addSeconds(time: string, count: string): string
  /** To the month's last day where the month has no such day. `count` is a whole number, perhaps a column's. */
  addMonths(time: string, count: string): string
  /** A table `steps` whose one column `step` holds the whole numbers from 0 to below `count`, to be selected from. */
  numbers(count: number): string
  /** How many steps of `seconds` are between `origin` and `time`, a whole number rounded down, to the second. */
  secondsSteps(time: string, seconds: number, origin: string): string
  /** The start of the step of `seconds` that holds `time`, counted from `origin`. Both are local timestamps. */
  secondsBucket(time: string, seconds: number, origin: string): string
  /** The same for steps of `months`, counted from an `origin` that is the first of a month. */
  monthsBucket(time: string, months: number, origin: string): string

  /**
   * Ends a sub-query outside of which nothing is computed of rows that it does not give. Absent: the database never computes what can
   * fail before conditions that stand further inside.
   */
  readonly rowsApart?: string
  /** Whether GROUP BY takes positions of output columns; where it doesn't, groups are computed before they are selected. */
  readonly groupsByPosition: boolean
  /** Orders, and gives what cuts: pages of one query differ in nothing else. Nulls come last, whichever way, unless a key has them first. */
  pages(ordered: Ordered): CutPage
  /** Ends every statement that asks a query, but none of an author's own. */
  readonly ending: string
}

export interface Ordered {
  readonly body: string
  readonly order: readonly OrderKey[]
}

/** The text of a page; null: no limit, from the first row on. */
export type CutPage = (limit: string | null, offset: string | null) => string

/** An output column by its position, from 1, and by its quoted name. */
export interface OrderKey {
  readonly position: number
  readonly column: string
  readonly descending: boolean
  readonly nullsFirst: boolean
}
