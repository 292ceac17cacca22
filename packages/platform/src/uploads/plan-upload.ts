import { CodedError } from '@hedron/contract'
import type { FileEdit, ObjectId, Snapshot } from '../git/index.ts'

export interface UploadPlan {
  /** Every file that the project is to have, with the SHA-1 of its bytes. */
  readonly listed: ReadonlyMap<string, string>
  /** Files sent in the transaction: path to blob. */
  readonly uploaded: ReadonlyMap<string, ObjectId>
  /** What the branch holds. */
  readonly current: Snapshot
  /** SHA-1 of the bytes of a blob, of all that are uploaded or current. */
  readonly sha1s: ReadonlyMap<ObjectId, string>
  /** Files below this that are not listed go; null: they stay. */
  readonly pruneBelow: string | null
}

/**
 * What finishing an upload changes on its branch: each listed file comes from the transaction, else it is the branch's own if that
 * has the listed hash.
 *
 * @throws {CodedError} `upload_incomplete` for a listed file that is neither.
 */
export function planUpload({ listed, uploaded, current, sha1s, pruneBelow }: UploadPlan): Map<string, FileEdit | null> {
  const edits = new Map<string, FileEdit | null>()
  if (pruneBelow !== null) {
    for (const path of current.keys()) {
      if (path.startsWith(pruneBelow) && !listed.has(path)) edits.set(path, null)
    }
  }
  for (const [path, hash] of listed) {
    const there = current.get(path)?.id
    const blob = [uploaded.get(path), there].find(each => each !== undefined && sha1s.get(each) === hash)
    if (blob === undefined) throw new CodedError('upload_incomplete', { path })
    if (blob !== there) edits.set(path, { id: blob })
  }
  return edits
}
