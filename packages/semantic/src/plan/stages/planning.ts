import type { SecuredIndex } from '../../access/secured-index.ts'
import type { DimensionMember, MeasureMember } from '../../resolve/model-index.ts'
import type { Granularity } from '../../shapes/model.ts'
import type { Expression, Output, Relation, Stage, StageBody } from '../../shapes/plan.ts'
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
import { type GrainItem, grainKey, isNeverNull, type State, stateKey } from './state.ts'

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
  /** Where the values of a measure that needs several stages are. */
  place(member: MeasureMember, state: State): Place
  /** All stages, in the order in which they can be computed. */
  stages(): readonly Stage[]
  /** Cubes whose rows are read. */
  readonly cubes: Set<string>
}

export interface LeafTable extends Table {
  column(measure: MeasureMember): string
}

export const measureId = ({ cube, definition }: MeasureMember) => `${cube.name}.${definition.name}`

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
}

export function createStagePlanning(
  { index, timezone, names, joinHints, securityContext, restrictions, root }: Setting,
  place: (planning: StagePlanning, member: MeasureMember, state: State) => Place,
): StagePlanning {
  const stageNames = createAliases()
  const sources: { readonly name: string; readonly build: () => StageBody }[] = []
  const later: { readonly name: string; readonly build: () => StageBody }[] = []
  const made = new Map<string, object>()
  const cubes = new Set<string>()
  // No table is called so without quotes, and what a model's author quotes has rarely two words.
  const nameOf = (label: string) => stageNames.take(`stage ${label}`)
  const rows = (measures: readonly MeasureMember[], anchor: MeasureMember | null, state: State) =>
    selectRows({ index, timezone, joinHints, securityContext, restrictions, root, cubes }, measures, anchor, state)

  const planning: StagePlanning = {
    index,
    timezone,
    root,
    names,
    cubes,
    rows,
    leaf(measures, anchor, state) {
      const key = `leaf ${leafCubes(index, anchor && measures.length === 0 ? [anchor] : measures)} ${stateKey(state)}`
      const table = planning.once(key, () => {
        const wanted = new Map<string, WantedMeasure>()
        const name = planning.addSource('rows', () => leafBody(planning, [...wanted.values()], anchor, state))
        return {
          name,
          grain: state.grain,
          neverNull: neverNullOf(state),
          column(member: MeasureMember) {
            const id = measureId(member)
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
    once<T extends object>(key: string, make: () => T): T {
      const found = made.get(key)
      // What a key stands for has one type, which a map of everything made can't say.
      if (found) return found as T
      const result = make()
      made.set(key, result)
      return result
    },
    place: (member, state) => place(planning, member, state),
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

interface RowSetting extends Omit<Setting, 'names'> {
  readonly cubes: Set<string>
}

function selectRows(
  { index, timezone, joinHints, securityContext, restrictions, root, cubes }: RowSetting,
  measures: readonly MeasureMember[],
  anchor: MeasureMember | null,
  state: State,
): StateRows {
  const members = membersOf(measures, state)
  const anchors = measures.length === 0 && anchor ? [anchor.joinPath.slice(-1)] : []
  const keys = state.shifts.flatMap(shift => shift.keys)
  checkCalendarRows(index, measures, keys)
  const tree = withRepeatedDays(buildJoinTree(index, [...anchors, ...neededPaths(index, { joinHints }, members)]), keys)
  const tables = createAliases()
  const expander = createExpander(
    index,
    timezone,
    planRequest(unshifted(index, members, state), securityContext),
    tables,
    restrictions,
    // Its value stands in groups beside those of other states, so it is the query's own, whatever rows this state reads.
    (own, cube, dimension) =>
      planSubQuery({ expander: { ...own, shiftsOf: () => [] }, tables, filters: root }, cube, dimension),
    (cube, dimension) => shiftsOf(index, state, cube, dimension),
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
    from: joinTables(expander, tree, usedMembers(index, members), keys),
    where: rowConditions(expander, members),
    grain,
  }
  for (const cube of [...tree.cubes, ...expander.subQueryCubes()]) cubes.add(cube)
  return rows
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
  if (member.kind !== 'dimension' || member.type !== 'time') return []
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
