import { queryError } from '../messages/query-messages.ts'
import { findMember } from '../query/find-member.ts'
import { indexModel, type Member, type ModelIndex } from '../resolve/model-index.ts'
import type { Model } from '../shapes/model.ts'
import type { Column, Condition, Output, Plan, Selection } from '../shapes/plan.ts'
import type { NormalizedQuery, QueryContext, QueryFilter } from '../shapes/query.ts'
import { type Aliases, createAliases, snakeCase } from './aliases.ts'
import { filterCondition, rangeCondition } from './conditions.ts'
import { type Expander, expandBucket, expandDimension, expandSql } from './expand.ts'
import { buildJoinTree, type JoinTree } from './join-tree.ts'
import { rowValue } from './measures.ts'
import { planGroups, type SelectedRows, type WantedMeasure } from './plan-groups.ts'
import { neededPaths, type QueryMembers, queryMembers } from './query-members.ts'
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
  const tables = createAliases()
  const expander = createExpander(index, query.timezone, tables)
  const { grain, columns: grainColumns } = planGrain(expander, members, names)
  const measures = members.measures.map(member => ({ member, alias: names.take(columnAlias(member, '')) }))
  const rows = { from: joinTables(expander, tree), where: rowConditions(expander, members), grain }
  const { body, trees } = query.ungrouped
    ? { body: ungrouped(expander, tree, rows, measures), trees: [] }
    : planGroups({ expander, names, tables, groupFilters: members.groupFilters, tree, rows, measures })
  const joined = new Set([tree, ...trees].flatMap(({ cubes }) => cubes))
  const columns = [...grainColumns, ...measures.map(measureColumn)]
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

const measureColumn = ({ member, alias }: WantedMeasure): Column => ({
  alias,
  member: member.id,
  kind: 'measure',
  type: member.definition.type,
})

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
  const conditions = [...definition.filters, ...definition.drillFilters].map(
    (sql): Condition => ({ kind: 'sql', expression: expandSql(expander, cube.name, sql) }),
  )
  return { kind: 'and', conditions }
}

function ungrouped(
  expander: Expander,
  { root }: JoinTree,
  rows: SelectedRows,
  measures: readonly WantedMeasure[],
): Selection {
  const outputs = measures.map(({ member, alias }) => ({
    alias,
    expression: rowValue({ expander, root }, member.cube.name, member.definition),
  }))
  return { kind: 'selection', ...rows, outputs, grouped: false, having: [] }
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
