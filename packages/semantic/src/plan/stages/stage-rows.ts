import type { SecuredIndex } from '../../access/secured-index.ts'
import type { DimensionMember, MeasureMember } from '../../resolve/model-index.ts'
import type { Condition, From, Join, Output } from '../../shapes/plan.ts'
import type { QueryFilter } from '../../shapes/query.ts'
import type { Interval } from '../../shapes/window.ts'
import { type Aliases, createAliases } from '../aliases.ts'
import { checkCalendarRows, type JoinKey, withRepeatedDays } from '../calendar-keys.ts'
import { expandGrain } from '../expand-grain.ts'
import type { Expander, PlanRequest, Restrictions } from '../expander.ts'
import type { JoinPath } from '../join-paths.ts'
import { buildJoinTree, type JoinTree } from '../join-tree.ts'
import type { SelectedRows } from '../plan-groups.ts'
import { planRequest } from '../plan-request.ts'
import { neededPaths, type QueryMembers, usedMembers } from '../query-members.ts'
import { filterMembers, rowConditions } from '../row-conditions.ts'
import { planSubQuery } from '../sub-queries.ts'
import { createExpander, joinTables } from '../tables.ts'
import { stageDimensionsOf } from './stage-dimension-members.ts'
import { columnOf, type Place, relationOf } from './stage-tables.ts'
import { dimensionId, type State } from './state.ts'

/** What the rows of all states of a query have in common. */
export interface RowSetting {
  readonly index: SecuredIndex
  readonly timezone: string
  readonly joinHints: readonly JoinPath[]
  readonly securityContext: PlanRequest['securityContext']
  readonly restrictions: Restrictions
  readonly root: State
  /** What the query as a whole joins. */
  readonly paths: readonly JoinPath[]
  placeDimension(member: DimensionMember, state: State): Place
  /** Cubes whose rows were read, and switches by whose value. */
  readonly cubes: Set<string>
  readonly askedSwitches: Set<string>
}

/** Rows of a state for some measures; without any, those of a measure's cube. */
export interface AskedRows {
  readonly measures: readonly MeasureMember[]
  readonly anchor: MeasureMember | null
  readonly state: State
}

/** Rows of a state before they are grouped. */
export interface StateRows extends SelectedRows {
  readonly expander: Expander
  readonly tree: JoinTree
  readonly tables: Aliases
}

/** How the tables of rows are joined: as the query as a whole does, or as what is asked for needs; where time is shifted, days repeat. */
export const rowTree = (setting: RowSetting, asked: AskedRows): JoinTree =>
  withRepeatedDays(
    buildJoinTree(setting.index, [...(asked.state.isWhole ? setting.paths : []), ...ownPaths(setting, asked)]),
    keysOf(asked.state),
  )

const keysOf = ({ shifts }: State): readonly JoinKey[] => shifts.flatMap(shift => shift.keys)

/**
 * Whether rows are to be joined as those of the whole query. Where that only joins more to the rows that the measures need, it
 * loses none and repeats some, which changes no measure.
 */
export function needsWhole(setting: RowSetting, asked: AskedRows): boolean {
  if (!asked.state.isWhole) return false
  const own = buildJoinTree(setting.index, ownPaths(setting, asked))
  return !isWithin(own, rowTree(setting, asked))
}

const isWithin = (part: JoinTree, whole: JoinTree): boolean =>
  part.root === whole.root &&
  part.edges.every(edge => whole.edges.some(({ from, to }) => from === edge.from && to === edge.to))

function ownPaths(
  { index, joinHints }: Pick<RowSetting, 'index' | 'joinHints'>,
  { measures, anchor, state }: AskedRows,
): readonly JoinPath[] {
  const anchors = measures.length === 0 && anchor ? [anchor.joinPath.slice(-1)] : []
  return [...anchors, ...neededPaths(index, { joinHints }, membersOf(measures, state))]
}

