import type { Edge } from '../resolve/join-graph.ts'
import type { ModelIndex } from '../resolve/model-index.ts'
import type { Join } from '../shapes/model.ts'
import { orderByConditions } from './join-conditions.ts'
import type { JoinTree } from './join-tree.ts'

/**
 * The same joins, seen from another of their cubes: all rows of that one are there, also those that nothing joins.
 *
 * @throws {QueryError} `join_order` where a condition then refers to what is joined after it
 */
export function rootedAt(index: ModelIndex, tree: JoinTree, root: string): JoinTree {
  if (tree.root === root) return tree
  const way = new Set<Edge<Join>>()
  const joining = (cube: string) => tree.edges.find(({ to }) => to === cube)
  for (let edge = joining(root); edge; edge = joining(edge.from)) way.add(edge)
  const turned = tree.edges.map(edge => (way.has(edge) ? contrary(edge) : edge))
  const edges = orderByConditions(index, root, turned)
  return { root, edges, cubes: [root, ...edges.map(({ to }) => to)] }
}

const relationships = { one_to_many: 'many_to_one', many_to_one: 'one_to_many', one_to_one: 'one_to_one' } as const

const contrary = ({ from, to, relationship, join }: Edge<Join>): Edge<Join> => ({
  from: to,
  to: from,
  relationship: relationships[relationship],
  join,
})
