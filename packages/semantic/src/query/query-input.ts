import { queryError } from '../messages/query-messages.ts'
import { type CacheMode, cacheModes, type ResponseFormat, responseFormats } from '../shapes/query.ts'
import { createSizeMeter, type SizeMeter } from './size-meter.ts'

/** A query as a client wrote it, of the right shape; nothing in it has been looked up. */
export interface QueryInput {
  readonly measures: readonly string[]
  /** Two names, or three where a time dimension carries its granularity. */
  readonly dimensions: readonly string[]
  readonly segments: readonly string[]
  readonly filters: readonly FilterInput[]
  readonly timeDimensions: readonly TimeDimensionInput[]
  readonly order: readonly (readonly [string, 'asc' | 'desc'])[] | null
  readonly limit: number | null
  readonly offset: number | null
  readonly timezone: string | null
  readonly total: boolean | null
  readonly ungrouped: boolean | null
  readonly responseFormat: ResponseFormat
  readonly cacheMode: CacheMode | null
  readonly joinHints: readonly (readonly string[])[]
}

export type DateRangeInput = string | readonly string[]

export interface TimeDimensionInput {
  readonly dimension: string
  readonly granularity: string | null
  readonly dateRange: DateRangeInput | null
  readonly compareDateRange: readonly DateRangeInput[] | null
}

/** `written`: as its author would recognize it, for messages. */
export type FilterInput =
  | { readonly kind: 'and' | 'or'; readonly filters: readonly FilterInput[]; readonly written: () => string }
  | {
      readonly kind: 'member'
      readonly member: string
      readonly operator: string | null
      readonly values: readonly (string | null)[] | null
      readonly written: () => string
    }

type Fields = Readonly<Record<string, unknown>>

const memberPattern = /^[a-zA-Z0-9_]+\.[a-zA-Z0-9_]+$/
const dimensionPattern = /^[a-zA-Z0-9_]+\.[a-zA-Z0-9_]+(\.[a-zA-Z0-9_]+)?$/
const namePattern = /^[a-zA-Z0-9_]+$/
const granularityLimit = 128
const filterDepthLimit = 32
const listLimit = 1_000
const hintLimit = 100
/** Each range is a query of its own. */
const compareLimit = 100
const knownKeys: ReadonlySet<string> = new Set([
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
  'joinHints',
])
const timeKeys = new Set(['dimension', 'granularity', 'dateRange', 'compareDateRange'])
const groupKinds = ['and', 'or'] as const
const filterKeys = new Set(['member', 'dimension', 'operator', 'values'])

const format = (reason: string) => queryError('format', { reason })

/** Reads a client's query. Throws a `QueryError` at the first thing that is not as it should be. */
export function readQueryInput(input: unknown, size = createSizeMeter()): QueryInput {
  const query = fields(input, '"query"')
  if ('maskedMembers' in query) throw queryError('masked_members', {})
  checkKeys(query, knownKeys, '')
  return {
    measures: names(query, 'measures', memberPattern),
    dimensions: names(query, 'dimensions', dimensionPattern),
    segments: names(query, 'segments', memberPattern),
    filters: list(query, 'filters', (value, at) => readFilter(value, at, 0, size)),
    timeDimensions: list(query, 'timeDimensions', readTimeDimension),
    order: readOrder(query.order),
    limit: count(query, 'limit'),
    offset: count(query, 'offset'),
    timezone: text(query, 'timezone'),
    total: flag(query, 'total'),
    ungrouped: flag(query, 'ungrouped'),
    responseFormat: word(query, 'responseFormat', responseFormats) ?? 'default',
    cacheMode: readCacheMode(query),
    joinHints: list(query, 'joinHints', (value, at) => {
      if (!Array.isArray(value) || value.length > hintLimit) {
        throw format(`${at} must be an array of up to ${hintLimit} names of cubes`)
      }
      return value.map((name, index) => member(name, () => `${at.slice(0, -1)}[${index}]"`, namePattern))
    }),
  }
}

