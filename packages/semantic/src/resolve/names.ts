import type { ProblemLog } from '../messages/model-messages.ts'
import type { CubeSpec, DimensionSpec, HierarchySpec, MeasureSpec, SegmentSpec } from '../shapes/tree.ts'
import type { JoinGraph } from './join-graph.ts'

export type MemberSpec =
  | { readonly kind: 'dimension'; readonly spec: DimensionSpec }
  | { readonly kind: 'measure'; readonly spec: MeasureSpec }
  | { readonly kind: 'segment'; readonly spec: SegmentSpec }
  | { readonly kind: 'hierarchy'; readonly spec: HierarchySpec }

/** Everything that a name in the model can mean, while the model is being resolved. */
export interface Names {
  readonly cubes: ReadonlyMap<string, CubeSpec>
  readonly members: ReadonlyMap<string, ReadonlyMap<string, MemberSpec>>
  readonly graph: JoinGraph<unknown>
  readonly log: ProblemLog
  /** Defined but unreadable: no further problem is to be reported about it. */
  isIncomplete(cube: string, member?: string): boolean
  hasIncompleteMembers(cube: string): boolean
  /** Not known, but a file that could not be read may define it. */
  mayBeCube(name: string): boolean
}

/** The members of a cube by name; a name used twice is reported, and the first use stands. */
export function membersOf(cube: CubeSpec, log: ProblemLog): Map<string, MemberSpec> {
  const members = new Map<string, MemberSpec>()
  const add = (member: MemberSpec) => {
    const { name } = member.spec
    if (members.has(name.value)) {
      log.report(name.at, 'duplicate_member', { cube: cube.name.value, names: [name.value] })
    } else {
      members.set(name.value, member)
    }
  }
  for (const spec of cube.dimensions) add({ kind: 'dimension', spec })
  for (const spec of cube.measures) add({ kind: 'measure', spec })
  for (const spec of cube.segments) add({ kind: 'segment', spec })
  for (const spec of cube.hierarchies) add({ kind: 'hierarchy', spec })
  return members
}
