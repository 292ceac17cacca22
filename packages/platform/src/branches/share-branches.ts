import { CodedError } from '@hedron/contract'
import { branches, type deployments, type Executor, type Store } from '@hedron/store'
import { requirePermission } from '../access.ts'
import type { Audit } from '../audit.ts'
import type { CallContext, Caller } from '../caller.ts'
import type { FindDeployment } from '../deployments/find-deployment.ts'
import type { Effects } from '../effects.ts'
import type { Operations } from '../operations.ts'
import { mergeConflict } from './merge-conflict.ts'
import type { ObjectStore } from './object-store.ts'
import { changeDevBranches } from './permissions.ts'
import { createPullBranch } from './pull-branch.ts'
import { createPushBranch } from './push-branch.ts'
import { createRemoveBranch, lockDeployBranch } from './remove-branch.ts'
import { refuseForeignBranch, requireBranch, requireOwnDevBranch } from './resolve-branch.ts'
import { enterBranch, leaveDevMode } from './session.ts'

export interface ShareNeeds {
  readonly store: Store
  readonly objects: ObjectStore
  readonly effects: Effects
  readonly findDeployment: FindDeployment
  readonly audit: Audit
  /** Builds that were queued in a transaction can begin. */
  readonly wakeBuilds: () => void
}

type BranchRow = branches.BranchRow
type Deployment = deployments.DeploymentWithBranch
type ShareOperations = Pick<Operations, 'commitChanges' | 'pull' | 'mergeIntoParentBranch' | 'mergeToDefaultBranch'>

const defaultMessage = 'Update data model'

