import { createProblemLog, type ProblemLog } from '../messages/model-messages.ts'
import { measureKinds } from '../shapes/measure-kinds.ts'
import type { Cube, Measure, Model } from '../shapes/model.ts'
import type { ModelProblem } from '../shapes/source.ts'
import type { CubeSpec, FileTree, JoinSpec, ViewSpec } from '../shapes/tree.ts'
import { warnOfAmbiguousJoins } from './ambiguous-joins.ts'
import { checkReferences } from './check-references.ts'
import { checkRollups } from './check-rollups.ts'
import { extendCubes } from './extend-cubes.ts'
import { extendViews, splitView } from './extend-views.ts'
import type { Edge } from './join-graph.ts'
import { joinShape } from './join-shape.ts'
import { type MemberSpec, membersOf, type Names } from './names.ts'
import { resolveCube } from './resolve-cube.ts'
import { resolveView } from './resolve-view.ts'
import { resolveViewGroups } from './view-groups.ts'

export interface Resolved {
  readonly model: Model
  readonly problems: readonly ModelProblem[]
  readonly warnings: readonly ModelProblem[]
}

/** Binds every name of the model, builds the join graph and checks all rules that need more than one file. */
export function resolve(trees: readonly FileTree[]): Resolved {
  const log = createProblemLog()
  const defined = definitionsOf(trees)
  const specs = distinct('cube', defined.cubes, new Map(), log)
  const views = distinct('view', defined.views, specs, log)
  const { incomplete, hasUnreadable } = defined
  const unreadable = new Set([...incomplete].map(name => name.split('.')[0] ?? ''))
  const mayBeCube = (name: string) => incomplete.has(name) || (hasUnreadable && !specs.has(name))
  const cubeSpecs = extendCubes(specs, mayBeCube, log)
  const edges = joinEdges(cubeSpecs, mayBeCube, log)
  warnOfAmbiguousJoins(edges, log)
  const members = new Map<string, ReadonlyMap<string, MemberSpec>>()
  for (const [name, spec] of cubeSpecs) members.set(name, membersOf(spec, log))
  const names: Names = {
    membersOf: cube => members.get(cube),
    joins: joinShape([...cubeSpecs.keys()], edges),
    cubeNames: () => [...cubeSpecs.keys()],
    log,
    isComplete: incomplete.size === 0 && !hasUnreadable,
    isIncomplete: (cube, member) =>
      incomplete.size > 0 && (incomplete.has(cube) || (member !== undefined && incomplete.has(`${cube}.${member}`))),
    mayBeCube,
    hasIncompleteMembers: cube => unreadable.has(cube),
  }
  const cubes: Cube[] = []
  for (const spec of cubeSpecs.values()) {
    const cube = resolveCube(spec, names)
    if (cube) cubes.push(cube)
  }
  checkReferences(cubes, names)
  checkRollups(cubeSpecs, (cube, name) => names.isIncomplete(cube, name) || mayBeCube(cube), log)
  checkPrimaryKeys(
    cubes.filter(({ name }) => !unreadable.has(name)),
    edges,
    log,
  )
  const viewSpecs = distinct('view', [...extendViews(views, mayBeCube, log).values()].flatMap(splitView), specs, log)
  const viewGroups = resolveViewGroups(defined.viewGroups, [...viewSpecs.values()], names.isComplete, log)
  const model = { cubes, views: [...viewSpecs.values()].map(view => resolveView(view, names)), viewGroups }
  return { model, problems: log.problems, warnings: log.warnings }
}

/** What all files define, in their order. */
function definitionsOf(trees: readonly FileTree[]) {
  const cubes: CubeSpec[] = []
  const views: ViewSpec[] = []
  const viewGroups: FileTree['viewGroups'][number][] = []
  const incomplete = new Set<string>()
  let hasUnreadable = false
  for (const tree of trees) {
    for (const cube of tree.cubes) cubes.push(cube)
    for (const view of tree.views) views.push(view)
    for (const group of tree.viewGroups) viewGroups.push(group)
    for (const name of tree.incomplete) incomplete.add(name)
    if (!tree.isReadable) hasUnreadable = true
  }
  return { cubes, views, viewGroups, incomplete, hasUnreadable }
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
  mayBeCube: (name: string) => boolean,
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
      else if (cubes.has(to)) edges.push({ from, to, relationship: join.relationship, join })
      else if (!mayBeCube(to)) log.report(join.name.at, 'join_target_missing', { target: to, known: [...cubes.keys()] })
      targets.add(to)
    }
  }
  return edges
}

/**
 * A join can repeat the rows of the cube on its "one" side, whose measures are then right only with a primary key; and
 * rows of a joined cube that are absent must be told from rows that are there. Longer paths are checked when planned.
 */
function checkPrimaryKeys(cubes: readonly Cube[], edges: readonly Edge<JoinSpec>[], log: ProblemLog): void {
  const keyless = new Set<string>()
  for (const { name, primaryKey, measures } of cubes) {
    if (primaryKey.length === 0 && measures.some(needsKey)) keyless.add(name)
  }
  if (keyless.size === 0) return
  for (const { from, to, join } of edges) {
    const cube = join.relationship === 'one_to_many' ? from : to
    if (keyless.has(cube)) log.report(join.name.at, 'primary_key_required', { cube })
  }
}

function needsKey({ type }: Measure): boolean {
  const { of, ignoresRepetition } = measureKinds[type]
  return of !== 'groups' && !ignoresRepetition
}
