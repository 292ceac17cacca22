import { maskName } from '../access/mask-measures.ts'
import type { SecuredIndex } from '../access/secured-index.ts'
import { viewRules } from '../access/view-rules.ts'
import { filteredMember, findMember } from '../query/find-member.ts'
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
import type { MemberFilter, NormalizedQuery, QueryFilter } from '../shapes/query.ts'
import { freePathsOf, type JoinPath, joinPathsOf } from './join-paths.ts'
import { buildJoinTree } from './join-tree.ts'
import { withMaskWays } from './mask-ways.ts'
import { isOfOwnTable } from './own-table.ts'
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
  const { rowFilters, groupFilters } = splitFilters(index, query.filters)
  const measures = query.measures.map(id => findMember(index, id, isMeasure, 'measures'))
  const dimensions = query.dimensions.map(id => findMember(index, id, isDimension, 'dimensions'))
  const times: QueryMembers['times'][number][] = []
  const ranges: MemberRange[] = []
  const mentioned: DimensionMember[] = []
  for (const { dimension, granularity, dateRange } of query.timeDimensions) {
    const member = findMember(index, dimension, isDimension, 'dimensions')
    if (granularity !== undefined) times.push({ member, granularity: granularityOf(member, granularity) })
    if (dateRange) ranges.push({ member, dateRange })
    else if (granularity === undefined) mentioned.push(member)
  }
  const segments = query.segments.map(id => findMember(index, id, isSegment, 'segments'))
  const named = { measures, dimensions, times, ranges, mentioned, segments, rowFilters, groupFilters }
  const asked = listAsked(index, named)
  const rules = viewRules(index, asked, () => ({
    filters: query.filters.flatMap(leafFilters),
    ranges: ranges.map(({ member }) => member.id),
  }))
  return new FoundMembers(index, named, rules, asked)
}

/** Most queries filter rows alone. */
function splitFilters(
  index: SecuredIndex,
  filters: readonly QueryFilter[],
): Pick<QueryMembers, 'rowFilters' | 'groupFilters'> {
  if (!filters.some(filter => isOfGroups(index, filter))) return { rowFilters: filters, groupFilters: none }
  return {
    rowFilters: filters.filter(filter => !isOfGroups(index, filter)),
    groupFilters: filters.filter(filter => isOfGroups(index, filter)),
  }
}

type Named = Omit<QueryMembers, 'rules'>

/** A query's members with the list of all of them. What is private a copy with other members does not have. */
class FoundMembers implements QueryMembers {
  readonly measures: QueryMembers['measures']
  readonly dimensions: QueryMembers['dimensions']
  readonly times: QueryMembers['times']
  readonly ranges: QueryMembers['ranges']
  readonly mentioned: QueryMembers['mentioned']
  readonly segments: QueryMembers['segments']
  readonly rowFilters: QueryMembers['rowFilters']
  readonly groupFilters: QueryMembers['groupFilters']
  readonly rules: QueryMembers['rules']
  readonly #asked: readonly Member[]
  readonly #areOfOwnTables: boolean

  constructor(index: SecuredIndex, named: Named, rules: QueryMembers['rules'], asked: readonly Member[]) {
    this.measures = named.measures
    this.dimensions = named.dimensions
    this.times = named.times
    this.ranges = named.ranges
    this.mentioned = named.mentioned
    this.segments = named.segments
    this.rowFilters = named.rowFilters
    this.groupFilters = named.groupFilters
    this.rules = rules
    this.#asked = asked
    this.#areOfOwnTables = asked.every(({ cube, definition }) => isOfOwnTable(index, cube.name, definition))
  }

  static askedOf(members: Named): readonly Member[] | null {
    return #asked in members ? members.#asked : null
  }

  static areOfOwnTables(members: Named): boolean {
    return #asked in members && members.#areOfOwnTables
  }
}

/** Whether none of them needs more than its cube's own table (`isOfOwnTable`); `false` also where that is not known. */
export const areOfOwnTables = (members: Named): boolean => FoundMembers.areOfOwnTables(members)

/** Every member that the query names. */
export const askedMembers = (index: SecuredIndex, members: Named): readonly Member[] =>
  FoundMembers.askedOf(members) ?? listAsked(index, members)

function listAsked(index: SecuredIndex, members: Named): readonly Member[] {
  const asked: Member[] = []
  for (const member of members.measures) asked.push(member)
  for (const member of members.dimensions) asked.push(member)
  for (const member of members.segments) asked.push(member)
  for (const { member } of members.times) asked.push(member)
  for (const { member } of members.ranges) asked.push(member)
  for (const member of members.mentioned) asked.push(member)
  for (const filter of members.rowFilters) addFiltered(index, filter, asked)
  for (const filter of members.groupFilters) addFiltered(index, filter, asked)
  return asked
}

