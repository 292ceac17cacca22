import { type SecuredIndex, secureModel } from '../access/secured-index.ts'
import { factsOf } from '../plan/facts.ts'
import { buildJoinTree, isMultiplied } from '../plan/join-tree.ts'
import { isAffectedByRepetition } from '../plan/measures.ts'
import { filteredMeasures, leafFilters, neededPaths, type QueryMembers, queryMembers } from '../plan/query-members.ts'
import { distinct, leaves } from '../plan/rollups/rollup.ts'
import { findMember } from '../query/find-member.ts'
import type { MeasureMember, Member } from '../resolve/model-index.ts'
import { measureKinds } from '../shapes/measure-kinds.ts'
import type { Model } from '../shapes/model.ts'
import type { NormalizedQuery, QueryContext } from '../shapes/query.ts'
import { isTellable } from './tellable.ts'

/**
 * What a rollup has to hold for a query, as tools that design rollups read it (`transformedQuery` of contract/behaviour/query.md
 * section 5): members of cubes, whatever views call them.
 */
export interface RollupNeeds {
  readonly measures: readonly string[]
  /** What is aggregated from rows for the measures; a calculated one itself where the caller may not know of what. */
  readonly leafMeasures: readonly string[]
  readonly measureToLeafMeasures: Readonly<
    Record<string, readonly { measure: string; additive: boolean; type: string }[]>
  >
  /** Grouped by, filtered by, and segments. */
  readonly sortedDimensions: readonly string[]
  /** Each with its granularity. */
  readonly sortedTimeDimensions: readonly (readonly [string, string])[]
  /** Each with its granularity, or null where rows are only filtered by it. */
  readonly timeDimensions: readonly (readonly [string, string | null])[]
  readonly filterDimensionsSingleValueEqual: readonly string[]
  readonly leafMeasureAdditive: boolean
  readonly isAdditive: boolean
  readonly hasNoTimeDimensionsWithoutGranularity: boolean
  readonly allFiltersWithinSelectedDimensions: boolean
  readonly hasMultipliedMeasures: boolean
  readonly hasCumulativeMeasures: boolean
}

/** @throws {QueryError} for a query that can't be planned */
export function describeRollupNeeds(model: Model, query: NormalizedQuery, context: QueryContext): RollupNeeds {
  const index = secureModel(model, context)
  const members = queryMembers(index, query)
  const measures = distinct([...members.measures, ...filteredMeasures(index, members.groupFilters)])
  const aggregated = new Map(measures.map(measure => [ownId(measure), leaves(index, measure)]))
  const told = (measure: MeasureMember) =>
    (aggregated.get(ownId(measure)) ?? []).map(leaf => toldAs(index, leaf, measure))
  const all = [...aggregated.values()].flat()
  const filters = members.rowFilters.flatMap(leafFilters)
  const filtered = filters.map(({ member }) => ownId(memberOf(index, member)))
  const grouped = members.dimensions.map(ownId)
  const times = members.times.map(({ member, granularity }) => [ownId(member), granularity.name] as const)
  const ranges = members.ranges
    .filter(({ member }) => times.every(([id]) => id !== ownId(member)))
    .map(({ member }) => [ownId(member), null] as const)
  const isAdditive = all.every(({ definition }) => measureKinds[definition.type].combine !== null)
  return {
    measures: members.measures.map(ownId),
    leafMeasures: unique(measures.flatMap(told)).toSorted(),
    measureToLeafMeasures: Object.fromEntries(
      measures.map(measure => [
        ownId(measure),
        (aggregated.get(ownId(measure)) ?? []).map(leaf => ({
          measure: toldAs(index, leaf, measure),
          additive: measureKinds[leaf.definition.type].combine !== null,
          type: leaf.definition.type,
        })),
      ]),
    ),
    sortedDimensions: unique([...grouped, ...filtered, ...members.segments.map(ownId)]).toSorted(),
    sortedTimeDimensions: times.toSorted(([left], [right]) => (left < right ? -1 : 1)),
    timeDimensions: [...times, ...ranges],
    filterDimensionsSingleValueEqual: unique(singleValues(index, members)).toSorted(),
    leafMeasureAdditive: isAdditive,
    isAdditive:
      isAdditive && measures.every(measure => leaves(index, measure).some(leaf => ownId(leaf) === ownId(measure))),
    hasNoTimeDimensionsWithoutGranularity: ranges.length === 0,
    allFiltersWithinSelectedDimensions: filtered.every(id => grouped.includes(id)),
    hasMultipliedMeasures: hasMultiplied(index, query, members, all),
    hasCumulativeMeasures: measures.some(({ definition }) => definition.window !== null),
  }
}

const ownId = ({ cube, definition }: Member): string => `${cube.name}.${definition.name}`

const memberOf = (index: SecuredIndex, id: string): Member => findMember(index, id, () => true, 'members')

const toldAs = (index: SecuredIndex, leaf: MeasureMember, measure: MeasureMember): string =>
  isTellable(index, ownId(leaf)) ? ownId(leaf) : ownId(measure)

const unique = (ids: readonly string[]): string[] => [...new Set(ids)]

/** Dimensions that hold one value in every row, so that groups by them need not be told apart. */
function singleValues(index: SecuredIndex, { rowFilters }: QueryMembers): string[] {
  return rowFilters.flatMap(filter =>
    'member' in filter && filter.operator === 'equals' && filter.values.length === 1
      ? [ownId(memberOf(index, filter.member))]
      : [],
  )
}

/** Facts that stand side by side are each counted from their own rows. */
function hasMultiplied(
  index: SecuredIndex,
  query: NormalizedQuery,
  members: QueryMembers,
  aggregated: readonly MeasureMember[],
): boolean {
  if (factsOf(index, members)) return false
  const tree = buildJoinTree(index, neededPaths(index, query, members))
  return aggregated.some(({ cube, definition }) => isAffectedByRepetition(definition) && isMultiplied(tree, cube.name))
}
