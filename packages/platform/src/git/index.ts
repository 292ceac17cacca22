// What platform uses of this folder. The line diff and the protocol's framing stay inside.
export { cachingReader, type ObjectCache } from './caching-reader.ts'
export { type Commit, parseCommit, type Signature } from './commit.ts'
export { type CommitRequest, createCommit } from './create-commit.ts'
export { editTree, type FileEdit, type TreeResult } from './edit-tree.ts'
export { GitError, type GitErrorCode } from './git-error.ts'
export {
  emptyTreeId,
  type GitObject,
  hashObject,
  isObjectId,
  type NewObjects,
  type ObjectId,
  type ObjectReader,
  type ObjectType,
} from './objects.ts'
export { checkPath } from './path.ts'
export { PathError, type PathErrorCode } from './path-error.ts'
export { findFiles, readSnapshot, type Snapshot, type SnapshotFile, writeTree } from './snapshot.ts'
export type { FileMode } from './tree.ts'
