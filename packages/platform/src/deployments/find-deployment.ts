import { CodedError, type Permission } from '@hedron/contract'
import { deployments, type Executor } from '@hedron/store'
import { requirePermission } from '../access.ts'
import type { Caller } from '../caller.ts'

/**
 * The deployment, if the caller may do this with it. Every function on a deployment begins here.
 *
 * @throws {CodedError} `deployment_not_found` where it does not exist or is of another account, `deployment_out_of_scope` where
 * the credential is limited to others, `permission_missing`.
 */
export type FindDeployment = (
  caller: Caller,
  deploymentId: number,
  permission: Permission | readonly Permission[],
) => Promise<deployments.DeploymentWithBranch>

export const createFindDeployment =
  (executor: Executor): FindDeployment =>
  async (caller, deploymentId, permission) => {
    const row = await deployments.findDeployment(executor, caller.accountId, deploymentId)
    if (!row) throw new CodedError('deployment_not_found', { deployment: deploymentId })
    requireOnDeployment(caller, deploymentId, permission)
    return row
  }

/**
 * Whether the caller may do this with a deployment of his account that is known to be there.
 *
 * @throws {CodedError} `deployment_out_of_scope`, `permission_missing`
 */
export function requireOnDeployment(
  caller: Caller,
  deploymentId: number,
  permission: Permission | readonly Permission[],
): void {
  if (caller.deploymentScope?.has(deploymentId) === false) {
    throw new CodedError('deployment_out_of_scope', { deployment: deploymentId })
  }
  requirePermission(caller, permission, deploymentId)
}

/** Ids of the deployments that the caller may read; null: every one of the account. */
export function readableDeployments(caller: Caller): readonly number[] | null {
  if (caller.isAdmin) return null
  const reads = caller.policies.filter(
    ({ resourceType, actions }) =>
      (resourceType === 'Global' || resourceType === 'Deployment') &&
      (actions.includes('All') || actions.includes('DeploymentRead')),
  )
  const everywhere = reads.some(policy => policy.resourceType === 'Global' || policy.resources.includes('All'))
  if (everywhere) return caller.deploymentScope === null ? null : [...caller.deploymentScope]
  const ids = reads.flatMap(policy => policy.resources.filter(resource => /^\d{1,15}$/.test(resource)).map(Number))
  return ids.filter(id => caller.deploymentScope?.has(id) !== false)
}
