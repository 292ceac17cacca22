import { queryError } from '../messages/query-messages.ts'
import { oncePerObject } from '../once-per-object.ts'
import type { Edge } from '../resolve/join-graph.ts'
import type { ModelIndex } from '../resolve/model-index.ts'
import type { Join } from '../shapes/model.ts'
import { type JoinPath, joinPathsIn } from './join-paths.ts'
import { isOfOwnTable } from './own-table.ts'

const known = oncePerObject((_: ModelIndex['graph']) => new Map<Join, readonly JoinPath[]>())

/** The ways to the cubes that a join's condition refers to beside the two that it joins; usually none. */
export function foreignPaths(index: ModelIndex, edge: Edge<Join>): readonly JoinPath[] {
  if (readsOnlyItsTables(index, edge)) return none
  const { from, to, join } = edge
  const paths = known(index.graph)
  const found = paths.get(join)
  if (found) return found
  const foreign = joinPathsIn(index, join.condition, [from]).filter(path => !isOneOf(path.at(-1), from, to))
  paths.set(join, foreign)
  return foreign
}

const none: readonly JoinPath[] = []

/** Most conditions compare columns of the two tables: that is cheaper to see than to look up. */
function readsOnlyItsTables(index: ModelIndex, { from, to, join }: Edge<Join>): boolean {
  for (const part of join.condition.parts) {
    if (typeof part === 'string') continue
    if (part.kind !== 'table' && part.kind !== 'member') return false
    if (part.cube !== from && part.cube !== to) return false
    if (part.kind === 'member' && !isOfOwnTable(index, part.cube, index.member(part.cube, part.member))) return false
  }
  return true
}

const isOneOf = (cube: string | undefined, ...cubes: readonly string[]) => cube !== undefined && cubes.includes(cube)

/**
 * Each join after all that its condition refers to, otherwise in the order given.
 *
 * @throws {QueryError} when a condition refers to what can only be joined after it
 */
export function orderByConditions(index: ModelIndex, root: string, edges: readonly Edge<Join>[]): Edge<Join>[] {
  const joined = new Set([root])
  const ordered: Edge<Join>[] = []
  const missing = (edge: Edge<Join>) =>
    [edge.from, ...foreignPaths(index, edge).flatMap(path => path.at(-1) ?? [])].find(cube => !joined.has(cube))
  let pending = edges
  while (pending.length > 0) {
    const next = pending.find(edge => missing(edge) === undefined)
    if (!next) {
      const stuck = pending.find(({ from }) => joined.has(from))
      if (!stuck) throw new Error(`The joins from '${root}' are no tree`)
      throw queryError('join_order', { from: stuck.from, to: stuck.to, foreign: missing(stuck) ?? stuck.to })
    }
    ordered.push(next)
    joined.add(next.to)
    pending = pending.filter(edge => edge !== next)
  }
  return ordered
}
