import type { DateRangeInput } from '../query/query-input.ts'

/**
 * A client's query, taken apart without being checked: all that queries of one kind have in common as one text, and what they differ in.
 * It has the values, dates and numbers as `readQueryInput` would read them.
 */
export interface Outline {
  /** No two queries that differ in anything else have the same. */
  readonly text: string
  /** Of the filters, in the order in which they stand. */
  readonly values: readonly (readonly (string | null)[])[]
  /** Of the time dimensions that have one, in the order in which they stand. */
  readonly ranges: readonly DateRangeInput[]
  readonly limit: number | null
  readonly offset: number | null
  readonly timezone: string | null
}

type Fields = Readonly<Record<string, unknown>>

const lengthLimit = 10_000
const valueLimit = 100
const depthLimit = 8
/**
 * Queries with other keys, as those that make several queries of one, are read anew each time. A list of its own, so that a key which queries
 * are given some day is not passed over: it is unknown here until it is part of the text.
 */
const queryKeys: ReadonlySet<string> = new Set([
  'measures',
  'dimensions',
  'segments',
  'filters',
  'timeDimensions',
  'order',
  'limit',
  'offset',
  'timezone',
  'total',
  'ungrouped',
  'responseFormat',
  'cache',
  'cacheMode',
  'renewQuery',
])
const timeKeys: ReadonlySet<string> = new Set(['dimension', 'granularity', 'dateRange'])
const filterKeys: ReadonlySet<string> = new Set(['member', 'dimension', 'operator', 'values'])

/** Null where the query is long, rare, or not of the right shape: reading it as a whole says what is wrong with it. */
export function outlineOf(query: unknown): Outline | null {
  if (!isFields(query) || !hasOnly(query, queryKeys)) return null
  const { limit, offset, timezone } = query
  if (!isCount(limit) || !isCount(offset) || !(timezone === undefined || isName(timezone))) return null
  const writer = new OutlineWriter()
  writer.names(query.measures)
  writer.names(query.dimensions)
  writer.names(query.segments)
  writer.filters(query.filters)
  writer.timeDimensions(query.timeDimensions)
  writer.order(query.order)
  for (const flag of [query.total, query.ungrouped, query.renewQuery]) writer.flag(flag)
  for (const word of [query.responseFormat, query.cache, query.cacheMode]) writer.word(word)
  if (!writer.isSimple) return null
  const { text, values, ranges } = writer
  return { text, values, ranges, limit: limit ?? null, offset: offset ?? null, timezone: timezone ?? null }
}

/** As JSON gives them; anything else may have more in it than it shows. */
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

function hasOnly(value: Fields, known: ReadonlySet<string>): boolean {
  for (const key in value) if (!known.has(key)) return false
  return true
}

const isCount = (value: unknown): value is number | undefined =>
  value === undefined || (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0)

const isName = (value: unknown): value is string => typeof value === 'string' && value !== ''

class OutlineWriter {
  text = ''
  readonly values: (readonly (string | null)[])[] = []
  readonly ranges: DateRangeInput[] = []
  isSimple = true
  #valueCount = 0

  names(list: unknown): void {
    this.#each(list, name => this.#name(name))
  }

  filters(list: unknown): void {
    this.#each(list, filter => this.#filter(filter, 0))
  }

  timeDimensions(list: unknown): void {
    this.#each(list, item => this.#timeDimension(item))
  }

  order(order: unknown): void {
    if (order === undefined) this.text += '-'
    else if (isFields(order)) for (const name in order) this.#direction(name, order[name])
    else this.#each(order, item => this.#orderItem(item))
    this.text += ';'
  }

  flag(value: unknown): void {
    if (value === undefined) this.text += '-'
    else if (typeof value === 'boolean') this.text += value ? 'y' : 'n'
    else this.isSimple = false
  }

  word(value: unknown): void {
    if (value === undefined) this.text += '-'
    else this.#name(value)
  }

  /** What none is and an empty list is not told apart by `readQueryInput` either. */
  #each(list: unknown, write: (item: unknown) => void): void {
    if (Array.isArray(list)) {
      for (let position = 0; position < list.length && this.isSimple; position++) write(list[position])
    } else if (list !== undefined) this.isSimple = false
    this.text += ';'
    if (this.text.length > lengthLimit) this.isSimple = false
  }

  /** With its length before it, no text can be taken for two. */
  #name(name: unknown): void {
    if (isName(name)) this.text += `${name.length}:${name}`
    else this.isSimple = false
  }

  #direction(name: unknown, direction: unknown): void {
    if (direction !== 'asc' && direction !== 'desc') this.isSimple = false
    this.#name(name)
    this.text += direction === 'desc' ? 'v' : '^'
  }

  #orderItem(item: unknown): void {
    if (Array.isArray(item) && item.length === 2) this.#direction(item[0], item[1])
    else if (isFields(item)) this.#direction(item.id, item.desc === true ? 'desc' : 'asc')
    else this.isSimple = false
  }

  #timeDimension(item: unknown): void {
    if (!isFields(item) || !hasOnly(item, timeKeys)) {
      this.isSimple = false
      return
    }
    const { dimension, granularity, dateRange } = item
    this.#name(dimension)
    if (granularity === undefined || granularity === null) this.text += '-'
    else this.#name(granularity)
    if (dateRange === undefined) this.text += '-'
    else if (isDateRange(dateRange)) {
      this.text += '+'
      this.ranges.push(dateRange)
    } else this.isSimple = false
  }

  #filter(filter: unknown, depth: number): void {
    if (!isFields(filter) || depth > depthLimit) {
      this.isSimple = false
    } else if (filter.and === undefined && filter.or === undefined) {
      this.#memberFilter(filter)
    } else {
      const kind = filter.and === undefined ? 'or' : 'and'
      const inner = filter[kind]
      // A group of nothing is refused, and so is what stands beside a group.
      this.isSimple &&= Object.keys(filter).length === 1 && Array.isArray(inner) && inner.length > 0
      this.text += kind
      this.#each(inner, item => this.#filter(item, depth + 1))
    }
  }

  #memberFilter(filter: Fields): void {
    const { member, dimension, operator, values } = filter
    if (!hasOnly(filter, filterKeys) || !(member === undefined || dimension === undefined)) this.isSimple = false
    this.#name(member ?? dimension)
    this.#name(operator)
    if (Array.isArray(values)) this.#addValues(values)
    else if (values === undefined || values === null) this.#addValues(null)
    else this.isSimple = false
  }

  #addValues(list: readonly unknown[] | null): void {
    this.#valueCount += list?.length ?? 0
    if (this.#valueCount > valueLimit) {
      this.isSimple = false
      return
    }
    const values: (string | null)[] = []
    this.text += list === null ? '-' : '+'
    for (const value of list ?? []) {
      // Where nulls stand decides how a filter is written.
      this.text += value === null ? 'n' : 'v'
      if (value === null || typeof value === 'string') values.push(value)
      else if (typeof value === 'number' || typeof value === 'boolean') values.push(String(value))
      else this.isSimple = false
    }
    this.values.push(values)
    this.text += ';'
  }
}

const isDateRange = (value: unknown): value is DateRangeInput =>
  typeof value === 'string'
    ? value.trim() !== ''
    : Array.isArray(value) &&
      (value.length === 1 || value.length === 2) &&
      value.every(bound => typeof bound === 'string')
