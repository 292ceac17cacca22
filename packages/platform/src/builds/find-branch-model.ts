import { branches, builds, deployments, type Store } from '@hedron/store'
import type { ObjectStore } from '../branches/object-store.ts'
import { currentTree } from '../branches/trees.ts'
import type { PlanNames } from '../plans/plan-name.ts'
import type { CompiledTree, ReadModel } from './read-model.ts'

interface FindBranchModelNeeds {
  readonly store: Store
  readonly objects: ObjectStore
  readonly readModel: ReadModel
  readonly planNames: Pick<PlanNames, 'read'>
}

/** What the data API of one branch answers from. */
interface BranchModel {
  readonly branchId: number
  readonly branchName: string
  /** Null: nothing was built yet. */
  readonly compiled: CompiledTree | null
  /** Whether a first build is still on its way. */
  readonly building: boolean
}

/** What is planned is on no branch; tokens that are for one branch are not for it. */
const noBranch = 0

/**
 * Finds what a branch answers from: a shared branch from its last build that compiled (else from the failed one, whose problems
 * are then the answer), a personal dev branch from its files as they are (SPEC, "Deployment and branches").
 *
 * @param branchName null: the deploy branch.
 * @returns undefined where there is no such branch.
 */
export function createFindBranchModel({ store, objects, readModel, planNames }: FindBranchModelNeeds) {
  return async (
    accountId: number,
    deploymentId: number,
    branchName: string | null,
  ): Promise<BranchModel | undefined> => {
    const deployment = await deployments.findDeployment(store.kysely, accountId, deploymentId)
    if (!deployment) return undefined
    const key = branchName === null ? { id: deployment.deployBranchId } : { name: branchName }
    const branch = await branches.findBranch(store.kysely, accountId, deploymentId, key)
    const project = { accountId, deploymentId, deployProjectRoot: deployment.deployProjectRoot }
    if (!branch) {
      const planned = branchName === null ? undefined : planNames.read(deploymentId, branchName)
      if (branchName === null || planned === undefined) return undefined
      return { branchId: noBranch, branchName, compiled: await readModel(project, planned), building: false }
    }
    const found = { branchId: branch.id, branchName: branch.name }
    if (branch.kind === 'dev') {
      const tree = await currentTree(objects.reader(store.kysely, project), branch)
      return { ...found, compiled: await readModel(project, tree), building: false }
    }
    if (branch.servingTree !== null) {
      return { ...found, compiled: await readModel(project, branch.servingTree), building: false }
    }
    const newest = await builds.findNewestBuild(store.kysely, accountId, branch.id)
    // `built`: it ended between the two looks, and the branch serves its tree by now.
    if (newest?.status === 'failed' || newest?.status === 'built') {
      return { ...found, compiled: await readModel(project, newest.tree), building: false }
    }
    return { ...found, compiled: null, building: newest?.status === 'queued' || newest?.status === 'building' }
  }
}
