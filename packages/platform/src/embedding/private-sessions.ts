import { CodedError } from '@hedron/contract'
import { deployments, embedSessions, type Store } from '@hedron/store'
import { auditRow } from '../audit.ts'
import type { CallContext, Caller } from '../caller.ts'
import type { ContentAccess } from '../content/access/content-access.ts'
import { type FindDeployment, readableDeployments } from '../deployments/find-deployment.ts'
import type { Effects } from '../effects.ts'
import { readAccountSettings } from '../people/account-settings.ts'
import { digestOf } from '../people/digest.ts'
import { effectivePolicies } from '../people/roles/effective-policies.ts'
import type { Person } from '../sign-in/person.ts'
import { findVisibleDashboard } from './dashboards/visible-dashboard.ts'

interface PrivateSessionsNeed {
  readonly store: Store
  readonly effects: Effects
  readonly access: ContentAccess
  readonly findDeployment: FindDeployment
}

/** What an embedded page is of. A page that names neither is of the first deployment that the person may read. */
export interface PrivatePage {
  readonly publicId?: string | undefined
  readonly deploymentId?: number | undefined
}

/** For how long its id can be exchanged, in milliseconds: the page does it at once. */
const exchangeMs = 60_000

/**
 * Private embedding (contract/behaviour/embed.md section 3): somebody who is signed in with this browser looks at an embedded page without a
 * session of a host. The session that he gets has his own rights and no settings, makes no content, and ends with the sign-in.
 *
 * @returns the id of a session, to be exchanged once.
 * @throws {CodedError} `dashboard_not_found`, `deployment_not_found`, `permission_missing`, `embedding_disabled`.
 */
export type OpenPrivateSession = (person: Person, page: PrivatePage, context: CallContext) => Promise<string>

export function createOpenPrivateSession(need: PrivateSessionsNeed): OpenPrivateSession {
  const { store, effects } = need

  return async (person, page, context) => {
    const caller = await callerOf(person)
    const deploymentId = await deploymentOf(caller, page)
    const { embeddingEnabled } = await readAccountSettings(store.kysely, person.accountId)
    if (!embeddingEnabled) throw new CodedError('embedding_disabled', {})
    const sessionId = effects.randomBytes(32).toString('hex')
    const now = effects.now()
    await embedSessions.insertEmbedSession(
      store.kysely,
      {
        accountId: person.accountId,
        deploymentId,
        userId: person.userId,
        embedTenantId: null,
        digest: digestOf(sessionId),
        isInternal: true,
        signInId: person.signInId,
        creatorMode: false,
        branchName: null,
        publicDashboardId: page.publicId ?? null,
        securityContext: JSON.stringify({}),
        settings: JSON.stringify({}),
        theme: null,
        createdAt: now,
        expiresAt: new Date(now.getTime() + exchangeMs),
      },
      auditRow(caller, context, 'embed-session.create', now, { deploymentId, private: true }),
    )
    return sessionId
  }

  async function callerOf({ accountId, userId, name, email, isAdmin, signInId }: Person): Promise<Caller> {
    return {
      accountId,
      userId,
      name,
      email,
      isAdmin,
      policies: isAdmin ? [] : await effectivePolicies(store.kysely, accountId, userId),
      deploymentScope: null,
      credential: `sign-in:${signInId}`,
      embed: null,
    }
  }

  async function deploymentOf(caller: Caller, { publicId, deploymentId }: PrivatePage): Promise<number> {
    if (publicId !== undefined) return (await findVisibleDashboard(need, caller, publicId)).deploymentId
    if (deploymentId !== undefined) return (await need.findDeployment(caller, deploymentId, 'DeploymentRead')).id
    const filter = { ids: readableDeployments(caller), creationSteps: undefined }
    const [first] = await deployments.listDeployments(store.kysely, caller.accountId, filter, { limit: 1 })
    if (first === undefined) throw new CodedError('permission_missing', { permission: 'DeploymentRead' })
    return first.id
  }
}
