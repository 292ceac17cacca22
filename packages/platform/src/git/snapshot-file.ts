import type { ObjectId } from './objects.ts'
import { directoryMode, type FileMode, type TreeEntry } from './tree.ts'

/** One file of a tree. */
export interface SnapshotFile {
  readonly mode: FileMode
  readonly id: ObjectId
}

/** All files of a tree by path, in git's order. */
export type Snapshot = ReadonlyMap<string, SnapshotFile>

/** Whether two entries, each perhaps absent, are the same file. */
export function sameFile(left: SnapshotFile | undefined, right: SnapshotFile | undefined): boolean {
  return left?.id === right?.id && left?.mode === right?.mode
}

/** Whether an entry is a file with content, no link and no submodule. */
export function isRegular(file: SnapshotFile): boolean {
  return file.mode === '100644' || file.mode === '100755'
}

/** The entry as a file; `undefined` for a directory or nothing. */
export function fileOf(entry: TreeEntry | undefined): SnapshotFile | undefined {
  return entry === undefined || entry.mode === directoryMode ? undefined : { mode: entry.mode, id: entry.id }
}
