import { compareBytes } from './byte-order.ts'
import { type Conflict, type ConflictKind, conflictOf, type ThreeWay } from './conflict.ts'
import { editTree, type FileEdit } from './edit-tree.ts'
import { mergeContents, type PendingContent } from './merge-contents.ts'
import type { MergeLabels } from './merge-lines.ts'
import { type MergeInput, matchPaths } from './merge-paths.ts'
import { type GitObject, hashObject, type NewObjects, type ObjectId } from './objects.ts'
import { isRegular, type SnapshotFile, sameFile } from './snapshot-file.ts'

export interface MergeRequest extends MergeInput {
  /** What the sides are called in the marked texts of conflicts. Without them there are no marked texts. */
  readonly labels?: MergeLabels
}

/** A merge gives a tree or conflicts, never both. Objects are the new blobs and trees, to be stored by the caller. */
export type MergeResult =
  | { readonly treeId: ObjectId; readonly objects: NewObjects; readonly conflicts: readonly [] }
  | { readonly treeId: null; readonly objects: NewObjects; readonly conflicts: readonly Conflict[] }

/** What a person decided: the whole content of a path after the merge, or `null` for no file. */
export type Resolutions = ReadonlyMap<string, Uint8Array | null>

/**
 * Merges two trees that come from a common base: by path and rename, then by lines. A file that one side renamed and
 * the other edited is merged under its new path. Line endings and a missing last newline are kept as they are.
 *
 * @throws {GitError} when a tree or blob is missing or damaged.
 */
export function mergeTrees(request: MergeRequest): Promise<MergeResult> {
  return resolveWith(request, new Map())
}

/**
 * The same merge with decisions for its conflicts. Conflicts without one are returned as before. A decision may also
 * write a path without conflict, for instance to put a file elsewhere.
 *
 * @throws {PathError} when a decision makes a path a file and a directory at once.
 */
export async function resolveWith(request: MergeRequest, resolutions: Resolutions): Promise<MergeResult> {
  const { paths, conflicts } = await matchPaths(request)
  const settled = new Map<string, SnapshotFile | undefined>()
  const found: Conflict[] = [...conflicts]
  const pending: PendingContent[] = []
  for (const entry of paths) {
    if (entry.renamedFrom !== undefined) settled.set(entry.renamedFrom, undefined)
    const decision = decide(entry)
    if (decision.kind === 'settled') settled.set(entry.path, decision.file)
    else if (decision.kind === 'pending') pending.push(decision.content)
    else found.push(decision.conflict)
  }
  const objects = new Map<ObjectId, GitObject>()
  for await (const merged of mergeContents(request.reader, pending, request.labels)) {
    if (merged.kind === 'conflict') found.push(merged.conflict)
    else settled.set(merged.path, { mode: merged.mode, id: store(merged.object, objects) })
  }
  found.push(...findCollisions(paths, settled, found))
  const open = found.filter(({ path }) => !resolutions.has(path))
  if (open.length > 0) {
    open.sort((left, right) => compareBytes(left.path, right.path))
    return { treeId: null, objects: new Map(), conflicts: open }
  }
  const edits = new Map<string, FileEdit | null>()
  const alreadyOurs = new Set(
    paths.flatMap(({ path, ours, renamedFrom }) =>
      renamedFrom === undefined && sameFile(ours, settled.get(path)) ? [path] : [],
    ),
  )
  for (const [path, file] of settled) if (!alreadyOurs.has(path)) edits.set(path, file ?? null)
  for (const [path, content] of resolutions) {
    edits.set(path, content === null ? null : { id: store({ type: 'blob', content }, objects) })
  }
  const { treeId, objects: trees } = await editTree(request.reader, request.ours, edits)
  return { treeId, objects: new Map([...objects, ...trees]), conflicts: [] }
}

type Decision =
  | { readonly kind: 'settled'; readonly file: SnapshotFile | undefined }
  | { readonly kind: 'pending'; readonly content: PendingContent }
  | { readonly kind: 'conflict'; readonly conflict: Conflict }

function decide(entry: ThreeWay): Decision {
  const { base, ours, theirs } = entry
  const settled = (file: SnapshotFile | undefined): Decision => ({ kind: 'settled', file })
  const conflict = (kind: ConflictKind): Decision => ({ kind: 'conflict', conflict: conflictOf(kind, entry) })
  if (sameFile(ours, theirs)) return settled(ours)
  const deleted = ours === undefined || theirs === undefined
  // Whoever renamed a file still wants it, so its deletion by the other side is not for us to follow.
  if (deleted && entry.renamedFrom !== undefined) return conflict('delete-modify')
  if (sameFile(ours, base)) return settled(theirs)
  if (sameFile(theirs, base)) return settled(ours)
  if (deleted) return conflict('delete-modify')
  if (!isRegular(ours) || !isRegular(theirs)) return conflict(ours.mode === theirs.mode ? 'binary' : 'mode')
  const start = base !== undefined && isRegular(base) ? base : undefined
  if (start === undefined && ours.mode !== theirs.mode) return conflict('mode')
  const mode = ours.mode === start?.mode ? theirs.mode : ours.mode
  if (ours.id === theirs.id || theirs.id === start?.id) return settled({ mode, id: ours.id })
  if (ours.id === start?.id) return settled({ mode, id: theirs.id })
  return { kind: 'pending', content: { entry, base: start?.id, ours: ours.id, theirs: theirs.id, mode } }
}

/** Files that stand where other files of the result need a directory. */
function findCollisions(
  paths: readonly ThreeWay[],
  settled: ReadonlyMap<string, SnapshotFile | undefined>,
  conflicts: readonly Conflict[],
): Conflict[] {
  const present = new Set(conflicts.flatMap(({ path, ours, theirs }) => (ours || theirs ? [path] : [])))
  for (const [path, file] of settled) if (file !== undefined) present.add(path)
  const directories = new Set<string>()
  for (const path of present) {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const directory = path.slice(0, end)
      if (directories.has(directory)) break
      directories.add(directory)
    }
  }
  return paths
    .filter(({ path }) => settled.get(path) !== undefined && directories.has(path))
    .map(entry => conflictOf('directory-file', entry))
}

function store(object: GitObject, objects: Map<ObjectId, GitObject>): ObjectId {
  const id = hashObject(object)
  objects.set(id, object)
  return id
}
