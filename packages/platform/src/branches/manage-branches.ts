import { CodedError } from '@hedron/contract'
import { branches, builds, type Store } from '@hedron/store'
import type { Audit } from '../audit.ts'
import type { FindDeployment } from '../deployments/find-deployment.ts'
import type { Operations } from '../operations.ts'
import { page } from '../page.ts'
import { checkBranchName } from './branch-name.ts'
import type { ObjectStore } from './object-store.ts'
import { changeDevBranches } from './permissions.ts'
import { createRemoveBranch, lockDeployBranch } from './remove-branch.ts'
import { findDeployBranch, findNamedBranch, ownsBranch, requireBranch } from './resolve-branch.ts'
import { enterBranch } from './session.ts'
import { showBranch } from './show-branch.ts'
import { treeOf } from './trees.ts'

export interface ManageBranchesNeeds {
  readonly store: Store
  readonly objects: ObjectStore
  readonly findDeployment: FindDeployment
  readonly audit: Audit
  /** Builds that were queued in a transaction can begin. */
  readonly wakeBuilds: () => void
}

/** Branches as such: what there is, new ones, old ones, and which are kept running. */
export function createManageBranchesOperations(
  needs: ManageBranchesNeeds,
): Pick<Operations, 'listBranches' | 'createBranch' | 'removeBranch' | 'setBranchStagingEnvironment'> {
  const { store, objects, findDeployment, audit } = needs
  const removeBranch = createRemoveBranch(audit)

  return {
    async listBranches(caller, { params, query }) {
      const { id } = await findDeployment(caller, params.deploymentId, 'SchemaRead')
      return page(
        'branches',
        query,
        ({ limit, after }: { limit: number; after: readonly [number] | undefined }) =>
          branches.listBranches(store.kysely, caller.accountId, id, { after: after?.[0], limit }),
        row => [row.id] as const,
        showBranch,
      )
    },

    async createBranch(caller, { params, body }, context) {
      const deployment = await findDeployment(caller, params.deploymentId, changeDevBranches)
      const repository = { accountId: caller.accountId, deploymentId: deployment.id }
      const { name } = body
      checkBranchName(name)
      const active = body.activate ?? body.enterDevMode ?? false
      const created = await store.transaction(async transaction => {
        await branches.lockBranchNames(transaction, deployment.id)
        const inTheWay = await branches.findNameInTheWay(transaction, caller.accountId, deployment.id, name)
        if (inTheWay === name) throw new CodedError('branch_exists', { branch: name })
        if (inTheWay !== undefined) {
          const reason = `there is a branch ${inTheWay}, and git cannot hold a branch and a folder of the same name`
          throw new CodedError('branch_name_invalid', { branch: name, reason })
        }
        const named = await findNamedBranch(transaction, repository, { branchName: body.from }, { lock: true })
        const source =
          named ?? (await findDeployBranch(transaction, repository, deployment.deployBranchId, { lock: true }))
        const branch = await branches.insertBranch(transaction, {
          ...repository,
          name,
          kind: 'shared',
          // A personal branch comes and goes with its credential, so what starts from it belongs below its parent.
          parentId: source.kind === 'dev' ? source.parentId : source.id,
          head: source.head,
          ownerUserId: null,
          ownerCredential: null,
        })
        if (!branch) throw new CodedError('branch_exists', { branch: name })
        const tree = await treeOf(objects.reader(transaction, repository), branch.head)
        await builds.insertBuild(transaction, { ...repository, branchId: branch.id, tree, commit: branch.head })
        if (active) await enterBranch(transaction, caller, branch)
        await audit(transaction, caller, context, 'branch.create', `branch ${name} of deployment ${deployment.id}`, {
          from: source.name,
        })
        return branch
      })
      needs.wakeBuilds()
      return { active, branchName: name, parentBranch: created.parentName }
    },

    async removeBranch(caller, { params, query }, context) {
      const { id } = await findDeployment(caller, params.deploymentId, changeDevBranches)
      const { accountId } = caller
      await store.transaction(async transaction => {
        const deployBranchId = await lockDeployBranch(transaction, caller, id)
        const key = { name: query.branchName }
        const found = await branches.findBranch(transaction, accountId, id, key)
        if (found) await branches.lockChildren(transaction, accountId, found.id)
        const branch = await branches.findBranch(transaction, accountId, id, key, { lock: true })
        if (!branch) throw new CodedError('branch_not_found', { branch: query.branchName })
        if (branch.kind === 'dev' && !caller.isAdmin && !ownsBranch(caller, branch)) {
          throw new CodedError('branch_not_yours', { branch: branch.name })
        }
        await removeBranch(transaction, caller, context, branch, deployBranchId)
      })
      return { success: true }
    },

    async setBranchStagingEnvironment(caller, { params, body }, context) {
      const { id } = await findDeployment(caller, params.deploymentId, 'SchemaUpdate')
      const changed = await store.transaction(async transaction => {
        const deployBranchId = await lockDeployBranch(transaction, caller, id)
        const branch = await requireBranch(transaction, caller, id, body, { lock: true })
        if (branch.kind !== 'shared' || branch.id === deployBranchId) {
          throw new CodedError('branch_not_shared', { branch: branch.name })
        }
        await branches.updateBranch(transaction, caller.accountId, branch.id, { isStagingEnabled: body.enabled })
        await audit(transaction, caller, context, 'branch.staging', `branch ${branch.name} of deployment ${id}`, {
          enabled: body.enabled,
        })
        return { ...branch, isStagingEnabled: body.enabled }
      })
      return { data: showBranch(changed) }
    },
  }
}