/** The rows of a state, joined and chosen. */
export function selectRows(setting: RowSetting, { measures, anchor, state }: AskedRows): StateRows {
  const { index, timezone, securityContext, restrictions, root } = setting
  const members = membersOf(measures, state)
  const keys = keysOf(state)
  checkCalendarRows(index, members, keys)
  const tree = rowTree(setting, { measures, anchor, state })
  const tables = createAliases()
  const dimensions = new Map(
    stageDimensionsOf(index, state).map(member => [dimensionId(member), setting.placeDimension(member, state)]),
  )
  const expander = createExpander(
    index,
    timezone,
    planRequest(unshifted(index, members, state), securityContext),
    tables,
    restrictions,
    // Its value stands in groups beside those of other states, so it is the query's own, whatever rows this state reads.
    (own, cube, dimension) =>
      planSubQuery(
        { expander: { ...own, stages: { ...own.stages, shiftsOf: () => [] } }, tables, filters: root },
        cube,
        dimension,
      ),
    {
      shiftsOf: (cube, dimension) => shiftsOf(index, state, cube, dimension),
      chosen(cube, dimension) {
        const id = `${cube}.${dimension}`
        if (state.bindings.has(id)) setting.askedSwitches.add(id)
        return state.bindings.get(id)
      },
      column(cube, dimension) {
        const place = dimensions.get(`${cube}.${dimension}`)
        if (!place) throw new Error(`The multi-stage dimension '${cube}.${dimension}' was not placed`)
        return columnOf(place.table, place.column)
      },
    },
    tree,
  )
  const grain = state.grain.map(
    ({ alias, member, granularity }): Output => ({
      alias,
      expression: expandGrain(expander, member.cube.name, member.definition, granularity),
    }),
  )
  const rows = {
    expander,
    tree,
    tables,
    from: withDimensions(expander, joinTables(expander, tree, usedMembers(index, members), keys), [
      ...dimensions.values(),
    ]),
    where: rowConditions(expander, members),
    grain,
  }
  for (const cube of [...tree.cubes, ...expander.subQueryCubes()]) setting.cubes.add(cube)
  return rows
}

/** Joins each row to the values of its group. */
function withDimensions(expander: Expander, from: From, places: readonly Place[]): From {
  const joins = [...new Map(places.map(({ table }) => [table.name, table])).values()].map((table): Join => {
    const conditions = table.grain.map(
      ({ key, alias, member: { cube, definition }, granularity }): Condition => ({
        kind: 'comparison',
        left: expandGrain(expander, cube.name, definition, granularity),
        operator: table.neverNull.has(key) ? '=' : 'same',
        right: columnOf(table, alias),
      }),
    )
    return { relation: relationOf(table), on: conditions.length > 0 ? { kind: 'and', conditions } : null }
  })
  return { ...from, joins: [...from.joins, ...joins] }
}

/** A state as the members that a query of it would have. */
export function membersOf(measures: readonly MeasureMember[], state: State): QueryMembers {
  const { ranges, rowFilters, segments, groupFilters, rules } = state
  return {
    rules,
    mentioned: [],
    measures,
    dimensions: state.grain.flatMap(({ member, granularity }) => (granularity ? [] : [member])),
    times: state.grain.flatMap(({ member, granularity }) => (granularity ? [{ member, granularity }] : [])),
    ranges,
    segments,
    rowFilters,
    groupFilters,
  }
}

/** By how much a state's rows count later. */
export function shiftsOf(index: SecuredIndex, { shifts }: State, cube: string, dimension: string): readonly Interval[] {
  if (shifts.length === 0) return []
  const member = index.member(cube, dimension)
  if (member.kind !== 'dimension' || member.type !== 'time' || member.expression.kind === 'stage') return []
  const id = `${cube}.${dimension}`
  return shifts.flatMap(shift => {
    const isShifted = shift.dimension === null || shift.dimension === id
    return shift.by && isShifted && shift.keys.every(key => key.cube !== cube) ? [shift.by] : []
  })
}

/** What SQL of the model may know of a query's filters: where time is shifted, nothing about time. */
function unshifted(index: SecuredIndex, members: QueryMembers, { shifts }: State): QueryMembers {
  if (shifts.length === 0) return members
  const isTimeless = (filter: QueryFilter) =>
    filterMembers(index, filter).every(
      ({ definition }) => definition.kind !== 'dimension' || definition.type !== 'time',
    )
  return { ...members, ranges: [], rowFilters: members.rowFilters.filter(isTimeless) }
}
