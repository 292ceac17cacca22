import { queryError } from '../messages/query-messages.ts'
import { findMember } from '../query/find-member.ts'
import { indexModel, type MeasureMember, type Member, type ModelIndex } from '../resolve/model-index.ts'
import type { Model } from '../shapes/model.ts'
import type { Column, Combination, Condition, Expression, Output, Plan, Selection } from '../shapes/plan.ts'
import type { NormalizedQuery, QueryContext, QueryFilter } from '../shapes/query.ts'
import { type Aliases, createAliases, snakeCase } from './aliases.ts'
import { filterCondition, rangeCondition } from './conditions.ts'
import { type Expander, expandBucket, expandDimension, expandSql } from './expand.ts'
import { buildJoinTree, isMultiplied, type JoinTree } from './join-tree.ts'
import { keyedSelection, type Leaf } from './keyed-selection.ts'
import {
  aggregate,
  asMeasure,
  isAffectedByRepetition,
  isCalculation,
  leavesOf,
  nestedMeasures,
  rowValue,
} from './measures.ts'
import { filteredMeasures, neededPaths, type QueryMembers, queryMembers } from './query-members.ts'
import { createExpander, dataSourceOf, joinTables, readCubes } from './tables.ts'

/**
 * Decides what a query reads and at which grain: which cubes are joined and how, what is grouped, which rows and groups
 * stay, and which measures need their rows to be told apart because joins repeat them.
 *
 * @param _context who asks; row rules and masks of a model enter here
 * @throws {QueryError} when the model has no way to answer the query
 */
export function planQuery(model: Model, query: NormalizedQuery, _context: QueryContext): Plan {
  const index = indexModel(model)
  const members = queryMembers(index, query)
  if (query.ungrouped && members.groupFilters.length > 0) throw queryError('ungrouped_filter', {})
  const tree = buildJoinTree(index, neededPaths(index, query, members))
  const names = createAliases()
  const expander = createExpander(index, query.timezone, createAliases())
  const { grain, columns: grainColumns } = planGrain(expander, members, names)
  const measureColumns = members.measures.map(member => measureColumn(member, names))
  const rows = { from: joinTables(expander, tree), where: rowConditions(expander, members), grain }
  const measures = members.measures.map((member, position) => ({
    member,
    alias: measureColumns[position]?.alias ?? '',
  }))
  const { body, trees } = query.ungrouped
    ? { body: ungrouped(expander, tree, rows, measures), trees: [] }
    : grouped({ expander, names, query, members, tree, rows, measures })
  const joined = new Set([tree, ...trees].flatMap(({ cubes }) => cubes))
  const columns = [...grainColumns, ...measureColumns]
  const cubes = readCubes(index, joined)
  return {
    dataSource: dataSourceOf(index, cubes),
    cubes,
    columns,
    body,
    order: planOrder(query, columns, grain.length),
    limit: query.limit,
    offset: query.offset ?? 0,
  }
}

type RowsOf = Pick<Selection, 'from' | 'where' | 'grain'>
type WantedMeasure = { readonly member: MeasureMember; readonly alias: string }

function columnAlias({ id, cube }: Member, suffix: string): string {
  const [owner = '', name = ''] = id.split('.')
  const prefix = owner === cube.name ? (cube.sqlAlias ?? owner) : owner
  return `${snakeCase(prefix)}__${snakeCase(name)}${suffix}`
}

function planGrain(expander: Expander, { dimensions, times }: QueryMembers, names: Aliases) {
  const grain: Output[] = []
  const columns: Column[] = []
  for (const member of dimensions) {
    const alias = names.take(columnAlias(member, ''))
    grain.push({ alias, expression: expandDimension(expander, member.cube.name, member.definition) })
    columns.push({ alias, member: member.id, kind: 'dimension', type: member.definition.type })
  }
  for (const { member, granularity } of times) {
    const alias = names.take(columnAlias(member, `_${snakeCase(granularity.name)}`))
    grain.push({ alias, expression: expandBucket(expander, member.cube.name, member.definition, granularity) })
    columns.push({ alias, member: member.id, kind: 'timeDimension', type: 'time', granularity: granularity.name })
  }
  return { grain, columns }
}

function measureColumn(member: MeasureMember, names: Aliases): Column {
  return {
    alias: names.take(columnAlias(member, '')),
    member: member.id,
    kind: 'measure',
    type: member.definition.type,
  }
}

function rowConditions(expander: Expander, members: QueryMembers): Condition[] {
  const { index, timezone } = expander
  return [
    ...members.ranges.map(({ member, dateRange }) =>
      rangeCondition(expandDimension(expander, member.cube.name, member.definition), dateRange, timezone),
    ),
    ...members.segments.map(
      ({ cube, definition }): Condition => ({
        kind: 'sql',
        expression: expandSql(expander, cube.name, definition.sql),
      }),
    ),
    ...members.rowFilters.map(filter => rowCondition(expander, index, filter)),
  ]
}

