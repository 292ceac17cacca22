import type { ProblemLog } from '../messages/model-messages.ts'
import { oncePerObject } from '../once-per-object.ts'
import type { CubeSpec, DimensionSpec, HierarchySpec, Located, MeasureSpec, SegmentSpec } from '../shapes/tree.ts'
import type { JoinShape } from './join-shape.ts'

export type MemberSpec =
  | { readonly kind: 'dimension'; readonly spec: DimensionSpec }
  | { readonly kind: 'measure'; readonly spec: MeasureSpec }
  | { readonly kind: 'segment'; readonly spec: SegmentSpec }
  | { readonly kind: 'hierarchy'; readonly spec: HierarchySpec }

/**
 * Everything that a definition can ask about others while the model is being resolved. `rememberResolved` listens to the
 * questions, so whatever depends on another definition has to be one.
 */
export interface Names {
  /** `undefined` when there is no such cube. As long as a cube is the same, so is the map. */
  membersOf(cube: string): ReadonlyMap<string, MemberSpec> | undefined
  readonly joins: JoinShape
  /** Every cube, for messages. */
  cubeNames(): readonly string[]
  readonly log: ProblemLog
  /** Every file and every definition in them could be read. */
  readonly isComplete: boolean
  /** Defined, but not all of it could be read: no further problem is to be reported about it. */
  isIncomplete(cube: string, member?: string): boolean
  /** The members of a cube that are incomplete. */
  incompleteMembers(cube: string): readonly string[]
  /** Not known, but a file that could not be read may define it. */
  mayBeCube(name: string): boolean
}

/** Whether nobody knows which dimensions are a cube's primary key. */
export const isKeyUnknown = (cube: string, names: Names): boolean =>
  names.isIncomplete(cube) || names.incompleteMembers(cube).length > 0

/** Whether two cubes that are not joined may only seem so: a join is named for the cube that it leads to, as a member is for itself. */
export const mayBeJoined = (from: string, to: string, names: Names): boolean =>
  names.isIncomplete(from, to) || names.isIncomplete(to, from)

/** The members of a cube by name; a name used twice is reported, and the first use stands. */
export function membersOf(cube: CubeSpec, log: ProblemLog): ReadonlyMap<string, MemberSpec> {
  const { members, duplicates } = namedMembers(cube)
  for (const { value, at } of duplicates) log.report(at, 'duplicate_member', { cube: cube.name.value, names: [value] })
  return members
}

const namedMembers = oncePerObject((cube: CubeSpec) => {
  const members = new Map<string, MemberSpec>()
  const duplicates: Located<string>[] = []
  const add = (member: MemberSpec) => {
    const { name } = member.spec
    if (members.has(name.value)) duplicates.push(name)
    else members.set(name.value, member)
  }
  for (const spec of cube.dimensions) add({ kind: 'dimension', spec })
  for (const spec of cube.measures) add({ kind: 'measure', spec })
  for (const spec of cube.segments) add({ kind: 'segment', spec })
  for (const spec of cube.hierarchies) add({ kind: 'hierarchy', spec })
  return { members, duplicates }
})
