import type { NormalizedQuery, QueryContext, QueryFilter, TimeDimension } from '../shapes/query.ts'
import { beginning, numberOf } from './first-sight.ts'

/** A query with all that its text depends on but the database. */
export interface ShapedQuery {
  /** Of the model. */
  readonly number: number
  readonly query: NormalizedQuery
  readonly context: QueryContext
  readonly parametersBefore: number
}

/** Longer lists are rarely asked again with as many values. */
const valueLimit = 100
const lengthLimit = 10_000

/**
 * All of a query but its values and the page that it asks for, the model, and the settings that it is asked with: queries of one shape have
 * the same text, up to where pages differ, unless planning looks at a value or at the caller. Null where a shape would be too long to be kept.
 */
export function shapeOf(asked: ShapedQuery): string | null {
  if (countValues(asked.query.filters) > valueLimit) return null
  const writer = new TextWriter()
  write(writer, asked)
  return writer.text.length > lengthLimit ? null : writer.text
}

/** A number that queries of one shape have in common, in a fraction of the time that its text takes. Others may have it too. */
export function shapeNumber(asked: ShapedQuery): number | null {
  if (countValues(asked.query.filters) > valueLimit) return null
  const writer = new NumberWriter()
  write(writer, asked)
  return writer.number
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

/** Takes the parts of a shape, one after the other. */
interface Writer {
  add(part: string): void
}

/** With its length before it, no part can be taken for two. */
class TextWriter implements Writer {
  text = ''

  add(part: string): void {
    this.text += `${part.length}:${part} `
  }
}

class NumberWriter implements Writer {
  number = beginning

  add(part: string): void {
    this.number = numberOf(part, this.number)
  }
}

function write(writer: Writer, { number, query, context, parametersBefore }: ShapedQuery): void {
  writer.add(String(number))
  writer.add(String(parametersBefore))
  writer.add(String(context.keepsRowsApart))
  writer.add(String(context.allowUngroupedWithoutPrimaryKey))
  for (const writePart of writers) writePart(writer, query)
}

/** What is not there is told from every text by how many parts it has. */
function addOptional(writer: Writer, part: string | undefined): void {
  writer.add(part === undefined ? '-' : '+')
  if (part !== undefined) writer.add(part)
}

function addNames(writer: Writer, names: readonly string[]): void {
  writer.add(String(names.length))
  for (const name of names) writer.add(name)
}

function addFilters(writer: Writer, filters: readonly QueryFilter[]): void {
  writer.add(String(filters.length))
  for (const filter of filters) addFilter(writer, filter)
}

function addFilter(writer: Writer, filter: QueryFilter): void {
  if ('and' in filter || 'or' in filter) {
    writer.add('and' in filter ? 'and' : 'or')
    addFilters(writer, 'and' in filter ? filter.and : filter.or)
    return
  }
  const { member, operator, values, isOfModel } = filter
  writer.add(operator)
  writer.add(member)
  // Where nulls stand decides how a filter is written.
  const nulls = values.includes(null)
    ? values.map(value => (value === null ? 'n' : 'v')).join('')
    : String(values.length)
  writer.add(isOfModel ? `${nulls} of the model` : nulls)
}

function addTime(writer: Writer, { dimension, granularity, dateRange }: TimeDimension): void {
  writer.add(dimension)
  addOptional(writer, granularity)
  writer.add(dateRange === undefined ? '-' : '+')
}

/** `rowLimit` is the limit, as it is told to whoever asked. */
type OfPage = 'order' | 'limit' | 'rowLimit' | 'offset'

/** Every other part of a query, so that a new one is not forgotten. */
const shapes: {
  readonly [K in Exclude<keyof NormalizedQuery, OfPage>]-?: (writer: Writer, query: NormalizedQuery) => void
} = {
  measures: (writer, { measures }) => addNames(writer, measures),
  dimensions: (writer, { dimensions }) => addNames(writer, dimensions),
  segments: (writer, { segments }) => addNames(writer, segments),
  filters: (writer, { filters }) => addFilters(writer, filters),
  timeDimensions: (writer, { timeDimensions }) => {
    writer.add(String(timeDimensions.length))
    for (const time of timeDimensions) addTime(writer, time)
  },
  timezone: (writer, { timezone }) => writer.add(timezone),
  total: (writer, { total }) => writer.add(String(total)),
  ungrouped: (writer, { ungrouped }) => writer.add(String(ungrouped)),
  joinHints: (writer, { joinHints }) => {
    addOptional(writer, joinHints && String(joinHints.length))
    for (const path of joinHints ?? []) addNames(writer, path)
  },
  cacheMode: (writer, { cacheMode }) => addOptional(writer, cacheMode),
  responseFormat: (writer, { responseFormat }) => writer.add(responseFormat),
  queryType: (writer, { queryType }) => writer.add(queryType),
}
const writers = Object.values(shapes)
