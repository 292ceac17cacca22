import { branches, type Executor } from '@hedron/store'
import type { Audit } from '../audit.ts'
import type { CallContext, Caller } from '../caller.ts'
import type { Effects } from '../effects.ts'
import {
  type Conflict,
  createCommit,
  mergeBase,
  type NewObjects,
  type ObjectId,
  type ObjectReader,
} from '../git/index.ts'
import { authorOf } from './author.ts'
import { type FoundConflict, rememberConflict } from './merge-conflict.ts'
import { mergeSides } from './merge-keeping-ours.ts'
import type { ObjectStore } from './object-store.ts'
import { treeOf } from './trees.ts'

type BranchRow = branches.BranchRow

interface PullBranchNeeds {
  readonly objects: ObjectStore
  readonly effects: Effects
  readonly audit: Audit
}

export type PullResult =
  | { readonly kind: 'current' }
  | { readonly kind: 'pulled' }
  | { readonly kind: 'conflict'; readonly found: FoundConflict }

/** A commit or tree after the news are in it, or what stands in the way. */
type Step =
  | { readonly kind: 'done'; readonly tree: ObjectId; readonly objects: NewObjects }
  | { readonly kind: 'conflict'; readonly conflicts: readonly Conflict[] }

/**
 * Brings what is new on the parent into a dev branch: first into its commits, then under the edits that are not committed, which
 * stay edits. Both rows must be locked.
 */
export function createPullBranch({ objects, effects, audit }: PullBranchNeeds) {
  return async (
    executor: Executor,
    caller: Caller,
    context: CallContext,
    branch: BranchRow,
    parent: BranchRow,
    resolved: boolean,
  ): Promise<PullResult> => {
    const repository = { accountId: branch.accountId, deploymentId: branch.deploymentId }
    const reader = objects.reader(executor, repository)
    const base = await mergeBase(reader, branch.head, parent.head)
    if (base === parent.head) return { kind: 'current' }
    const keepOurs = resolved && branch.conflictWith === parent.head
    const headTree = await treeOf(reader, branch.head)
    const parentTree = await treeOf(reader, parent.head)
    const conflict = async (conflicts: readonly Conflict[]): Promise<PullResult> => ({
      kind: 'conflict',
      found: await rememberConflict(executor, { branch, other: parent, conflicts }),
    })

    const isForward = base === branch.head
    const committed = isForward
      ? unchanged(parentTree)
      : await merge(reader, base === null ? null : await treeOf(reader, base), headTree, parentTree, keepOurs)
    if (committed.kind === 'conflict') return conflict(committed.conflicts)
    await objects.write(executor, repository, committed.objects)

    const working =
      branch.workingTree === null
        ? unchanged(committed.tree)
        : await merge(reader, headTree, branch.workingTree, committed.tree, keepOurs)
    if (working.kind === 'conflict') return conflict(working.conflicts)
    await objects.write(executor, repository, working.objects)

    const head = isForward ? parent.head : await commitMerge(committed.tree)
    await branches.updateBranch(executor, branch.accountId, branch.id, {
      head,
      workingTree: working.tree === committed.tree ? null : working.tree,
      conflictWith: null,
    })
    await audit(
      executor,
      caller,
      context,
      'branch.pull',
      `branch ${branch.name} of deployment ${branch.deploymentId}`,
      {
        from: parent.name,
        head,
      },
    )
    return { kind: 'pulled' }

    async function commitMerge(tree: ObjectId): Promise<ObjectId> {
      const { id, object } = createCommit({
        tree,
        parents: [branch.head, parent.head],
        author: authorOf(caller),
        at: effects.now(),
        message: `Merge branch '${parent.name}' into ${branch.name}`,
      })
      await objects.write(executor, repository, new Map([[id, object]]))
      return id
    }
  }
}

const unchanged = (tree: ObjectId): Step => ({ kind: 'done', tree, objects: new Map() })

async function merge(
  reader: ObjectReader,
  base: ObjectId | null,
  ours: ObjectId,
  theirs: ObjectId,
  keepOurs: boolean,
): Promise<Step> {
  const merged = await mergeSides({ reader, base, ours, theirs }, keepOurs)
  return merged.treeId === null
    ? { kind: 'conflict', conflicts: merged.conflicts }
    : { kind: 'done', tree: merged.treeId, objects: merged.objects }
}
