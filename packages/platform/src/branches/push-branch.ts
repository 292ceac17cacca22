import { branches, type Executor } from '@hedron/store'
import type { Audit } from '../audit.ts'
import type { CallContext, Caller } from '../caller.ts'
import type { Effects } from '../effects.ts'
import { type CommitRequest, createCommit, type GitObject, type ObjectId } from '../git/index.ts'
import { authorOf } from './author.ts'
import { type FoundConflict, rememberConflict } from './merge-conflict.ts'
import { moveSharedBranch } from './move-branch.ts'
import type { ObjectStore } from './object-store.ts'
import { planJoin } from './plan-join.ts'

type BranchRow = branches.BranchRow

interface PushBranchNeeds {
  readonly objects: ObjectStore
  readonly effects: Effects
  readonly audit: Audit
}

/** A branch that goes into a shared one. Both rows must be locked. */
export interface Push {
  readonly source: BranchRow
  readonly target: BranchRow
  /** For the audit log. */
  readonly action: string
  /** Of the commit that the edits on a dev branch become. */
  readonly editMessage: string
  /** Of the commit that joins the two; given by the caller: such a commit is made even where none is needed. */
  readonly mergeMessage: string | undefined
  /** One commit with the target's head as its only parent, in place of the branch's own. */
  readonly squash: boolean
  /** The caller says that the last conflict is resolved as the source now stands. */
  readonly resolved: boolean
}

/** @returns the conflict where there is one; nothing but the memory of it is then written. */
export type PushBranch = (
  executor: Executor,
  caller: Caller,
  context: CallContext,
  push: Push,
) => Promise<FoundConflict | undefined>

/** Puts what a branch has, edits that are not committed included, into a shared branch and queues the build of that. */
export function createPushBranch({ objects, effects, audit }: PushBranchNeeds): PushBranch {
  return async (executor, caller, context, push) => {
    const { source, target } = push
    const repository = { accountId: source.accountId, deploymentId: source.deploymentId }
    const reader = objects.reader(executor, repository)
    const join = await planJoin(reader, source, target, push.resolved)
    if (join.kind === 'contained') return undefined
    if (join.kind === 'conflict') {
      return rememberConflict(executor, { branch: source, other: target, conflicts: join.conflicts })
    }
    const written = new Map<ObjectId, GitObject>(join.kind === 'merged' ? join.objects : [])
    const commit = (request: Pick<CommitRequest, 'tree' | 'parents' | 'message'>): ObjectId => {
      const { id, object } = createCommit({ ...request, author: authorOf(caller), at: effects.now() })
      written.set(id, object)
      return id
    }
    const sourceHead =
      source.workingTree === null || push.squash
        ? source.head
        : commit({ tree: source.workingTree, parents: [source.head], message: push.editMessage })
    const joining = {
      tree: join.tree,
      parents: push.squash ? [target.head] : [target.head, sourceHead],
      message: push.mergeMessage ?? `Merge branch '${source.name}' into ${target.name}`,
    }
    const needsJoining = push.squash || push.mergeMessage !== undefined || join.kind === 'merged'
    const head = needsJoining ? commit(joining) : sourceHead
    await objects.write(executor, repository, written)
    await moveSharedBranch(executor, target, { head, tree: join.tree })
    await followTarget(executor, source, target, sourceHead, head)
    await audit(executor, caller, context, push.action, `branch ${target.name} of deployment ${target.deploymentId}`, {
      from: source.name,
      head,
    })
    return undefined
  }
}

/** A dev branch goes on from the branch that it was pushed to, if that is its parent; else its edits are committed on it. */
async function followTarget(
  executor: Executor,
  source: BranchRow,
  target: BranchRow,
  sourceHead: ObjectId,
  head: ObjectId,
): Promise<void> {
  if (source.kind !== 'dev') {
    await branches.updateBranch(executor, source.accountId, source.id, { conflictWith: null })
    return
  }
  await branches.updateBranch(executor, source.accountId, source.id, {
    head: source.parentId === target.id ? head : sourceHead,
    workingTree: null,
    conflictWith: null,
  })
}
