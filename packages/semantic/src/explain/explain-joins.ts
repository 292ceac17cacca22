import { QueryError } from '../messages/query-messages.ts'
import type { JoinPath } from '../plan/join-paths.ts'
import { buildJoinTree, type JoinTree } from '../plan/join-tree.ts'
import type { ModelIndex } from '../resolve/model-index.ts'
import type { ExplainedJoin, RootReason } from './explanation.ts'

/** Why a cube is the root among those that could have been it. */
export function explainRoot(index: ModelIndex, paths: readonly JoinPath[], { root, edges }: JoinTree): RootReason {
  if (edges.length === 0) return 'alone'
  const others = new Set(paths.map(([first = '']) => first).filter(first => first !== root))
  const sizes = [...others].flatMap(other => joinsFrom(index, paths, other) ?? [])
  if (sizes.length === 0) return 'only'
  return sizes.some(size => size === edges.length) ? 'first' : 'fewest'
}

function joinsFrom(index: ModelIndex, paths: readonly JoinPath[], root: string): number | null {
  try {
    return buildJoinTree(index, paths, [root]).edges.length
  } catch (error) {
    if (error instanceof QueryError) return null
    throw error
  }
}

/** The joins of a tree, each with the other cubes that it could have begun at. */
export function explainJoins(index: ModelIndex, tree: JoinTree): ExplainedJoin[] {
  const distance = new Map([[tree.root, 0]])
  return tree.edges.map(({ from, to, relationship }) => {
    const length = (distance.get(from) ?? 0) + 1
    distance.set(to, length)
    const alternatives = [...index.sources.values()].flatMap(({ name, definition }) => {
      if (definition.kind !== 'cube' || name === from || !index.graph.edge(name, to)) return []
      const way = index.graph.path(tree.root, name)
      return way && way.length === length && !way.includes(to) ? [name] : []
    })
    return { from, to, relationship, alternatives }
  })
}

/** The joins that make several rows of one of `cube`: those that lead away from it to many. */
export function repeatingJoins({ edges }: JoinTree, cube: string): string[] {
  const visited = new Set([cube])
  const queue = [cube]
  const found: string[] = []
  for (const current of queue) {
    for (const { from, to, relationship } of edges) {
      const next = from === current ? to : to === current ? from : null
      if (next === null || visited.has(next)) continue
      if (relationship === (from === current ? 'one_to_many' : 'many_to_one')) found.push(`${current} -> ${next}`)
      visited.add(next)
      queue.push(next)
    }
  }
  return found
}