function rowCondition(expander: Expander, index: ModelIndex, filter: QueryFilter): Condition {
  if ('and' in filter) return { kind: 'and', conditions: filter.and.map(item => rowCondition(expander, index, item)) }
  if ('or' in filter) return { kind: 'or', conditions: filter.or.map(item => rowCondition(expander, index, item)) }
  const { cube, definition } = findMember(index, filter.member, () => true, 'members')
  if (definition.kind === 'dimension') {
    const expression = expandDimension(expander, cube.name, definition)
    return filterCondition(filter, { kind: 'dimension', type: definition.type, expression }, expander.timezone)
  }
  if (definition.kind === 'segment') throw new Error(`A normalized query filters the segment '${filter.member}'`)
  const conditions = definition.filters.map(
    (sql): Condition => ({ kind: 'sql', expression: expandSql(expander, cube.name, sql) }),
  )
  return { kind: 'and', conditions }
}

function ungrouped(
  expander: Expander,
  { root }: JoinTree,
  rows: RowsOf,
  measures: readonly WantedMeasure[],
): Selection {
  const outputs = measures.map(({ member, alias }) => ({
    alias,
    expression: rowValue({ expander, root }, member.cube.name, member.definition),
  }))
  return { kind: 'selection', ...rows, outputs, grouped: false, having: [] }
}

interface Grouping {
  readonly expander: Expander
  readonly names: Aliases
  readonly query: NormalizedQuery
  readonly members: QueryMembers
  readonly tree: JoinTree
  readonly rows: RowsOf
  readonly measures: readonly WantedMeasure[]
}

function grouped(grouping: Grouping): { readonly body: Selection | Combination; readonly trees: readonly JoinTree[] } {
  const { expander, members, tree, rows, measures } = grouping
  const { index } = expander
  const needed = [...members.measures, ...filteredMeasures(index, members.groupFilters)]
  const leaves = distinctLeaves(grouping, needed)
  checkNested(index, tree, leaves)
  const keyed = leaves.filter(leaf => needsKeys(tree, leaf))
  if (keyed.length > 0) return combination(grouping, leaves, keyed)

  const value = ({ cube, definition }: MeasureMember) => aggregate({ expander, root: tree.root }, cube.name, definition)
  const outputs = measures.map(({ member, alias }) => ({ alias, expression: value(member) }))
  const having = members.groupFilters.map(filter => groupCondition(expander, filter, value))
  return { body: { kind: 'selection', ...rows, outputs, grouped: true, having }, trees: [] }
}

function distinctLeaves({ expander: { index }, names }: Grouping, measures: readonly MeasureMember[]): Leaf[] {
  const leaves = new Map<string, Leaf>()
  for (const member of measures) {
    for (const { cube, measure } of leavesOf(index, member.cube.name, member.definition)) {
      const id = `${cube}.${measure.name}`
      if (leaves.has(id)) continue
      leaves.set(id, { cube, measure, alias: names.take(`${snakeCase(cube)}__${snakeCase(measure.name)}_part`) })
    }
  }
  return [...leaves.values()]
}

const needsKeys = (tree: JoinTree, { cube, measure }: Leaf) =>
  isAffectedByRepetition(measure) && isMultiplied(tree, cube)

/** SQL that aggregates and also refers to another cube's measure is calculated in one place, where that one may be repeated. */
function checkNested(index: ModelIndex, tree: JoinTree, leaves: readonly Leaf[]): void {
  for (const { cube, measure } of leaves) {
    const foreign = nestedMeasures(index, measure)
      .flatMap(nested => leavesOf(index, nested.cube, nested.measure))
      .filter(nested => nested.cube !== cube && (isMultiplied(tree, cube) || isMultiplied(tree, nested.cube)))
    if (foreign.length === 0) continue
    const cubes = [...new Set(foreign.map(nested => nested.cube))]
    throw queryError('foreign_cubes', { member: `${cube}.${measure.name}`, cubes })
  }
}

function combination(grouping: Grouping, leaves: readonly Leaf[], keyed: readonly Leaf[]) {
  const { expander, members, tree, rows, measures } = grouping
  const { index } = expander
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
    const { selection, tree: ownTree } = keyedSelection(expander, createAliases(), rows, cube, own)
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
  const memberValue = ({ cube, definition }: MeasureMember) => value(cube.name, definition.name)
  const first = parts[0]?.alias ?? ''
  const body: Combination = {
    kind: 'combination',
    parts,
    grain: rows.grain.map(({ alias }) => ({
      alias,
      expression: { kind: 'column', table: first, name: alias, trusted: false },
    })),
    outputs: measures.map(({ member, alias }) => ({ alias, expression: memberValue(member) })),
    where: members.groupFilters.map(filter => groupCondition(expander, filter, memberValue)),
  }
  return { body, trees }
}

function groupCondition(
  expander: Expander,
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

/** The order asked for, then all groups' columns, so that pages of one query never overlap. */
function planOrder(
  { order, ungrouped: isUngrouped }: NormalizedQuery,
  columns: readonly Column[],
  grainCount: number,
): Plan['order'] {
  const positions = order.map(({ id, desc }) => {
    const position = columns.findIndex(
      ({ member, granularity }) => member === id || (granularity !== undefined && `${member}.${granularity}` === id),
    )
    if (position === -1) throw new Error(`A normalized query is ordered by '${id}', which it doesn't select`)
    return { position: position + 1, descending: desc }
  })
  if (positions.length === 0 || isUngrouped) return positions
  const ordered = new Set(positions.map(({ position }) => position))
  const rest = Array.from({ length: grainCount }, (_, index) => index + 1).filter(position => !ordered.has(position))
  return [...positions, ...rest.map(position => ({ position, descending: false }))]
}
