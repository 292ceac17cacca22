import type { NormalizedQuery, QueryContext, QueryFilter, TimeDimension } from '../shapes/query.ts'

/** Longer lists are rarely asked again with as many values. */
const valueLimit = 100
const lengthLimit = 10_000

/**
 * All of a query but its values and the page that it asks for, and the settings that it is asked with: queries of one shape have the
 * same text, up to where pages differ, unless planning looks at a value or at the caller. Null where a shape would be too long to be kept.
 */
export function shapeOf(query: NormalizedQuery, context: QueryContext, parametersBefore: number): string | null {
  if (countValues(query.filters) > valueLimit) return null
  let shape = `${parametersBefore} ${context.keepsRowsApart} ${context.allowUngroupedWithoutPrimaryKey}`
  for (const write of writers) shape += ` ${write(query)}`
  return shape.length > lengthLimit ? null : shape
}

function countValues(filters: readonly QueryFilter[]): number {
  let count = 0
  for (const filter of filters) {
    if ('and' in filter) count += countValues(filter.and)
    else if ('or' in filter) count += countValues(filter.or)
    else count += filter.values.length
  }
  return count
}

/** With its length before it, no text can be taken for two. */
const text = (written: string | undefined) => (written === undefined ? '-' : `${written.length}:${written}`)

function list<T>(items: readonly T[] | undefined, write: (item: T) => string): string {
  if (items === undefined) return '-'
  let written = `${items.length}`
  for (const item of items) written += ` ${write(item)}`
  return written
}

function filterShape(filter: QueryFilter): string {
  if ('and' in filter) return `and ${list(filter.and, filterShape)}`
  if ('or' in filter) return `or ${list(filter.or, filterShape)}`
  const { member, operator, values } = filter
  // Where nulls stand decides how a filter is written.
  const nulls = values.includes(null) ? values.map(value => (value === null ? 'n' : 'v')).join('') : values.length
  return `${operator} ${text(member)} ${nulls}`
}

const timeShape = ({ dimension, granularity, dateRange }: TimeDimension) =>
  `${text(dimension)} ${text(granularity)} ${dateRange !== undefined}`

/** `rowLimit` is the limit, as it is told to whoever asked. */
type OfPage = 'order' | 'limit' | 'rowLimit' | 'offset'

/** Every other part of a query, so that a new one is not forgotten. */
const shapes: { readonly [K in Exclude<keyof NormalizedQuery, OfPage>]-?: (query: NormalizedQuery) => string } = {
  measures: ({ measures }) => list(measures, text),
  dimensions: ({ dimensions }) => list(dimensions, text),
  segments: ({ segments }) => list(segments, text),
  filters: ({ filters }) => list(filters, filterShape),
  timeDimensions: ({ timeDimensions }) => list(timeDimensions, timeShape),
  timezone: ({ timezone }) => text(timezone),
  total: ({ total }) => String(total),
  ungrouped: ({ ungrouped }) => String(ungrouped),
  joinHints: ({ joinHints }) => list(joinHints, path => list(path, text)),
  cacheMode: ({ cacheMode }) => text(cacheMode),
  responseFormat: ({ responseFormat }) => responseFormat,
  queryType: ({ queryType }) => queryType,
}
const writers = Object.values(shapes)
