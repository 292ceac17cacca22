import type { ProblemLog } from '../messages/model-messages.ts'
import type { CubeSpec, FileTree, JoinSpec, ViewGroupSpec, ViewSpec } from '../shapes/tree.ts'
import { warnOfAmbiguousJoins } from './ambiguous-joins.ts'
import { extendCubes } from './extend-cubes.ts'
import { extendViews, splitView } from './extend-views.ts'
import type { Edge } from './join-graph.ts'
import { type JoinShape, joinShape } from './join-shape.ts'
import { withLinkDimensions } from './link-dimensions.ts'
import { type MemberSpec, membersOf } from './names.ts'

/** All definitions of a model by name, and how they join: what each of them can ask about the others. */
export interface ModelFrame {
  readonly trees: readonly FileTree[]
  /** With `extends` replaced. */
  readonly cubes: ReadonlyMap<string, CubeSpec>
  /** With `extends` replaced and `split` followed. */
  readonly views: ReadonlyMap<string, ViewSpec>
  readonly viewGroups: readonly ViewGroupSpec[]
  readonly members: ReadonlyMap<string, ReadonlyMap<string, MemberSpec>>
  /** All joins, those of one cube side by side. */
  readonly edges: readonly Edge<JoinSpec>[]
  readonly joins: JoinShape
  /** Names of what others extend. */
  readonly parents: ReadonlySet<string>
  /** `cube` or `cube.member` of what is defined but could not be read. */
  readonly incomplete: ReadonlySet<string>
  /** Whether nothing is known of what some file defines. */
  readonly hasUnreadable: boolean
}

/** More changed files than an author makes at once. */
const mostChanges = 20

/**
 * The frame of a model; whatever is wrong with names and joins is reported.
 *
 * @param last the frame of an earlier model in which nothing was wrong. Where the change since then leaves names and joins as they
 * were, only what was changed is put in its place.
 * @returns also the names of what was changed; null where the frame is made anew
 */
export function frameOf(trees: readonly FileTree[], last: ModelFrame | null, log: ProblemLog): ChangedFrame {
  return (last && changedFrame(last, trees, log)) ?? { frame: newFrame(trees, log), changed: null }
}

interface ChangedFrame {
  readonly frame: ModelFrame
  readonly changed: ReadonlySet<string> | null
}

/** Whether the frame is of a model in which all could be read. */
export const isWhole = ({ incomplete, hasUnreadable }: ModelFrame): boolean => incomplete.size === 0 && !hasUnreadable

/** Whether a name that is not there may be that of a cube that could not be read. */
export const mayBeCube = ({ incomplete, hasUnreadable }: Unread, cubes: ReadonlyMap<string, CubeSpec>, name: string) =>
  (incomplete.has(name) || hasUnreadable) && !cubes.has(name)

type Unread = Pick<ModelFrame, 'incomplete' | 'hasUnreadable'>

function newFrame(trees: readonly FileTree[], log: ProblemLog): ModelFrame {
  const defined = definitionsOf(trees)
  const { incomplete, hasUnreadable, viewGroups, parents } = defined
  const specs = distinct('cube', defined.cubes, new Map(), log)
  const ownViews = distinct('view', defined.views, specs, log)
  const mayBe = (name: string) => mayBeCube(defined, specs, name)
  const cubes = extendCubes(specs, mayBe, log)
  markOrphans(incomplete, cubes.values())
  const edges = joinEdges(cubes, mayBe, log)
  warnOfAmbiguousJoins(edges, log)
  const members = new Map<string, ReadonlyMap<string, MemberSpec>>()
  for (const [name, spec] of cubes) members.set(name, membersOf(spec, log))
  const joins = joinShape([...cubes.keys()], edges)
  const extendedViews = [...extendViews(ownViews, mayBe, log).values()]
  markOrphans(incomplete, extendedViews)
  const views = distinct('view', extendedViews.flatMap(splitView), specs, log)
  return { trees, cubes, views, viewGroups, members, edges, joins, parents, incomplete, hasUnreadable }
}

/** What all files define, in their order. */
function definitionsOf(trees: readonly FileTree[]) {
  const cubes: CubeSpec[] = []
  const views: ViewSpec[] = []
  const viewGroups: ViewGroupSpec[] = []
  const incomplete = new Set<string>()
  const parents = new Set<string>()
  let hasUnreadable = false
  for (const tree of trees) {
    for (const cube of tree.cubes) cubes.push(cube)
    for (const view of tree.views) views.push(view)
    for (const group of tree.viewGroups) viewGroups.push(group)
    for (const name of tree.incomplete) incomplete.add(name)
    if (!tree.isReadable) hasUnreadable = true
  }
  for (const { extends: parent } of cubes) if (parent) parents.add(parent.value.join('.'))
  for (const { extends: parent } of views) if (parent) parents.add(parent.value.join('.'))
  if (incomplete.size > 0) inheritIncomplete(incomplete, [...cubes, ...views])
  return { cubes, views, viewGroups, incomplete, parents, hasUnreadable }
}

/** Nobody knows the members of what extends something that is not there, or itself in a circle. */
function markOrphans(incomplete: Set<string>, extended: Iterable<CubeSpec | ViewSpec>): void {
  for (const { name, extends: missing } of extended) if (missing) incomplete.add(name.value)
}

