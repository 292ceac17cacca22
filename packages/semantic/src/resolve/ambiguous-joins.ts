import type { ProblemLog } from '../messages/model-messages.ts'
import type { JoinSpec } from '../shapes/tree.ts'
import type { Edge } from './join-graph.ts'

/** A cube reached from another: over how many joins, in which ways that part at the first join. */
interface Reached {
  readonly distance: number
  readonly ways: readonly (readonly string[])[]
}

/**
 * Warns of cubes that are reached from another in several ways of the same, shortest length. Only where ways part and meet again
 * is worth saying: whoever comes before or goes on after has no other choice.
 */
export function warnOfAmbiguousJoins(edges: readonly Edge<JoinSpec>[], log: ProblemLog): void {
  const outgoing = new Map<string, Edge<JoinSpec>[]>()
  for (const edge of edges) outgoing.set(edge.from, [...(outgoing.get(edge.from) ?? []), edge])
  for (const [from, first] of outgoing) {
    if (first.length < 2) continue
    for (const [to, { ways }] of reachedFrom(from, outgoing)) {
      const join = first.find(edge => edge.to === ways[0]?.[1])?.join
      if (ways.length < 2 || !join) continue
      log.warn(join.name.at, 'join_ambiguous', { from, to, paths: ways.map(way => way.join('.')) })
    }
  }
}

function reachedFrom(from: string, outgoing: ReadonlyMap<string, readonly Edge[]>): Map<string, Reached> {
  const reached = new Map<string, Reached>([[from, { distance: 0, ways: [[from]] }]])
  const queue = [from]
  for (const cube of queue) {
    const { distance, ways } = reached.get(cube) ?? { distance: 0, ways: [] }
    const [way = []] = ways
    for (const { to } of outgoing.get(cube) ?? []) {
      const known = reached.get(to)
      if (!known) {
        reached.set(to, { distance: distance + 1, ways: [[...way, to]] })
        queue.push(to)
      } else if (known.distance === distance + 1 && !known.ways.some(other => other[1] === way[1])) {
        reached.set(to, { ...known, ways: [...known.ways, [...way, to]] })
      }
    }
  }
  return reached
}
