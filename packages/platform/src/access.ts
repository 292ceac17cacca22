import { CodedError, type Permission, type Policy, permissions } from '@hedron/contract'
import type { Caller } from './caller.ts'

/**
 * Whether the caller's policies grant one of the permissions on the deployment, or account-wide where none is given. A credential
 * that is limited to deployments may do nothing account-wide.
 */
export function isAllowed(caller: Caller, wanted: Permission | readonly Permission[], deploymentId?: number): boolean {
  if (caller.isAdmin) return true
  if (deploymentId === undefined && caller.deploymentScope !== null) return false
  const wantedOnes = typeof wanted === 'string' ? [wanted] : wanted
  const onAny = deploymentId === undefined ? wantedOnes : wantedOnes.filter(permission => !tiers.has(permission))
  return caller.policies.some(
    policy => reaches(policy, deploymentId) && grants(policy, policy.resourceType === 'Global' ? onAny : wantedOnes),
  )
}

/** @throws {CodedError} `permission_missing`, naming the permission. */
export function requirePermission(
  caller: Caller,
  wanted: Permission | readonly Permission[],
  deploymentId?: number,
): void {
  if (isAllowed(caller, wanted, deploymentId)) return
  const permission = typeof wanted === 'string' ? wanted : wanted.join(' or ')
  throw new CodedError(
    'permission_missing',
    deploymentId === undefined ? { permission } : { permission, deployment: deploymentId },
  )
}

/** @throws {CodedError} `admin_required`. */
export function requireAdmin(caller: Caller): void {
  if (!caller.isAdmin) throw new CodedError('admin_required', {})
}

/**
 * Kinds of licence. Granted for the whole account they say what their holder may make, and open no deployment by themselves
 * (contract/behaviour/devmode-deploy.md section 5).
 */
const tiers: ReadonlySet<Permission> = new Set(permissions.filter(permission => permission.startsWith('AIBI')))

const grants = (policy: Policy, wanted: readonly Permission[]): boolean =>
  policy.actions.includes('All') || wanted.some(permission => policy.actions.includes(permission))

function reaches(policy: Policy, deploymentId: number | undefined): boolean {
  if (policy.resourceType === 'Global') return true
  if (policy.resourceType !== 'Deployment') return false
  if (policy.resources.includes('All')) return true
  return deploymentId !== undefined && policy.resources.includes(String(deploymentId))
}
