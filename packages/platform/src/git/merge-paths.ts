import { type Conflict, conflictOf, type ThreeWay } from './conflict.ts'
import { diffTrees } from './diff-trees.ts'
import type { ObjectId, ObjectReader } from './objects.ts'
import { pairExactRenames } from './renames.ts'
import { pairSimilarRenames } from './similar-renames.ts'
import type { Snapshot, SnapshotFile } from './snapshot-file.ts'

export interface MergeInput {
  readonly reader: ObjectReader
  /** Trees; the base is `null` when the histories have nothing in common. */
  readonly base: ObjectId | null
  readonly ours: ObjectId
  readonly theirs: ObjectId
}

export interface MatchedPaths {
  /** Every path that one side or both changed, with a renamed file under its new path alone. */
  readonly paths: readonly ThreeWay[]
  /** Files that both sides renamed, to different paths. */
  readonly conflicts: readonly Conflict[]
}

/** What one side did to the base. A path that is absent here is as in the base. */
interface Side {
  readonly before: ReadonlyMap<string, SnapshotFile | undefined>
  readonly after: ReadonlyMap<string, SnapshotFile | undefined>
}

/** Finds which files of three trees belong together, by path and by rename. */
export async function matchPaths({ reader, base, ours, theirs }: MergeInput): Promise<MatchedPaths> {
  const [oursSide, theirsSide] = [await readSide(reader, base, ours), await readSide(reader, base, theirs)]
  const paths = new Map<string, ThreeWay>()
  for (const path of [...oursSide.after.keys(), ...theirsSide.after.keys()]) {
    const before = oursSide.before.get(path) ?? theirsSide.before.get(path)
    const at = (side: Side) => (side.after.has(path) ? side.after.get(path) : before)
    paths.set(path, { path, base: before, ours: at(oursSide), theirs: at(theirsSide) })
  }
  const oursRenames = await findRenames(reader, oursSide, theirsSide)
  const theirsRenames = await findRenames(reader, theirsSide, oursSide)
  const conflicts: Conflict[] = []
  for (const [from, to] of oursRenames) {
    const target = paths.get(to)
    const source = paths.get(from)
    const elsewhere = theirsRenames.get(from)
    if (target === undefined || source === undefined) continue
    if (elsewhere !== undefined && elsewhere !== to) {
      conflicts.push(...renameConflicts(source, target, paths.get(elsewhere)))
      for (const path of [from, to, elsewhere]) paths.delete(path)
    } else if (elsewhere === to || target.theirs === undefined) {
      const theirs = elsewhere === to ? target.theirs : source.theirs
      paths.set(to, { path: to, base: source.base, ours: target.ours, theirs, renamedFrom: from })
      paths.delete(from)
    }
  }
  for (const [from, to] of theirsRenames) {
    const target = paths.get(to)
    const source = paths.get(from)
    if (target === undefined || source === undefined || target.ours !== undefined) continue
    paths.set(to, { path: to, base: source.base, ours: source.ours, theirs: target.theirs, renamedFrom: from })
    paths.delete(from)
  }
  return { paths: [...paths.values()], conflicts }
}

async function readSide(reader: ObjectReader, base: ObjectId | null, tree: ObjectId): Promise<Side> {
  const changes = await diffTrees(reader, base, tree)
  const before = changes.map(change => [change.path, change.kind === 'added' ? undefined : change.before] as const)
  const after = changes.map(change => [change.path, change.kind === 'removed' ? undefined : change.after] as const)
  return { before: new Map(before), after: new Map(after) }
}

/**
 * Old path to new path of what one side renamed, as far as it matters: a file that the other side left alone needs no
 * partner.
 */
async function findRenames(reader: ObjectReader, side: Side, other: Side): Promise<Map<string, string>> {
  const removed = new Map<string, SnapshotFile>()
  const added = new Map<string, SnapshotFile>()
  for (const [path, file] of side.after) {
    const before = side.before.get(path)
    if (file === undefined && before !== undefined) removed.set(path, before)
    if (file !== undefined && before === undefined) added.set(path, file)
  }
  const exact = pairExactRenames(removed, added)
  for (const [target, source] of exact) {
    added.delete(target)
    removed.delete(source)
  }
  const relevant = (path: string) => other.after.has(path)
  const similar = await pairSimilarRenames(reader, filterPaths(removed, relevant), added)
  return new Map([...exact, ...similar].flatMap(([to, from]) => (relevant(from) ? [[from, to]] : [])))
}

function filterPaths(files: Snapshot, keep: (path: string) => boolean): Snapshot {
  return new Map([...files].filter(([path]) => keep(path)))
}

function renameConflicts(source: ThreeWay, ours: ThreeWay, theirs: ThreeWay | undefined): Conflict[] {
  const renamedFrom = source.path
  return [
    conflictOf('rename', { ...source, ours: undefined, theirs: undefined }),
    conflictOf('rename', { ...ours, base: undefined, renamedFrom }),
    ...(theirs === undefined ? [] : [conflictOf('rename', { ...theirs, base: undefined, renamedFrom })]),
  ]
}
