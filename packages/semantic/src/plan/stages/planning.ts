import type { SecuredIndex } from '../../access/secured-index.ts'
import type { DimensionMember, MeasureMember, Member } from '../../resolve/model-index.ts'
import type { Granularity } from '../../shapes/model.ts'
import type { Condition, Expression, From, Join, Output, Relation, Stage, StageBody } from '../../shapes/plan.ts'
import type { QueryFilter } from '../../shapes/query.ts'
import type { Interval } from '../../shapes/window.ts'
import { type Aliases, createAliases, snakeCase } from '../aliases.ts'
import { checkCalendarRows, withRepeatedDays } from '../calendar-keys.ts'
import { type Expander, expandGrain, type PlanRequest, type Restrictions } from '../expand.ts'
import type { JoinPath } from '../join-paths.ts'
import { buildJoinTree, type JoinTree } from '../join-tree.ts'
import { leavesOf } from '../measures.ts'
import { planGroups, type SelectedRows, type WantedMeasure } from '../plan-groups.ts'
import { planRequest } from '../plan-request.ts'
import { neededPaths, type QueryMembers, usedMembers } from '../query-members.ts'
import { filterMembers, rowConditions } from '../row-conditions.ts'
import { planSubQuery } from '../sub-queries.ts'
import { createExpander, joinTables } from '../tables.ts'
import { stageDimensionsOf } from './stage-dimension-members.ts'
import { bindingKey, dimensionId, type GrainItem, grainKey, isNeverNull, type State, stateKey } from './state.ts'

/** A stage with a column for each item of its grain and for each measure asked of it. */
export interface Table {
  readonly name: string
  readonly grain: readonly GrainItem[]
  /** Items of the grain whose columns are never null. */
  readonly neverNull: ReadonlySet<string>
}

export interface Place {
  readonly table: Table
  readonly column: string
}

/** Rows of a state before they are grouped. */
export interface StateRows extends SelectedRows {
  readonly expander: Expander
  readonly tree: JoinTree
  readonly tables: Aliases
}

/** Collects the stages of one query. Measures that are aggregated from the same rows for the same groups share a stage. */
export interface StagePlanning {
  readonly index: SecuredIndex
  readonly timezone: string
  /** The query's own state, with which filters of `mode: fixed` begin. */
  readonly root: State
  /** Names of columns. */
  readonly names: Aliases
  /** Aggregates measures of a single stage, which may be none: then the table is of groups only. */
  leaf(measures: readonly MeasureMember[], anchor: MeasureMember | null, state: State): LeafTable
  rows(measures: readonly MeasureMember[], anchor: MeasureMember | null, state: State): StateRows
  /** A column to group by, under one name wherever it is: tables of the same groups are shared. */
  item(member: DimensionMember, granularity: Granularity | null): GrainItem
  /** Adds a stage that reads tables, or no stage at all. */
  addSource(label: string, build: () => StageBody): string
  /** Adds a stage that reads stages added before it. */
  addStage(label: string, build: () => StageBody): string
  /** Does something once for the same key. */
  once<T extends object>(key: string, make: () => T): T
  /** The same for a stage that reads the rows of a state: after the stages that those need. */
  addRows(label: string, state: State, build: () => StageBody): string
  /** Where the values of a multi-stage dimension are, for rows of a state. */
  placeDimension(member: DimensionMember, state: State): Place
  /** Where the values of a measure that needs several stages are. */
  place(member: MeasureMember, state: State): Place
  /** All stages, in the order in which they can be computed. */
  stages(): readonly Stage[]
  /** Cubes whose rows are read. */
  readonly cubes: Set<string>
  /** Switches by whose value rows were read. */
  readonly askedSwitches: Set<string>
}

export interface LeafTable extends Table {
  column(measure: MeasureMember): string
}

/** A member whose SQL refers to others. */
export type Referring = Pick<Member, 'cube' | 'definition' | 'joinPath'>

