import type { SecuredIndex } from '../../access/secured-index.ts'
import { QueryError } from '../../messages/query-messages.ts'
import { type RollupMiss, rollupMiss } from '../../messages/rollup-misses.ts'
import { filteredMember } from '../../query/find-member.ts'
import type { DimensionMember, MeasureMember, Member, ModelIndex } from '../../resolve/model-index.ts'
import type { DialectName } from '../../shapes/compiled.ts'
import { measureKinds } from '../../shapes/measure-kinds.ts'
import type { Granularity } from '../../shapes/model.ts'
import type { MemberFilter, NormalizedQuery, QueryFilter } from '../../shapes/query.ts'
import type { Interval } from '../../shapes/window.ts'
import { parseIso } from '../../time/local-time.ts'
import type { JoinTree } from '../join-tree.ts'
import { isAffectedByRepetition } from '../measures.ts'
import { filteredMeasures, leafFilters, type MemberRange, type QueryMembers } from '../query-members.ts'
import { divides, movesSteps, startsBucket } from './divides.ts'
import { engineMiss } from './engine-miss.ts'
import { dividingRange } from './filter-range.ts'
import { joinRollups } from './joined-rollup.ts'
import { held, heldMeasure, wayTo } from './places.ts'
import { policyMiss } from './policy-miss.ts'
import { requestMiss } from './request-miss.ts'
import { distinct, leaves, type Rollup, type RollupId, rollupOf } from './rollup.ts'

/** A query as a rollup has to match it. */
export interface MatchedQuery {
  readonly index: SecuredIndex
  readonly members: QueryMembers
  readonly tree: JoinTree
  readonly query: NormalizedQuery
  /** What a data source speaks. */
  readonly dialectOf: (dataSource: string) => DialectName
  /** What the caller asks for as a whole, where this is a stage of it. */
  readonly asked?: QueryMembers
  /** By how much later than its own time a row counts. */
  readonly shiftsOf?: (member: Member) => readonly Interval[]
}

/**
 * Whether a rollup holds all that a query asks for, so that reading it gives the rows that the source gives. Null when it does,
 * otherwise why not.
 */
export function missOf(
  { index, members, tree, query, dialectOf, asked, shiftsOf }: MatchedQuery,
  id: RollupId,
): RollupMiss | null {
  const definition = index.cube(id.cube).preAggregations.find(({ name }) => name === id.name)
  if (!definition) throw new Error(`The model has no pre-aggregation '${id.cube}.${id.name}'`)
  let rollup: Rollup
  try {
    rollup = rollupOf(index, id)
    if (definition.type === 'rollup_lambda' && !holdsSame(index, rollup)) return rollupMiss('other_members', {})
    const follows = definition.rollups.length > 1 || definition.unionWithSourceData
    if (definition.type === 'rollup_lambda' && follows && rollup.times.length === 0)
      return rollupMiss('lambda_time', {})
  } catch (error) {
    if (error instanceof QueryError) return rollupMiss('not_joined', { reason: error.message })
    throw error
  }
  const foreign = tree.cubes.find(cube => !rollup.tree.cubes.includes(cube))
  if (foreign !== undefined) return rollupMiss('cube', { cube: foreign })
  const match: Match = { index, members, tree, rollup, query, dialectOf, shiftsOf: shiftsOf ?? (() => []) }
  const joined = definition.type === 'rollup_join' ? joinRollups(index, rollup, dialectOf) : null
  if (joined && 'miss' in joined) return joined.miss
  const parts = [rollup, ...(joined?.parts ?? []).map(part => part.rollup)]
  return (
    firstMiss(members.dimensions, member => dimensionMiss(match, member)) ??
    firstMiss(members.times, ({ member, granularity }) => timeMiss(match, member, granularity)) ??
    firstMiss(members.segments, member =>
      held(rollup.segments, member) ? placeMiss(match, member) : rollupMiss('segment', { member: member.id }),
    ) ??
    firstMiss(members.ranges, ({ member, dateRange }) => rangeMiss(match, member, dateRange)) ??
    firstMiss(members.rowFilters.flatMap(leafFilters), filter => filterMiss(match, filter)) ??
    firstMiss(measuresOf(index, members), member => measureMiss(match, member)) ??
    firstMiss(parts, part => requestMiss(index, part, members)) ??
    policyMiss(index, rollup, { ...(asked ?? members), rules: members.rules }, tree) ??
    firstMiss(dialectsOf(index, rollup, dialectOf), dialect => engineMiss(index, rollup, query, members, dialect))
  )
}

