import { isPlain, type SecuredIndex } from '../access/secured-index.ts'
import { isDateOperator } from '../operators/check-filter.ts'
import type { DefaultFilter } from '../shapes/model.ts'
import type { MemberFilter, QueryFilter, TimeDimension } from '../shapes/query.ts'
import type { Clock } from '../time/date-range.ts'
import { normalizeDates } from '../time/filter-dates.ts'

interface QueryMembers {
  readonly measures: readonly string[]
  readonly dimensions: readonly string[]
  readonly segments: readonly string[]
  readonly filters: readonly QueryFilter[]
  readonly timeDimensions: readonly TimeDimension[]
}

/**
 * The default filters of every view that the query touches. One is released when the query itself filters a member of
 * its `unless`, by a filter or a date range; grouping by such a member releases nothing. Those on members that the caller is
 * not shown as they are hold too, but are added where the query is planned (`viewRules`).
 */
export function defaultFilters(index: SecuredIndex, query: QueryMembers, clock: Clock): MemberFilter[] {
  if (!index.hasDefaultFilters) return []
  const filtered = new Set(query.filters.flatMap(filterMembers))
  for (const { dimension, dateRange } of query.timeDimensions) if (dateRange) filtered.add(dimension)
  const names = new Set<string>()
  const touch = (id: string) => names.add(id.slice(0, id.indexOf('.')))
  query.measures.forEach(touch)
  query.dimensions.forEach(touch)
  query.segments.forEach(touch)
  for (const { dimension } of query.timeDimensions) touch(dimension)
  filtered.forEach(touch)
  return [...names].flatMap(name => {
    const source = index.sources.get(name)
    if (source?.definition.kind !== 'view' || source.definition.view.defaultFilters.length === 0) return []
    return source.definition.view.defaultFilters
      .filter(({ member }) => isPlain(index, source, source.members.get(member)))
      .filter(({ unless }) => !unless.some(member => filtered.has(`${name}.${member}`)))
      .map(filter => memberFilter(index, name, filter, clock))
  })
}

function memberFilter(index: SecuredIndex, view: string, filter: DefaultFilter, clock: Clock): MemberFilter {
  const member = `${view}.${filter.member}`
  const definition = index.sources.get(view)?.members.get(filter.member)?.definition
  const isTime = definition?.kind === 'dimension' && definition.type === 'time'
  const values =
    isTime || isDateOperator(filter.operator) ? normalizeDates(filter.operator, filter.values, clock) : filter.values
  return { member, operator: filter.operator, values }
}

export function filterMembers(filter: QueryFilter): string[] {
  if ('and' in filter) return filter.and.flatMap(filterMembers)
  if ('or' in filter) return filter.or.flatMap(filterMembers)
  return [filter.member]
}
