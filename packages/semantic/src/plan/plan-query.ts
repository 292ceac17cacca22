import { type SecuredIndex, secureModel } from '../access/secured-index.ts'
import { queryError } from '../messages/query-messages.ts'
import type { BoundSql, Model } from '../shapes/model.ts'
import type { Column, Expression, Page, Plan, Selection } from '../shapes/plan.ts'
import type { NormalizedQuery, QueryContext } from '../shapes/query.ts'
import { createAliases } from './aliases.ts'
import { sourceParts } from './expand.ts'
import { type Expander, noStages } from './expander.ts'
import { factsOf } from './facts.ts'
import { conditionsCanFail } from './failing-conditions.ts'
import { givenPage, type PagedQuery } from './given-values.ts'
import { columnAlias, measureColumn, planGrain } from './grain.ts'
import { buildJoinTree, type JoinTree } from './join-tree.ts'
import { shownRowValue } from './masked-measures.ts'
import { type PlannedBody, type PlannedQuery, planFacts } from './plan-facts.ts'
import { planGroups, type SelectedRows, type WantedMeasure } from './plan-groups.ts'
import { planRequest } from './plan-request.ts'
import { planStaged } from './plan-staged.ts'
import {
  areOfOwnTables,
  askedMembers,
  neededPaths,
  type QueryMembers,
  queryMembers,
  usedMembers,
} from './query-members.ts'
import { allRows, createRestrictions } from './restrictions.ts'
import { rowConditions } from './row-conditions.ts'
import { namesSwitch } from './stages/choices.ts'
import { stagedDimensions } from './stages/stage-dimension-members.ts'
import { stagedMeasure } from './stages/staged-measures.ts'
import { planSubQuery } from './sub-queries.ts'
import { createExpander, dataSourceOf, joinTables, readCubes } from './tables.ts'
import { visibilityOf } from './visibility.ts'

/**
 * Decides what a query reads and at which grain: which cubes are joined and how, what is grouped, which rows and groups
 * stay, and which measures need their rows to be told apart because joins repeat them.
 *
 * @param context who asks; what a model's policies let him see is all that is read
 * @throws {QueryError} when the model has no way to answer the query
 */
export const planQuery = (model: Model, query: NormalizedQuery, context: QueryContext): Plan =>
  planSecured(secureModel(model, context), query)

/** The same for a model as its caller may see it. */
export function planSecured(index: SecuredIndex, query: NormalizedQuery): Plan {
  const { context } = index.access
  const members = queryMembers(index, query)
  if (query.ungrouped && members.groupFilters.length > 0) throw queryError('ungrouped_filter', {})
  const isApart = (context.keepsRowsApart ?? false) || conditionsCanFail(index, members)
  const restrictions = createRestrictions(index, query.timezone, askedMembers(index, members), isApart)
  const { columns, stages = [], body, joined } = planBody({ index, query, members, context, restrictions })
  const restricting = restrictions.cubes()
  const cubes = readCubes(index, restricting.length === 0 ? joined : [...joined, ...restricting])
  return {
    dataSource: dataSourceOf(index, cubes),
    cubes,
    columns,
    stages,
    body,
    ...planPage(givenPage(query), columns),
  }
}

/** The page that a query of these columns asks for. Nothing else of a plan depends on it. */
export const planPage = (query: PagedQuery, columns: readonly Column[]): Page => ({
  order: planOrder(query, columns, countGrain(columns)),
  limit: planLimit(query),
  offset: query.offset ?? 0,
})

function countGrain(columns: readonly Column[]): number {
  let count = 0
  for (const { kind } of columns) if (kind !== 'measure') count += 1
  return count
}

function planBody(planned: PlannedQuery): PlannedBody {
  const { index, query, members } = planned
  const isPlain = areOfOwnTables(members)
  const staged = isPlain ? undefined : (stagedMeasure(index, members) ?? stagedDimensions(index, members)[0])
  if (staged && query.ungrouped) throw queryError('ungrouped_stage', { measure: staged.id })
  const facts = factsOf(index, members)
  if (staged && facts) throw queryError('fact_stages', { measure: staged.id, facts: facts.map(({ root }) => root) })
  if (staged || (!isPlain && namesSwitch(index, members))) {
    if (query.ungrouped) throw queryError('switch_ungrouped', {})
    return planStaged(planned)
  }
  return facts ? planFacts({ ...planned, facts }) : planRows(planned)
}

const none: readonly JoinTree[] = []