/** What the sources of a rollup's rows speak: several only for what joins others. */
export const dialectsOf = (
  index: ModelIndex,
  { tree }: Rollup,
  dialectOf: (dataSource: string) => DialectName,
): DialectName[] => [...new Set(tree.cubes.map(cube => dialectOf(index.cube(cube).dataSource)))]

interface Match extends MatchedQuery {
  readonly rollup: Rollup
  readonly shiftsOf: (member: Member) => readonly Interval[]
}

function firstMiss<T>(items: readonly T[], miss: (item: T) => RollupMiss | null): RollupMiss | null {
  for (const item of items) {
    const found = miss(item)
    if (found) return found
  }
  return null
}

/** Leaves of all measures that a query shows or filters. */
export const measuresOf = (index: SecuredIndex, members: QueryMembers): MeasureMember[] =>
  distinct(
    [...members.measures, ...filteredMeasures(index, members.groupFilters)].flatMap(member => leaves(index, member)),
  )

function holdsSame(index: ModelIndex, lambda: Rollup): boolean {
  const ids = ({ dimensions, times, segments, measures }: Rollup) =>
    [...dimensions, ...times, ...segments, ...measures]
      .map(({ name }) => name)
      .toSorted()
      .join()
  return lambda.definition.rollups.every(id => ids(rollupOf(index, id)) === ids(lambda))
}

/** A member means the same rows only where the same joins lead to it. */
function placeMiss({ tree, rollup }: Match, { id, cube }: Member): RollupMiss | null {
  const query = wayTo(tree, cube.name)
  const own = wayTo(rollup.tree, cube.name)
  return query === own ? null : rollupMiss('place', { member: id, query, rollup: own })
}

function dimensionMiss(match: Match, member: DimensionMember): RollupMiss | null {
  if (!held(match.rollup.dimensions, member)) return rollupMiss('dimension', { member: member.id })
  // The moment itself is UTC, of which months are not those of the query's zone.
  return match.shiftsOf(member).length > 0 ? rollupMiss('shifted', { member: member.id }) : placeMiss(match, member)
}

/** The steps of a time that still are steps where its rows count later. */
function stepsOf({ rollup, shiftsOf }: Match, member: Member): Rollup['times'] {
  const shifts = shiftsOf(member)
  return rollup.times.filter(
    column => held([column], member) && shifts.every(shift => movesSteps(column.granularity, shift)),
  )
}

const heldSteps = ({ rollup }: Match, member: Member): boolean => held(rollup.times, member) !== undefined

function timeMiss(match: Match, member: DimensionMember, granularity: Granularity): RollupMiss | null {
  // The period that a calendar gives is a column of its table, and nothing that the time itself tells.
  const isCut = granularity.bucket.kind !== 'calendar'
  if (isCut && held(match.rollup.dimensions, member)) return placeMiss(match, member)
  const columns = stepsOf(match, member)
  if (columns.length === 0) return rollupMiss(heldSteps(match, member) ? 'shifted' : 'dimension', { member: member.id })
  if (columns.some(column => divides(column.granularity, granularity))) return placeMiss(match, member)
  const known = columns.map(column => column.granularity.name).join(' and ')
  return rollupMiss('granularity', { member: member.id, granularity: granularity.name, known })
}

