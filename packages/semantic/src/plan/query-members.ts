import { findMember } from '../query/find-member.ts'
import {
  type DimensionMember,
  findGranularity,
  isDimension,
  isMeasure,
  isSegment,
  type MeasureMember,
  type Member,
  type ModelIndex,
  type SegmentMember,
} from '../resolve/model-index.ts'
import type { Granularity } from '../shapes/model.ts'
import type { MemberFilter, NormalizedQuery, QueryFilter, TimeDimension } from '../shapes/query.ts'
import { type JoinPath, joinPathsOf } from './join-paths.ts'

/** A query with its members looked up. */
export interface QueryMembers {
  readonly measures: readonly MeasureMember[]
  readonly dimensions: readonly DimensionMember[]
  readonly times: readonly { readonly member: DimensionMember; readonly granularity: Granularity }[]
  readonly ranges: readonly { readonly member: DimensionMember; readonly dateRange: readonly [string, string] }[]
  readonly segments: readonly SegmentMember[]
  /** Filters that hold for rows, and those that hold for groups. */
  readonly rowFilters: readonly QueryFilter[]
  readonly groupFilters: readonly QueryFilter[]
}

export function queryMembers(index: ModelIndex, query: NormalizedQuery): QueryMembers {
  const holdsForGroups = (filter: QueryFilter) =>
    leafFilters(filter).some(
      ({ member, operator }) => operator !== 'measureFilter' && isMeasure(anyMember(index, member)),
    )
  return {
    measures: query.measures.map(id => findMember(index, id, isMeasure, 'measures')),
    dimensions: query.dimensions.map(id => findMember(index, id, isDimension, 'dimensions')),
    times: query.timeDimensions.flatMap(time => timeGrain(index, time)),
    ranges: query.timeDimensions.flatMap(({ dimension, dateRange }) =>
      dateRange ? [{ member: findMember(index, dimension, isDimension, 'dimensions'), dateRange }] : [],
    ),
    segments: query.segments.map(id => findMember(index, id, isSegment, 'segments')),
    rowFilters: query.filters.filter(filter => !holdsForGroups(filter)),
    groupFilters: query.filters.filter(holdsForGroups),
  }
}

function timeGrain(index: ModelIndex, { dimension, granularity: name }: TimeDimension): QueryMembers['times'] {
  if (name === undefined) return []
  const member = findMember(index, dimension, isDimension, 'dimensions')
  const granularity = findGranularity(member.definition, name)
  if (!granularity) throw new Error(`A normalized query has the unknown granularity '${name}' of '${dimension}'`)
  return [{ member, granularity }]
}

const anyMember = (index: ModelIndex, id: string): Member => findMember(index, id, () => true, 'members')

export function leafFilters(filter: QueryFilter): readonly MemberFilter[] {
  if ('and' in filter) return filter.and.flatMap(leafFilters)
  if ('or' in filter) return filter.or.flatMap(leafFilters)
  return [filter]
}

/** Measures that the query's filters are about. */
export function filteredMeasures(index: ModelIndex, filters: readonly QueryFilter[]): MeasureMember[] {
  return filters.flatMap(leafFilters).flatMap(({ member }) => {
    const found = anyMember(index, member)
    return isMeasure(found) ? [found] : []
  })
}

/** Everything that a query refers to, as cube and name. */
export function usedMembers(index: ModelIndex, members: QueryMembers): { cube: string; name: string }[] {
  const filtered = [...members.rowFilters, ...members.groupFilters].flatMap(leafFilters)
  const used: readonly Member[] = [
    ...members.measures,
    ...members.dimensions,
    ...members.segments,
    ...[...members.times, ...members.ranges].map(({ member }) => member),
    ...filtered.map(({ member }) => anyMember(index, member)),
  ]
  return used.map(({ cube, definition }) => ({ cube: cube.name, name: definition.name }))
}

/** The join paths of everything the query touches, in the order that decides which cube is the root. */
export function neededPaths(index: ModelIndex, query: NormalizedQuery, members: QueryMembers): JoinPath[] {
  const filtered = [...members.rowFilters, ...members.groupFilters]
    .flatMap(leafFilters)
    .map(({ member }) => anyMember(index, member))
  const ordered: readonly Member[] = [
    ...members.measures,
    ...members.dimensions,
    ...members.segments,
    ...filtered,
    ...members.times.map(({ member }) => member),
    ...members.ranges.map(({ member }) => member),
  ]
  const paths = ordered.flatMap(({ cube, definition, joinPath }) =>
    joinPathsOf(index, cube.name, definition.name, joinPath),
  )
  return [...(query.joinHints ?? []), ...paths]
}
