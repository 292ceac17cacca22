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
import { connectedComponents, createJoinGraph, type Edge } from './join-graph.ts'
import { membersOf, type Names } from './names.ts'
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
  const specs = distinct(
    'cube',
    trees.flatMap(({ cubes }) => cubes),
    new Map(),
    log,
  )
  const views = distinct(
    'view',
    trees.flatMap(tree => tree.views),
    specs,
    log,
  )
  const incomplete = new Set(trees.flatMap(tree => tree.incomplete))
  const unreadable = new Set([...incomplete].map(name => name.split('.')[0] ?? ''))
  const hasUnreadable = trees.some(({ isReadable }) => !isReadable)
  const mayBeCube = (name: string) => incomplete.has(name) || (hasUnreadable && !specs.has(name))
  const cubeSpecs = extendCubes(specs, mayBeCube, log)
  const edges = joinEdges(cubeSpecs, mayBeCube, log)
  warnOfAmbiguousJoins(edges, log)
  const members = new Map([...cubeSpecs].map(([name, spec]) => [name, membersOf(spec, log)]))
  const graph = createJoinGraph(edges)
  const components = connectedComponents([...cubeSpecs.keys()], edges)
  const names: Names = {
    membersOf: cube => members.get(cube),
    isJoined: (from, to) => graph.path(from, to) !== null,
    componentOf: cube => components.get(cube) ?? 0,
    cubeNames: () => [...cubeSpecs.keys()],
    log,
    isComplete: incomplete.size === 0 && !hasUnreadable,
    isIncomplete: (cube, member) =>
      incomplete.has(cube) || (member !== undefined && incomplete.has(`${cube}.${member}`)),
    mayBeCube,
    hasIncompleteMembers: cube => unreadable.has(cube),
  }
  const cubes = [...cubeSpecs.values()].flatMap(spec => resolveCube(spec, names) ?? [])
  checkReferences(cubes, names)
  checkRollups(cubeSpecs, (cube, name) => names.isIncomplete(cube, name) || mayBeCube(cube), log)
  checkPrimaryKeys(
    cubes.filter(({ name }) => !unreadable.has(name)),
    edges,
    log,
  )
  const viewSpecs = distinct('view', [...extendViews(views, mayBeCube, log).values()].flatMap(splitView), specs, log)
  const viewGroups = resolveViewGroups(
    trees.flatMap(tree => tree.viewGroups),
    [...viewSpecs.values()],
    names.isComplete,
    log,
  )
  const model = { cubes, views: [...viewSpecs.values()].map(view => resolveView(view, names)), viewGroups }
  return { model, problems: log.problems, warnings: log.warnings }
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
  const byName = new Map(cubes.map(cube => [cube.name, cube]))
  for (const { from, to, join } of edges) {
    const cube = byName.get(join.relationship === 'one_to_many' ? from : to)
    if (!cube || cube.primaryKey.length > 0) continue
    if (cube.measures.some(needsKey)) {
      log.report(join.name.at, 'primary_key_required', { cube: cube.name })
    }
  }
}

function needsKey({ type }: Measure): boolean {
  const { of, ignoresRepetition } = measureKinds[type]
  return of !== 'groups' && !ignoresRepetition
}