/** A query whose members are all found from the rows of one join tree. */
function planRows({ index, query, members, context, restrictions }: PlannedQuery): PlannedBody {
  const tree = buildJoinTree(index, neededPaths(index, query, members))
  if (query.ungrouped && context.allowUngroupedWithoutPrimaryKey === false) checkKeys(index, tree, members)
  const names = createAliases()
  const tables = createAliases()
  const expander = createExpander(
    index,
    query.timezone,
    planRequest(members, () => context.securityContext),
    tables,
    restrictions,
    (own, cube, dimension) => planSubQuery({ expander: own, tables, filters: members }, cube, dimension),
    noStages,
    tree,
  )
  const { grain, columns } = planGrain(expander, members, names)
  const measures = members.measures.map(member => ({ member, alias: names.take(columnAlias(member, '')) }))
  const rows = {
    from: joinTables(expander, tree, usedMembers(index, members)),
    where: rowConditions(expander, members),
    grain,
  }
  const { body, trees } = query.ungrouped
    ? { body: ungrouped(expander, tree, rows, measures), trees: none }
    : planGroups({
        expander,
        names,
        tables,
        groupFilters: members.groupFilters,
        tree,
        rows,
        measures,
        visibility: visibilityOf(index, query, members, tree),
      })
  return {
    columns: [...columns, ...measures.map(measureColumn)],
    body,
    joined: joinedCubes(tree, trees, expander),
  }
}

function joinedCubes({ cubes }: JoinTree, trees: readonly JoinTree[], expander: Expander): readonly string[] {
  const ofSubQueries = expander.subQueryCubes()
  if (trees.length === 0 && ofSubQueries.length === 0) return cubes
  return [...cubes, ...trees.flatMap(tree => tree.cubes), ...ofSubQueries]
}

/** The query that tells whether a cube's rows have changed. It may depend on the caller's query as the cube's own SQL may. */
export function planRefreshKey(model: Model, sql: BoundSql, query: NormalizedQuery, context: QueryContext): Expression {
  const index = secureModel(model, context)
  const request = planRequest(queryMembers(index, query), () => context.securityContext)
  // It is about all rows: its answer is shown to nobody, and is the same for everybody.
  const expander = createExpander(index, query.timezone, request, createAliases(), allRows, (_, cube, dimension) => {
    throw new Error(`A refresh key refers to the dimension '${cube}.${dimension}'`)
  })
  return { kind: 'sql', parts: sourceParts(expander, sql) }
}

/** Without its keys, a row can't be told from another that shows the same. */
function checkKeys(index: SecuredIndex, { cubes }: JoinTree, { dimensions }: QueryMembers): void {
  const shown = new Set(dimensions.map(({ cube, definition }) => `${cube.name}.${definition.name}`))
  const keys = cubes.flatMap(cube => index.cube(cube).primaryKey.map(key => `${cube}.${key}`))
  const missing = keys.filter(key => !shown.has(key))
  if (missing.length > 0) throw queryError('ungrouped_keys', { keys: missing })
}

function ungrouped(
  expander: Expander,
  { root }: JoinTree,
  rows: SelectedRows,
  measures: readonly WantedMeasure[],
): Selection {
  const outputs = measures.map(({ member, alias }) => ({
    alias,
    expression: shownRowValue({ expander, root }, member),
  }))
  return { kind: 'selection', ...rows, outputs, grouped: false, having: [] }
}

/** Null: all rows. */
export const planLimit = ({ limit }: Pick<NormalizedQuery, 'limit'>): number | null =>
  limit === Number.POSITIVE_INFINITY ? null : limit

/** The order asked for, then all groups' columns, so that pages of one query never overlap. */
export function planOrder(
  { order, ungrouped: isUngrouped }: Pick<NormalizedQuery, 'order' | 'ungrouped'>,
  columns: readonly Column[],
  grainCount: number,
): Plan['order'] {
  const positions: Plan['order'][number][] = []
  for (const { id, desc, nullsFirst = false } of order) {
    const position = columns.findIndex(
      ({ member, granularity }) => member === id || (granularity !== undefined && `${member}.${granularity}` === id),
    )
    if (position === -1) throw new Error(`A normalized query is ordered by '${id}', which it doesn't select`)
    positions.push({ position: position + 1, descending: desc, nullsFirst })
  }
  if (positions.length === 0 || isUngrouped) return positions
  for (let position = 1; position <= grainCount; position++) {
    if (!positions.some(ordered => ordered.position === position)) positions.push({ position, descending: false })
  }
  return positions
}
