import { createProblemLog, type ProblemLog } from '../messages/model-messages.ts'
import { measureKinds } from '../shapes/measure-kinds.ts'
import type { Cube, Measure, Model, View } from '../shapes/model.ts'
import type { ModelProblem } from '../shapes/source.ts'
import { type FileTree, type JoinSpec, unreadGroup } from '../shapes/tree.ts'
import { checkReferences } from './check-references.ts'
import { checkRollups } from './check-rollups.ts'
import type { Edge } from './join-graph.ts'
import { frameOf, isWhole, type ModelFrame, mayBeCube } from './model-frame.ts'
import type { Names } from './names.ts'
import type { Remembered } from './remember-resolved.ts'
import { resolveCube } from './resolve-cube.ts'
import { resolveView } from './resolve-view.ts'
import { resolveViewGroups } from './view-groups.ts'

export interface Resolved {
  readonly model: Model
  readonly problems: readonly ModelProblem[]
  readonly warnings: readonly ModelProblem[]
  readonly known: KnownModel
}

/** What resolving a model leaves to the next, which may differ in little. */
export interface KnownModel {
  /** Null where something is wrong with names or joins. */
  readonly frame: ModelFrame | null
  /** Null where there was anything to say of the model. */
  readonly sound: SoundModel | null
}

/** Definitions in which nothing is wrong. */
interface SoundModel {
  /** In the order of the frame. */
  readonly cubes: readonly Cube[]
  readonly views: readonly View[]
  /** The definitions that asked about the members of a cube, and perhaps some that did once. */
  readonly askers: Map<string, Set<string>>
}

/**
 * Binds every name of the model, builds the join graph and checks all rules that need more than one file.
 *
 * @param last what an earlier model left
 */
export function resolve(trees: readonly FileTree[], last: KnownModel | null = null): Resolved {
  const log = createProblemLog()
  const { frame, changed } = frameOf(trees, last?.frame ?? null, log)
  const hasSoundFrame = isWhole(frame) && isSilent(log)
  const { cubes: cubeSpecs, views: viewSpecs, members, incomplete, edges } = frame
  const unreadable = incompleteByCube(incomplete)
  const names: Names = {
    membersOf: cube => members.get(cube),
    joins: frame.joins,
    cubeNames: () => [...cubeSpecs.keys()],
    log,
    isComplete: isWhole(frame),
    isIncomplete: (cube, member) =>
      incomplete.size > 0 && (incomplete.has(cube) || (member !== undefined && incomplete.has(`${cube}.${member}`))),
    mayBeCube: name => mayBeCube(frame, cubeSpecs, name),
    incompleteMembers: cube => unreadable.get(cube) ?? [],
  }
  const sound = changed && last?.sound
  const askers = sound ? sound.askers : new Map<string, Set<string>>()
  const reached = sound ? reachedBy(changed, askers) : null
  const resolveAll = <S extends object, R>(
    specs: ReadonlyMap<string, S>,
    resolveOne: Remembered<S, R>,
    before: readonly R[] | undefined,
  ): R[] => {
    const resolved: R[] = []
    let position = 0
    for (const [name, spec] of specs) {
      const kept = reached?.has(name) ? undefined : before?.[position]
      position += 1
      resolved.push(kept ?? resolveOne(spec, names))
      if (!kept) noteAsker(name, resolveOne.askedOf(spec), askers)
    }
    return resolved
  }
  const cubes = resolveAll(cubeSpecs, resolveCube, sound?.cubes)
  checkReferences(cubes, names)
  checkRollups(cubeSpecs, (cube, name) => names.isIncomplete(cube, name) || names.mayBeCube(cube), log)
  checkPrimaryKeys(unreadable.size === 0 ? cubes : cubes.filter(({ name }) => !unreadable.has(name)), edges, log)
  const mayBeHidden = {
    view: (name: string) => mayBeCube(frame, cubeSpecs, name),
    group: (name: string) =>
      frame.hasUnreadable || incomplete.has(unreadGroup('')) || incomplete.has(unreadGroup(name)),
  }
  const viewGroups = resolveViewGroups(frame.viewGroups, [...viewSpecs.values()], mayBeHidden, log)
  const views = resolveAll(viewSpecs, resolveView, sound?.views)
  return {
    model: { cubes, views, viewGroups },
    problems: log.problems,
    warnings: log.warnings,
    known: {
      frame: hasSoundFrame ? frame : null,
      sound: hasSoundFrame && isSilent(log) ? { cubes, views, askers } : null,
    },
  }
}

/** By the cubes that they are of; a cube that is incomplete itself has an empty list. */
function incompleteByCube(incomplete: ReadonlySet<string>): ReadonlyMap<string, readonly string[]> {
  const byCube = new Map<string, string[]>()
  for (const name of incomplete) {
    const [cube = '', member] = name.split('.')
    const members = byCube.get(cube) ?? []
    if (member !== undefined) members.push(member)
    byCube.set(cube, members)
  }
  return byCube
}

const isSilent = ({ problems, warnings }: ProblemLog): boolean => problems.length === 0 && warnings.length === 0

/** What was changed, and what asked about it. */
function reachedBy(changed: ReadonlySet<string>, askers: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const reached = new Set(changed)
  for (const name of changed) for (const asker of askers.get(name) ?? []) reached.add(asker)
  return reached
}

function noteAsker(name: string, asked: readonly string[], askers: Map<string, Set<string>>): void {
  for (const cube of asked) {
    const known = askers.get(cube)
    if (known) known.add(name)
    else askers.set(cube, new Set([name]))
  }
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
