import { CodedError } from '@hedron/contract'
import { type Executor, embedSessions, externalUsers, type Store } from '@hedron/store'
import { requireAdmin, requirePermission } from '../access.ts'
import type { Audit } from '../audit.ts'
import type { FindDeployment } from '../deployments/find-deployment.ts'
import type { Effects } from '../effects.ts'
import type { Operations } from '../operations.ts'
import { readAccountSettings } from '../people/account-settings.ts'
import { digestOf } from '../people/digest.ts'
import { endOf, isAlive } from './authenticate-embed.ts'
import type { EmbedSecrets } from './embed-secrets.ts'
import { signEmbedToken } from './embed-token.ts'
import { readEmbedFlags } from './flags.ts'
import { createGenerateSession } from './generate-session.ts'

interface SessionsNeed {
  readonly store: Store
  readonly effects: Effects
  readonly audit: Audit
  readonly findDeployment: FindDeployment
  readonly secrets: EmbedSecrets
  /** Tells the operator. */
  readonly warn: (message: string) => void
  /** How long after its exchange a session can be renewed, in milliseconds. */
  readonly longestSessionMs: number
}

type SessionOperations = Pick<
  Operations,
  'generateSession' | 'postTokenBySessionId' | 'renewSession' | 'revokeSession' | 'rotateEmbedSecret'
>

const tokenMs = 24 * 3_600_000

/** From a session id to tokens, and their end (contract/behaviour/embed.md section 1). */
export function createSessionOperations(need: SessionsNeed): SessionOperations {
  const { store, effects, audit, secrets } = need

  return {
    generateSession: createGenerateSession(need),

    async postTokenBySessionId(_caller, { body }) {
      const now = effects.now()
      return store.transaction(async transaction => {
        const endsAt = new Date(now.getTime() + Math.min(tokenMs, need.longestSessionMs))
        const session = await embedSessions.redeemSession(transaction, digestOf(body.sessionId), { now, endsAt })
        if (!session) throw new CodedError('embed_session_spent', {})
        const token = await issueToken(transaction, session, now)
        // What is thrown leaves the session as it was.
        if (token === undefined) throw new CodedError('embed_session_spent', {})
        await externalUsers.touchLogin(transaction, session.accountId, session.userId, now)
        return { token }
      })
    },

    async renewSession({ accountId, embed }) {
      if (embed === null) throw new CodedError('embed_session_required', {})
      const now = effects.now()
      return store.transaction(async transaction => {
        const session = await embedSessions.prolongSession(transaction, accountId, embed.id, {
          now,
          endsAt: new Date(now.getTime() + tokenMs),
          longestSeconds: Math.floor(need.longestSessionMs / 1000),
        })
        const token = session && (await issueToken(transaction, session, now))
        if (token === undefined) throw new CodedError('not_authenticated', { reason: 'The embed session has ended.' })
        return { token }
      })
    },

    async revokeSession(caller, { body }, context) {
      if (caller.embed !== null) throw new CodedError('embed_session_refused', {})
      const settings = await readAccountSettings(store.kysely, caller.accountId)
      if (!settings.embeddingEnabled) throw new CodedError('embedding_disabled', {})
      const found = await embedSessions.findSessionByDigest(store.kysely, digestOf(body.sessionId))
      const session = found?.accountId === caller.accountId ? found : undefined
      if (!session) {
        if (caller.deploymentScope === null) requirePermission(caller, 'All')
        return undefined
      }
      await need.findDeployment(caller, session.deploymentId, 'All')
      await store.transaction(async transaction => {
        if (!(await embedSessions.revokeSession(transaction, caller.accountId, session.id, effects.now()))) return
        await audit(transaction, caller, context, 'embed-session.revoke', `embed-session ${session.id}`)
      })
      return undefined
    },

    async rotateEmbedSecret(caller, { body }, context) {
      requireAdmin(caller)
      const revokeExisting = body.revokeExisting === true
      const secretId = await store.transaction(async transaction => {
        const id = await secrets.rotate(transaction, caller.accountId, revokeExisting)
        await audit(transaction, caller, context, 'embed-secret.rotate', `embed-secret ${id}`, { revokeExisting })
        return id
      })
      return { secretId }
    },
  }

  /** @returns undefined where the session is no longer anybody's. @throws {CodedError} `embedding_disabled`. */
  async function issueToken(
    transaction: Executor,
    { id, accountId }: embedSessions.EmbedSessionRow,
    now: Date,
  ): Promise<string | undefined> {
    const secret = await secrets.current(transaction, accountId)
    const bearer = await embedSessions.findBearer(transaction, id, secret.id)
    if (!bearer) return undefined
    if (!readEmbedFlags(bearer.accountSettings).embeddingEnabled) throw new CodedError('embedding_disabled', {})
    if (!isAlive(bearer, now)) return undefined
    return signEmbedToken(secret, {
      sessionId: id,
      issuedAt: now,
      expiresAt: endOf(bearer),
      claims: {
        deploymentId: bearer.deploymentId,
        username: bearer.username,
        externalId: bearer.externalId,
        email: bearer.email,
        userProfile: { displayName: bearer.firstName, picture: bearer.picture },
        embedTenant: bearer.embedTenantName,
        creatorMode: bearer.creatorMode,
        settings: bearer.settings,
        theme: bearer.theme,
        branchName: bearer.branchName,
        publicDashboardId: bearer.publicDashboardId,
        private: bearer.signInId !== null,
      },
    })
  }
}
