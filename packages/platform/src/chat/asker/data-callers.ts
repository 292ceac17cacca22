import { CodedError, deploymentReaders } from '@hedron/contract'
import { deployments, type Store, users } from '@hedron/store'
import type { Caller } from '../../caller.ts'
import type { FindDeployment } from '../../deployments/find-deployment.ts'
import type { Effects } from '../../effects.ts'
import { dataTokenClaims } from '../../environments/data-token-claims.ts'
import { effectivePolicies } from '../../people/roles/effective-policies.ts'
import type { DataCaller } from '../../queries/data-caller.ts'
import { DataError } from '../../queries/data-error.ts'
import type { DeploymentRuntimes } from '../../queries/deployment-runtime.ts'
import { readContents } from '../../queries/tokens/security-context.ts'
import type { ChatPerson } from './session-person.ts'

interface CallersNeed {
  readonly store: Store
  readonly effects: Effects
  readonly findDeployment: FindDeployment
  readonly runtimes: DeploymentRuntimes
}

/** Where somebody asks. */
export interface DataPlace {
  readonly accountId: number
  readonly deploymentId: number
  readonly branchName: string | null
}

const tokenMs = 300_000

/**
 * Makes callers of the data API out of users and sessions: with the very claims that a token of theirs would carry, so that a chat sees
 * what they would see by themselves and nothing else.
 */
export function createDataCallers({ store, effects, findDeployment, runtimes }: CallersNeed) {
  /** @throws {CodedError} `permission_missing`, `deployment_not_found`. */
  async function ofCaller(caller: Caller, { accountId, deploymentId, branchName }: DataPlace): Promise<DataCaller> {
    const deployment = await findDeployment(caller, deploymentId, deploymentReaders)
    const runtime = await runtimes.find(deploymentId)
    if (runtime?.accountId !== accountId) throw new CodedError('deployment_not_found', { deployment: deploymentId })
    const issued = effects.now()
    const expires = new Date(issued.getTime() + tokenMs)
    const claims = await dataTokenClaims(store.kysely, caller, deployment, { issued, expires })
    const { securityContext, platform } = readContents({ ...claims }, runtime.tokens, true)
    const { groups, userAttributes } = platform
    return {
      accountId,
      deploymentId,
      branchName,
      securityContext,
      groups,
      userAttributes,
      scopes: runtime.tokens.scopes,
    }
  }

  /** @throws {DataError} 403 where the user is gone, or has no right to ask any more. */
  async function ofPerson(person: ChatPerson, place: DataPlace): Promise<DataCaller> {
    return ofCaller(await callerOf(person, place), place)
  }

  /** Who a person is for the platform: an internal user with his own rights, an external one as an embed session of his would be. */
  async function callerOf(person: ChatPerson, { accountId, deploymentId }: DataPlace): Promise<Caller> {
    const user = await users.findUser(store.kysely, accountId, person.userId)
    const isOver = user?.expiresAt != null && user.expiresAt <= effects.now()
    if (!user || user.isDeactivated || isOver) throw new DataError(403, 'The user who asks is gone or deactivated')
    const common = {
      accountId,
      userId: user.id,
      name: user.username,
      email: user.email ?? '',
      isAdmin: false,
      deploymentScope: new Set([deploymentId]),
      credential: `chat:${user.id}`,
    }
    const onDeployment = (actions: Caller['policies'][number]['actions']) => ({
      resourceType: 'Deployment' as const,
      actions,
      resources: [String(deploymentId)],
    })
    if (user.externalId === null) {
      const policies = user.isAdmin
        ? [onDeployment(['All'])]
        : await effectivePolicies(store.kysely, accountId, user.id)
      return { ...common, policies, embed: null }
    }
    return {
      ...common,
      policies: [onDeployment(['EmbedDeploymentRead'])],
      embed: {
        id: 0,
        deploymentId,
        branchName: null,
        externalId: user.externalId,
        embedTenant: null,
        creatorMode: false,
        roles: [],
        onlyDashboard: null,
        isPrivate: false,
        securityContext: person.securityContext,
        settings: {},
        endsAt: new Date(effects.now().getTime() + tokenMs),
      },
    }
  }

  return { ofCaller, ofPerson, callerOf }
}
export type DataCallers = ReturnType<typeof createDataCallers>

/** A deployment of the account with its production branch. @throws {CodedError} `deployment_not_found` */
export async function requireDeployment(
  store: Store,
  accountId: number,
  deploymentId: number,
): Promise<deployments.DeploymentWithBranch> {
  const row = await deployments.findDeployment(store.kysely, accountId, deploymentId)
  if (!row) throw new CodedError('deployment_not_found', { deployment: deploymentId })
  return row
}
