import { createProblemLog, type ProblemLog } from '../messages/model-messages.ts'
import { measureKinds } from '../shapes/measure-kinds.ts'
import type { Cube, Measure, Model } from '../shapes/model.ts'
import type { ModelProblem } from '../shapes/source.ts'
import type { FileTree, JoinSpec } from '../shapes/tree.ts'
import { checkReferences } from './check-references.ts'
import { checkRollups } from './check-rollups.ts'
import type { Edge } from './join-graph.ts'
import { frameOf, isWhole, type ModelFrame, mayBeCube } from './model-frame.ts'
import type { Names } from './names.ts'
import { resolveCube } from './resolve-cube.ts'
import { resolveView } from './resolve-view.ts'
import { resolveViewGroups } from './view-groups.ts'

export interface Resolved {
  readonly model: Model
  readonly problems: readonly ModelProblem[]
  readonly warnings: readonly ModelProblem[]
  /** Null where something is wrong with names or joins. */
  readonly frame: ModelFrame | null
}

/**
 * Binds every name of the model, builds the join graph and checks all rules that need more than one file.
 *
 * @param last the frame of an earlier model in which nothing was wrong
 */
export function resolve(trees: readonly FileTree[], last: ModelFrame | null = null): Resolved {
  const log = createProblemLog()
  const frame = frameOf(trees, last, log)
  const isSound = isWhole(frame) && log.problems.length === 0 && log.warnings.length === 0
  const { cubes: cubeSpecs, views: viewSpecs, members, incomplete, edges } = frame
  const unreadable = new Set([...incomplete].map(name => name.split('.')[0] ?? ''))
  const names: Names = {
    membersOf: cube => members.get(cube),
    joins: frame.joins,
    cubeNames: () => [...cubeSpecs.keys()],
    log,
    isComplete: isWhole(frame),
    isIncomplete: (cube, member) =>
      incomplete.size > 0 && (incomplete.has(cube) || (member !== undefined && incomplete.has(`${cube}.${member}`))),
    mayBeCube: name => mayBeCube(frame, cubeSpecs, name),
    hasIncompleteMembers: cube => unreadable.has(cube),
  }
  const cubes: Cube[] = []
  for (const spec of cubeSpecs.values()) {
    const cube = resolveCube(spec, names)
    if (cube) cubes.push(cube)
  }
  checkReferences(cubes, names)
  checkRollups(cubeSpecs, (cube, name) => names.isIncomplete(cube, name) || names.mayBeCube(cube), log)
  checkPrimaryKeys(unreadable.size === 0 ? cubes : cubes.filter(({ name }) => !unreadable.has(name)), edges, log)
  const views = [...viewSpecs.values()]
  const viewGroups = resolveViewGroups(frame.viewGroups, views, names.isComplete, log)
  const model = { cubes, views: views.map(view => resolveView(view, names)), viewGroups }
  return { model, problems: log.problems, warnings: log.warnings, frame: isSound ? frame : null }
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