function fields(value: unknown, at: string): Fields {
  if (isFields(value)) return value
  throw format(`${at} must be of type object`)
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function checkKeys(value: Fields, known: ReadonlySet<string>, prefix: string): void {
  for (const key of Object.keys(value)) if (!known.has(key)) throw format(`"${prefix}${key}" is not allowed`)
}

function list<T>(query: Fields, key: string, read: (value: unknown, at: string) => T): readonly T[] {
  return items(query, key).map((item, index) => read(item, `"${key}[${index}]"`))
}

const names = (query: Fields, key: string, pattern: RegExp): readonly string[] =>
  items(query, key).map((item, index) => member(item, () => `"${key}[${index}]"`, pattern))

function items(query: Fields, key: string): readonly unknown[] {
  const value = query[key]
  if (value === undefined) return none
  if (!Array.isArray(value)) throw format(`"${key}" must be an array`)
  if (value.length > listLimit) throw format(`"${key}" must contain less than or equal to ${listLimit} items`)
  return value
}

const none: readonly never[] = []

/** @param at its place, for messages */
function member(value: unknown, at: () => string, pattern: RegExp): string {
  if (typeof value === 'string' && pattern.test(value)) return value
  if (typeof value === 'object' && value !== null) throw queryError('expression', {})
  if (typeof value !== 'string') throw format(`${at()} must be a string`)
  if (value.trimStart().startsWith('{')) throw queryError('expression', {})
  throw format(`${at()} with value "${value}" fails to match the required pattern: ${String(pattern)}`)
}

function count(query: Fields, key: string): number | null {
  const value = query[key]
  if (value === undefined) return null
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw format(`"${key}" must be an integer`)
  if (value < 0) throw format(`"${key}" must be greater than or equal to 0`)
  return value
}

function text(query: Fields, key: string, prefix = ''): string | null {
  const value = query[key]
  if (value === undefined) return null
  if (typeof value !== 'string' || value === '') throw format(`"${prefix}${key}" must be a non-empty string`)
  return value
}

function flag(query: Fields, key: string): boolean | null {
  const value = query[key]
  if (value === undefined) return null
  if (typeof value !== 'boolean') throw format(`"${key}" must be a boolean`)
  return value
}

function word<T extends string>(query: Fields, key: string, allowed: readonly T[]): T | null {
  const value = query[key]
  if (value === undefined) return null
  const found = allowed.find(candidate => candidate === value)
  if (!found) throw format(`"${key}" must be one of [${allowed.join(', ')}]`)
  return found
}

function readCacheMode(query: Fields): CacheMode | null {
  const renew = flag(query, 'renewQuery') ? 'must-revalidate' : null
  return word(query, 'cacheMode', cacheModes) ?? word(query, 'cache', cacheModes) ?? renew
}

function readTimeDimension(value: unknown, at: string): TimeDimensionInput {
  const path = at.slice(1, -1)
  const item = fields(value, at)
  checkKeys(item, timeKeys, `${path}.`)
  if (item.dimension === undefined) throw format(`"${path}.dimension" is required`)
  const granularity = item.granularity === null ? null : text(item, 'granularity', `${path}.`)
  if (granularity !== null && granularity.length > granularityLimit) {
    throw format(`"${path}.granularity" length must be less than or equal to ${granularityLimit} characters long`)
  }
  if (item.dateRange !== undefined && item.compareDateRange !== undefined) {
    throw format(`"${path}" contains a conflict between exclusive peers [dateRange, compareDateRange]`)
  }
  return {
    dimension: member(item.dimension, () => `"${path}.dimension"`, memberPattern),
    granularity,
    dateRange: item.dateRange === undefined ? null : dateRange(item.dateRange, `"${path}.dateRange"`),
    compareDateRange:
      item.compareDateRange === undefined ? null : dateRanges(item.compareDateRange, `${path}.compareDateRange`),
  }
}

function dateRange(value: unknown, at: string): DateRangeInput {
  if (typeof value === 'string' && value.trim() !== '') return value
  const isBounds = Array.isArray(value) && (value.length === 1 || value.length === 2)
  if (!isBounds || !value.every(bound => typeof bound === 'string')) {
    throw format(`${at} must be a text such as "last 7 days", or an array of one or two dates`)
  }
  return value.map(String)
}

function dateRanges(value: unknown, path: string): readonly DateRangeInput[] {
  if (!Array.isArray(value) || value.length === 0) throw format(`"${path}" must be an array of at least one date range`)
  if (value.length > compareLimit) throw format(`"${path}" must contain less than or equal to ${compareLimit} items`)
  return value.map((range, index) => dateRange(range, `"${path}[${index}]"`))
}

function readFilter(value: unknown, at: string, depth: number, size: SizeMeter): FilterInput {
  const path = at.slice(1, -1)
  if (depth > filterDepthLimit) throw format(`"${path.slice(0, 60)}…" is nested more than ${filterDepthLimit} deep`)
  size.condition()
  const item = fields(value, at)
  for (const kind of groupKinds) {
    const group = item[kind]
    if (group === undefined) continue
    checkKeys(item, new Set([kind]), `${path}.`)
    if (!Array.isArray(group) || group.length === 0)
      throw format(`"${path}.${kind}" must be an array of at least one filter`)
    const filters = group.map((filter, index) => readFilter(filter, `"${path}.${kind}[${index}]"`, depth + 1, size))
    return { kind, filters, written: () => describe(item) }
  }
  checkKeys(item, filterKeys, `${path}.`)
  const name = item.member ?? item.dimension
  if (name === undefined) throw format(`${at} must contain at least one of [member, dimension, and, or]`)
  if (item.member !== undefined && item.dimension !== undefined) {
    throw format(`${at} contains a conflict between exclusive peers [member, dimension]`)
  }
  return {
    kind: 'member',
    member: member(name, () => `"${path}.member"`, memberPattern),
    operator: filterOperator(item.operator, path),
    values: item.values === undefined || item.values === null ? null : filterValues(item.values, path, size),
    written: () => describe(item),
  }
}

function filterOperator(value: unknown, path: string): string | null {
  if (value === undefined || value === null || value === '') return null
  if (typeof value === 'string') return value
  throw format(`"${path}.operator" must be a string`)
}

function filterValues(value: unknown, path: string, size: SizeMeter): readonly (string | null)[] {
  if (!Array.isArray(value)) throw format(`"${path}.values" must be an array`)
  size.values(value.length)
  return value.map((item, index) => {
    if (item === null) return null
    if (typeof item === 'string' || typeof item === 'number' || typeof item === 'boolean') return String(item)
    throw format(`"${path}.values[${index}]" must be one of [string, number, boolean, null]`)
  })
}

/** A filter as its author would recognize it, cut where it is long. */
function describe(value: unknown): string {
  const written = JSON.stringify(value)
  return written.length > 500 ? `${written.slice(0, 500)}…` : written
}

function readOrder(value: unknown): QueryInput['order'] {
  if (value === undefined) return null
  const pairs: readonly (readonly unknown[])[] = Array.isArray(value)
    ? value.map((item, index) => orderItem(item, `"order[${index}]"`))
    : Object.entries(fields(value, '"order"'))
  if (pairs.length > listLimit) throw format(`"order" must contain less than or equal to ${listLimit} items`)
  return pairs.map(([name, direction]) => {
    if (direction !== 'asc' && direction !== 'desc') throw format('"order" must give asc or desc for each member')
    return [member(name, () => '"order"', dimensionPattern), direction]
  })
}

/** `[member, direction]`, or `{ id, desc }` as a normalized query has it. */
function orderItem(item: unknown, at: string): readonly unknown[] {
  if (Array.isArray(item)) {
    if (item.length !== 2) throw format(`${at} must be a pair of a member and asc or desc`)
    return item
  }
  const { id, desc } = fields(item, at)
  return [id, desc === true ? 'desc' : 'asc']
}
