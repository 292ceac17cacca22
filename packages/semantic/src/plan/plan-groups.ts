import { queryError } from '../messages/query-messages.ts'
import type { MeasureMember, ModelIndex } from '../resolve/model-index.ts'
import type { Combination, Condition, Expression, Output, Selection } from '../shapes/plan.ts'
import type { QueryFilter } from '../shapes/query.ts'
import { type Aliases, createAliases, snakeCase } from './aliases.ts'
import { isCalculation } from './calculations.ts'
import { filterCondition } from './conditions.ts'
import { expandSql } from './expand.ts'
import type { Expander } from './expander.ts'
import { isMultiplied, type JoinTree } from './join-tree.ts'
import { keyedSelection, type Leaf } from './keyed-selection.ts'
import { aggregatedFor, nothingVisible, shownMeasure, type Visibility } from './masked-measures.ts'
import { addLeaves, aggregate, asMeasure, isAffectedByRepetition, nestedLeaves } from './measures.ts'
import { filteredMeasures } from './query-members.ts'

/** The rows that a query is about and how they are grouped. */
export type SelectedRows = Pick<Selection, 'from' | 'where' | 'grain'>

export interface WantedMeasure {
  readonly member: MeasureMember
  readonly alias: string
}

interface Grouping {
  readonly expander: Expander
  /** Names of output columns, and names of tables. */
  readonly names: Aliases
  readonly tables: Aliases
  readonly groupFilters: readonly QueryFilter[]
  readonly tree: JoinTree
  readonly rows: SelectedRows
  readonly measures: readonly WantedMeasure[]
  /** What is known of the query for measures that the caller may not always see; without it, he doesn't see them. */
  readonly visibility?: Visibility
  /** Others take names after this, which are not to depend on whether there are parts: those of parts are taken always. */
  readonly sharesNames?: boolean
}

/** Groups rows and aggregates measures: in one selection, or in parts where joins repeat rows that measures count on. */
export function planGroups(grouping: Grouping): {
  readonly body: Selection | Combination
  readonly trees: readonly JoinTree[]
} {
  const { expander, groupFilters, tree, rows, measures } = grouping
  const { index } = expander
  const unnamed = distinctLeaves(grouping)
  checkNested(index, tree, unnamed)
  const isKeyed = unnamed.some(leaf => needsKeys(tree, leaf))
  if (isKeyed || grouping.sharesNames) {
    const leaves = unnamed.map(leaf => ({ ...leaf, alias: grouping.names.take(partName(leaf)) }))
    if (isKeyed) return combination(grouping, leaves)
  }

  const from = { expander, root: tree.root }
  const aggregated = (cube: string, name: string) => aggregate(from, cube, asMeasure(index, cube, name))
  const group = { column: (position: number) => grainAt(rows, position).expression, isAggregated: true }
  const value = (member: MeasureMember) =>
    shownMeasure(expander, member, grouping.visibility ?? nothingVisible, aggregated, group)
  const outputs = measures.map(({ member, alias }) => ({ alias, expression: value(member) }))
  const having = groupFilters.map(filter => groupCondition(expander, filter, value))
  return { body: { kind: 'selection', ...rows, outputs, grouped: true, having }, trees: [] }
}

function grainAt({ grain }: SelectedRows, position: number): Output {
  const output = grain[position]
  if (!output) throw new Error(`The rows are not grouped by a column ${position + 1}`)
  return output
}

type UnnamedLeaf = Omit<Leaf, 'alias'>

const partName = ({ cube, measure }: UnnamedLeaf) => `${snakeCase(cube)}__${snakeCase(measure.name)}_part`

/** What has to be aggregated for the measures that are shown or filtered by. */
function distinctLeaves({ expander: { index }, visibility, measures, groupFilters }: Grouping): readonly UnnamedLeaf[] {
  const leaves: UnnamedLeaf[] = []
  const add = (member: MeasureMember) => {
    for (const needed of aggregatedFor(member, visibility ?? nothingVisible)) {
      addLeaves(index, member.cube.name, needed, leaves)
    }
  }
  for (const { member } of measures) add(member)
  for (const member of filteredMeasures(index, groupFilters)) add(member)
  return leaves
}