export const memberId = ({ cube, definition }: Pick<Member, 'cube' | 'definition'>) => `${cube.name}.${definition.name}`

export const columnOf = (table: Pick<Table, 'name'>, name: string): Expression => ({
  kind: 'column',
  table: table.name,
  name,
  trusted: false,
})

export const relationOf = ({ name }: Pick<Table, 'name'>): Relation => ({
  alias: name,
  source: { kind: 'identifier', name },
  isQuery: false,
})

interface Setting {
  readonly index: SecuredIndex
  readonly timezone: string
  readonly names: Aliases
  readonly joinHints: readonly JoinPath[]
  readonly securityContext: PlanRequest['securityContext']
  readonly restrictions: Restrictions
  readonly root: State
  /** What the query as a whole joins. */
  readonly paths: readonly JoinPath[]
}

/** How members that need stages are computed. */
interface Placing {
  place(planning: StagePlanning, member: MeasureMember, state: State): Place
  placeDimension(planning: StagePlanning, member: DimensionMember, state: State): Place
}

export function createStagePlanning(setting: Setting, placing: Placing): StagePlanning {
  const { index, timezone, names, root } = setting
  const stageNames = createAliases()
  const sources: { readonly name: string; readonly build: () => StageBody }[] = []
  const later: { readonly name: string; readonly build: () => StageBody }[] = []
  const made = new Map<string, object>()
  const cubes = new Set<string>()
  // No table is called so without quotes, and what a model's author quotes has rarely two words.
  const nameOf = (label: string) => stageNames.take(`stage ${label}`)
  const wholeTree = () => planning.once('whole tree', () => buildJoinTree(index, setting.paths))
  // Where the query only joins more to the rows that measures need, it loses none and repeats some, which changes no measure.
  const isOfWhole = (...[measures, anchor, state]: Parameters<StagePlanning['rows']>) =>
    state.isWhole && !isWithin(buildJoinTree(index, ownPaths(setting, measures, anchor, state)), wholeTree())
  const rows = (...[measures, anchor, state]: Parameters<StagePlanning['rows']>) =>
    selectRows(planning, setting, measures, anchor, { ...state, isWhole: isOfWhole(measures, anchor, state) })

  const planning: StagePlanning = {
    index,
    timezone,
    root,
    names,
    cubes,
    askedSwitches: new Set(),
    rows,
    leaf(measures, anchor, state) {
      // A dimension that is computed in stages may depend on every choice.
      const choice = stageDimensionsOf(index, state).length > 0 ? bindingKey(state) : ''
      const of = leafCubes(index, anchor && measures.length === 0 ? [anchor] : measures)
      const label = `${of} ${stateKey(state)} ${choice}`
      const isWhole = isOfWhole(measures, anchor, state)
      const table = planning.once(`leaf ${isWhole} ${label}`, () => {
        const wanted = new Map<string, WantedMeasure>()
        const own = { ...state, isWhole }
        const name = planning.addRows('rows', own, () => leafBody(planning, [...wanted.values()], anchor, own))
        return {
          name,
          grain: state.grain,
          neverNull: neverNullOf(state),
          column(member: MeasureMember) {
            const id = memberId(member)
            const alias =
              wanted.get(id)?.alias ??
              names.take(`${snakeCase(member.cube.name)}__${snakeCase(member.definition.name)}_part`)
            wanted.set(id, { member, alias })
            return alias
          },
        }
      })
      for (const member of measures) table.column(member)
      return table
    },
    item(member, granularity) {
      const key = grainKey(member, granularity)
      const label = [member.cube.name, '', member.definition.name, ...(granularity ? [granularity.name] : [])]
      return planning.once(`item ${key}`, () => {
        const asked = root.grain.find(item => item.key === key)
        return asked ?? { key, alias: names.take(label.map(snakeCase).join('_')), member, granularity }
      })
    },
    addSource(label, build) {
      const name = nameOf(label)
      sources.push({ name, build })
      return name
    },
    addStage(label, build) {
      const name = nameOf(label)
      later.push({ name, build })
      return name
    },
    addRows(label, state, build) {
      const needed = stageDimensionsOf(index, state)
      for (const dimension of needed) planning.placeDimension(dimension, state)
      return needed.length > 0 ? planning.addStage(label, build) : planning.addSource(label, build)
    },
    once<T extends object>(key: string, make: () => T): T {
      const found = made.get(key)
      // What a key stands for has one type, which a map of everything made can't say.
      if (found) return found as T
      const result = make()
      made.set(key, result)
      return result
    },
    place: (member, state) => placing.place(planning, member, state),
    placeDimension: (member, state) => placing.placeDimension(planning, member, state),
    stages: () => [...sources, ...later].map(({ name, build }) => ({ name, body: build() })),
  }
  return planning
}

