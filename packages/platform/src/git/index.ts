// What platform uses of this folder. The line diff and the protocol's framing stay inside.
export { cachingReader, type ObjectCache } from './caching-reader.ts'
export { type Commit, parseCommit, type Signature } from './commit.ts'
export type { Conflict, ConflictKind } from './conflict.ts'
export { type CommitRequest, createCommit } from './create-commit.ts'
export { diffTrees, type TreeChange } from './diff-trees.ts'
export { editTree, type FileEdit, type TreeResult } from './edit-tree.ts'
export { GitError, type GitErrorCode } from './git-error.ts'
export { isAncestor, log, mergeBase } from './history.ts'
export type { ConflictRegion, MergeLabels } from './merge-lines.ts'
export { type MergeRequest, type MergeResult, mergeTrees, type Resolutions, resolveWith } from './merge-trees.ts'
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
export { streamPack, writePack } from './pack.ts'
export { checkPath } from './path.ts'
export { PathError, type PathErrorCode } from './path-error.ts'
export { type Reachable, reachable } from './reachable.ts'
export { readBlobs, readCommits } from './read-objects.ts'
export { findDirectory, findFiles, readSnapshot, writeTree } from './snapshot.ts'
export type { Snapshot, SnapshotFile } from './snapshot-file.ts'
export type { FileMode } from './tree.ts'
export { advertiseRefs, type References, type UploadPackInput, uploadPackResponse } from './upload-pack.ts'
export { parseUploadRequest, type UploadRequest } from './upload-request.ts'
