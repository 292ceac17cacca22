import type { ProblemLog } from '../messages/model-messages.ts'
import type { JoinSpec } from '../shapes/tree.ts'
import type { Edge } from './join-graph.ts'

/**
 * Warns of cubes that are reached from another over two joins in several ways, and over no single one: the commonest ambiguity,
 * and one that is found in the time of reading the joins. Longer ones are told by the explanation of a query that meets them.
 */
export function warnOfAmbiguousJoins(edges: readonly Edge<JoinSpec>[], log: ProblemLog): void {
  const outgoing = new Map<string, Edge<JoinSpec>[]>()
  for (const edge of edges) {
    const known = outgoing.get(edge.from)
    if (known) known.push(edge)
    else outgoing.set(edge.from, [edge])
  }
  for (const [from, first] of outgoing) {
    // Its joins lead to different cubes each, so that one alone gives no choice.
    if (first.length === 1) continue
    const direct = new Set([from, ...first.map(({ to }) => to)])
    const ways = new Map<string, Edge<JoinSpec>[]>()
    for (const join of first) {
      for (const { to } of outgoing.get(join.to) ?? []) {
        if (direct.has(to)) continue
        const known = ways.get(to)
        if (known) known.push(join)
        else ways.set(to, [join])
      }
    }
    for (const [to, [taken, ...others]] of ways) {
      if (!taken || others.length === 0) continue
      const paths = [taken, ...others].map(middle => `${from}.${middle.to}.${to}`)
      log.warn(taken.join.name.at, 'join_ambiguous', { from, to, paths })
    }
  }
}
