import {
  type Conflict,
  type MergeRequest,
  type MergeResult,
  mergeTrees,
  type ObjectId,
  readSnapshot,
  resolveWith,
} from '../git/index.ts'
import { readBlobs } from '../git/read-objects.ts'

/** Deciding one conflict can bring up another, of files against folders; more rounds than this never come of it. */
const rounds = 3

/**
 * Merges, and where both sides disagree takes what stands on ours, or leaves the conflicts.
 *
 * @param keepOurs whether a person has said that ours is as it should be.
 */
export async function mergeSides(request: MergeRequest, keepOurs: boolean): Promise<MergeResult> {
  let result = await mergeTrees(request)
  const decisions = new Map<string, Uint8Array | null>()
  for (let round = 0; keepOurs && result.treeId === null && round < rounds; round++) {
    await decideForOurs(request, result.conflicts, decisions)
    result = await resolveWith(request, decisions)
  }
  return result
}

async function decideForOurs(
  { reader, theirs }: MergeRequest,
  conflicts: readonly Conflict[],
  decisions: Map<string, Uint8Array | null>,
): Promise<void> {
  const ids = conflicts.flatMap(({ ours }) => (ours === undefined ? [] : [ours]))
  const contents: ReadonlyMap<ObjectId, Uint8Array> = await readBlobs(reader, ids)
  for (const { path, ours } of conflicts) decisions.set(path, contents.get(ours ?? '') ?? null)
  const files = conflicts.filter(({ kind, ours }) => kind === 'directory-file' && ours !== undefined)
  if (files.length === 0) return
  // Our file stands where they have a folder, so that folder's files go.
  for (const path of (await readSnapshot(reader, theirs)).keys()) {
    if (files.some(file => path.startsWith(`${file.path}/`))) decisions.set(path, null)
  }
}
