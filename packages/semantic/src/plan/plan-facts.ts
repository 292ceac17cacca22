import type { SecuredIndex } from '../access/secured-index.ts'
import { queryError } from '../messages/query-messages.ts'
import type { MeasureMember } from '../resolve/model-index.ts'
import type { Column, Combination, Expression, Selection, Stage, Union } from '../shapes/plan.ts'
import type { NormalizedQuery, QueryContext } from '../shapes/query.ts'
import { createAliases, snakeCase } from './aliases.ts'
import { isCalculation } from './calculations.ts'
import { expandSql } from './expand.ts'
import { type Expander, noStages, type Restrictions } from './expander.ts'
import type { Fact } from './facts.ts'
import { columnAlias, measureColumn, planGrain } from './grain.ts'
import { buildJoinTree } from './join-tree.ts'
import { literalMask } from './literal-masks.ts'
import { asMeasure } from './measures.ts'
import { groupCondition, planGroups } from './plan-groups.ts'
import { planRequest } from './plan-request.ts'
import { neededPaths, type QueryMembers, usedMembers } from './query-members.ts'
import { rowConditions } from './row-conditions.ts'
import { planSubQuery } from './sub-queries.ts'
import { createExpander, joinTables } from './tables.ts'

export interface PlannedQuery {
  readonly index: SecuredIndex
  readonly query: NormalizedQuery
  readonly members: QueryMembers
  readonly context: QueryContext
  readonly restrictions: Restrictions
}

export interface PlannedBody {
  readonly columns: readonly Column[]
  readonly stages?: readonly Stage[]
  readonly body: Selection | Combination | Union
  /** Cubes that are joined somewhere in it, some of them repeatedly. */
  readonly joined: Iterable<string>
}

interface PlannedFact {
  readonly expander: Expander
  readonly grain: ReturnType<typeof planGrain>
  readonly body: Selection | Combination
  readonly joined: readonly string[]
  /** The column of each leaf. */
  readonly columns: ReadonlyMap<string, string>
}

/** Plans each fact by itself and puts them side by side. */
export function planFacts({
  index,
  query,
  members,
  context,
  restrictions,
  facts,
}: PlannedQuery & { readonly facts: readonly Fact[] }): PlannedBody {
  if (query.ungrouped) throw queryError('fact_ungrouped', { facts: facts.map(({ root }) => root) })
  const groupsAlias = 'groups'
  const planned = facts.map((fact, position) => ({
    // As names of a WITH they hide tables, so they had better be nobody's.
    alias: `hedron_fact_${position + 1}`,
    fact: planFact({ index, query, members, context, restrictions }, fact),
  }))
  const place = new Map<string, Expression>()
  for (const { alias, fact } of planned) {
    for (const [leaf, name] of fact.columns) place.set(leaf, { kind: 'column', table: alias, name, trusted: false })
  }
  const [first] = planned
  if (!first) throw new Error('A query of facts has none')
  const { expander, grain } = first.fact
  const value = (cube: string, name: string): Expression => {
    const found = place.get(`${cube}.${name}`)
    if (found) return found
    const measure = asMeasure(index, cube, name)
    if (!isCalculation(index, measure) || !measure.sql) throw new Error(`'${cube}.${name}' is in no fact of the plan`)
    return expandSql(expander, cube, measure.sql, value)
  }
  // Whether all rows of a group are the caller's can't be told of several facts, so that a masked measure is masked everywhere.
  const memberValue = ({ cube, definition }: MeasureMember) =>
    definition.masking ? literalMask(definition.masking.mask, definition.type) : value(cube.name, definition.name)
  const names = createAliases()
  for (const { alias } of grain.columns) names.take(alias)
  const measures = members.measures.map(member => ({ member, alias: names.take(columnAlias(member, '')) }))
  return {
    columns: [...grain.columns, ...measures.map(measureColumn)],
    joined: new Set(planned.flatMap(({ fact }) => fact.joined)),
    body: {
      kind: 'union',
      parts: planned.map(({ alias, fact }) => ({ alias, selection: fact.body })),
      groupsAlias,
      grain: grain.grain.map(({ alias }) => ({
        alias,
        expression: { kind: 'column', table: groupsAlias, name: alias, trusted: false },
      })),
      outputs: measures.map(({ member, alias }) => ({ alias, expression: memberValue(member) })),
      where: members.groupFilters.map(filter => groupCondition(expander, filter, memberValue)),
    },
  }
}

function planFact(
  { index, query, members: asked, context, restrictions }: PlannedQuery,
  { root, members }: Fact,
): PlannedFact {
  const names = createAliases()
  const tables = createAliases()
  const request = planRequest(members, () => context.securityContext)
  // What is passed on to a sub-query is the whole query's, so that all facts have the same groups.
  const tree = buildJoinTree(index, [[root], ...neededPaths(index, query, members)], [root])
  const expander = createExpander(
    index,
    query.timezone,
    request,
    tables,
    restrictions,
    (own, cube, dimension) => planSubQuery({ expander: own, tables, filters: asked }, cube, dimension),
    noStages,
    tree,
  )
  const grain = planGrain(expander, members, names)
  const measures = members.measures.map(member => ({
    member,
    alias: names.take(`${snakeCase(member.cube.name)}__${snakeCase(member.definition.name)}_part`),
  }))
  const from = joinTables(expander, tree, usedMembers(index, members))
  const rows = { from, where: rowConditions(expander, members), grain: grain.grain }
  const { body, trees } = planGroups({ expander, names, tables, groupFilters: [], tree, rows, measures })
  return {
    expander,
    grain,
    body,
    joined: [...[tree, ...trees].flatMap(({ cubes }) => cubes), ...expander.subQueryCubes()],
    columns: new Map(measures.map(({ member, alias }) => [`${member.cube.name}.${member.definition.name}`, alias])),
  }
}
