import { CodedError, type ModelPlan } from '@hedron/contract'
import type { branches, deployments, Store } from '@hedron/store'
import { mergeConflict } from '../branches/merge-conflict.ts'
import type { ObjectStore } from '../branches/object-store.ts'
import { planJoin } from '../branches/plan-join.ts'
import { findDeployBranch, refuseForeignBranch, requireBranch } from '../branches/resolve-branch.ts'
import { treeOf } from '../branches/trees.ts'
import type { ReadModel } from '../builds/read-model.ts'
import { showProblem } from '../builds/show-problem.ts'
import type { FindDeployment } from '../deployments/find-deployment.ts'
import { diffTrees, type ObjectId } from '../git/index.ts'
import type { Operations } from '../operations.ts'
import { findOpenUpload } from '../uploads/find-open-upload.ts'
import { uploadPermissions } from '../uploads/needs.ts'
import { checkFilesHash, planTree, uploadBranch } from '../uploads/plan-tree.ts'
import { compareModels } from './compare-models.ts'
import type { PlanNames } from './plan-name.ts'

interface PlanNeeds {
  readonly store: Store
  readonly objects: ObjectStore
  readonly findDeployment: FindDeployment
  readonly readModel: ReadModel
  readonly planNames: PlanNames
}

/** A branch, what it holds, and what it would hold. */
interface Change {
  readonly branch: branches.BranchRow
  readonly before: ObjectId
  readonly after: ObjectId
}

/**
 * What a deploy or a merge would do. Trees that are made on the way are kept as files of an upload are, where nothing points at
 * them; no branch, session or build changes.
 */
export function createPlanOperations(needs: PlanNeeds): Pick<Operations, 'planUpload' | 'planMergeToDefault'> {
  const { store, objects, findDeployment, readModel, planNames } = needs

  return {
    async planUpload(caller, { params, query, body }) {
      const deployment = await findDeployment(caller, params.deploymentId, uploadPermissions)
      const repository = { accountId: caller.accountId, deploymentId: deployment.id }
      const change = await store.transaction(async transaction => {
        const upload = await findOpenUpload(transaction, caller, deployment.id, body.transaction.id, 'share')
        const branch = await uploadBranch(transaction, caller, deployment, upload, [body, query])
        const reader = objects.reader(transaction, repository)
        const before = branch.workingTree ?? (await treeOf(reader, branch.head))
        checkFilesHash(branch, before, body)
        const { edited } = await planTree(transaction, reader, caller, {
          deployment,
          upload,
          query,
          body,
          tree: before,
        })
        await objects.write(transaction, repository, edited.objects)
        return { branch, before, after: edited.treeId }
      })
      return describe(deployment, change)
    },

    async planMergeToDefault(caller, { params, body }) {
      const deployment = await findDeployment(caller, params.deploymentId, 'SchemaUpdate')
      const repository = { accountId: caller.accountId, deploymentId: deployment.id }
      const change = await store.transaction(async transaction => {
        const source = await requireBranch(transaction, caller, deployment.id, body ?? {})
        refuseForeignBranch(caller, source)
        const target = await findDeployBranch(transaction, repository, deployment.deployBranchId)
        if (source.id === target.id) {
          throw new CodedError('branch_is_deploy_branch', { branch: source.name, action: 'merged into itself' })
        }
        const reader = objects.reader(transaction, repository)
        const before = await treeOf(reader, target.head)
        const join = await planJoin(reader, source, target, body?.resolveMergeConflict ?? false)
        if (join.kind === 'conflict') throw mergeConflict({ branch: source, other: target, conflicts: join.conflicts })
        if (join.kind === 'merged') await objects.write(transaction, repository, join.objects)
        return { branch: target, before, after: join.kind === 'contained' ? before : join.tree }
      })
      return describe(deployment, change)
    },
  }

  async function describe(
    deployment: deployments.DeploymentWithBranch,
    { branch, before, after }: Change,
  ): Promise<ModelPlan> {
    const { accountId, id, deployProjectRoot } = deployment
    const project = { accountId, deploymentId: id, deployProjectRoot }
    const [old, fresh, files] = await Promise.all([
      readModel(project, before),
      readModel(project, after),
      diffTrees(objects.reader(store.kysely, project), before, after),
    ])
    const paths = (kind: string) => files.filter(file => file.kind === kind).map(file => file.path)
    const renamed = files.flatMap(file => (file.kind === 'renamed' ? [file] : []))
    return {
      branchName: branch.name,
      planName: fresh.model === null ? null : planNames.make(id, after),
      files: {
        added: [...paths('added'), ...renamed.map(file => file.path)].sort(),
        changed: paths('modified'),
        removed: [...paths('removed'), ...renamed.map(file => file.from)].sort(),
      },
      members:
        // A model that does not compile says nothing about what it would define.
        fresh.model === null
          ? { added: [], changed: [], removed: [], affected: [] }
          : compareModels(old.model, fresh.model),
      valid: fresh.problems.length === 0,
      errors: fresh.problems.map(showProblem),
    }
  }
}
