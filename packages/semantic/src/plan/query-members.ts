import { maskName } from '../access/mask-measures.ts'
import type { SecuredIndex } from '../access/secured-index.ts'
import { viewRules } from '../access/view-rules.ts'
import { findMember } from '../query/find-member.ts'
import {
  type DimensionMember,
  findGranularity,
  isDimension,
  isMeasure,
  isSegment,
  type MeasureMember,
  type Member,
  type SegmentMember,
} from '../resolve/model-index.ts'
import type { RowRule } from '../shapes/access.ts'
import type { Granularity } from '../shapes/model.ts'
import type { MemberFilter, NormalizedQuery, QueryFilter, TimeDimension } from '../shapes/query.ts'
import { type JoinPath, joinPathsIn, joinPathsOf } from './join-paths.ts'
import { type RuleLeaf, ruleMembers } from './rule-members.ts'

/** A query with its members looked up. */
export interface QueryMembers {
  readonly measures: readonly MeasureMember[]
  readonly dimensions: readonly DimensionMember[]
  readonly times: readonly { readonly member: DimensionMember; readonly granularity: Granularity }[]
  readonly ranges: readonly MemberRange[]
  /** Time dimensions with neither: nothing is done with them, but their cubes are joined. */
  readonly mentioned: readonly DimensionMember[]
  readonly segments: readonly SegmentMember[]
  /** Filters that hold for rows, and those that hold for groups. */
  readonly rowFilters: readonly QueryFilter[]
  readonly groupFilters: readonly QueryFilter[]
  /** What policies ask of the query's rows, beside what they ask of the rows of each cube. */
  readonly rules: readonly RowRule[]
}

/** Local times, both ends included; null where there is no end. */
export interface MemberRange {
  readonly member: DimensionMember
  readonly dateRange: readonly [string | null, string | null]
}

/** The ends that a range has. */
export const closed = (dateRange: MemberRange['dateRange']): readonly string[] => dateRange.flatMap(end => end ?? [])

export function queryMembers(index: SecuredIndex, query: NormalizedQuery): QueryMembers {
  const [groupFilters, rowFilters] = partition(query.filters, filter =>
    leafFilters(filter).some(
      ({ member, operator }) => operator !== 'measureFilter' && isMeasure(anyMember(index, member)),
    ),
  )
  const members = {
    measures: query.measures.map(id => findMember(index, id, isMeasure, 'measures')),
    dimensions: query.dimensions.map(id => findMember(index, id, isDimension, 'dimensions')),
    times: query.timeDimensions.flatMap(time => timeGrain(index, time)),
    ranges: query.timeDimensions.flatMap(({ dimension, dateRange }) =>
      dateRange ? [{ member: findMember(index, dimension, isDimension, 'dimensions'), dateRange }] : [],
    ),
    mentioned: query.timeDimensions.flatMap(({ dimension, granularity, dateRange }) =>
      granularity === undefined && !dateRange ? [findMember(index, dimension, isDimension, 'dimensions')] : [],
    ),
    segments: query.segments.map(id => findMember(index, id, isSegment, 'segments')),
    rowFilters,
    groupFilters,
  }
  const filtering = {
    filters: query.filters.flatMap(leafFilters),
    ranges: members.ranges.map(({ member }) => member.id),
  }
  return { ...members, rules: viewRules(index, askedMembers(index, members), filtering) }
}

type Named = Omit<QueryMembers, 'rules'>

const known = new WeakMap<Named, readonly Member[]>()

/** Every member that the query names. */
export function askedMembers(index: SecuredIndex, members: Named): readonly Member[] {
  const found = known.get(members)
  if (found) return found
  const asked: Member[] = [...members.measures, ...members.dimensions, ...members.segments]
  for (const { member } of members.times) asked.push(member)
  for (const { member } of members.ranges) asked.push(member)
  asked.push(...members.mentioned)
  for (const filter of members.rowFilters) asked.push(...filteredMembers(index, filter))
  for (const filter of members.groupFilters) asked.push(...filteredMembers(index, filter))
  known.set(members, asked)
  return asked
}

const filteredMembers = (index: SecuredIndex, filter: QueryFilter): readonly Member[] =>
  leafFilters(filter).map(({ member }) => anyMember(index, member))

