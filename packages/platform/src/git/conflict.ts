import type { ConflictRegion } from './merge-lines.ts'
import type { ObjectId } from './objects.ts'
import type { SnapshotFile } from './snapshot-file.ts'

/**
 * `content`: both changed the same lines. `add-add`: both added the path, differently. `delete-modify`: one changed
 * what the other deleted. `mode`: both changed what kind of file it is. `binary`: both changed a file that has no
 * lines. `directory-file`: one has a file where the other has a directory. `rename`: both renamed the file, to
 * different paths; told once for the old path and once for each new one.
 */
export type ConflictKind = 'content' | 'add-add' | 'delete-modify' | 'mode' | 'binary' | 'directory-file' | 'rename'

/** A path on which two branches disagree. The ids are those of the blobs; a side without one has no such file. */
export interface Conflict {
  readonly path: string
  readonly kind: ConflictKind
  readonly base?: ObjectId
  readonly ours?: ObjectId
  readonly theirs?: ObjectId
  /** The path in the base, when one side renamed the file to `path`. */
  readonly renamedFrom?: string
  /** For `content` and `add-add` of texts: the lines that cannot be merged. */
  readonly regions?: readonly ConflictRegion[]
  /** The same as one text with git's conflict markers, when labels were given. */
  readonly marked?: string
}

/** One path of three trees. */
export interface ThreeWay {
  readonly path: string
  readonly base: SnapshotFile | undefined
  readonly ours: SnapshotFile | undefined
  readonly theirs: SnapshotFile | undefined
  readonly renamedFrom?: string
}

/** The conflict of a path, with the ids of the sides that have it. */
export function conflictOf(
  kind: ConflictKind,
  { path, base, ours, theirs, renamedFrom }: ThreeWay,
  lines: Pick<Conflict, 'regions' | 'marked'> = {},
): Conflict {
  return {
    path,
    kind,
    ...(base && { base: base.id }),
    ...(ours && { ours: ours.id }),
    ...(theirs && { theirs: theirs.id }),
    ...(renamedFrom !== undefined && { renamedFrom }),
    ...lines,
  }
}
