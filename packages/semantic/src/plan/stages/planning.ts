import type { SecuredIndex } from '../../access/secured-index.ts'
import type { DimensionMember, MeasureMember, Member } from '../../resolve/model-index.ts'
import type { Granularity } from '../../shapes/model.ts'
import type { Stage, StageBody } from '../../shapes/plan.ts'
import { type Aliases, createAliases, snakeCase } from '../aliases.ts'
import type { JoinTree } from '../join-tree.ts'
import { leavesOf } from '../measures.ts'
import { planGroups, type WantedMeasure } from '../plan-groups.ts'
import type { QueryMembers } from '../query-members.ts'
import { stageDimensionsOf } from './stage-dimension-members.ts'
import {
  type AskedRows,
  membersOf,
  needsWhole,
  type RowSetting,
  rowTree,
  type StateRows,
  selectRows,
} from './stage-rows.ts'
import type { Place, Table } from './stage-tables.ts'
import { bindingKey, type GrainItem, grainKey, isNeverNull, type State, stateKey } from './state.ts'

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
  /** The rows of a state, for a measure. */
  rows(measure: MeasureMember, state: State): StateRows
  /** How they are joined. */
  tree(measure: MeasureMember, state: State): JoinTree
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
export type Referring = Pick<Member, 'cube' | 'definition' | 'joinPath' | 'referral'>

export const memberId = ({ cube, definition }: Pick<Member, 'cube' | 'definition'>) => `${cube.name}.${definition.name}`

/** How members that need stages are computed. */
interface Placing {
  place(planning: StagePlanning, member: MeasureMember, state: State): Place
  placeDimension(planning: StagePlanning, member: DimensionMember, state: State): Place
}

/** Reads groups in place of the tables of cubes, such as from a rollup. */
export interface LeafReader {
  leaf(leaf: ReadLeaf): StageBody
  /** Rows themselves are needed, not groups of them. */
  rows(measure: MeasureMember): void
}

/** Groups of one state, and what is aggregated of them. */
export interface ReadLeaf {
  readonly members: QueryMembers
  readonly measures: readonly WantedMeasure[]
  readonly state: State
  readonly tree: JoinTree
}

type Setting = Omit<RowSetting, 'placeDimension' | 'cubes' | 'askedSwitches'> & {
  readonly names: Aliases
  readonly reader: LeafReader | null
}

export function createStagePlanning(given: Setting, placing: Placing): StagePlanning {
  const { index, timezone, names, root, reader } = given
  const stageNames = createAliases()
  const sources: { readonly name: string; readonly build: () => StageBody }[] = []
  const later: { readonly name: string; readonly build: () => StageBody }[] = []
  const made = new Map<string, object>()
  const cubes = new Set<string>()
  // No table is called so without quotes, and what a model's author quotes has rarely two words.
  const nameOf = (label: string) => stageNames.take(`stage ${label}`)
  const setting: RowSetting = {
    ...given,
    cubes,
    askedSwitches: new Set(),
    placeDimension: (member, state) => placing.placeDimension(planning, member, state),
  }
  const rowsOf = (asked: AskedRows) => ({ ...asked, state: { ...asked.state, isWhole: needsWhole(setting, asked) } })
  const planning: StagePlanning = {
    index,
    timezone,
    root,
    names,
    cubes,
    askedSwitches: setting.askedSwitches,
    rows(measure, state) {
      reader?.rows(measure)
      return selectRows(setting, rowsOf({ measures: [measure], anchor: null, state }))
    },
    tree: (measure, state) => rowTree(setting, rowsOf({ measures: [measure], anchor: null, state })),
    leaf(measures, anchor, state) {
      // A dimension that is computed in stages may depend on every choice.
      const choice = stageDimensionsOf(index, state).length > 0 ? bindingKey(state) : ''
      const of = leafCubes(index, anchor && measures.length === 0 ? [anchor] : measures)
      const isWhole = needsWhole(setting, { measures, anchor, state })
      const own = { ...state, isWhole }
      // Joins that begin elsewhere have other rows, if both ways are joined.
      const { root: begin } = rowTree(setting, { measures, anchor, state: own })
      const label = `${of} ${begin} ${stateKey(state)} ${choice}`
      const table = planning.once(`leaf ${isWhole} ${label}`, () => {
        const wanted = new Map<string, WantedMeasure>()
        const name = planning.addRows('rows', own, () =>
          leafBody(setting, given, [...wanted.values()], { anchor, state: own }),
        )
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
  setting: RowSetting,
  { names, reader }: Pick<Setting, 'names' | 'reader'>,
  measures: readonly WantedMeasure[],
  { anchor, state }: Omit<AskedRows, 'measures'>,
): StageBody {
  const asked = { measures: measures.map(({ member }) => member), anchor, state }
  if (reader) {
    const plain = measures.map(({ member, alias }) => ({ member: withoutWindow(member), alias }))
    const members = membersOf(
      plain.map(({ member }) => member),
      state,
    )
    return reader.leaf({ members, measures: plain, state, tree: rowTree(setting, asked) })
  }
  const { tree, expander, tables, ...rows } = selectRows(setting, asked)
  const { body, trees } = planGroups({
    expander,
    names,
    tables,
    groupFilters: state.groupFilters,
    tree,
    rows,
    measures,
    sharesNames: true,
  })
  for (const { cubes } of trees) for (const cube of cubes) setting.cubes.add(cube)
  return body
}

/** What a window is over. */
const withoutWindow = (member: MeasureMember): MeasureMember => ({
  ...member,
  definition: { ...member.definition, window: null },
})