const needsKeys = (tree: JoinTree, { cube, measure }: UnnamedLeaf) =>
  tree.edges.length > 0 && isAffectedByRepetition(measure) && isMultiplied(tree, cube)

/** SQL that aggregates beside another cube's measure is calculated where that measure's rows, or its own, may be repeated. */
function checkNested(index: ModelIndex, tree: JoinTree, leaves: readonly UnnamedLeaf[]): void {
  for (const { cube, measure } of leaves) {
    const nested = nestedLeaves(index, measure)
    if (nested.length === 0) continue
    const foreign = nested.filter(leaf => leaf.cube !== cube)
    const repeated = foreign.filter(leaf => isMultiplied(tree, cube) || needsKeys(tree, leaf))
    if (repeated.length === 0) continue
    const cubes = [...new Set(repeated.map(leaf => leaf.cube))]
    throw queryError('foreign_cubes', { member: `${cube}.${measure.name}`, cubes })
  }
}

function combination(grouping: Grouping, leaves: readonly Leaf[]) {
  const { expander, tables, groupFilters, tree, rows, measures, visibility } = grouping
  const { index } = expander
  const keyed = leaves.filter(leaf => needsKeys(tree, leaf))
  const aliases = createAliases()
  const parts: { alias: string; selection: Combination['parts'][number]['selection'] }[] = []
  const place = new Map<string, Expression>()
  const add = (selection: Combination['parts'][number]['selection'], contained: readonly Leaf[]) => {
    const alias = aliases.take(`part_${parts.length + 1}`)
    parts.push({ alias, selection })
    for (const { cube, measure, alias: name } of contained) {
      place.set(`${cube}.${measure.name}`, { kind: 'column', table: alias, name, trusted: false })
    }
  }

  const plain = leaves.filter(leaf => !keyed.includes(leaf))
  if (plain.length > 0) {
    const outputs = plain.map(({ alias, cube, measure }) => ({
      alias,
      expression: aggregate({ expander, root: tree.root }, cube, measure),
    }))
    add({ kind: 'selection', ...rows, outputs, grouped: true, having: [] }, plain)
  }
  const trees: JoinTree[] = []
  for (const cube of new Set(keyed.map(leaf => leaf.cube))) {
    const own = keyed.filter(leaf => leaf.cube === cube)
    const { selection, tree: ownTree } = keyedSelection(expander, tables, rows, cube, own)
    add(selection, own)
    trees.push(ownTree)
  }

  const value = (cube: string, name: string): Expression => {
    const found = place.get(`${cube}.${name}`)
    if (found) return found
    const measure = asMeasure(index, cube, name)
    if (!isCalculation(index, measure) || !measure.sql) throw new Error(`'${cube}.${name}' is in no part of the plan`)
    return expandSql(expander, cube, measure.sql, value)
  }
  const first = parts[0]?.alias ?? ''
  const column = (position: number): Expression => ({
    kind: 'column',
    table: first,
    name: grainAt(rows, position).alias,
    trusted: false,
  })
  const memberValue = (member: MeasureMember) =>
    shownMeasure(expander, member, visibility ?? nothingVisible, value, { column, isAggregated: false })
  const body: Combination = {
    kind: 'combination',
    parts,
    grain: rows.grain.map(({ alias }) => ({
      alias,
      expression: { kind: 'column', table: first, name: alias, trusted: false },
    })),
    outputs: measures.map(({ member, alias }) => ({ alias, expression: memberValue(member) })),
    where: groupFilters.map(filter => groupCondition(expander, filter, memberValue)),
  }
  return { body, trees }
}

/** A filter of groups, on measures whose values `value` finds. */
export function groupCondition(
  expander: Pick<Expander, 'index' | 'timezone'>,
  filter: QueryFilter,
  value: (member: MeasureMember) => Expression,
): Condition {
  const all = (filters: readonly QueryFilter[]) => filters.map(item => groupCondition(expander, item, value))
  if ('and' in filter) return { kind: 'and', conditions: all(filter.and) }
  if ('or' in filter) return { kind: 'or', conditions: all(filter.or) }
  const [member] = filteredMeasures(expander.index, [filter])
  if (!member) throw new Error(`'${filter.member}' is not a measure`)
  const target = { kind: 'measure', type: member.definition.type, expression: value(member) } as const
  return filterCondition(filter, target, expander.timezone)
}
