import type { SecuredIndex } from '../../access/secured-index.ts'
import { queryError } from '../../messages/query-messages.ts'
import { filteredMember } from '../../query/find-member.ts'
import { findGranularity, isDimension, isMeasure, type MeasureMember } from '../../resolve/model-index.ts'
import type { GrainReference, ModelFilter, Stage, StageFilter, Switch } from '../../shapes/model.ts'
import type { MemberFilter, QueryFilter } from '../../shapes/query.ts'
import { normalizeDates } from '../../time/filter-dates.ts'
import { referredPath } from '../join-paths.ts'
import { filteredMeasures, leafFilters } from '../query-members.ts'
import { filterMembers } from '../row-conditions.ts'
import { checkShifts, shiftsOf } from './calendar-shifts.ts'
import { isSwitch } from './choices.ts'
import { memberId, type Referring, type StagePlanning } from './planning.ts'
import { isStaged } from './staged-measures.ts'
import { dimensionId, type GrainItem, type State } from './state.ts'

/** The state in which the inner measures of a multi-stage measure are computed, grouped by all that the outer state is. */
export function innerState(planning: StagePlanning, member: MeasureMember, stage: Stage, state: State): State {
  const filtered = stage.filter ? applyFilter(planning, member, stage.filter, state) : state
  if (stage.timeShifts.length === 0) return { ...filtered, isWhole: false }
  const shifts = stage.timeShifts.flatMap(shift => shiftsOf(planning.index, member, shift, filtered))
  // A row is moved by the innermost shift first.
  const all = [...shifts, ...filtered.shifts]
  checkShifts(member, all)
  return { ...filtered, shifts: all, isWhole: false }
}

/** The dimension that a `case` chooses by. */
export const onReference = ({ cube, dimension, through }: Switch): GrainReference => ({
  cube,
  dimension,
  granularity: null,
  through,
})

/** What `include` adds to a grain. */
export function includedItems(
  planning: StagePlanning,
  member: MeasureMember,
  { grain: { include }, cases }: Stage,
  grain: readonly GrainItem[],
): GrainItem[] {
  const known = new Set(grain.map(({ key }) => key))
  const references = cases && !cases.isChosen ? [...include, onReference(cases)] : include
  return references.flatMap(reference => {
    const item = itemOf(planning, member, reference)
    // A switch has one value in every state.
    return known.has(item.key) || isSwitch(item.member) ? [] : [item]
  })
}

/** What a reference adds to a grain, on its way from the member that refers. */
export function itemOf(planning: StagePlanning, member: Referring, reference: GrainReference): GrainItem {
  const { index } = planning
  const found = index.sources.get(reference.cube)?.members.get(reference.dimension)
  if (!found || !isDimension(found)) throw new Error(`'${reference.cube}.${reference.dimension}' is not a dimension`)
  const { definition } = found
  const granularity = reference.granularity === null ? null : findGranularity(definition, reference.granularity)
  if (granularity === undefined) throw new Error(`'${found.id}' has no granularity '${reference.granularity}'`)
  const dimension = { ...found, definition, ...referredPath(index, member, reference) }
  return planning.item(dimension, granularity)
}

/** The part of a grain that `keep_only` and `exclude` leave. A time dimension stands for all its granularities. */
export function keptItems({ grain: { keepOnly, exclude } }: Stage, grain: readonly GrainItem[]): GrainItem[] {
  const isNamed = (references: readonly GrainReference[], item: GrainItem) =>
    references.some(
      ({ cube, dimension, granularity }) =>
        dimensionId(item.member) === `${cube}.${dimension}` &&
        (granularity === null || item.granularity?.name === granularity),
    )
  return grain.filter(item => (keepOnly === null || isNamed(keepOnly, item)) && !isNamed(exclude, item))
}

/** A state with the filters that a stage leaves of it, and those that it adds. */
export function applyFilter(
  { index, root, timezone }: StagePlanning,
  member: Referring,
  filter: StageFilter,
  state: State,
): State {
  const { rowFilters, ranges, segments, groupFilters, rules } = filter.isFixed ? root : state
  const isKept = (id: string) => (filter.keepOnly ? filter.keepOnly.includes(id) : !filter.exclude.includes(id))
  const keep = (filters: readonly QueryFilter[]) => filters.flatMap(item => keptFilter(index, item, isKept) ?? [])
  const included = filter.include.map(item => includedFilter(item, timezone, index))
  const isOfGroups = (item: QueryFilter) => leafFilters(item).some(leaf => isMeasure(filteredMember(index, leaf)))
  const staged = filteredMeasures(index, included).find(({ cube, definition }) =>
    isStaged(index, cube.name, definition),
  )
  if (staged) throw queryError('stage_group_filter', { measure: memberId(member), filtered: memberId(staged) })
  return {
    ...state,
    rowFilters: [...keep(rowFilters), ...included.filter(item => !isOfGroups(item))],
    ranges: ranges.filter(({ member }) => isKept(dimensionId(member))),
    segments: segments.filter(segment => isKept(dimensionId(segment))),
    rules: rules.filter(
      rule => rule.kind !== 'member' || !rule.isDefaultFilter || isKept(`${rule.cube}.${rule.member}`),
    ),
    groupFilters: [...keep(groupFilters), ...included.filter(isOfGroups)],
  }
}

/**
 * A filter without what is not kept. Of conditions of which one is enough none can be left out without the others becoming
 * stricter, so all of them go together.
 */
export function keptFilter(
  index: SecuredIndex,
  filter: QueryFilter,
  isKept: (id: string) => boolean,
): QueryFilter | null {
  if ('and' in filter) {
    const conditions = filter.and.flatMap(item => keptFilter(index, item, isKept) ?? [])
    return conditions.length > 0 ? { and: conditions } : null
  }
  const isWhole = filterMembers(index, filter).every(({ cube, definition }) =>
    isKept(`${cube.name}.${definition.name}`),
  )
  return isWhole ? filter : null
}

/** A filter of a model as one of a query: dates as local times of the query's zone. What it is about may be hidden from the caller. */
function includedFilter(filter: ModelFilter, timezone: string, index: SecuredIndex): QueryFilter {
  if ('and' in filter) return { and: filter.and.map(item => includedFilter(item, timezone, index)) }
  if ('or' in filter) return { or: filter.or.map(item => includedFilter(item, timezone, index)) }
  const own: MemberFilter = { ...filter, isOfModel: true }
  const { definition } = filteredMember(index, own)
  if (definition.kind !== 'dimension' || definition.type !== 'time') return own
  // The model's dates were checked to be absolute, so the time of day makes no difference.
  const dates = normalizeDates(filter.operator, filter.values, { now: 0, timezone })
  return { ...own, values: dates }
}
