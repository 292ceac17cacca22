import { CodedError } from '@hedron/contract'
import { branches, devSessions, type Executor } from '@hedron/store'
import type { Caller } from '../caller.ts'
import type { Repository } from './object-store.ts'

type BranchRow = branches.BranchRow

/** How a request names a branch. An empty name counts as none, as clients of the field send it (contract/cli-core.md 5.1). */
export interface BranchTarget {
  readonly branchId?: number | null | undefined
  readonly branchName?: string | null | undefined
}

/** The name without which none was given. */
export const givenName = (name: string | null | undefined): string | undefined =>
  name === undefined || name === null || name.trim() === '' ? undefined : name

/**
 * The branch that a request names; undefined where it names none.
 *
 * @throws {CodedError} `branch_not_found`, `branch_mismatch` where id and name disagree.
 */
export async function findNamedBranch(
  executor: Executor,
  { accountId, deploymentId }: Repository,
  target: BranchTarget,
  options?: branches.FindBranchOptions,
): Promise<BranchRow | undefined> {
  const name = givenName(target.branchName)
  const id = target.branchId ?? undefined
  if (id === undefined && name === undefined) return undefined
  const key = id === undefined ? { name: name ?? '' } : { id }
  const branch = await branches.findBranch(executor, accountId, deploymentId, key, options)
  if (!branch) throw new CodedError('branch_not_found', { branch: name ?? String(id) })
  if (name !== undefined && name !== branch.name) {
    throw new CodedError('branch_mismatch', { branchId: branch.id, branchName: name })
  }
  return branch
}

/** The branch that the caller's dev-mode session points at; undefined where none is open. */
export async function findSessionBranch(
  executor: Executor,
  caller: Caller,
  deploymentId: number,
  options?: branches.FindBranchOptions,
): Promise<BranchRow | undefined> {
  const { accountId, credential } = caller
  const id = await devSessions.findSessionBranchId(executor, accountId, deploymentId, credential)
  return id === undefined ? undefined : branches.findBranch(executor, accountId, deploymentId, { id }, options)
}

/**
 * The branch that a request changes: the one it names, else the one of the caller's dev-mode session.
 *
 * @throws {CodedError} `branch_not_found`, `branch_mismatch`, `dev_mode_inactive`.
 */
export async function requireBranch(
  executor: Executor,
  caller: Caller,
  deploymentId: number,
  target: BranchTarget,
  options?: branches.FindBranchOptions,
): Promise<BranchRow> {
  const repository = { accountId: caller.accountId, deploymentId }
  const branch =
    (await findNamedBranch(executor, repository, target, options)) ??
    (await findSessionBranch(executor, caller, deploymentId, options))
  if (!branch) throw new CodedError('dev_mode_inactive', {})
  return branch
}

/**
 * The branch that a request reads: the one it names, else the one of the caller's dev-mode session, else the deploy branch.
 *
 * @throws {CodedError} `branch_not_found`.
 */
export async function resolveBranch(
  executor: Executor,
  caller: Caller,
  deployment: { readonly id: number; readonly deployBranchId: number },
  target: BranchTarget,
  options?: branches.FindBranchOptions,
): Promise<BranchRow> {
  const repository = { accountId: caller.accountId, deploymentId: deployment.id }
  const branch =
    (await findNamedBranch(executor, repository, target, options)) ??
    (await findSessionBranch(executor, caller, deployment.id, options))
  return branch ?? findDeployBranch(executor, repository, deployment.deployBranchId, options)
}

export async function findDeployBranch(
  executor: Executor,
  { accountId, deploymentId }: Repository,
  id: number,
  options?: branches.FindBranchOptions,
): Promise<BranchRow> {
  const branch = await branches.findBranch(executor, accountId, deploymentId, { id }, options)
  if (!branch) throw new CodedError('deployment_not_found', { deployment: deploymentId })
  return branch
}

/** Personal branches belong to the credential that forked them, and to its user. */
export function ownsBranch(caller: Caller, branch: BranchRow): boolean {
  return (
    branch.ownerCredential === caller.credential ||
    (branch.ownerUserId !== null && branch.ownerUserId === caller.userId)
  )
}

/** @throws {CodedError} `branch_not_yours` for a personal branch of somebody else. */
export function refuseForeignBranch(caller: Caller, branch: BranchRow): void {
  if (branch.kind === 'dev' && !ownsBranch(caller, branch)) {
    throw new CodedError('branch_not_yours', { branch: branch.name })
  }
}

/** @throws {CodedError} `branch_not_dev_mode`, `branch_not_yours`: files are written on one's own dev branch alone. */
export function requireOwnDevBranch(caller: Caller, branch: BranchRow): void {
  if (branch.kind !== 'dev') throw new CodedError('branch_not_dev_mode', { branch: branch.name })
  refuseForeignBranch(caller, branch)
}

/**
 * Id of a shared branch that can become the deploy branch; it stays there until the transaction ends.
 *
 * @throws {CodedError} `branch_not_found`.
 */
export async function findSharedBranch(
  executor: Executor,
  accountId: number,
  deploymentId: number,
  name: string,
): Promise<number> {
  const branch = await branches.findBranch(executor, accountId, deploymentId, { name }, { lock: true })
  if (branch?.kind !== 'shared') throw new CodedError('branch_not_found', { branch: name })
  return branch.id
}
