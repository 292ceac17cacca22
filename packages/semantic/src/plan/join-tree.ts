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

interface Loop {
  readonly cube: string
  readonly parents: readonly string[]
}

type Attempt = { readonly tree: JoinTree } | { readonly missing: true } | { readonly loop: Loop }

/**
 * Joins all cubes of all paths. Every first cube of a path is tried as root; the tree with the fewest joins wins, and of
 * equal ones that whose root comes first in `paths`. With `roots`, only those are tried.
 */
export function buildJoinTree(
  index: ModelIndex,
  paths: readonly JoinPath[],
  roots: readonly string[] = firstCubes(paths),
): JoinTree {
  return withConditions(index, paths, more => treeOf(index, more, roots))
}

function firstCubes(paths: readonly JoinPath[]): readonly string[] {
  const firsts: string[] = []
  for (const [first = ''] of paths) if (!firsts.includes(first)) firsts.push(first)
  return firsts
}

/** What conditions of joins refer to is joined too, and before them. */
function withConditions(
  index: ModelIndex,
  paths: readonly JoinPath[],
  build: (paths: readonly JoinPath[]) => JoinTree,
): JoinTree {
  let tree = build(paths)
  for (let before: JoinTree | null = null; before?.edges.length !== tree.edges.length; ) {
    const foreign: JoinPath[] = []
    for (const edge of tree.edges) foreign.push(...foreignPaths(index, edge))
    if (foreign.length === 0) return tree
    before = tree
    tree = build([...foreign, ...paths])
  }
  return { ...tree, edges: orderByConditions(index, tree.root, tree.edges) }
}

function treeOf(index: ModelIndex, paths: readonly JoinPath[], roots: readonly string[]): JoinTree {
  const ordered = inOrder(paths)
  const fewest = countCubes(paths) - 1
  let best: JoinTree | null = null
  let loop: Loop | null = null
  for (const root of roots) {
    const result = attempt(index, root, ordered)
    if ('loop' in result) loop ??= result.loop
    if ('tree' in result && (!best || result.tree.edges.length < best.edges.length)) best = result.tree
    // No other root can do with fewer.
    if (best?.edges.length === fewest) break
  }
  if (best) return best
  if (loop) throw queryError('join_loop', loop)
  throw queryError('no_join_path', { cubes: [...new Set(paths.map(path => path.at(-1) ?? ''))] })
}

/** The same from one root if that reaches everything, otherwise from any. */
export function buildJoinTreeFrom(index: ModelIndex, root: string, paths: readonly JoinPath[]): JoinTree {
  const own = attempt(index, root, inOrder(paths))
  return buildJoinTree(index, paths, 'tree' in own ? [root] : undefined)
}

/** The same from one root alone; null where that reaches not everything, or in two ways. */
export const extendJoinTree = (index: ModelIndex, root: string, paths: readonly JoinPath[]): JoinTree | null =>
  'tree' in attempt(index, root, inOrder(paths)) ? buildJoinTree(index, paths, [root]) : null

/** Paths that say more come first. */
const inOrder = (paths: readonly JoinPath[]): readonly JoinPath[] =>
  paths.every(saysLittle) ? paths : [...paths.filter(path => path.length > 1), ...paths.filter(saysLittle)]

const saysLittle = (path: JoinPath) => path.length === 1

/** Few are joined, and to make a set of them would cost more than to look through them. */
function countCubes(paths: readonly JoinPath[]): number {
  const cubes: string[] = []
  for (const path of paths) for (const cube of path) if (!cubes.includes(cube)) cubes.push(cube)
  return cubes.length
}

function attempt(index: ModelIndex, root: string, paths: readonly JoinPath[]): Attempt {
  const edges: Edge<Join>[] = []
  const isJoined = (cube: string) => cube === root || edges.some(({ to }) => to === cube)
  for (const path of paths) {
    let from = root
    for (let position = 0; position < path.length; position++) {
      const to = path[position] ?? root
      // The way to the beginning of a path is free, so what is joined already stays as it is.
      if (position > 0 || !isJoined(to)) {
        const direct = index.graph.edge(from, to)
        const way = direct ? null : index.graph.path(from, to)
        if (!direct && !way) return { missing: true }
        const loop = direct ? addEdge(root, direct, edges) : addWay(index, root, way ?? [], edges)
        if (loop) return { loop }
      }
      from = to
    }
  }
  const cubes = [root]
  for (const { to } of edges) cubes.push(to)
  return { tree: { root, edges: parentsFirst(root, edges), cubes } }
}

/** Adds the joins of a way to those there are, each cube by one join. */
function addWay(index: ModelIndex, root: string, way: readonly string[], edges: Edge<Join>[]): Loop | null {
  for (let position = 1; position < way.length; position++) {
    const from = way[position - 1] ?? ''
    const to = way[position] ?? ''
    const edge = index.graph.edge(from, to)
    if (!edge) throw new Error(`The join path '${way.join('.')}' has no join from '${from}' to '${to}'`)
    const loop = addEdge(root, edge, edges)
    if (loop) return loop
  }
  return null
}

function addEdge(root: string, edge: Edge<Join>, edges: Edge<Join>[]): Loop | null {
  const { from, to } = edge
  if (to === root) return { cube: to, parents: [from] }
  const known = edges.find(other => other.to === to)
  if (known === undefined) edges.push(edge)
  else if (known.from !== from) return { cube: to, parents: [known.from, from] }
  return null
}

function parentsFirst(root: string, edges: readonly Edge<Join>[]): readonly Edge<Join>[] {
  if (edges.length < 2) return edges
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
  // All joins lead away from the root.
  if (cube === tree.root) return tree.edges.some(({ relationship }) => relationship === 'one_to_many')
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
