import { CodedError } from '@hedron/contract'
import { branches, type deployments, type Executor } from '@hedron/store'
import type { Caller } from '../caller.ts'
import { principalOf } from '../people/principal.ts'
import { type DataTokenClaims, toSeconds } from './sign-token.ts'

/**
 * What a data-API token says of who calls: his identity, groups and attributes under `cubeCloud` (contract/behaviour/embed.md
 * section 2). That of an embed session carries its security context beside, which can set nothing of the token's own; it is good
 * for the session's branch alone and never outlives the session.
 *
 * @throws {CodedError} `branch_not_found` where the branch of the session is gone.
 */
export async function dataTokenClaims(
  executor: Executor,
  caller: Caller,
  deployment: deployments.DeploymentWithBranch,
  { issued, expires }: { readonly issued: Date; readonly expires: Date },
): Promise<DataTokenClaims> {
  const { embed, accountId } = caller
  const { groups, userAttributes } = await principalOf(executor, caller)
  const identity = { username: caller.name, ...(caller.email === '' ? {} : { email: caller.email }) }
  const iat = toSeconds(issued)
  if (embed === null) return { cubeCloud: { ...identity, groups, userAttributes }, iat, exp: toSeconds(expires) }
  const { branchName, externalId, embedTenant, endsAt } = embed
  const branch =
    branchName === null
      ? { id: deployment.deployBranchId }
      : await branches.findBranch(executor, accountId, deployment.id, { name: branchName })
  if (!branch) throw new CodedError('branch_not_found', { branch: branchName ?? '' })
  return {
    ...embed.securityContext,
    cubeCloud: {
      ...identity,
      ...(externalId === null ? {} : { externalId }),
      ...(embedTenant === null ? {} : { embedTenant: embedTenant.name }),
      groups,
      userAttributes,
      environmentId: branch.id,
    },
    iat,
    exp: Math.min(toSeconds(expires), toSeconds(endsAt)),
  }
}
