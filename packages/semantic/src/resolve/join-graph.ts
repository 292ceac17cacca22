import type { Relationship } from '../shapes/vocabulary.ts'

export interface Edge<T = unknown> {
  readonly from: string
  readonly to: string
  readonly relationship: Relationship
  readonly join: T
}

/** Directed graph of declared joins. Paths from the cubes that were asked about last are kept. */
export interface JoinGraph<T> {
  edge(from: string, to: string): Edge<T> | null
  /** Shortest path as cubes from `from` to `to`, both included; of equal ones, that of the joins declared first. */
  path(from: string, to: string): readonly string[] | null
}

/** What is kept of one cube can be as large as the model. */
const keptSearches = 200

export function createJoinGraph<T>(edges: Iterable<Edge<T>>): JoinGraph<T> {
  const outgoing = new Map<string, Map<string, Edge<T>>>()
  for (const edge of edges) {
    const targets = outgoing.get(edge.from) ?? new Map<string, Edge<T>>()
    if (!targets.has(edge.to)) targets.set(edge.to, edge)
    outgoing.set(edge.from, targets)
  }
  const predecessors = new Map<string, Map<string, string>>()

  // All joins cost the same, so Dijkstra's algorithm visits in the order of a breadth-first search.
  const search = (from: string) => {
    const previous = new Map<string, string>()
    const queue = [from]
    for (const cube of queue) {
      for (const next of outgoing.get(cube)?.keys() ?? []) {
        if (next === from || previous.has(next)) continue
        previous.set(next, cube)
        queue.push(next)
      }
    }
    return previous
  }
  return {
    edge: (from, to) => outgoing.get(from)?.get(to) ?? null,
    path(from, to) {
      if (from === to) return [from]
      if (outgoing.get(from)?.has(to)) return [from, to]
      const previous = predecessors.get(from) ?? search(from)
      // Last in the order of the map, so that the first is the one that was not asked about for longest.
      predecessors.delete(from)
      predecessors.set(from, previous)
      const [oldest] = predecessors.size > keptSearches ? predecessors.keys() : []
      if (oldest !== undefined) predecessors.delete(oldest)
      if (!previous.has(to)) return null
      const path = [to]
      for (let cube = previous.get(to); cube !== undefined; cube = previous.get(cube)) path.unshift(cube)
      return path
    },
  }
}

/** Numbers the connected components of the graph, in the order in which their first cube stands. */
export function connectedComponents(cubes: readonly string[], edges: Iterable<Edge>): Map<string, number> {
  const neighbours = new Map<string, string[]>(cubes.map(cube => [cube, []]))
  for (const { from, to } of edges) {
    neighbours.get(from)?.push(to)
    neighbours.get(to)?.push(from)
  }
  const component = new Map<string, number>()
  let count = 0
  for (const start of cubes) {
    if (component.has(start)) continue
    count += 1
    const queue = [start]
    component.set(start, count)
    for (const cube of queue) {
      for (const next of neighbours.get(cube) ?? []) {
        if (component.has(next)) continue
        component.set(next, count)
        queue.push(next)
      }
    }
  }
  return component
}
