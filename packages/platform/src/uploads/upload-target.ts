import { CodedError } from '@hedron/contract'
import type { branches, deployments } from '@hedron/store'
import { requirePermission } from '../access.ts'
import { refuseForeignBranch } from '../branches/resolve-branch.ts'
import type { Caller } from '../caller.ts'

/**
 * Checks that the caller may upload to a branch: to a shared one only where the deployment is deployed that way, to a personal one
 * only to the caller's own.
 *
 * @throws {CodedError} `deploy_mode_not_cli`, `permission_missing`, `branch_not_yours`.
 */
export function checkUploadTarget(
  caller: Caller,
  deployment: deployments.DeploymentWithBranch,
  branch: branches.BranchRow,
): void {
  refuseForeignBranch(caller, branch)
  if (branch.kind === 'dev') return
  requirePermission(caller, 'SchemaUpdate', deployment.id)
  if (deployment.deployMode !== 'cli') throw new CodedError('deploy_mode_not_cli', { deployment: deployment.id })
}