/** What is not known of a definition is not known of those that extend it. */
function inheritIncomplete(incomplete: Set<string>, specs: readonly (CubeSpec | ViewSpec)[]): void {
  const children = new Map<string, string[]>()
  for (const { name, extends: parent } of specs) {
    if (!parent) continue
    const key = parent.value.join('.')
    children.set(key, [...(children.get(key) ?? []), name.value])
  }
  // What is added to a set while it is walked is walked too, and nothing twice.
  for (const name of incomplete) {
    const [owner = '', ...member] = name.split('.')
    for (const child of children.get(owner) ?? []) incomplete.add([child, ...member].join('.'))
  }
}

function distinct<T extends CubeSpec | ViewSpec>(
  kind: string,
  specs: readonly T[],
  others: ReadonlyMap<string, CubeSpec>,
  log: ProblemLog,
): Map<string, T> {
  const found = new Map<string, T>()
  for (const spec of specs) {
    const first = others.get(spec.name.value) ?? found.get(spec.name.value)
    if (first) log.report(spec.name.at, 'duplicate_cube', { kind, name: spec.name.value, first: first.name.at })
    else found.set(spec.name.value, spec)
  }
  return found
}

function joinEdges(
  cubes: ReadonlyMap<string, CubeSpec>,
  mayBe: (name: string) => boolean,
  log: ProblemLog,
): Edge<JoinSpec>[] {
  const edges: Edge<JoinSpec>[] = []
  for (const [from, cube] of cubes) {
    if (cube.joins.length === 0) continue
    const targets = new Set<string>()
    for (const join of cube.joins) {
      const to = join.name.value
      if (targets.has(to)) log.report(join.name.at, 'duplicate_join', { cube: from, target: to })
      else if (to === from) log.report(join.name.at, 'join_to_itself', { cube: from })
      else if (cubes.has(to)) edges.push(edgeOf(from, join))
      else if (!mayBe(to)) log.report(join.name.at, 'join_target_missing', { target: to, known: [...cubes.keys()] })
      targets.add(to)
    }
  }
  return edges
}

const edgeOf = (from: string, join: JoinSpec): Edge<JoinSpec> => ({
  from,
  to: join.name.value,
  relationship: join.relationship,
  join,
})

/** The last frame with new definitions of some names in it; null where more than that has changed. */
function changedFrame(last: ModelFrame, trees: readonly FileTree[], log: ProblemLog): ChangedFrame | null {
  const changedTrees = changesOf(last, trees)
  if (changedTrees === null) return null
  const changed = new Set<string>()
  const cubes = new Map(last.cubes)
  const members = new Map(last.members)
  const views = new Map(last.views)
  const edges = [...last.edges]
  for (const tree of changedTrees) {
    for (const written of tree.cubes) {
      const cube = withLinkDimensions(written)
      const name = cube.name.value
      changed.add(name)
      // A name that is there already keeps its place.
      cubes.set(name, cube)
      members.set(name, membersOf(cube, log))
      const own = cube.joins.map(join => edgeOf(name, join))
      if (own.length > 0)
        edges.splice(
          edges.findIndex(({ from }) => from === name),
          own.length,
          ...own,
        )
    }
    for (const view of tree.views) {
      changed.add(view.name.value)
      views.set(view.name.value, view)
    }
  }
  return { frame: { ...last, trees, cubes, members, views, edges }, changed }
}

/** The files that changed; null where their definitions can't just take the place of the earlier ones. */
function changesOf(last: ModelFrame, trees: readonly FileTree[]): readonly FileTree[] | null {
  if (trees.length !== last.trees.length) return null
  const changed: FileTree[] = []
  for (let position = 0; position < trees.length; position++) {
    const tree = trees[position]
    const before = last.trees[position]
    if (tree === before) continue
    if (!tree || !before || changed.length === mostChanges || !isAlike(before, tree, last.parents)) return null
    changed.push(tree)
  }
  return changed
}

/** Whether two states of a file define the same names with the same joins, and nothing is inherited. */
function isAlike(before: FileTree, after: FileTree, parents: ReadonlySet<string>): boolean {
  return (
    after.isReadable &&
    after.incomplete.length === 0 &&
    before.viewGroups.length === 0 &&
    after.viewGroups.length === 0 &&
    before.cubes.length === after.cubes.length &&
    before.views.length === after.views.length &&
    before.cubes.every((cube, position) => isAlikeCube(cube, after.cubes[position], parents)) &&
    before.views.every((view, position) => isAlikeView(view, after.views[position], parents))
  )
}

const isAlikeCube = (before: CubeSpec, after: CubeSpec | undefined, parents: ReadonlySet<string>): boolean =>
  isAlone(before, after, parents) &&
  before.joins.length === after?.joins.length &&
  before.joins.every(({ name }, position) => name.value === after.joins[position]?.name.value)

const isAlikeView = (before: ViewSpec, after: ViewSpec | undefined, parents: ReadonlySet<string>): boolean =>
  isAlone(before, after, parents) && !isSplit(before) && after !== undefined && !isSplit(after)

/** Two definitions of one name that neither extends another nor is extended. */
const isAlone = (before: CubeSpec | ViewSpec, after: CubeSpec | ViewSpec | undefined, parents: ReadonlySet<string>) =>
  before.name.value === after?.name.value && !before.extends && !after.extends && !parents.has(before.name.value)

const isSplit = ({ cubes }: ViewSpec): boolean => cubes.some(({ split }) => split)
