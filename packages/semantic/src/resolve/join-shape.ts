import { connectedComponents, createJoinGraph, type Edge } from './join-graph.ts'

/** Where joins lead, whatever their SQL. */
export interface JoinShape {
  /** Whether joins lead from one cube to another. */
  isJoined(from: string, to: string): boolean
  componentOf(cube: string): number
}

interface Known {
  readonly cubes: readonly string[]
  readonly edges: readonly Edge[]
  readonly shape: JoinShape
}

let last: Known | null = null

/**
 * The shape of a model's joins. As long as cubes and joins are the same as the last time it is the very same object, which most
 * compilations of a model make of: one file is changed, and no join in it.
 */
export function joinShape(cubes: readonly string[], edges: readonly Edge[]): JoinShape {
  if (last && isSame(last, cubes, edges)) return last.shape
  const graph = createJoinGraph(edges)
  const components = connectedComponents(cubes, edges)
  const shape: JoinShape = {
    isJoined: (from, to) => graph.path(from, to) !== null,
    componentOf: cube => components.get(cube) ?? 0,
  }
  last = { cubes, edges: edges.map(({ from, to, relationship }) => ({ from, to, relationship, join: null })), shape }
  return shape
}

const isSame = (known: Known, cubes: readonly string[], edges: readonly Edge[]): boolean =>
  known.cubes.length === cubes.length &&
  known.edges.length === edges.length &&
  known.cubes.every((cube, position) => cube === cubes[position]) &&
  known.edges.every(({ from, to }, position) => from === edges[position]?.from && to === edges[position]?.to)