/** How changes go from branch to branch. */
export function createShareOperations(needs: ShareNeeds): ShareOperations {
  const { store, findDeployment } = needs
  const pushBranch = createPushBranch(needs)
  const pullBranch = createPullBranch(needs)
  const removeBranch = createRemoveBranch(needs.audit)

  return {
    async commitChanges(caller, { params, body }, context) {
      const deployment = await findDeployment(caller, params.deploymentId, changeDevBranches)
      const conflict = await store.transaction(async transaction => {
        const deployBranchId = await lockDeployBranch(transaction, caller, deployment.id)
        const source = await requireBranch(transaction, caller, deployment.id, body ?? {}, { lock: true })
        requireOwnDevBranch(caller, source)
        const target = await lockParent(transaction, source)
        if (target.id === deployBranchId) checkDeployBranchCommit(caller, deployment, target)
        const found = await pushBranch(transaction, caller, context, {
          source,
          target,
          action: 'branch.commit',
          editMessage: givenMessage(body?.message) ?? defaultMessage,
          mergeMessage: undefined,
          squash: false,
          resolved: body?.resolveMergeConflict ?? false,
        })
        if (!found && body?.exitDevMode) await leaveDevMode(transaction, caller, deployment.id)
        return found
      })
      if (conflict) throw mergeConflict(conflict)
      needs.wakeBuilds()
      return { success: true }
    },

    async pull(caller, { params, body }, context) {
      const { id } = await findDeployment(caller, params.deploymentId, changeDevBranches)
      const result = await store.transaction(async transaction => {
        const branch = await requireBranch(transaction, caller, id, body ?? {}, { lock: true })
        refuseForeignBranch(caller, branch)
        // A shared branch has no remote to pull from until a git provider is connected.
        if (branch.kind === 'shared') return { kind: 'current' } as const
        const parent = await lockParent(transaction, branch)
        return pullBranch(transaction, caller, context, branch, parent, body?.resolveMergeConflict ?? false)
      })
      if (result.kind === 'conflict') throw mergeConflict(result.found)
      return { buildTriggered: result.kind === 'pulled' }
    },

    async mergeIntoParentBranch(caller, { params, body }, context) {
      const deployment = await findDeployment(caller, params.deploymentId, 'SchemaUpdate')
      return merge(caller, context, deployment, {
        body: body ?? {},
        squash: body?.squashCommits ?? false,
        deletes: body?.deleteBranch ?? false,
        switches: body?.switchToParentBranch ?? false,
        targetOf: lockParent,
      })
    },

    async mergeToDefaultBranch(caller, { params, body }, context) {
      const deployment = await findDeployment(caller, params.deploymentId, 'SchemaUpdate')
      return merge(caller, context, deployment, {
        body: body ?? {},
        squash: false,
        deletes: body?.removeBranchAfterMerge ?? false,
        switches: false,
        async targetOf(executor, source, deployBranchId) {
          if (source.id === deployBranchId) {
            throw new CodedError('branch_is_deploy_branch', { branch: source.name, action: 'merged into itself' })
          }
          const key = { id: deployBranchId }
          const target = await branches.findBranch(executor, source.accountId, source.deploymentId, key, { lock: true })
          if (!target) throw new CodedError('deployment_not_found', { deployment: source.deploymentId })
          return target
        },
      })
    },
  }

  interface Merge {
    readonly body: {
      readonly branchId?: number | null | undefined
      readonly branchName?: string | null | undefined
      readonly message?: string | null | undefined
      readonly resolveMergeConflict?: boolean | null | undefined
    }
    readonly squash: boolean
    readonly deletes: boolean
    readonly switches: boolean
    targetOf(executor: Executor, source: BranchRow, deployBranchId: number): Promise<BranchRow>
  }

  async function merge(
    caller: Caller,
    context: CallContext,
    deployment: Deployment,
    { body, squash, deletes, switches, targetOf }: Merge,
  ) {
    const conflict = await store.transaction(async transaction => {
      const deployBranchId = await lockDeployBranch(transaction, caller, deployment.id)
      if (deletes) {
        const { id } = await requireBranch(transaction, caller, deployment.id, body)
        await branches.lockChildren(transaction, caller.accountId, id)
      }
      const source = await requireBranch(transaction, caller, deployment.id, body, { lock: true })
      refuseForeignBranch(caller, source)
      const target = await targetOf(transaction, source, deployBranchId)
      if (target.id === deployBranchId && !deployment.deployBranchMergeAllowed) {
        throw new CodedError('deploy_branch_merge_refused', { branch: target.name })
      }
      const message = givenMessage(body.message)
      const found = await pushBranch(transaction, caller, context, {
        source,
        target,
        action: 'branch.merge',
        editMessage: message ?? defaultMessage,
        // One message is enough: where edits are committed under it, a commit that only joins needs none of its own.
        mergeMessage: source.workingTree === null || squash ? message : undefined,
        squash,
        resolved: body.resolveMergeConflict ?? false,
      })
      if (found) return found
      if (switches) await enterBranch(transaction, caller, target)
      if (deletes) await removeBranch(transaction, caller, context, source, deployBranchId)
      return undefined
    })
    if (conflict) throw mergeConflict(conflict)
    needs.wakeBuilds()
    return { merged: true, branchDeleted: deletes }
  }
}

/** The message without which none was given; a commit always says something. */
const givenMessage = (message: string | null | undefined): string | undefined => (message?.trim() ? message : undefined)

/** @throws {CodedError} `branch_has_no_parent`. */
async function lockParent(executor: Executor, branch: BranchRow): Promise<BranchRow> {
  const { accountId, deploymentId, parentId } = branch
  const parent =
    parentId === null
      ? undefined
      : await branches.findBranch(executor, accountId, deploymentId, { id: parentId }, { lock: true })
  if (!parent) throw new CodedError('branch_has_no_parent', { branch: branch.name })
  return parent
}

/**
 * A commit onto the deploy branch goes live, so it needs what a merge onto it needs: a permission for dev branches alone must not
 * reach production by another route.
 */
function checkDeployBranchCommit(caller: Caller, deployment: Deployment, target: BranchRow): void {
  requirePermission(caller, 'SchemaUpdate', deployment.id)
  if (deployment.deployBranchReadOnly) throw new CodedError('deploy_branch_read_only', { branch: target.name })
}
