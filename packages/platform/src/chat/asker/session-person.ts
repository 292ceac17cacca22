import { type ChatSessionSettings, CodedError, type GenerateSession } from '@hedron/contract'
import { auditLog, embedSessions, externalUsers, knownUserSessions, type Store, users } from '@hedron/store'
import type { Effects } from '../../effects.ts'
import { preparePerson } from '../../embedding/generate-session.ts'
import { findUnchangedUser } from '../../embedding/known-user.ts'
import { readSessionInput, type SessionInput } from '../../embedding/session-input.ts'
import { readAccountSettings } from '../../people/account-settings.ts'
import { roleKeysNamed } from '../../people/roles/role-keys.ts'

/** For whom somebody asks, as `sessionSettings` or the claims of a service token say. */
export interface ChatPerson {
  readonly userId: number
  readonly isInternal: boolean
  readonly securityContext: Readonly<Record<string, unknown>>
}

interface PersonNeeds {
  readonly store: Store
  readonly effects: Effects
  /** Tells the operator. */
  readonly warn: (message: string) => void
}

/** What the audit log is told of who makes a user. */
export interface PersonMaker {
  readonly accountId: number
  readonly deploymentId: number
  readonly actor: string
  readonly address: string | null
  readonly requestId: string
}

/**
 * The user of `sessionSettings` (SPEC, "Chat stream"; contract/behaviour/chat.md section 1): an external one is made or brought up to date as
 * generate-session does, ephemeral unless `isEphemeral` is false; an internal one has to be there.
 */
export function createSessionPerson({ store, effects, warn }: PersonNeeds) {
  return {
    /** @throws {CodedError} `invalid_request`, `internal_user_not_found`, `external_user_limit`, and what generate-session says. */
    async provide(settings: ChatSessionSettings, by: PersonMaker): Promise<ChatPerson> {
      const { accountId } = by
      const { body, input } = await readSettings(settings, by)
      const securityContext = body.securityContext ?? {}
      if (input.user.kind === 'internal') {
        const id = await findInternal(accountId, input.user.username, settings.email ?? null)
        return { userId: id, isInternal: true, securityContext: {} }
      }
      const now = effects.now()
      const known = await findUnchangedUser(store.kysely, accountId, body, input, now)
      const userId = known?.userId ?? (await prepare(body, input, by))
      if (settings.ephemeralTtlSeconds != null) {
        const until = new Date(now.getTime() + settings.ephemeralTtlSeconds * 1000)
        await externalUsers.shortenLife(store.kysely, accountId, userId, until)
      }
      return { userId, isInternal: false, securityContext }
    },

    /** Who is there already; undefined: nobody is. Nothing is written. */
    async find(settings: ChatSessionSettings, by: PersonMaker): Promise<ChatPerson | undefined> {
      const { accountId } = by
      const { body, input } = await readSettings(settings, by)
      if (input.user.kind === 'internal') {
        const user = await users.findUserByEmail(store.kysely, accountId, input.user.username)
        return user && !user.isDeactivated ? { userId: user.id, isInternal: true, securityContext: {} } : undefined
      }
      const key = { accountId, externalId: input.user.externalId, embedTenantName: null }
      const user = await knownUserSessions.findKnownUser(store.kysely, key, effects.now())
      return user && { userId: user.userId, isInternal: false, securityContext: body.securityContext ?? {} }
    },
  }

  async function readSettings(settings: ChatSessionSettings, { accountId, deploymentId }: PersonMaker) {
    const { publicDashboardId } = settings
    const body = toSessionBody(settings, deploymentId)
    const input = readSessionInput(body)
    if (settings.allowChatWorkspaceAuthoring === true) {
      throw refused('allowChatWorkspaceAuthoring: chats do not write to the workspace here; leave it out')
    }
    // Groups and attributes say what a question may read; roles, which are of pages, are only checked to be there.
    await roleKeysNamed(store.kysely, accountId, settings.roles ?? [])
    if (publicDashboardId) {
      const isThere = await embedSessions.hasDashboard(store.kysely, accountId, deploymentId, publicDashboardId)
      if (!isThere) throw new CodedError('dashboard_not_found', { dashboard: publicDashboardId })
    }
    return { body, input }
  }

  async function findInternal(accountId: number, name: string, email: string | null): Promise<number> {
    const user = await users.findUserByEmail(store.kysely, accountId, name)
    if (!user || user.isDeactivated) throw new CodedError('internal_user_not_found', { username: name })
    if (email !== null && email.toLowerCase() !== user.email?.toLowerCase()) {
      throw refused('email: is not that of the internal user; leave it out')
    }
    return user.id
  }

  async function prepare(body: GenerateSession, input: SessionInput, by: PersonMaker): Promise<number> {
    const { accountId } = by
    const now = effects.now()
    return store.transaction(async transaction => {
      const { externalUserLimit: limit } = await readAccountSettings(transaction, accountId)
      const place = { now, limit, counts: 'persistent' } as const
      const person = await preparePerson(transaction, { accountId }, body, input, place)
      await auditLog.insertAudit(transaction, {
        accountId,
        at: now,
        actor: by.actor,
        action: person.isNew ? 'external-user.create' : 'external-user.update',
        target: `user ${person.userId}`,
        address: by.address,
        requestId: by.requestId,
        details: JSON.stringify({ by: 'chat', ephemeralSeconds: input.ephemeralSeconds, ...person.changes }),
      })
      if (person.isWarning)
        warn(`account ${accountId} has 80 % of its ${limit} external users; at the limit, new ones are refused`)
      return person.userId
    })
  }
}
export type SessionPersons = ReturnType<typeof createSessionPerson>

/** `sessionSettings` in the words of generate-session, whose rules then hold for both. */
function toSessionBody(settings: ChatSessionSettings, deploymentId: number): GenerateSession {
  const { externalId, internalId, email, userAttributes, groups, roles, securityContext, ephemeralTtlSeconds } =
    settings
  const isInternal = internalId != null
  return {
    deploymentId,
    externalId,
    internalId,
    // An internal user's may be said; whether it is his is checked when he is found.
    email: isInternal ? undefined : email,
    userAttributes,
    groups,
    roles,
    securityContext,
    isEphemeral: settings.isEphemeral ?? (isInternal ? undefined : true),
    ephemeralTtlSeconds,
  }
}

const refused = (problems: string) => new CodedError('invalid_request', { problems })
