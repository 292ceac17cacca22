import { queryError } from '../messages/query-messages.ts'
import type { Edge } from '../resolve/join-graph.ts'
import type { ModelIndex } from '../resolve/model-index.ts'
import type { Join } from '../shapes/model.ts'
import { foreignPaths, orderByConditions } from './join-conditions.ts'
import type { JoinPath } from './join-paths.ts'

/** The cubes that a query reads, joined to a root. Parents stand before their children. */
export interface JoinTree {
  readonly root: string
  readonly edges: readonly Edge<Join>[]
  readonly cubes: readonly string[]
}

type Attempt =
  | { readonly tree: JoinTree }
  | { readonly missing: true }
  | { readonly loop: { readonly cube: string; readonly parents: readonly string[] } }

/**
 * Joins all cubes of all paths. Every first cube of a path is tried as root; the tree with the fewest joins wins, and of
 * equal ones that whose root comes first in `paths`. With `roots`, only those are tried.
 */
export function buildJoinTree(
  index: ModelIndex,
  paths: readonly JoinPath[],
  roots: readonly string[] = [...new Set(paths.map(([first = '']) => first))],
): JoinTree {
  return withConditions(index, paths, more => treeOf(index, more, roots))
}

/** What conditions of joins refer to is joined too, and before them. */
function withConditions(
  index: ModelIndex,
  paths: readonly JoinPath[],
  build: (paths: readonly JoinPath[]) => JoinTree,
): JoinTree {
  let tree = build(paths)
  for (let before: JoinTree | null = null; before?.edges.length !== tree.edges.length; ) {
    const foreign = tree.edges.flatMap(edge => foreignPaths(index, edge))
    if (foreign.length === 0) return tree
    before = tree
    tree = build([...foreign, ...paths])
  }
  return { ...tree, edges: orderByConditions(index, tree.root, tree.edges) }
}

function treeOf(index: ModelIndex, paths: readonly JoinPath[], roots: readonly string[]): JoinTree {
  const ordered = inOrder(paths)
  const attempts = roots.map(root => attempt(index, root, ordered))
  let best: JoinTree | null = null
  for (const result of attempts) {
    if ('tree' in result && (!best || result.tree.edges.length < best.edges.length)) best = result.tree
  }
  if (best) return best
  for (const result of attempts) if ('loop' in result) throw queryError('join_loop', result.loop)
  throw queryError('no_join_path', { cubes: [...new Set(paths.map(path => path.at(-1) ?? ''))] })
}

/** The same from one root if that reaches everything, otherwise from any. */
export function buildJoinTreeFrom(index: ModelIndex, root: string, paths: readonly JoinPath[]): JoinTree {
  const own = attempt(index, root, inOrder(paths))
  return buildJoinTree(index, paths, 'tree' in own ? [root] : undefined)
}

/** Paths that say more come first. */
const inOrder = (paths: readonly JoinPath[]) => [
  ...paths.filter(path => path.length > 1),
  ...paths.filter(path => path.length === 1),
]

function attempt(index: ModelIndex, root: string, paths: readonly JoinPath[]): Attempt {
  const incoming = new Map<string, Edge<Join>>()
  const isJoined = (cube: string) => cube === root || incoming.has(cube)
  for (const path of paths) {
    const [first = root] = path
    const steps = path.length === 1 && isJoined(first) ? [] : [root, ...path]
    for (const [position, to] of steps.entries()) {
      const from = steps[position - 1]
      // The way to the beginning of a path is free, so what is joined already stays as it is.
      if (from === undefined || (position === 1 && isJoined(to))) continue
      const way = index.graph.path(from, to)
      if (!way) return { missing: true }
      const loop = addWay(index, root, way, incoming)
      if (loop) return { loop }
    }
  }
  const edges = [...incoming.values()]
  return { tree: { root, edges: parentsFirst(root, edges), cubes: [root, ...edges.map(({ to }) => to)] } }
}

function addWay(index: ModelIndex, root: string, way: readonly string[], incoming: Map<string, Edge<Join>>) {
  for (const [position, to] of way.entries()) {
    const from = way[position - 1]
    if (from === undefined) continue
    const edge = index.graph.edge(from, to)
    if (!edge) throw new Error(`The join path '${way.join('.')}' has no join from '${from}' to '${to}'`)
    const known = incoming.get(to)
    if (to === root) return { cube: to, parents: [from] }
    if (known && known.from !== from) return { cube: to, parents: [known.from, from] }
    incoming.set(to, edge)
  }
  return null
}

function parentsFirst(root: string, edges: readonly Edge<Join>[]): Edge<Join>[] {
  const ordered: Edge<Join>[] = []
  const queue = [root]
  for (const cube of queue) {
    for (const edge of edges) {
      if (edge.from !== cube) continue
      ordered.push(edge)
      queue.push(edge.to)
    }
  }
  return ordered
}

/** Whether the joins repeat rows of `cube`: some way from it, along or against a join, leads to many rows. */
export function isMultiplied(tree: JoinTree, cube: string): boolean {
  const visited = new Set([cube])
  const queue = [cube]
  for (const current of queue) {
    for (const { from, to, relationship } of tree.edges) {
      const next = from === current ? to : to === current ? from : null
      if (next === null || visited.has(next)) continue
      if (relationship === (from === current ? 'one_to_many' : 'many_to_one')) return true
      visited.add(next)
      queue.push(next)
    }
  }
  return false
}

/** Whether each row of `cube` has at most one row of `other`: some way from it leads to one row in every step. */
export function isToOne(tree: JoinTree, cube: string, other: string): boolean {
  const reached = new Set([cube])
  for (const current of reached) {
    for (const { from, to, relationship } of tree.edges) {
      if (from === current && relationship !== 'one_to_many') reached.add(to)
      if (to === current && relationship !== 'many_to_one') reached.add(from)
    }
  }
  return reached.has(other)
}