function timeGrain(index: SecuredIndex, { dimension, granularity: name }: TimeDimension): QueryMembers['times'] {
  if (name === undefined) return []
  const member = findMember(index, dimension, isDimension, 'dimensions')
  const granularity = findGranularity(member.definition, name)
  if (!granularity) throw new Error(`A normalized query has the unknown granularity '${name}' of '${dimension}'`)
  return [{ member, granularity }]
}

const anyMember = (index: SecuredIndex, id: string): Member => findMember(index, id, () => true, 'members')

function partition<T>(items: readonly T[], isFirst: (item: T) => boolean): readonly [readonly T[], readonly T[]] {
  const first: T[] = []
  const second: T[] = []
  for (const item of items) (isFirst(item) ? first : second).push(item)
  return [first, second]
}

export function leafFilters(filter: QueryFilter): readonly MemberFilter[] {
  if ('and' in filter) return filter.and.flatMap(leafFilters)
  if ('or' in filter) return filter.or.flatMap(leafFilters)
  return [filter]
}

/** Measures that the query's filters are about. */
export function filteredMeasures(index: SecuredIndex, filters: readonly QueryFilter[]): MeasureMember[] {
  return filters.flatMap(leafFilters).flatMap(({ member }) => {
    const found = anyMember(index, member)
    return isMeasure(found) ? [found] : []
  })
}

/** Everything that a query refers to, as cube and name. */
export function usedMembers(index: SecuredIndex, members: QueryMembers): { cube: string; name: string }[] {
  const asked = askedMembers(index, members)
  const ruled = ruleLeaves(members.rules, asked)
  return [
    ...asked.map(({ cube, definition }) => ({ cube: cube.name, name: definition.name })),
    ...asked.flatMap(maskMember),
    ...ruled.map(({ cube, member }) => ({ cube, name: member })),
  ]
}

/** The join paths of everything the query touches, in the order that decides which cube is the root. */
export function neededPaths(
  index: SecuredIndex,
  query: Pick<NormalizedQuery, 'joinHints'>,
  members: QueryMembers,
): JoinPath[] {
  const ordered: Member[] = [...members.measures, ...members.dimensions, ...members.segments]
  for (const filter of [...members.rowFilters, ...members.groupFilters]) ordered.push(...filteredMembers(index, filter))
  for (const { member } of members.times) ordered.push(member)
  for (const { member } of members.ranges) ordered.push(member)
  ordered.push(...members.mentioned)
  const paths = [...(query.joinHints ?? [])]
  for (const { cube, definition, joinPath } of ordered) {
    paths.push(...joinPathsOf(index, cube.name, definition.name, joinPath))
  }
  for (const member of ordered) paths.push(...maskPaths(index, member))
  for (const { cube, member, joinPath } of ruleLeaves(members.rules, ordered)) {
    paths.push(...joinPathsOf(index, cube, member, joinPath))
  }
  return paths
}

const maskingOf = ({ definition }: Member) => (definition.kind === 'segment' ? undefined : definition.masking)

/** What policies ask of a row for it to be there, and for these members to be shown as they are. */
export const ruleLeaves = (rules: readonly RowRule[], asked: readonly Member[]): RuleLeaf[] =>
  [...rules, ...asked.flatMap(maskRules)].flatMap(ruleMembers)

/** On which rows a masked member is shown as it is. */
function maskRules(member: Member): readonly RowRule[] {
  const rule = maskingOf(member)?.except
  return rule ? [rule] : none
}

/** Most queries touch no policy, and a list for each member to say so would be most of their work. */
const none: readonly never[] = []

function maskMember({ cube, definition }: Member): readonly { cube: string; name: string }[] {
  const isAggregated = definition.kind === 'measure' && definition.masking?.mask?.kind === 'sql'
  return isAggregated ? [{ cube: cube.name, name: maskName(definition.name) }] : none
}

/** The join paths of the SQL that is shown in place of a member. */
function maskPaths(index: SecuredIndex, member: Member): readonly JoinPath[] {
  const mask = maskingOf(member)?.mask
  return mask?.kind === 'sql' ? joinPathsIn(index, mask.sql, member.joinPath) : none
}