/** Measures of the same cubes are aggregated together: those of others could bring in groups of theirs. */
function leafCubes(index: SecuredIndex, measures: readonly MeasureMember[]): string {
  const cubes = measures.flatMap(({ cube, definition }) =>
    leavesOf(index, cube.name, definition).map(leaf => leaf.cube),
  )
  return [...new Set(cubes)].sort().join()
}

const neverNullOf = (state: State): ReadonlySet<string> =>
  new Set(state.grain.flatMap(item => (isNeverNull(state, item) ? [item.key] : [])))

function leafBody(
  planning: StagePlanning,
  measures: readonly WantedMeasure[],
  anchor: MeasureMember | null,
  state: State,
): StageBody {
  const { tree, expander, tables, ...rows } = planning.rows(
    measures.map(({ member }) => member),
    anchor,
    state,
  )
  const { names } = planning
  const { body, trees } = planGroups({
    expander,
    names,
    tables,
    groupFilters: state.groupFilters,
    tree,
    rows,
    measures,
  })
  for (const { cubes } of trees) for (const cube of cubes) planning.cubes.add(cube)
  return body
}

function ownPaths(
  { index, joinHints }: Pick<Setting, 'index' | 'joinHints'>,
  measures: readonly MeasureMember[],
  anchor: MeasureMember | null,
  state: State,
): readonly JoinPath[] {
  const anchors = measures.length === 0 && anchor ? [anchor.joinPath.slice(-1)] : []
  return [...anchors, ...neededPaths(index, { joinHints }, membersOf(measures, state))]
}

const isWithin = (part: JoinTree, whole: JoinTree): boolean =>
  part.root === whole.root &&
  part.edges.every(edge => whole.edges.some(({ from, to }) => from === edge.from && to === edge.to))

function selectRows(
  planning: StagePlanning,
  setting: Setting,
  measures: readonly MeasureMember[],
  anchor: MeasureMember | null,
  state: State,
): StateRows {
  const { index, timezone, securityContext, restrictions, root, paths } = setting
  const members = membersOf(measures, state)
  const keys = state.shifts.flatMap(shift => shift.keys)
  checkCalendarRows(index, members, keys)
  const joined = buildJoinTree(index, [...(state.isWhole ? paths : []), ...ownPaths(setting, measures, anchor, state)])
  const tree = withRepeatedDays(joined, keys)
  const tables = createAliases()
  const dimensions = new Map(
    stageDimensionsOf(index, state).map(member => [dimensionId(member), planning.placeDimension(member, state)]),
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
        if (state.bindings.has(id)) planning.askedSwitches.add(id)
        return state.bindings.get(id)
      },
      column(cube, dimension) {
        const place = dimensions.get(`${cube}.${dimension}`)
        if (!place) throw new Error(`The multi-stage dimension '${cube}.${dimension}' was not placed`)
        return columnOf(place.table, place.column)
      },
    },
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
  for (const cube of [...tree.cubes, ...expander.subQueryCubes()]) planning.cubes.add(cube)
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

function membersOf(measures: readonly MeasureMember[], state: State): QueryMembers {
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

function shiftsOf(index: SecuredIndex, { shifts }: State, cube: string, dimension: string): readonly Interval[] {
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