function addFiltered(index: SecuredIndex, filter: QueryFilter, members: Member[]): void {
  if ('and' in filter) for (const inner of filter.and) addFiltered(index, inner, members)
  else if ('or' in filter) for (const inner of filter.or) addFiltered(index, inner, members)
  else members.push(filteredMember(index, filter))
}

/** Whether a filter is about a measure's values, and so about groups. */
function isOfGroups(index: SecuredIndex, filter: QueryFilter): boolean {
  if ('and' in filter) return filter.and.some(inner => isOfGroups(index, inner))
  if ('or' in filter) return filter.or.some(inner => isOfGroups(index, inner))
  return filter.operator !== 'measureFilter' && isMeasure(filteredMember(index, filter))
}

function granularityOf({ id, definition }: DimensionMember, name: string): Granularity {
  const granularity = findGranularity(definition, name)
  if (!granularity) throw new Error(`A normalized query has the unknown granularity '${name}' of '${id}'`)
  return granularity
}

export function leafFilters(filter: QueryFilter): readonly MemberFilter[] {
  if ('and' in filter) return filter.and.flatMap(leafFilters)
  if ('or' in filter) return filter.or.flatMap(leafFilters)
  return [filter]
}

/** Measures that the query's filters are about. */
export function filteredMeasures(index: SecuredIndex, filters: readonly QueryFilter[]): readonly MeasureMember[] {
  if (filters.length === 0) return none
  return filters.flatMap(leafFilters).flatMap(filter => {
    const found = filteredMember(index, filter)
    return isMeasure(found) ? [found] : []
  })
}

/** Everything that a query refers to, as cube and name; without members that need no more than their cube's own table. */
export function usedMembers(index: SecuredIndex, members: QueryMembers): { cube: string; name: string }[] {
  const asked = askedMembers(index, members)
  const used: { cube: string; name: string }[] = []
  for (const { cube, definition } of areOfOwnTables(members) ? none : asked) {
    if (!isOfOwnTable(index, cube.name, definition)) used.push({ cube: cube.name, name: definition.name })
  }
  if (!index.hasPolicies) return used
  for (const member of asked) used.push(...maskMember(member))
  for (const { cube, member } of ruleLeaves(members.rules, asked)) used.push({ cube, name: member })
  return used
}

/** The join paths of everything the query touches, in the order that decides which cube is the root. */
export function neededPaths(
  index: SecuredIndex,
  query: Pick<NormalizedQuery, 'joinHints' | 'ungrouped'>,
  members: QueryMembers,
): readonly JoinPath[] {
  const ordered: Member[] = []
  for (const member of members.measures) ordered.push(member)
  for (const member of members.dimensions) ordered.push(member)
  for (const member of members.segments) ordered.push(member)
  for (const filter of members.rowFilters) addFiltered(index, filter, ordered)
  for (const filter of members.groupFilters) addFiltered(index, filter, ordered)
  for (const { member } of members.times) ordered.push(member)
  for (const { member } of members.ranges) ordered.push(member)
  for (const member of members.mentioned) ordered.push(member)
  const paths: JoinPath[] = query.joinHints ? [...query.joinHints] : []
  const areOwn = areOfOwnTables(members)
  for (const { cube, definition, joinPath, referral } of ordered) {
    if (referral) paths.push(...referral.beside)
    if (!areOwn && !isOfOwnTable(index, cube.name, definition)) {
      paths.push(...freePathsOf(index, cube.name, definition.name, joinPath, referral))
    } else if (!includesPath(paths, joinPath)) {
      // What is joined once is joined.
      paths.push(joinPath)
    }
  }
  if (!index.hasPolicies) return paths
  for (const { cube, member, joinPath } of ruleLeaves(members.rules, none)) {
    paths.push(...joinPathsOf(index, cube, member, joinPath))
  }
  const ways: JoinPath[] = []
  for (const member of ordered) {
    const masking = maskingOf(member)
    if (!masking) continue
    ways.push(...masking.ways.except)
    // A row shows no aggregate.
    if (!query.ungrouped || member.definition.kind !== 'measure') ways.push(...masking.ways.mask)
  }
  return ways.length === 0 ? paths : withMaskWays(index, paths, ways, () => buildJoinTree(index, paths))
}

function includesPath(paths: readonly JoinPath[], wanted: JoinPath): boolean {
  for (const path of paths) if (path === wanted || isSamePath(path, wanted)) return true
  return false
}

function isSamePath(path: JoinPath, other: JoinPath): boolean {
  if (path.length !== other.length) return false
  for (let position = 0; position < path.length; position++) if (path[position] !== other[position]) return false
  return true
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
