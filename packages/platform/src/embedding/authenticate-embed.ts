import { CodedError, type Policy } from '@hedron/contract'
import { embedSessions, type Store } from '@hedron/store'
import type { Caller } from '../caller.ts'
import type { Effects } from '../effects.ts'
import { effectivePolicies } from '../people/roles/effective-policies.ts'
import { type EmbedSecrets, retiredSecretMs } from './embed-secrets.ts'
import { readEmbedToken, verifyEmbedToken } from './embed-token.ts'
import { readEmbedFlags } from './flags.ts'
import { readSessionRoles, type SessionRoles } from './session-roles.ts'

interface AuthenticateEmbedNeeds {
  readonly store: Store
  readonly effects: Effects
  readonly secrets: EmbedSecrets
}

/** How what is kept by credential names an embed session. */
export const embedCredential = (sessionId: number): string => `embed:${sessionId}`

/**
 * Finds out who bears an embed token (`Authorization: Embed-Token <token>`). The token is proof of the session alone: session, user
 * and rights are read anew at every request, in one statement, so that what was revoked or changed holds from the next one on.
 *
 * An embed session is never an administrator and reaches its own deployment alone. An external user has `EmbedDeploymentRead` there,
 * `AIBIUser` in creator mode, and what the session's roles let him look at; an internal user what he has anyway.
 *
 * @throws {CodedError} `not_authenticated`, the same for whatever is wrong with the token.
 */
export function createAuthenticateEmbed({ store, effects, secrets }: AuthenticateEmbedNeeds) {
  async function policiesOf(bearer: embedSessions.BearerRow, { policies }: SessionRoles): Promise<readonly Policy[]> {
    const { accountId, deploymentId, userId, creatorMode } = bearer
    if (!bearer.isInternal) {
      const own: Policy['actions'] = creatorMode ? ['EmbedDeploymentRead', 'AIBIUser'] : ['EmbedDeploymentRead']
      return [onDeployment(deploymentId, own), ...policies]
    }
    if (bearer.isAdmin) return [onDeployment(deploymentId, ['All'])]
    return effectivePolicies(store.kysely, accountId, userId)
  }

  return async (token: string): Promise<Caller> => {
    const read = readEmbedToken(token)
    const bearer = read && (await embedSessions.findBearer(store.kysely, read.sessionId, read.secretId))
    if (!read || !bearer) throw refused()
    const now = effects.now()
    const secret = secrets.open(bearer.accountId, read.secretId, bearer.secretSealed)
    const expiresAt = await verifyEmbedToken(token, secret, now)
    if (expiresAt === undefined || !isAlive(bearer, now)) throw refused()
    const { accountId, deploymentId, userId, externalId, creatorMode, signInId } = bearer
    const roles = await readSessionRoles(store.kysely, bearer)
    const isPrivate = signInId !== null
    return {
      accountId,
      userId,
      name: bearer.username,
      email: bearer.email ?? '',
      isAdmin: false,
      policies: await policiesOf(bearer, roles),
      deploymentScope: new Set([deploymentId]),
      credential: embedCredential(bearer.id),
      embed: {
        id: bearer.id,
        deploymentId,
        branchName: bearer.branchName,
        externalId: bearer.isInternal ? null : externalId,
        embedTenant:
          bearer.embedTenantId === null || bearer.embedTenantName === null
            ? null
            : { id: bearer.embedTenantId, name: bearer.embedTenantName },
        creatorMode,
        roles: roles.names,
        // The app of creator mode is more than one dashboard, and who is signed in is limited by nobody's request.
        onlyDashboard: creatorMode || isPrivate ? null : bearer.publicDashboardId,
        isPrivate,
        securityContext: bearer.securityContext,
        settings: bearer.settings,
        endsAt: endOf(bearer),
      },
    }
  }
}

/** When nothing of the session is valid any more: its own end, or that of its ephemeral user. */
export function endOf({ endsAt, expiresAt, userExpiresAt }: Ends): Date {
  const end = endsAt ?? expiresAt
  return userExpiresAt !== null && userExpiresAt < end ? userExpiresAt : end
}
type Ends = { readonly endsAt: Date | null; readonly expiresAt: Date; readonly userExpiresAt: Date | null }

/** Whether the session, its user and its secret are still good for something. */
export function isAlive(bearer: embedSessions.BearerRow, now: Date): boolean {
  const { redeemedAt, revokedAt, isDeactivated, secretRetiredAt } = bearer
  if (redeemedAt === null || revokedAt !== null || isDeactivated || endOf(bearer) <= now) return false
  if (secretRetiredAt !== null && now.getTime() - secretRetiredAt.getTime() >= retiredSecretMs) return false
  const flags = readEmbedFlags(bearer.accountSettings)
  return flags.embeddingEnabled && (!bearer.creatorMode || flags.useCreatorMode)
}

const onDeployment = (id: number, actions: Policy['actions']): Policy => ({
  resourceType: 'Deployment',
  actions,
  resources: [String(id)],
})

const refused = () =>
  new CodedError('not_authenticated', {
    reason: 'The embed token is not valid: not signed by this account, ended, or its session was revoked.',
  })
