import type { branches } from '@hedron/store'
import { type ObjectId, type ObjectReader, parseCommit } from '../git/index.ts'

/** The tree of a commit. */
export async function treeOf(reader: ObjectReader, commit: ObjectId): Promise<ObjectId> {
  const object = (await reader.read([commit])).get(commit)
  if (object?.type !== 'commit') throw new Error(`commit ${commit} is not in the object store`)
  return parseCommit(object.content).tree
}

/** What a branch holds now: on a personal dev branch with the edits that are not committed. */
export async function currentTree(
  reader: ObjectReader,
  branch: Pick<branches.BranchRow, 'head' | 'workingTree'>,
): Promise<ObjectId> {
  return branch.workingTree ?? (await treeOf(reader, branch.head))
}
