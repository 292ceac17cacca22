import type { branches } from '@hedron/store'
import { type Conflict, mergeBase, type NewObjects, type ObjectId, type ObjectReader } from '../git/index.ts'
import { mergeSides } from './merge-keeping-ours.ts'
import { currentTree, treeOf } from './trees.ts'

type BranchRow = branches.BranchRow

/** How a branch, with the edits on it that are not committed, goes into another. */
export type Join =
  /** The target has it all already. */
  | { readonly kind: 'contained' }
  /** The target did not move since the branch left it: its tree can become the branch's. */
  | { readonly kind: 'forward'; readonly tree: ObjectId }
  | { readonly kind: 'merged'; readonly tree: ObjectId; readonly objects: NewObjects }
  | { readonly kind: 'conflict'; readonly conflicts: readonly Conflict[] }

/**
 * Finds out what comes of a branch going into another. Writes nothing.
 *
 * @param resolved whether the caller says that the last conflict is resolved as the branch now stands; counts only while the
 * other branch is still at the commit that the conflict was with.
 */
export async function planJoin(
  reader: ObjectReader,
  source: BranchRow,
  target: BranchRow,
  resolved: boolean,
): Promise<Join> {
  const base = await mergeBase(reader, source.head, target.head)
  if (base === source.head && source.workingTree === null) return { kind: 'contained' }
  const tree = await currentTree(reader, source)
  if (base === target.head) return { kind: 'forward', tree }
  const merged = await mergeSides(
    {
      reader,
      base: base === null ? null : await treeOf(reader, base),
      ours: tree,
      theirs: await treeOf(reader, target.head),
    },
    resolved && source.conflictWith === target.head,
  )
  if (merged.treeId === null) return { kind: 'conflict', conflicts: merged.conflicts }
  return { kind: 'merged', tree: merged.treeId, objects: merged.objects }
}