function rangeMiss(match: Match, member: DimensionMember, range: MemberRange['dateRange']): RollupMiss | null {
  if (held(match.rollup.dimensions, member)) return placeMiss(match, member)
  const columns = stepsOf(match, member)
  const [column] = columns
  if (!column) return rollupMiss(heldSteps(match, member) ? 'shifted' : 'filter', { member: member.id })
  if (columns.some(({ granularity }) => isWhole(granularity, range))) return placeMiss(match, member)
  return rollupMiss('range', { member: member.id, granularity: column.granularity.name })
}

/** Whether a range, both ends included, is made of whole steps; null is no end. */
export function isWhole({ bucket }: Granularity, [from, to]: MemberRange['dateRange']): boolean {
  const isStart = (end: string | null, later: number) => {
    if (end === null) return true
    const local = parseIso(end, 'UTC')?.local
    return local !== undefined && startsBucket(bucket, local + later)
  }
  return isStart(from, 0) && isStart(to, 1)
}

function filterMiss(match: Match, filter: MemberFilter): RollupMiss | null {
  const { member: id, operator } = filter
  const member = filteredMember(match.index, filter)
  if (operator === 'measureFilter' || member.definition.kind !== 'dimension') {
    return rollupMiss('raw_filter', { member: id, operator })
  }
  const dimension = { ...member, definition: member.definition }
  if (held(match.rollup.dimensions, member)) return placeMiss(match, member)
  if (!held(match.rollup.times, member)) return rollupMiss('filter', { member: id })
  if (operator === 'set' || operator === 'notSet') return placeMiss(match, member)
  const range = dividingRange(filter)
  return range ? rangeMiss(match, dimension, range) : rollupMiss('raw_filter', { member: id, operator })
}

function measureMiss(match: Match, member: MeasureMember): RollupMiss | null {
  const { rollup, members } = match
  const column = heldMeasure(rollup.measures, member)
  if (!column) return rollupMiss('measure', { member: member.id })
  const place = placeMiss(match, member)
  if (place) return place
  const { type } = member.definition
  const { aggregate, combine } = measureKinds[type]
  const isRepeated = column.isRepeated && isAffectedByRepetition(member.definition)
  if (combine && !isRepeated) return null
  const isGrouped = members.dimensions.length + members.times.length > 0
  // A total of nothing is a number of its own for SQL that nobody here understands.
  const isShifted = members.times.some(time => match.shiftsOf(time.member).length > 0)
  const isExact = !isShifted && hasSameGroups(match) && (aggregate !== null || (type === 'number' && isGrouped))
  if (isExact) return null
  return isRepeated && combine
    ? rollupMiss('repeated', { member: member.id })
    : rollupMiss('not_additive', { member: member.id, type })
}

/** Whether each group of the query is one row of the rollup; of what others are joined to, several rows can have the same values. */
function hasSameGroups({ index, members, rollup }: Match): boolean {
  if (rollup.definition.type === 'rollup_join') return false
  const fixed = members.rowFilters.flatMap(filter => fixedMembers(index, filter))
  return (
    rollup.dimensions.every(column => [...members.dimensions, ...fixed].some(member => held([column], member))) &&
    rollup.segments.every(column => members.segments.some(member => held([column], member))) &&
    rollup.times.every(column =>
      members.times.some(
        ({ member, granularity }) => held([column], member) && granularity.name === column.granularity.name,
      ),
    )
  )
}

/** Dimensions that a filter leaves one value. */
function fixedMembers(index: SecuredIndex, filter: QueryFilter): Member[] {
  if ('and' in filter) return filter.and.flatMap(inner => fixedMembers(index, inner))
  if ('or' in filter || filter.values.length !== 1) return []
  const isOne = filter.operator === 'equals' || filter.operator === 'in'
  return isOne ? [filteredMember(index, filter)] : []
}
