import type { SecuredIndex } from '../access/secured-index.ts'
import { queryError } from '../messages/query-messages.ts'
import type { ModelIndex } from '../resolve/model-index.ts'
import type { Expression, From, Join, Relation } from '../shapes/plan.ts'
import { type Aliases, snakeCase } from './aliases.ts'
import { type JoinKey, joinCondition } from './calendar-keys.ts'
import { expandSource } from './expand.ts'
import {
  type Expander,
  noStages,
  type PlanRequest,
  type Restrictions,
  type StageValues,
  type SubQueryTable,
} from './expander.ts'
import type { JoinTree } from './join-tree.ts'
import { type SubQueryId, subQueriesIn, subQueriesOf } from './sub-query-members.ts'

/** Names each cube's table once for the whole query. */
export function createExpander(
  index: SecuredIndex,
  timezone: string,
  request: PlanRequest,
  aliases: Aliases,
  restrictions: Restrictions,
  planSubQuery: (expander: Expander, cube: string, dimension: string) => SubQueryTable,
  stages: StageValues = noStages,
  tree: JoinTree | null = null,
): Expander {
  const names = new Map<string, string>()
  let subQueries: Map<string, SubQueryTable> | null = null
  const expander: Expander = {
    index,
    timezone,
    request,
    restrictions,
    stages,
    tree,
    tableAlias(cube) {
      const known = names.get(cube)
      if (known !== undefined) return known
      const alias = aliases.take(index.cube(cube).sqlAlias ?? snakeCase(cube))
      names.set(cube, alias)
      return alias
    },
    subQuery(cube, dimension) {
      const id = `${cube}.${dimension}`
      subQueries ??= new Map()
      const known = subQueries.get(id)
      if (known) return known
      const planned = planSubQuery(expander, cube, dimension)
      subQueries.set(id, planned)
      return planned
    },
    subQueryCubes: () => (subQueries === null ? none : [...subQueries.values()].flatMap(({ cubes }) => cubes)),
  }
  return expander
}

const none: readonly never[] = []

/** FROM and its joins; after each cube, the sub-queries of it that `members`, as cube and name, or a join stand on. */
export function joinTables(
  expander: Expander,
  tree: JoinTree,
  members: readonly { readonly cube: string; readonly name: string }[],
  joinKeys: readonly JoinKey[] = [],
): From {
  const { index } = expander
  if (tree.edges.length === 0 && members.length === 0) return { root: relation(expander, tree.root), joins: none }
  const optional = { ...expander, request: { ...expander.request, isOptional: true } }
  const needed: SubQueryId[] = []
  for (const { cube, name } of members) needed.push(...subQueriesOf(index, cube, name))
  for (const { join } of tree.edges) needed.push(...subQueriesIn(index, join.condition))
  const subQueries = (owner: string): From['joins'] =>
    needed.length === 0
      ? none
      : distinct(needed.filter(({ cube }) => cube === owner)).map(({ cube, name }) => {
          const { relation: table, on } = expander.subQuery(cube, name)
          return { relation: table, on: { kind: 'sql', expression: on } }
        })
  const root = relation(expander, tree.root)
  const joins = [...subQueries(tree.root)]
  for (const edge of tree.edges) {
    joins.push(joinOf(optional, edge.to, joinCondition(expander, joinKeys, edge)), ...subQueries(edge.to))
  }
  return { root, joins }
}

const joinOf = (expander: Expander, to: string, condition: Expression): Join => ({
  relation: relation(expander, to),
  on: { kind: 'sql', expression: condition },
})

const distinct = (subQueries: readonly SubQueryId[]) => [
  ...new Map(subQueries.map(subQuery => [subQuery.name, subQuery])).values(),
]

/** A cube's table, or the rows of it that may be read. */
function relation(expander: Expander, name: string): Relation {
  const cube = expander.index.cube(name)
  const alias = expander.tableAlias(name)
  const rows = expander.restrictions.of(name, expander)
  if (rows) return { alias, source: { kind: 'restricted', rows }, isQuery: true }
  return { alias, source: expandSource(expander, cube), isQuery: cube.source.kind === 'query' }
}

/** The one data source of these cubes. */
export function dataSourceOf(index: ModelIndex, cubes: readonly string[]): string {
  const first = cubes[0]
  const source = first === undefined ? 'default' : index.cube(first).dataSource
  if (cubes.every(cube => index.cube(cube).dataSource === source)) return source
  throw queryError('data_sources', { sources: [...new Set(cubes.map(cube => index.cube(cube).dataSource))] })
}

/** The cubes and those whose tables their own queries read. */
export function readCubes(index: ModelIndex, cubes: Iterable<string>): string[] {
  const found: string[] = []
  const add = (cube: string) => {
    if (!found.includes(cube)) found.push(cube)
  }
  for (const cube of cubes) add(cube)
  for (const cube of found) {
    for (const part of index.cube(cube).source.sql.parts) {
      if (typeof part !== 'string' && part.kind === 'source') add(part.cube)
    }
  }
  return found
}
