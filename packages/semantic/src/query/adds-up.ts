import { secureModel } from '../access/secured-index.ts'
import { factsOf } from '../plan/facts.ts'
import { joinPathsOf } from '../plan/join-paths.ts'
import { buildJoinTree, isToOne } from '../plan/join-tree.ts'
import { neededPaths, queryMembers } from '../plan/query-members.ts'
import { namesSwitch } from '../plan/stages/choices.ts'
import { stagedDimensions } from '../plan/stages/stage-dimension-members.ts'
import type { Model } from '../shapes/model.ts'
import type { NormalizedQuery, QueryContext } from '../shapes/query.ts'

/**
 * Whether the groups of a query share no row: each row of every measure's cube leads to at most one row of every cube by which is
 * grouped. What a measure has for several groups then adds up to what it has for all of them. Of several facts, of dimensions that are
 * computed in stages or chosen by a switch it is not said.
 *
 * @throws {QueryError} for cubes that no joins connect
 */
export function addsUp(model: Model, query: NormalizedQuery, context: QueryContext): boolean {
  const index = secureModel(model, context)
  const members = queryMembers(index, query)
  if (factsOf(index, members) || namesSwitch(index, members) || stagedDimensions(index, members).length > 0)
    return false
  const tree = buildJoinTree(index, neededPaths(index, query, members))
  const keys = [...members.dimensions, ...members.times.map(({ member }) => member)]
  const cubes = keys.flatMap(({ cube, definition, joinPath }) => [
    cube.name,
    ...joinPathsOf(index, cube.name, definition.name, joinPath).flatMap(path => path.at(-1) ?? []),
  ])
  return members.measures.every(({ cube }) => cubes.every(name => isToOne(tree, cube.name, name)))
}
